#include "core/system/run_program.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <thread>

#include "core/system/posix/descriptors.h"
#include "core/system/posix/start.h"

namespace warplens {

namespace {

using Clock = std::chrono::steady_clock;
constexpr size_t most_output = size_t{1} << 20;

// Reads until the program closes its output. False if the time is up first.
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

// Waits for the end of the program and sets its status. False if the time is up first.
bool wait_for(pid_t child, Clock::time_point until, int& status) {
  while (true) {
    const pid_t gone = ::waitpid(child, &status, WNOHANG);
    if (gone == child) return true;
    if (gone < 0 && errno != EINTR) {  // another part of the process has already waited for it
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
  posix::PipeEnds output;
  if (!output.open())
    return failed(fmt::format("{} cannot be started: {}.", program, std::generic_category().message(errno)));
  const posix::Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  posix::Start start;
  start.words = {program};
  start.words.insert(start.words.end(), arguments.begin(), arguments.end());
  start.in_path = false;
  start.in = nothing.number();
  start.out = start.err = output.write;
  const posix::Started made = posix::start(start);
  output.close_write();
  if (made.child < 0)
    return missing(
        fmt::format("{} cannot be started: {}.", program, std::generic_category().message(made.error)));

  const Clock::time_point until = Clock::now() + longest;
  ProgramEnd end;
  int status = 0;
  if (!read_output(output.read, until, end.output) || !wait_for(made.child, until, status)) {
    ::kill(made.child, SIGKILL);
    while (::waitpid(made.child, &status, 0) < 0 && errno == EINTR) {
    }
    return failed(fmt::format("{} was ended: it took longer than {} s.", program,
                              std::chrono::duration<double>(longest).count()));
  }
  end.status = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return end;
}

}  // namespace warplens
