#include "core/base/system/limited_process.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#ifdef __unix__
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#endif

namespace warplens {

#ifdef __unix__

namespace {

using SteadyClock = std::chrono::steady_clock;

struct PipeEnds {
  int read = -1, write = -1;
  ~PipeEnds() {
    close_read();
    close_write();
  }
  void close_read() {
    if (read >= 0) ::close(read);
    read = -1;
  }
  void close_write() {
    if (write >= 0) ::close(write);
    write = -1;
  }
  // A socket, unlike a pipe, can be written to without a signal when the other end is gone.
  bool open(bool socket = false) {
    int ends[2];
    if (socket ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0
               : ::pipe2(ends, O_CLOEXEC) != 0)
      return false;
    read = ends[0];
    write = ends[1];
    return true;
  }
};

void limit(int resource, uint64_t value) {
  const rlimit both{value, value};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &both);
}

// What execvpe takes. Made before the fork: behind it, memory of a copy of a process with threads may be
// locked.
struct Exec {
  Exec(const std::vector<std::string>& program,
       const std::vector<std::pair<std::string, std::string>>& set = {}, std::string in_folder = {})
      : words(program), folder(std::move(in_folder)), parent(::getpid()) {
    const auto is_set = [&](std::string_view entry) {
      return std::ranges::any_of(set, [&](const auto& of) {
        return entry.starts_with(of.first) && entry.substr(of.first.size()).starts_with('=');
      });
    };
    for (char** entry = environ; *entry != nullptr; ++entry)
      if (!is_set(*entry)) variables.emplace_back(*entry);
    for (const auto& [name, value] : set) variables.push_back(name + "=" + value);
    for (std::string& word : words) argv.push_back(word.data());
    for (std::string& variable : variables) envp.push_back(variable.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
  }
  Exec(const Exec&) = delete;
  Exec& operator=(const Exec&) = delete;

  std::vector<std::string> words, variables;
  std::string folder;
  pid_t parent;
  std::vector<char*> argv, envp;
};

// Between fork and exec only calls that are safe in a copy of a process with threads.
[[noreturn]] void become(const Exec& exec, const ProcessLimits& limits, int in, int out, int err,
                         int report) {
  ::setpgid(0, 0);
  // Nothing goes on without the one that waits for it, however that ends.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != exec.parent) ::_exit(127);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  const auto seconds = static_cast<uint64_t>(limits.time.count() / 1000 + 1);
  limit(RLIMIT_CPU, seconds * 4);  // it may have threads; the clock on the wall comes first
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  if (limits.address_bytes > 0) limit(RLIMIT_AS, limits.address_bytes);
  const bool is_there = exec.folder.empty() || ::chdir(exec.folder.c_str()) == 0;
  if (is_there) ::execvpe(exec.argv[0], exec.argv.data(), exec.envp.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t told = ::write(report, &error, sizeof error);
  ::_exit(127);
}

// Reads what is there; false when the other end is closed.
bool drain(int descriptor, std::string& into, uint64_t most) {
  char piece[65536];
  const ssize_t got = ::read(descriptor, piece, sizeof piece);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
  if (got > 0 && into.size() < most)
    into.append(piece,
                static_cast<size_t>(std::min<uint64_t>(static_cast<uint64_t>(got), most - into.size())));
  return true;
}

// Writes to the child and reads from it until it has closed both of its ends.
void converse(pid_t child, PipeEnds& in, PipeEnds& out, PipeEnds& err, std::string_view input,
              const ProcessLimits& limits, const std::stop_token& stop, ProcessEnd& end) {
  const auto until = SteadyClock::now() + limits.time;
  bool killed = false;
  while (out.read >= 0 || err.read >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - SteadyClock::now()).count();
    if (!killed && (left <= 0 || stop.stop_requested())) {
      end.timed_out = left <= 0;
      end.stopped = !end.timed_out;
      ::kill(-child, SIGKILL);
      killed = true;
    }
    // A grandchild that left the group may hold the pipe: it is not waited for.
    if (killed && left < -2000) return;
    pollfd entries[] = {{in.write, POLLOUT, 0}, {out.read, POLLIN, 0}, {err.read, POLLIN, 0}};
    ::poll(entries, 3, static_cast<int>(std::clamp<int64_t>(killed ? 100 : left, 1, 100)));
    if (in.write >= 0 && entries[0].revents != 0) {
      const ssize_t sent =
          ::send(in.write, input.data(), std::min<size_t>(input.size(), 65536), MSG_NOSIGNAL);
      if (sent > 0) input.remove_prefix(static_cast<size_t>(sent));
      if (input.empty() || (sent < 0 && errno != EAGAIN && errno != EINTR)) in.close_write();
    }
    if (out.read >= 0 && entries[1].revents != 0 && !drain(out.read, end.out, limits.output_bytes))
      out.close_read();
    if (err.read >= 0 && entries[2].revents != 0 && !drain(err.read, end.err, limits.output_bytes))
      err.close_read();
  }
}

void wait_for(pid_t child, const ProcessLimits& limits, SteadyClock::time_point begin, ProcessEnd& end) {
  int status = 0;
  rusage usage{};
  // It has closed its output and may go on: its time is still limited.
  while (::wait4(child, &status, WNOHANG, &usage) == 0) {
    if (SteadyClock::now() - begin > limits.time) {
      if (!end.timed_out && !end.stopped) end.timed_out = true;
      ::kill(-child, SIGKILL);
    }
    ::usleep(500);
  }
  ::kill(-child, SIGKILL);  // whatever it has left behind
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end.status = end.signal != 0 ? 128 + end.signal : WEXITSTATUS(status);
  if (end.signal == SIGXCPU) end.timed_out = true;
  end.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

Result<ProcessEnd> run_limited(const std::vector<std::string>& words, std::string_view input,
                               const ProcessLimits& limits, std::stop_token stop) {
  PipeEnds in, out, err, report;
  if (words.empty() || !in.open(true) || !out.open() || !err.open() || !report.open())
    return failed(fmt::format("No pipe to another process could be made: {}.", std::strerror(errno)));
  const Exec exec(words);
  const auto begin = SteadyClock::now();
  const pid_t child = ::fork();
  if (child < 0) return failed(fmt::format("{} could not be started: {}.", words[0], std::strerror(errno)));
  if (child == 0) become(exec, limits, in.read, out.write, err.write, report.write);
  ::setpgid(child, child);
  in.close_read();
  out.close_write();
  err.close_write();
  report.close_write();
  ::fcntl(in.write, F_SETFL, O_NONBLOCK);
  ::fcntl(out.read, F_SETFL, O_NONBLOCK);
  ::fcntl(err.read, F_SETFL, O_NONBLOCK);
  if (input.empty()) in.close_write();
  ProcessEnd end;
  converse(child, in, out, err, input, limits, stop, end);
  wait_for(child, limits, begin, end);
  end.milliseconds = std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
  int error = 0;
  if (::read(report.read, &error, sizeof error) == sizeof error)
    return missing(fmt::format("{} could not be started: {}.", words[0], std::strerror(error)));
  return end;
}

namespace {

using Heard = std::function<void(ProgramStream, std::string_view)>;

// False when the other end is closed.
bool hear(int descriptor, ProgramStream stream, const Heard& heard) {
  char piece[65536];
  const ssize_t got = ::read(descriptor, piece, sizeof piece);
  if (got > 0) heard(stream, {piece, static_cast<size_t>(got)});
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

bool has_ended(pid_t child) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child;
}

// Until the child has ended. A process that it leaves behind may hold its output, and is not waited for.
void listen(pid_t child, PipeEnds& out, PipeEnds& err, const HeardProgram& program, const Heard& heard,
            const std::stop_token& stop, ProcessEnd& end) {
  constexpr auto rest = std::chrono::milliseconds(200);  // for what is still in the pipes
  SteadyClock::time_point asked, ended;
  for (;;) {
    const SteadyClock::time_point now = SteadyClock::now();
    if (stop.stop_requested()) {
      if (!end.stopped) ::kill(child, SIGTERM);
      if (!std::exchange(end.stopped, true)) asked = now;
      if (now - asked > program.time_to_clean_up) ::kill(-child, SIGKILL);
    }
    const bool last = has_ended(child);
    if (last && ended == SteadyClock::time_point()) ended = now;
    const bool silent = out.read < 0 && err.read < 0;
    pollfd entries[] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}};  // a closed one is passed over
    const int ready = ::poll(entries, 2, last ? 0 : silent ? 5 : 50);
    if (entries[0].revents != 0 && !hear(out.read, ProgramStream::out, heard)) out.close_read();
    if (entries[1].revents != 0 && !hear(err.read, ProgramStream::err, heard)) err.close_read();
    if (last && (ready <= 0 || now - ended > rest)) return;
    heard(ProgramStream::out, {});
  }
}

}  // namespace

Result<ProcessEnd> run_heard(const HeardProgram& program, const Heard& heard, std::stop_token stop) {
  PipeEnds in, out, err, report;
  if (program.words.empty() || !in.open() || !out.open() || !err.open() || !report.open())
    return failed(fmt::format("No pipe to another process could be made: {}.", std::strerror(errno)));
  ProcessLimits none;
  none.time = std::chrono::hours(24 * 365);
  none.file_bytes = RLIM_INFINITY;
  const Exec exec(program.words, program.variables, program.folder);
  const std::string& name = program.words[0];
  const auto begin = SteadyClock::now();
  const pid_t child = ::fork();
  if (child < 0) return failed(fmt::format("{} could not be started: {}.", name, std::strerror(errno)));
  if (child == 0) become(exec, none, in.read, out.write, err.write, report.write);
  ::setpgid(child, child);
  for (PipeEnds* ends : {&out, &err, &report}) ends->close_write();
  in.close_read();
  in.close_write();
  ::fcntl(out.read, F_SETFL, O_NONBLOCK);
  ::fcntl(err.read, F_SETFL, O_NONBLOCK);
  ProcessEnd end;
  listen(child, out, err, program, heard, stop, end);
  wait_for(child, none, begin, end);
  end.milliseconds = std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
  int error = 0;
  if (::read(report.read, &error, sizeof error) == sizeof error)
    return missing(fmt::format("{} could not be started: {}.", name, std::strerror(error)));
  return end;
}

Result<ProcessEnd> run_told(const std::vector<std::string>& words,
                            const std::function<void(std::string_view)>& line, std::stop_token stop) {
  constexpr size_t most = size_t{1} << 20;
  std::string out, err;
  const auto heard = [&](ProgramStream stream, std::string_view piece) {
    std::string& text = stream == ProgramStream::out ? out : err;
    text.append(piece.substr(0, most - std::min(most, text.size())));
    if (stream == ProgramStream::err) return;
    for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
      line(std::string_view(text).substr(0, end));
      text.erase(0, end + 1);
    }
  };
  HeardProgram program;
  program.words = words;
  Result<ProcessEnd> end = run_heard(program, heard, std::move(stop));
  if (end) end->err = std::move(err);
  return end;
}

#else

Result<ProcessEnd> run_heard(const HeardProgram&, const std::function<void(ProgramStream, std::string_view)>&,
                             std::stop_token) {
  return missing("Processes that are listened to need Linux.");
}

Result<ProcessEnd> run_told(const std::vector<std::string>&, const std::function<void(std::string_view)>&,
                            std::stop_token) {
  return missing("Processes that are listened to need Linux.");
}

Result<ProcessEnd> run_limited(const std::vector<std::string>&, std::string_view, const ProcessLimits&,
                               std::stop_token) {
  return missing("Processes with limits need Linux.");
}

#endif

}  // namespace warplens
