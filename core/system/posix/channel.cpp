#include "core/system/channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "core/system/paths.h"
#include "core/system/posix/start.h"

namespace warplens {

namespace {

// A process in a driver call ends only when the driver allows it, even if it is killed.
constexpr std::chrono::seconds end_patience{1};

bool is_ready(int descriptor, short what, std::chrono::milliseconds longest) {
  pollfd entry{descriptor, what, 0};
  return ::poll(&entry, 1, static_cast<int>(longest.count())) > 0;
}

std::optional<size_t> moved(ssize_t bytes) {
  if (bytes >= 0) return static_cast<size_t>(bytes);
  return errno == EAGAIN || errno == EINTR ? std::optional<size_t>(0) : std::nullopt;
}

}  // namespace

Result<std::pair<Channel, Channel>> Channel::make() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return failed(fmt::format("No wire to another process could be made: {}.", std::strerror(errno)));
  return std::pair<Channel, Channel>(Channel(ends[0]), Channel(ends[1]));
}

Channel Channel::of_input() {
  const int channel = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  // The program must not read from the channel when it reads its standard input.
  if (const int nothing = ::open("/dev/null", O_RDONLY); nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
  }
  return Channel(channel);
}

Channel::Channel(Channel&& other) noexcept : m_number(std::exchange(other.m_number, -1)) {}

Channel::~Channel() {
  if (m_number >= 0) ::close(m_number);
}

bool Channel::can_send(std::chrono::milliseconds longest) const {
  return is_ready(m_number, POLLOUT, longest);
}
bool Channel::has_come(std::chrono::milliseconds longest) const {
  return is_ready(m_number, POLLIN, longest);
}

std::optional<size_t> Channel::send(std::string_view bytes) {
  return moved(::send(m_number, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

std::optional<size_t> Channel::receive(std::span<char> into) {
  const ssize_t got = ::recv(m_number, into.data(), into.size(), MSG_DONTWAIT);
  return got == 0 ? std::nullopt : moved(got);
}

void end_with_input() {
  const int channel = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  std::thread([channel] {
    while (true) {
      pollfd entry{channel, 0, 0};  // a hang-up is reported in any case
      if (::poll(&entry, 1, 1000) > 0 && (entry.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) ::_exit(0);
    }
  }).detach();
}

Result<JoinedProcess> JoinedProcess::start(const std::string& program,
                                           const std::vector<std::string>& arguments,
                                           const Channel& its_end) {
  posix::Start start;
  start.file = program;
  // Lists of processes show this name.
  start.words = {program == running_program() ? program_path().string() : program};
  start.words.insert(start.words.end(), arguments.begin(), arguments.end());
  start.in_path = false;
  start.in = its_end.number();
  const posix::Started made = posix::start(start);
  if (made.child > 0) return JoinedProcess(made.child);
  return failed(fmt::format("{} could not be started: {}.", program, std::strerror(made.error)));
}

JoinedProcess::JoinedProcess(JoinedProcess&& other) noexcept
    : m_id(std::exchange(other.m_id, 0)), m_ended(std::move(other.m_ended)) {}

JoinedProcess::~JoinedProcess() { end(false); }

std::string JoinedProcess::end(bool ends_by_itself) {
  if (m_id <= 0) return m_ended;
  const auto id = static_cast<pid_t>(std::exchange(m_id, 0));
  int status = 0;
  pid_t gone = ::waitpid(id, &status, WNOHANG);
  for (int i = 0; i < 20 && gone == 0 && ends_by_itself; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    gone = ::waitpid(id, &status, WNOHANG);
  }
  if (gone == 0) {
    ::kill(id, SIGKILL);
    const auto until = std::chrono::steady_clock::now() + end_patience;
    while ((gone = ::waitpid(id, &status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (gone == 0) {
    // It ends when the driver allows it. Only a separate thread waits for that.
    std::thread([id] {
      while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
      }
    }).detach();
    return m_ended = "too late: the driver does not let go of it";
  }
  if (gone < 0) return m_ended = "with a status that is not known";
  return m_ended = WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                                       : fmt::format("with status {}", WEXITSTATUS(status));
}

}  // namespace warplens
