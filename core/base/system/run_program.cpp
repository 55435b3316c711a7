#include "core/base/system/run_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#ifndef _WIN32
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

extern char** environ;
#endif

namespace warplens {

#ifdef _WIN32

// Not written yet: the programs that are run come for Linux only.
Result<ProgramEnd> run_program(const std::string& program, const std::vector<std::string>&,
                               std::chrono::milliseconds) {
  return missing(program + " cannot be run: starting programs is not there yet on this operating system.");
}

#else

namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t most_output = size_t{1} << 20;

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : m_number(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (m_number >= 0) ::close(m_number);
    m_number = -1;
  }
  int number() const { return m_number; }

 private:
  int m_number;
};

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&m_actions); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { posix_spawn_file_actions_destroy(&m_actions); }
  posix_spawn_file_actions_t* operator&() { return &m_actions; }

 private:
  posix_spawn_file_actions_t m_actions{};
};

Result<pid_t> start(const std::string& program, const std::vector<std::string>& arguments, int output) {
  SpawnActions actions;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  std::vector<std::string> line{program};
  line.insert(line.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : line) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), &actions, nullptr, pointers.data(), environ);
  if (error == 0) return child;
  return missing(fmt::format("{} cannot be started: {}.", program, std::generic_category().message(error)));
}

// Reads until the program closes its output. False where the time was up before.
bool read_output(int from, Clock::time_point until, std::string& output) {
  char piece[16384];
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd entry{from, POLLIN, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::min<long long>(left, 60'000)));
    if (ready < 0 && errno != EINTR) return true;
    if (ready <= 0) continue;
    const ssize_t count = ::read(from, piece, sizeof piece);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return true;
    output.append(piece, std::min(static_cast<size_t>(count), most_output - output.size()));
  }
}

// The status with which it ended; empty where the time was up before.
bool wait_for(pid_t child, Clock::time_point until, int& status) {
  while (true) {
    const pid_t gone = ::waitpid(child, &status, WNOHANG);
    if (gone == child) return true;
    if (gone < 0 && errno != EINTR) {  // somebody else has collected it
      status = -1;
      return true;
    }
    if (Clock::now() >= until) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace

Result<ProgramEnd> run_program(const std::string& program, const std::vector<std::string>& arguments,
                               std::chrono::milliseconds longest) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return failed(fmt::format("{} cannot be started: {}.", program, std::generic_category().message(errno)));
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const Result<pid_t> child = start(program, arguments, to.number());
  to.close();
  if (!child) return child.error();

  const Clock::time_point until = Clock::now() + longest;
  ProgramEnd end;
  int status = 0;
  if (!read_output(from.number(), until, end.output) || !wait_for(*child, until, status)) {
    ::kill(*child, SIGKILL);
    while (::waitpid(*child, &status, 0) < 0 && errno == EINTR) {
    }
    return failed(fmt::format("{} was ended: it took longer than {} s.", program,
                              std::chrono::duration<double>(longest).count()));
  }
  end.status = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return end;
}

#endif

}  // namespace warplens
