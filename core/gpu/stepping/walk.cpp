#include "core/gpu/stepping/walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "core/gpu/observe/coalescing.h"

namespace warplens::stepping {
namespace {

uint32_t line_of(const BlockStepper& stepper, const TraceEntry& entry) {
  return stepper.table().instruction(entry.instruction).line;
}

// Detects, in the order of the trace, where only some lanes of a warp's last path continue. Lanes that begin
// another path do not belong to the last one, so reconvergence is not a divergence.
class Partings {
 public:
  explicit Partings(uint32_t warps) : m_last(warps, 0) {}
  bool parts(const TraceEntry& entry) {
    uint32_t& last = m_last[entry.warp];
    const bool some = (entry.active & ~last) == 0 && entry.active != last;
    last = entry.active;
    return some;
  }

 private:
  std::vector<uint32_t> m_last;  // active lanes, per warp
};

observe::Wavefronts wavefronts_of(const SteppedAccess& access) {
  if (access.kind == AccessKind::atomic)
    return observe::atomic_wavefronts(access.address.data(), access.lanes, access.bytes);
  return observe::wavefronts_of(access.address.data(), access.lanes, access.bytes,
                                access.kind == AccessKind::load);
}

bool conflicts(const SteppedAccess& access) {
  return access.space == Space::shared && access.lanes != 0 && wavefronts_of(access).conflicts > 0;
}

// Makes addresses offsets in their buffer, if all are in the same one.
void take_offsets(const BlockStepper& stepper, WarpAccess& access) {
  for (const DeviceMemory& memory : stepper.device_memory()) {
    const auto inside = [&](uint32_t lane) {
      return (access.mask >> lane & 1) == 0 || access.offset[lane] - memory.address < memory.bytes;
    };
    bool all = memory.buffer >= 0;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) all = all && inside(lane);
    if (!all) continue;
    access.buffer = memory.buffer;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      if ((access.mask >> lane & 1) != 0) access.offset[lane] -= memory.address;
    return;
  }
}

bool is_hit(const Stop& stopped) { return stopped.why == Why::breakpoint || stopped.why == Why::watchpoint; }

// Goes back to the last wanted stop up to the current position. It searches in windows that grow, since most
// stops are near.
template <class Wanted>
std::optional<Stop> last_before(BlockStepper& stepper, const std::stop_token& stop, Wanted wanted) {
  const uint64_t here = stepper.position();
  uint64_t width = 4096;
  for (uint64_t end = here; end > 0 && !stop.stop_requested(); width *= 2) {
    const uint64_t begin = end - std::min(end, width);
    stepper.jump(begin);
    std::optional<Stop> found = begin == 0 ? stepper.here() : std::nullopt;
    if (found && !wanted(*found)) found.reset();
    while (stepper.position() < end && !stop.stop_requested()) {
      const uint64_t before = stepper.position();
      const Stop stopped = stepper.run({Goal::Kind::instructions, 0, end - before}, stop);
      if (is_hit(stopped) && wanted(stopped)) found = stopped;
      if (stepper.position() == before) break;
    }
    if (found && !stop.stop_requested()) {
      stepper.jump(found->position);
      return found;
    }
    end = begin;
  }
  stepper.jump(here);
  return std::nullopt;
}

}  // namespace

Stop back_by_line(BlockStepper& stepper, uint32_t warp) {
  const std::span<const TraceEntry> trace = stepper.trace();
  const auto next = stepper.next();
  uint64_t at = std::min<uint64_t>(stepper.position(), trace.size());
  const auto earlier = [&](uint64_t from) {  // the position of this warp's instruction before `from`
    while (from > 0 && trace[static_cast<size_t>(from - 1)].warp != warp) --from;
    return from == 0 ? std::nullopt : std::optional(from - 1);
  };
  auto before = earlier(at);
  if (!before) return stepper.jump(0);
  // The warp's current line: that of its next instruction if the warp is next, otherwise that of its last
  // one.
  const bool is_next = next && next->warp == warp;
  uint32_t line = line_of(stepper, is_next ? *next : trace[static_cast<size_t>(*before)]);
  if (is_next && line_of(stepper, trace[static_cast<size_t>(*before)]) != line)
    line = line_of(stepper, trace[static_cast<size_t>(*before)]);
  uint64_t begin = *before;
  while ((before = earlier(begin)) && line_of(stepper, trace[static_cast<size_t>(*before)]) == line)
    begin = *before;
  return stepper.jump(begin);
}

Stop seek(BlockStepper& stepper, Seek what, const std::stop_token& stop) {
  Partings partings(stepper.warps());
  const auto recorded = stepper.trace();
  for (size_t i = 0; i < std::min<uint64_t>(stepper.position(), recorded.size()); ++i)
    partings.parts(recorded[i]);
  const Goal one{Goal::Kind::instructions};
  if (const auto here = stepper.next(); here && what == Seek::divergence) partings.parts(*here);
  for (;;) {
    Stop stopped = stepper.run(one, stop);
    if (stopped.why != Why::stepped) return stopped;
    const auto next = stepper.next();
    if (what == Seek::conflict) {
      const auto accesses = stepper.accesses();
      if (std::ranges::any_of(accesses, conflicts)) return stopped;
    }
    if (!next) return stopped;
    if (what == Seek::barrier && stepper.table().instruction(next->instruction).barrier) return stopped;
    if (what == Seek::divergence && partings.parts(*next)) return stopped;
  }
}

