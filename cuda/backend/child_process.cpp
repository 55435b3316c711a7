#include "cuda/backend/child_process.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>

#ifndef _WIN32
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

extern char** environ;
#endif

#include "core/base/system/places.h"

namespace warplens::cuda {

namespace {

constexpr size_t header_bytes = 1 + sizeof(uint64_t);

std::string header_of(char tag, uint64_t size) {
  std::string header(header_bytes, tag);
  std::memcpy(header.data() + 1, &size, sizeof size);
  return header;
}

}  // namespace

#ifdef _WIN32

// Not written yet: real GPUs are used on Linux only.
std::string own_program() { return ""; }
Wire::Wire(Wire&& other) noexcept : m_descriptor(other.m_descriptor) {}
Wire::~Wire() = default;
bool Wire::send(char, std::string_view, const std::function<bool()>&) { return false; }
Wire::State Wire::receive(Message&, std::chrono::milliseconds) { return State::closed; }
Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::string&,
                                                          const std::vector<std::string>&) {
  return missing(
      "Running kernels on a real GPU is not there yet on this operating system; choose a virtual GPU.");
}
Result<std::pair<Wire, Wire>> make_wire() { return missing("There are no wires on this system yet."); }
Wire wire_of_child() { return Wire(-1); }
void end_with_parent() {}
std::unique_ptr<OutputCapture> OutputCapture::start() { return nullptr; }

#else

namespace {

constexpr int poll_ms = 50;
// A process that is inside the driver ends when the driver lets it, even if it is killed.
constexpr std::chrono::seconds end_patience{1};
constexpr const char* running_program = "/proc/self/exe";

bool ready(int descriptor, short what, int wait_ms) {
  pollfd entry{descriptor, what, 0};
  return ::poll(&entry, 1, wait_ms) > 0;
}

class PosixChild final : public ChildProcess {
 public:
  PosixChild(pid_t id, Wire wire) : m_id(id), m_wire(std::move(wire)) {}
  ~PosixChild() override { end(); }
  PosixChild(const PosixChild&) = delete;
  PosixChild& operator=(const PosixChild&) = delete;

  Wire& wire() override { return m_wire; }

