#include "core/system/own_process.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "core/system/paths.h"

namespace warplens {

namespace {

// A signal handler may only change a variable of this type.
volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

long own_process_id() { return static_cast<long>(::getpid()); }

bool process_is_alive(long id) { return ::kill(static_cast<pid_t>(id), 0) == 0 || errno != ESRCH; }

void restart_program(const char* variable, const char* value) {
  ::setenv(variable, value, 1);
  std::string path = program_path().string();
  if (path.empty()) return;
  char* const arguments[] = {path.data(), nullptr};
  ::execv(path.c_str(), arguments);
}

void leave_signals_to_other_threads() {
  sigset_t sent;
  sigfillset(&sent);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&sent, fault);
  ::pthread_sigmask(SIG_BLOCK, &sent, nullptr);
}

bool input_is_a_terminal() { return ::isatty(STDIN_FILENO) != 0; }
bool output_is_a_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

std::string name_of_errors() {
  struct stat found {};
  if (::fstat(STDERR_FILENO, &found) != 0) return {};
  return std::to_string(found.st_dev) + ":" + std::to_string(found.st_ino);
}

void hear_interrupts() {
  interrupted = 0;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}

bool was_interrupted() { return interrupted != 0; }

void leave_interrupts() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace warplens
