#include "core/system/posix/start.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string_view>

#include "core/system/posix/descriptors.h"

namespace warplens::posix {

namespace {

constexpr uint64_t most_processes_of_a_stranger = 512;

constexpr std::string_view known_to_strangers[] = {"PATH=",
                                                   "LANG=",
                                                   "LC_",
                                                   "LD_LIBRARY_PATH=",
                                                   "WARPLENS_NVRTC=",
                                                   "WARPLENS_COMPILER=",
                                                   "WARPLENS_CLANG=",
                                                   "WARPLENS_LIBCLC=",
                                                   "WARPLENS_PTXAS",
                                                   "CUDA_HOME=",
                                                   "CUDA_PATH=",
                                                   "WARPLENS_CUDA_INCLUDE_DIRS=",
                                                   "WARPLENS_ISA=",
                                                   "WARPLENS_TIER="};

// The arguments of exec. They are made before the fork: after it, the copy of a process with threads may have
// locked memory.
struct Exec {
  explicit Exec(const Start& start) : words(start.words), parent(::getpid()) {
    const auto is_set = [&](std::string_view entry) {
      return std::ranges::any_of(start.variables, [&](const auto& of) {
        return entry.starts_with(of.first) && entry.substr(of.first.size()).starts_with('=');
      });
    };
    const auto may_know = [](std::string_view entry) {
      return std::ranges::any_of(known_to_strangers,
                                 [&](std::string_view name) { return entry.starts_with(name); });
    };
    for (char** entry = environ; *entry != nullptr; ++entry)
      if (!is_set(*entry) && (!start.is_stranger || may_know(*entry))) variables.emplace_back(*entry);
    for (auto at = start.variables.begin(); at != start.variables.end(); ++at)
      if (std::none_of(at + 1, start.variables.end(), [&](const auto& of) { return of.first == at->first; }))
        variables.push_back(fmt::format("{}={}", at->first, at->second));
    for (std::string& word : words) argv.push_back(word.data());
    for (std::string& variable : variables) envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    file = start.file.empty() ? argv[0] : start.file.c_str();
  }
  Exec(const Exec&) = delete;
  Exec& operator=(const Exec&) = delete;

  std::vector<std::string> words, variables;
  pid_t parent;
  const char* file;
  std::vector<char*> argv, envp;
};

void limit(int resource, uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

// False, with errno, if an untrusted program would not be isolated.
bool take_limits(const ProcessLimits& limits) {
  const auto seconds = static_cast<uint64_t>(limits.time.count() / 1000 + 1);
  limit(RLIMIT_CPU, seconds * 4);  // it may have threads; the wall-clock limit comes first
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  if (limits.address_bytes > 0) limit(RLIMIT_AS, limits.address_bytes);
  if (!limits.user) return true;
  limit(RLIMIT_NPROC, most_processes_of_a_stranger);
  return ::close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC) == 0 && become_other_user(*limits.user);
}

// Between fork and exec, only calls that are safe in a copy of a process with threads.
[[noreturn]] void become(const Start& start, const Exec& exec, int report) {
  const auto give_up = [report] {
    const int error = errno;
    [[maybe_unused]] const ssize_t told = ::write(report, &error, sizeof error);
    ::_exit(127);
  };
  if (start.first != nullptr) start.first();
  if (start.has_group) ::setpgid(0, 0);
  if (start.in >= 0) ::dup2(start.in, STDIN_FILENO);
  if (start.out >= 0) ::dup2(start.out, STDOUT_FILENO);
  if (start.err >= 0) ::dup2(start.err, STDERR_FILENO);
  if (start.limits != nullptr && !take_limits(*start.limits)) give_up();
  // It must not continue without the process that waits for it, however that ends. A change of the user
  // resets this.
  if (start.ends_with_this) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != exec.parent) ::_exit(127);
  if (!start.folder.empty() && ::chdir(start.folder.c_str()) != 0) give_up();
  if (start.in_its_path) environ = const_cast<char**>(exec.envp.data());
  if (start.in_path) {
    ::execvpe(exec.file, exec.argv.data(), exec.envp.data());
  } else {
    ::execve(exec.file, exec.argv.data(), exec.envp.data());
  }
  give_up();
  ::_exit(127);
}

bool can_be_spawned(const Start& start) {
  return start.first == nullptr && start.limits == nullptr && start.folder.empty() && !start.has_group &&
         !start.ends_with_this && !start.in_its_path;
}

Started spawn(const Start& start, Exec& exec) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (start.in >= 0) ::posix_spawn_file_actions_adddup2(&actions, start.in, STDIN_FILENO);
  if (start.out >= 0) ::posix_spawn_file_actions_adddup2(&actions, start.out, STDOUT_FILENO);
  if (start.err >= 0) ::posix_spawn_file_actions_adddup2(&actions, start.err, STDERR_FILENO);
  Started made;
  const auto spawner = start.in_path ? ::posix_spawnp : ::posix_spawn;
  made.error = spawner(&made.child, exec.file, &actions, nullptr, exec.argv.data(), exec.envp.data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (made.error != 0) made.child = -1;
  return made;
}

}  // namespace

namespace {

// If this process ignores the end of its children, as with "trap '' CHLD" in a shell, the system drops their
// status, and a failed program would look like one that succeeded.
void keep_status_of_children() {
  struct sigaction now {};
  if (::sigaction(SIGCHLD, nullptr, &now) != 0) return;
  const bool has_handler = (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_IGN;
  if (has_handler && (now.sa_flags & SA_NOCLDWAIT) == 0) return;
  if (!has_handler) now.sa_handler = SIG_DFL;
  now.sa_flags &= ~SA_NOCLDWAIT;
  ::sigaction(SIGCHLD, &now, nullptr);
}

}  // namespace

Started start(const Start& start) {
  keep_status_of_children();
  Exec exec(start);
  if (can_be_spawned(start)) return spawn(start, exec);
  PipeEnds report;  // why it could not be run; closed if it could
  if (!report.open()) return {-1, errno, true};
  const pid_t child = ::fork();
  if (child < 0) return {-1, errno, true};
  if (child == 0) become(start, exec, report.write);
  if (start.has_group) ::setpgid(child, child);  // here too: whichever is first
  report.close_write();
  int error = 0;
  ssize_t got = 0;
  while ((got = ::read(report.read, &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (got != sizeof error) return {child, 0, false};
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return {-1, error, false};
}

Error why_not(const Start& start, const Started& made) {
  std::string message =
      fmt::format("{} could not be started: {}.", start.words[0], std::strerror(made.error));
  return made.no_process ? failed(std::move(message)) : missing(std::move(message));
}

void wait_for_end(pid_t child, const ProcessLimits& limits, std::chrono::steady_clock::time_point begin,
                  ProcessEnd& end) {
  int status = 0;
  rusage usage{};
  // It has closed its output but may continue to run: its time is still limited.
  pid_t gone = 0;
  while ((gone = ::wait4(child, &status, WNOHANG, &usage)) == 0 || (gone < 0 && errno == EINTR)) {
    if (std::chrono::steady_clock::now() - begin > limits.time) {
      if (!end.timed_out && !end.stopped) end.timed_out = true;
      ::kill(-child, SIGKILL);
    }
    ::usleep(500);
  }
  ::kill(-child, SIGKILL);  // everything that it has left running
  if (gone < 0) {           // another part of this process has waited for it
    end.status = -1;
    return;
  }
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end.status = end.signal != 0 ? 128 + end.signal : WEXITSTATUS(status);
  if (end.signal == SIGXCPU) end.timed_out = true;
  end.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace warplens::posix