  std::string end() override {
    if (m_id <= 0) return m_ended;
    // A process that has just closed the wire will end by itself. It is waited for, to learn how it ended.
    int status = 0;
    pid_t gone = ::waitpid(m_id, &status, WNOHANG);
    for (int i = 0; i < 20 && gone == 0 && m_wire.is_closed(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      gone = ::waitpid(m_id, &status, WNOHANG);
    }
    if (gone == 0) {
      ::kill(m_id, SIGKILL);
      const auto until = std::chrono::steady_clock::now() + end_patience;
      while ((gone = ::waitpid(m_id, &status, WNOHANG)) == 0 && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    const pid_t id = std::exchange(m_id, 0);
    if (gone == 0) {
      leave(id);
      return m_ended = "too late: the driver does not let go of it";
    }
    m_ended = WIFSIGNALED(status) ? fmt::format("by signal {}", WTERMSIG(status))
                                  : fmt::format("with status {}", WEXITSTATUS(status));
    return m_ended;
  }

 private:
  // The process ends when the driver allows it. Only a separate thread waits for that.
  static void leave(pid_t id) {
    std::thread([id] {
      while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
      }
    }).detach();
  }

  pid_t m_id;
  Wire m_wire;
  std::string m_ended;
};

}  // namespace

// The link leads to the running program, even if its file was replaced by a new build or an update. A new
// version might use another format on the wire.
std::string own_program() { return program_path().empty() ? "" : running_program; }

Wire::Wire(Wire&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_closed(other.m_closed),
      m_arrived(std::move(other.m_arrived)) {}

Wire::~Wire() {
  if (m_descriptor >= 0) ::close(m_descriptor);
}

bool Wire::send(char tag, std::string_view bytes, const std::function<bool()>& go_on) {
  const std::string header = header_of(tag, bytes.size());
  for (std::string_view rest : {std::string_view(header), bytes}) {
    while (!rest.empty()) {
      if (go_on && !go_on()) return false;
      if (!ready(m_descriptor, POLLOUT, poll_ms)) continue;
      const ssize_t sent = ::send(m_descriptor, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (sent > 0) rest.remove_prefix(static_cast<size_t>(sent));
    }
  }
  return true;
}

Wire::State Wire::receive(Message& message, std::chrono::milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  while (true) {
    if (m_arrived.size() >= header_bytes) {
      uint64_t size = 0;
      std::memcpy(&size, m_arrived.data() + 1, sizeof size);
      if (m_arrived.size() - header_bytes >= size) {
        message.tag = m_arrived[0];
        message.bytes = m_arrived.substr(header_bytes, static_cast<size_t>(size));
        m_arrived.erase(0, header_bytes + static_cast<size_t>(size));
        return State::message;
      }
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() < 0) return State::nothing;
    if (!ready(m_descriptor, POLLIN, static_cast<int>(std::min<int64_t>(left.count(), 1000)))) {
      if (left.count() == 0) return State::nothing;
      continue;
    }
    constexpr size_t piece = 1 << 20;
    const size_t had = m_arrived.size();
    m_arrived.resize(had + piece);
    const ssize_t got = ::recv(m_descriptor, m_arrived.data() + had, piece, MSG_DONTWAIT);
    m_arrived.resize(had + (got > 0 ? static_cast<size_t>(got) : 0));
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
      m_closed = true;
      return State::closed;
    }
  }
}

Result<std::pair<Wire, Wire>> make_wire() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0)
    return failed(fmt::format("No wire to another process could be made: {}.", std::strerror(errno)));
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return std::pair<Wire, Wire>(Wire(ends[0]), Wire(ends[1]));
}

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::string& program,
                                                          const std::vector<std::string>& arguments) {
  Result<std::pair<Wire, Wire>> wire = make_wire();
  if (!wire) return wire.error();
  Wire ours = std::move(wire->first);
  const Wire theirs = std::move(wire->second);  // closed here once the child has it

  // Lists of processes show this name.
  std::vector<std::string> words{program == running_program ? program_path().string() : program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs.descriptor(), STDIN_FILENO);
  pid_t id = 0;
  const int error = ::posix_spawn(&id, program.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    return failed(fmt::format("{} could not be started for the GPU: {}.", program, std::strerror(error)));
  return std::unique_ptr<ChildProcess>(std::make_unique<PosixChild>(id, std::move(ours)));
}

Wire wire_of_child() {
  const int wire = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  // The program must not read from the wire when it reads its standard input.
  if (const int nothing = ::open("/dev/null", O_RDONLY); nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
  }
  return Wire(wire);
}

void end_with_parent() {
  const int wire = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  std::thread([wire] {
    while (true) {
      pollfd entry{wire, 0, 0};  // hanging up is told whether one asks or not
      if (::poll(&entry, 1, 1000) > 0 && (entry.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) ::_exit(0);
    }
  }).detach();
}

namespace {

class FileCapture final : public OutputCapture {
 public:
  explicit FileCapture(std::FILE* file) : m_file(file) { ::dup2(::fileno(file), STDOUT_FILENO); }
  ~FileCapture() override { std::fclose(m_file); }
  FileCapture(const FileCapture&) = delete;
  FileCapture& operator=(const FileCapture&) = delete;

  void begin() override {
    std::fflush(stdout);
    [[maybe_unused]] const int cut = ::ftruncate(STDOUT_FILENO, 0);
    ::lseek(STDOUT_FILENO, 0, SEEK_SET);
  }

  std::string end() override {
    std::fflush(stdout);
    std::string text;
    std::array<char, 65536> piece{};
    ssize_t got = 0;
    while ((got = ::pread(STDOUT_FILENO, piece.data(), piece.size(), static_cast<off_t>(text.size()))) > 0)
      text.append(piece.data(), static_cast<size_t>(got));
    return text;
  }

 private:
  std::FILE* m_file;
};

}  // namespace

std::unique_ptr<OutputCapture> OutputCapture::start() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return nullptr;
  return std::make_unique<FileCapture>(file);
}

#endif

}  // namespace warplens::cuda
