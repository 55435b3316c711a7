#include "app/program/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace warplens::program_run {

namespace {

volatile sig_atomic_t child_process = 0;

void pass_on(int signal) {
  if (child_process > 0) kill(static_cast<pid_t>(child_process), signal);
}

// The terminal sends Ctrl-C to both; the program decides what it means.
struct SignalsOfAParent {
  struct sigaction interrupt {
  }, quit{}, end{}, hang_up{};
  SignalsOfAParent() {
    struct sigaction ignore {
    }, pass{};
    ignore.sa_handler = SIG_IGN;
    pass.sa_handler = pass_on;
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    sigaction(SIGTERM, &pass, &end);
    sigaction(SIGHUP, &pass, &hang_up);
  }
  void restore() const {
    sigaction(SIGINT, &interrupt, nullptr);
    sigaction(SIGQUIT, &quit, nullptr);
    sigaction(SIGTERM, &end, nullptr);
    sigaction(SIGHUP, &hang_up, nullptr);
  }
};

}  // namespace

Result<int> run_child(const std::vector<std::string>& command,
                      const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int told[2];  // why the program could not start; closes when it has
  if (pipe2(told, O_CLOEXEC) != 0)
    return failed("No process could be started: the system has no room for one.");
  const SignalsOfAParent signals;
  const pid_t child = fork();
  if (child < 0) {
    signals.restore();
    return failed("No process could be started: the system has no room for one.");
  }
  if (child == 0) {
    signals.restore();
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
    execvp(arguments[0], arguments.data());
    const int why = errno;
    [[maybe_unused]] const auto written = write(told[1], &why, sizeof why);
    _exit(127);
  }
  child_process = child;
  close(told[1]);
  int why = 0;
  const bool not_started = read(told[0], &why, sizeof why) == sizeof why;
  close(told[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child_process = 0;
  signals.restore();
  if (not_started) return missing(fmt::format("{} cannot be started: {}.", command[0], std::strerror(why)));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace warplens::program_run
