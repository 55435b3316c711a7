#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/system/places.h"
#include "core/system/posix/descriptors.h"
#include "core/system/posix/start.h"

namespace warplens {

namespace {

using posix::PipeEnds;
using SteadyClock = std::chrono::steady_clock;

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
    // A grandchild that left the group may keep the pipe open: it is not waited for.
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

Result<ProcessEnd> run_as_it_is(posix::Start program, std::string_view input, const ProcessLimits& limits,
                                const std::stop_token& stop) {
  PipeEnds in, out, err;
  if (program.words.empty() || !in.open(true) || !out.open() || !err.open())
    return failed(fmt::format("No pipe to another process could be made: {}.", std::strerror(errno)));
  program.in = in.read;
  program.out = out.write;
  program.err = err.write;
  program.has_group = program.ends_with_this = true;
  program.limits = &limits;
  const auto begin = SteadyClock::now();
  const posix::Started made = posix::start(program);
  if (made.child < 0) return posix::why_not(program, made);
  in.close_read();
  out.close_write();
  err.close_write();
  for (const int end : {in.write, out.read, err.read}) ::fcntl(end, F_SETFL, O_NONBLOCK);
  if (input.empty()) in.close_write();
  ProcessEnd end;
  converse(made.child, in, out, err, input, limits, stop, end);
  posix::wait_for_end(made.child, limits, begin, end);
  end.milliseconds = std::chrono::duration<double, std::milli>(SteadyClock::now() - begin).count();
  return end;
}

}  // namespace

Result<ProcessEnd> run_limited(const std::vector<std::string>& words, std::string_view input,
                               const ProcessLimits& limits, std::stop_token stop) {
  posix::Start program;
  program.words = words;
  if (!limits.user) return run_as_it_is(std::move(program), input, limits, stop);
  const Result<OtherUsersFolder> folder = OtherUsersFolder::make(*limits.user);
  if (!folder) return folder.error();
  const std::string& path = folder->path();
  // It may read this process's cache if permissions allow it, but writes to none.
  const std::filesystem::path cache = cache_folder();
  const std::string caches = cache.empty() ? path : cache.parent_path().string();
  program.variables = {{"HOME", path}, {"TMPDIR", path}, {"XDG_CACHE_HOME", caches}};
  program.folder = path;
  program.is_stranger = true;
  return run_as_it_is(std::move(program), input, limits, stop);
}

}  // namespace warplens
