#include "core/system/attached.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <optional>

#include "core/system/posix/descriptors.h"
#include "core/system/posix/start.h"

namespace warplens {

namespace {

constexpr int passed[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

volatile sig_atomic_t child_process = 0, child_has_group = 0, asked_to_end = 0;
struct sigaction before_passing[std::size(passed)], before_pipe;

void pass_on(int signal, siginfo_t* info, void*) {
  // The terminal sends the signal to all processes of the group at once; the program decides what to do.
  const bool from_terminal = info->si_code == SI_KERNEL && (signal == SIGINT || signal == SIGQUIT);
  if (from_terminal && child_has_group == 0) return;
  asked_to_end = signal;
  if (child_process <= 0) return;
  const int kept = errno;
  kill(static_cast<pid_t>(child_has_group != 0 ? -child_process : child_process), signal);
  errno = kept;
}

bool has_terminal() {
  const int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal >= 0) close(terminal);
  return terminal >= 0;
}

void restore_signals() {
  for (size_t i = 0; i < std::size(passed); ++i) sigaction(passed[i], &before_passing[i], nullptr);
  sigaction(SIGPIPE, &before_pipe, nullptr);
}

// Ends the program's process group if this process is killed, since its work would not be recorded any more.
// It is a process in that group that waits for the end of a pipe.
class GroupWatch {
 public:
  explicit GroupWatch(pid_t group) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    m_process = fork();
    if (m_process == 0) watch(group, ends[0], ends[1]);
    close(ends[0]);
    m_told = ends[1];
  }
  ~GroupWatch() {
    if (m_told < 0) return;
    [[maybe_unused]] const auto said = write(m_told, "e", 1);  // this process was not killed
    close(m_told);
    while (m_process > 0 && waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  GroupWatch(const GroupWatch&) = delete;

 private:
  [[noreturn]] static void watch(pid_t group, int end, int other) {
    for (const int signal : passed) std::signal(signal, SIG_IGN);
    setpgid(0, group);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, other}) close(file);
    char said = 0;
    ssize_t got = 0;
    while ((got = read(end, &said, 1)) < 0 && errno == EINTR) {
    }
    if (got != 0 || getpgrp() != group) _exit(0);
    kill(0, SIGTERM);
    sleep(2);
    kill(0, SIGKILL);
    _exit(0);
  }

  pid_t m_process = -1;
  int m_told = -1;
};

}  // namespace

SignalsForProgram::SignalsForProgram() {
  child_process = 0;
  child_has_group = 0;
  asked_to_end = 0;
  for (size_t i = 0; i < std::size(passed); ++i) {
    struct sigaction pass {};
    pass.sa_sigaction = pass_on;
    pass.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(passed[i], nullptr, &before_passing[i]);
    if (before_passing[i].sa_handler != SIG_IGN) sigaction(passed[i], &pass, nullptr);
  }
  // The reader of the summary may be gone; the recording is written nevertheless.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &before_pipe);
}

SignalsForProgram::~SignalsForProgram() { restore_signals(); }

namespace {

Error not_started(const std::string& program, const posix::Started& made) {
  if (made.no_process) return failed("No process could be started: the system has no room for one.");
  return missing(fmt::format("{} cannot be started: {}.", program, std::strerror(made.error)));
}

int status_of(pid_t child) {
  int status = 0;
  pid_t gone = 0;
  while ((gone = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
  }
  if (gone < 0) return -1;  // another part of this process has waited for it
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Result<int> run_attached(const std::vector<std::string>& command,
                         const std::vector<std::pair<std::string, std::string>>& variables) {
  const bool own_group = !has_terminal();
  posix::Start program;
  program.words = command;
  program.variables = variables;
  program.in_its_path = true;
  program.first = restore_signals;
  program.has_group = own_group;
  program.ends_with_this = !own_group;
  const posix::Started made = posix::start(program);
  if (made.child < 0) return not_started(command[0], made);
  child_has_group = own_group ? 1 : 0;
  child_process = made.child;
  // Signals from before the program started are forwarded to it too.
  if (asked_to_end != 0) kill(own_group ? -made.child : made.child, asked_to_end);
  std::optional<GroupWatch> watch;
  if (own_group) watch.emplace(made.child);
  // After its number is released, another process could get a signal that is meant for it.
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(made.child), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  child_process = 0;
  return status_of(made.child);
}

}  // namespace warplens