std::optional<Stop> seek_write(BlockStepper& stepper, Space space, uint64_t address, uint64_t bytes,
                               const std::stop_token& stop) {
  const Breakpoint watch{.kind = Breakpoint::Kind::write, .space = space, .address = address, .bytes = bytes};
  const Result<uint32_t> number = stepper.add(watch);
  if (!number) return std::nullopt;
  const uint64_t here = stepper.position();
  auto found = last_before(stepper, stop, [&](const Stop& stopped) {
    return stopped.why == Why::watchpoint && stopped.breakpoint == *number && stopped.position < here;
  });
  stepper.remove(*number);
  return found;
}

std::optional<Stop> back_to_stop(BlockStepper& stepper, const std::stop_token& stop) {
  const uint64_t here = stepper.position();
  return last_before(stepper, stop,
                     [&](const Stop& stopped) { return is_hit(stopped) && stopped.position < here; });
}

std::vector<uint64_t> stops_of(BlockStepper& stepper, size_t most, const std::stop_token& stop) {
  std::vector<uint64_t> found;
  if (stepper.breakpoints().empty()) return found;
  const uint64_t here = stepper.position(), end = stepper.recorded();
  stepper.jump(0, stop);
  if (stepper.here()) found.push_back(0);
  while (stepper.position() < end && found.size() < most && !stop.stop_requested()) {
    const uint64_t before = stepper.position();
    const Stop stopped = stepper.run({Goal::Kind::instructions, 0, end - before}, stop);
    if (is_hit(stopped) && (found.empty() || found.back() != stopped.position))
      found.push_back(stopped.position);
    if (stepper.position() == before) break;
  }
  stepper.jump(here);
  return found;
}

Stop seek_next_write(BlockStepper& stepper, Space space, uint64_t address, uint64_t bytes,
                     const std::stop_token& stop) {
  const Breakpoint watch{.kind = Breakpoint::Kind::write, .space = space, .address = address, .bytes = bytes};
  const Result<uint32_t> number = stepper.add(watch);
  if (!number) {
    Stop none;
    none.position = stepper.position();
    none.message = number.error().message;
    return none;
  }
  Stop stopped = stepper.run({}, stop);
  stepper.remove(*number);
  if (stopped.why == Why::watchpoint && stopped.breakpoint == *number) stopped.message.clear();
  return stopped;
}

BlockFootprint footprint_of(const BlockStepper& stepper) {
  BlockFootprint footprint;
  const auto trace = stepper.trace();
  const uint64_t position = stepper.position();
  if (position == 0 || position > trace.size()) return footprint;
  const TraceEntry& entry = trace[static_cast<size_t>(position - 1)];
  const CodePlace place = stepper.place(entry.instruction);
  for (const SteppedAccess& access : stepper.accesses()) {
    if (access.lanes == 0 || (access.space != Space::global && access.space != Space::shared)) continue;
    WarpAccess one;
    one.warp = entry.warp;
    one.mask = access.lanes;
    one.space = access.space;
    one.kind = access.kind;
    one.bytes_per_lane = static_cast<uint8_t>(access.bytes);
    one.ptx_line = place.ptx_line;
    one.source_line = place.line;
    one.offset = access.address;
    if (access.space == Space::shared) {
      one.wavefronts = wavefronts_of(access).count;
    } else {
      const observe::Sectors sectors = observe::sectors_of(access.address.data(), access.lanes, access.bytes);
      one.sectors = sectors.touched;
      one.sectors_ideal = sectors.ideal;
      take_offsets(stepper, one);
    }
    footprint.accesses.push_back(one);
  }
  return footprint;
}

Timeline timeline_of(const BlockStepper& stepper, size_t parts) {
  const std::span<const TraceEntry> trace = stepper.trace();
  Timeline line;
  line.length = trace.size();
  if (trace.empty() || parts == 0) return line;
  parts = std::min(parts, trace.size());
  line.active.assign(parts, 0);
  std::vector<uint32_t> counts(parts, 0);
  Partings partings(stepper.warps());
  std::array<size_t, 2> last_part{SIZE_MAX, SIZE_MAX};  // by kind of mark
  const auto mark = [&](TimelineMark::Kind kind, size_t i, size_t part) {
    if (std::exchange(last_part[static_cast<size_t>(kind)], part) != part) line.marks.push_back({kind, i});
  };
  for (size_t i = 0; i < trace.size(); ++i) {
    const size_t part = i * parts / trace.size();
    line.active[part] += static_cast<float>(std::popcount(trace[i].active));
    ++counts[part];
    if (stepper.table().instruction(trace[i].instruction).barrier) mark(TimelineMark::Kind::barrier, i, part);
    if (partings.parts(trace[i])) mark(TimelineMark::Kind::divergence, i, part);
  }
  for (size_t part = 0; part < parts; ++part)
    line.active[part] /= static_cast<float>(std::max(counts[part], 1u));
  return line;
}

}  // namespace warplens::stepping
