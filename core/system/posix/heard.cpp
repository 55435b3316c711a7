#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "core/system/posix/descriptors.h"
#include "core/system/posix/start.h"

namespace warplens {

namespace {

using posix::PipeEnds;
using HeardClock = std::chrono::steady_clock;
using Heard = std::function<void(ProgramStream, std::string_view)>;

// Reads what is there. False if the other end is closed.
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

// Listens until the child has ended. A process that the child leaves running may keep its output open; it is
// not waited for.
void listen(pid_t child, PipeEnds& out, PipeEnds& err, const HeardProgram& program, const Heard& heard,
            const std::stop_token& stop, ProcessEnd& end) {
  constexpr auto rest = std::chrono::milliseconds(200);  // for what is still in the pipes
  HeardClock::time_point asked, ended;
  for (;;) {
    const HeardClock::time_point now = HeardClock::now();
    if (stop.stop_requested()) {
      if (!end.stopped) ::kill(child, SIGTERM);
      if (!std::exchange(end.stopped, true)) asked = now;
      if (now - asked > program.time_to_clean_up) ::kill(-child, SIGKILL);
    }
    const bool last = has_ended(child);
    if (last && ended == HeardClock::time_point()) ended = now;
    const bool silent = out.read < 0 && err.read < 0;
    pollfd entries[] = {{out.read, POLLIN, 0}, {err.read, POLLIN, 0}};  // a closed one is ignored
    const int ready = ::poll(entries, 2, last ? 0 : silent ? 5 : 50);
    if (entries[0].revents != 0 && !hear(out.read, ProgramStream::out, heard)) out.close_read();
    if (entries[1].revents != 0 && !hear(err.read, ProgramStream::err, heard)) err.close_read();
    if (last && (ready <= 0 || now - ended > rest)) return;
    heard(ProgramStream::out, {});
  }
}

}  // namespace

Result<ProcessEnd> run_heard(const HeardProgram& program, const Heard& heard, std::stop_token stop) {
  PipeEnds in, out, err;
  if (program.words.empty() || !in.open() || !out.open() || !err.open())
    return failed(fmt::format("No pipe to another process could be made: {}.", std::strerror(errno)));
  ProcessLimits none;
  none.time = std::chrono::hours(24 * 365);
  none.file_bytes = RLIM_INFINITY;
  posix::Start start;
  start.words = program.words;
  start.folder = program.folder;
  start.variables = program.variables;
  start.in = in.read;
  start.out = out.write;
  start.err = err.write;
  start.has_group = start.ends_with_this = true;
  start.limits = &none;
  const auto begin = HeardClock::now();
  const posix::Started made = posix::start(start);
  if (made.child < 0) return posix::why_not(start, made);
  in.close_read();
  for (PipeEnds* ends : {&in, &out, &err}) ends->close_write();
  ::fcntl(out.read, F_SETFL, O_NONBLOCK);
  ::fcntl(err.read, F_SETFL, O_NONBLOCK);
  ProcessEnd end;
  listen(made.child, out, err, program, heard, stop, end);
  posix::wait_for_end(made.child, none, begin, end);
  end.milliseconds = std::chrono::duration<double, std::milli>(HeardClock::now() - begin).count();
  return end;
}

}  // namespace warplens
