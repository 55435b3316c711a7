#include "core/gpu/stepping/incident_place.h"

#include <algorithm>

#include "core/gpu/stepping/access_log.h"

namespace warplens::stepping {

namespace {

// Whether the instruction before the position is of this line and ran in this lane of the warp.
bool ran_here(const BlockStepper& stepper, uint32_t warp, uint32_t lane, uint32_t line) {
  const auto trace = stepper.trace();
  const uint64_t position = stepper.position();
  if (position == 0 || position > trace.size()) return false;
  const TraceEntry& entry = trace[static_cast<size_t>(position - 1)];
  return entry.warp == warp && (entry.executed >> lane & 1) != 0 &&
         (line == 0 || stepper.table().instruction(entry.instruction).line == line);
}

// Runs forward to the next access of the lane to the bytes in the line. False if there is none.
bool find_access(BlockStepper& stepper, const IncidentBytes& bytes, uint32_t warp, uint32_t lane,
                 uint32_t line, const std::stop_token& stop) {
  const Breakpoint watch{.kind = Breakpoint::Kind::access,
                         .space = bytes.space,
                         .address = bytes.address,
                         .bytes = std::max<uint64_t>(1, bytes.bytes),
                         .warp = warp};
  const Result<uint32_t> number = stepper.add(watch);
  if (!number) return false;
  bool found = false;
  for (;;) {
    const Stop stopped = stepper.run({}, stop);
    if (stopped.why == Why::limit) continue;
    if (stopped.why != Why::watchpoint) break;
    found = (stopped.lanes >> lane & 1) != 0 && ran_here(stepper, warp, lane, line);
    if (found) break;
  }
  stepper.remove(*number);
  return found;
}

bool find_line(BlockStepper& stepper, uint32_t warp, uint32_t lane, uint32_t line,
               const std::stop_token& stop) {
  if (line == 0) return false;
  while (stepper.end() == End::none && !stop.stop_requested()) {
    stepper.run({.kind = Goal::Kind::instruction, .warp = warp}, stop);
    if (ran_here(stepper, warp, lane, line)) return true;
    if (stepper.warp(warp).state == exec::WarpState::finished) return false;
  }
  return ran_here(stepper, warp, lane, line);
}

}  // namespace

std::optional<IncidentBytes> bytes_of(const BlockStepper& stepper, const Incident& incident) {
  if (!incident.offset) return std::nullopt;
  IncidentBytes found{.bytes = std::max(1u, incident.bytes)};
  for (const NamedArray& array : named_arrays(stepper)) {
    if (array.name != incident.allocation || array.name.empty()) continue;
    found.space = array.space;
    found.address = array.address + *incident.offset;
    return found;
  }
  if (incident.address >= stepper.bytes_of(Space::shared)) return std::nullopt;
  found.space = Space::shared;
  found.address = incident.address;
  return found;
}

std::optional<uint64_t> position_of(BlockStepper& stepper, const Incident& incident,
                                    const std::stop_token& stop) {
  if (incident.block != stepper.block()) return std::nullopt;
  const uint64_t thread = linear_index(incident.thread, stepper.launch().block);
  if (thread >= stepper.launch().block.count()) return std::nullopt;
  const auto warp = static_cast<uint32_t>(thread / warp_lanes),
             lane = static_cast<uint32_t>(thread % warp_lanes);
  const uint64_t here = stepper.position();
  stepper.jump(0, stop);
  const std::optional<IncidentBytes> bytes = bytes_of(stepper, incident);
  const bool found = bytes ? find_access(stepper, *bytes, warp, lane, incident.line, stop)
                           : find_line(stepper, warp, lane, incident.line, stop);
  const uint64_t at = stepper.position() - (found ? 1 : 0);
  stepper.jump(here, stop);
  return found ? std::optional(at) : std::nullopt;
}

}  // namespace warplens::stepping
