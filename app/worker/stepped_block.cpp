#include "app/worker/stepped_block.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/gpu/stepping/incident_place.h"
#include "core/job/named_variables.h"

namespace warplens {
namespace {

using stepping::BlockStepper;
using stepping::Goal;
using stepping::Stop;
using stepping::Why;

constexpr size_t most_stops = 4096, most_logged = 20'000;

Stop stay_at(uint64_t position, std::string message = {}) {
  Stop stop;
  stop.position = position;
  stop.message = std::move(message);
  return stop;
}

stepping::Options options_of(const StepOrder& order) {
  stepping::Options options;
  options.launch = order.choice.launch;
  options.earlier_blocks = order.choice.earlier_blocks;
  return options;
}

// A move may say an address as an offset in a buffer.
std::optional<uint64_t> address_of(const BlockStepper& stepper, const StepMove& move) {
  if (move.buffer.empty()) return move.address;
  for (const stepping::DeviceMemory& memory : stepper.device_memory())
    if (memory.name == move.buffer) return memory.address + move.address;
  return std::nullopt;
}

bool has_just_written(const BlockStepper& stepper, Space space, uint64_t address, uint64_t bytes) {
  for (const stepping::SteppedAccess& access : stepper.accesses()) {
    if (access.space != space || access.kind == AccessKind::load) continue;
    for (uint32_t lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
      const uint64_t at = access.address[static_cast<size_t>(std::countr_zero(lanes))];
      if (at < address + bytes && address < at + access.bytes) return true;
    }
  }
  return false;
}

// The bytes of a race as the block sees them, and which threads race.
std::optional<stepping::RacedBytes> raced_bytes(const BlockStepper& stepper, const Incident& race) {
  if (!race.other || !race.offset) return std::nullopt;
  stepping::RacedBytes raced;
  const Dim3 extent = stepper.launch().block;
  const Incident* sides[] = {&race, race.other.get()};
  for (size_t i = 0; i < 2; ++i) {
    raced.warps[i] = static_cast<uint32_t>(linear_index(sides[i]->thread, extent) / warp_lanes);
    raced.lines[i] = sides[i]->line;
  }
  const std::optional<stepping::IncidentBytes> bytes = stepping::bytes_of(stepper, race);
  if (!bytes) return std::nullopt;
  raced.space = bytes->space;
  raced.address = bytes->address;
  raced.bytes = bytes->bytes;
  return raced;
}

}  // namespace

Result<SteppedBlock> SteppedBlock::open(const StepOrder& order, std::shared_ptr<const LaunchRequest> stepped,
                                        const std::stop_token& stop) {
  if (order.choice.seed != 0) {
    auto seeded = std::make_shared<LaunchRequest>(*stepped);
    seeded->seed = order.choice.seed;
    stepped = std::move(seeded);
  }
  const stepping::Options options = options_of(order);
  Result<BlockStepper> stepper = BlockStepper::open(stepped, order.block, options, stop);
  if (!stepper) return stepper.error();
  SteppedBlock block(order, std::move(stepper).value());
  block.m_options = options;
  block.m_shown.stepped = std::move(stepped);
  block.take_breakpoints();
  return block;
}

void SteppedBlock::take_breakpoints() {
  for (const uint32_t number : m_stepper.breakpoints()) m_stepper.remove(number);
  m_shown.breakpoints.clear();
  m_shown.stops = nullptr;
  const std::string& file = m_stepper.request().module->source_name;
  for (const StepBreakpoint& wanted : m_order.wants.breakpoints) {
    if (wanted.file != file) continue;
    stepping::Breakpoint breakpoint{.kind = stepping::Breakpoint::Kind::source_line, .line = wanted.line};
    breakpoint.condition = wanted.condition;
    const Result<uint32_t> added = m_stepper.add(breakpoint);
    m_shown.breakpoints.emplace_back(wanted, added ? "" : added.error().message);
  }
}

void SteppedBlock::want(StepWants wants) {
  const bool other = !(wants.breakpoints == m_order.wants.breakpoints);
  m_order.wants = std::move(wants);
  if (other) take_breakpoints();
}

Stop SteppedBlock::to_order(bool second_first, const std::stop_token& stop) {
  if (!m_shown.orders) return stay_at(m_stepper.position());
  Result<BlockStepper> fresh = BlockStepper::open(m_shown.stepped, m_order.block, m_options, stop);
  if (!fresh) return stay_at(m_stepper.position(), fresh.error().message);
  stepping::take_order(*fresh, *m_shown.orders, second_first, stop);
  m_stepper = std::move(fresh).value();
  take_breakpoints();
  m_reordered = second_first;
  forget();
  return stay_at(m_stepper.position());
}

Stop SteppedBlock::follow(const StepMove& move, const std::stop_token& stop) {
  BlockStepper& stepper = m_stepper;
  const auto none = [&](const char* message) { return stay_at(stepper.position(), message); };
  switch (move.kind) {
    case StepMoveKind::look:
      return stay_at(stepper.position());
    case StepMoveKind::line:
      return stepper.run({Goal::Kind::line, move.warp}, stop);
    case StepMoveKind::over:
      return stepper.run({Goal::Kind::over, move.warp}, stop);
    case StepMoveKind::back_line:
      return stepping::back_by_line(stepper, move.warp);
    case StepMoveKind::instruction:
      return stepper.run({Goal::Kind::instructions, move.warp, 1}, stop);
    case StepMoveKind::back_instruction:
      return stepper.back();
    case StepMoveKind::this_warp:
      return stepper.step_warp(move.warp, stop);
    case StepMoveKind::barrier:
      return stepping::seek(stepper, stepping::Seek::barrier, stop);
    case StepMoveKind::divergence:
      return stepping::seek(stepper, stepping::Seek::divergence, stop);
    case StepMoveKind::conflict:
      return stepping::seek(stepper, stepping::Seek::conflict, stop);
    case StepMoveKind::to_line:
      return stepper.run_to_line(stepping::Breakpoint::Kind::source_line, static_cast<uint32_t>(move.value),
                                 move.warp, stop);
    case StepMoveKind::to_position:
      return stepper.jump(move.value, stop);
    case StepMoveKind::to_end:
      return stepper.jump(UINT64_MAX, stop);
    case StepMoveKind::next_stop:
      if (stepper.breakpoints().empty())
        return none("There is no breakpoint: click next to a line's number.");
      return stepper.run({}, stop);
    case StepMoveKind::last_stop: {
      const auto found = stepping::back_to_stop(stepper, stop);
      return found ? *found : none("No breakpoint stops before this position.");
    }
    case StepMoveKind::who_wrote:
    case StepMoveKind::next_write: {
      const auto address = address_of(stepper, move);
      if (!address) return none("This launch has no such buffer.");
      if (move.kind == StepMoveKind::next_write)
        return stepping::seek_next_write(stepper, move.space, *address, move.bytes, stop);
      const auto found = stepping::seek_write(stepper, move.space, *address, move.bytes, stop);
      if (found) return *found;
      if (has_just_written(stepper, move.space, *address, move.bytes))
        return none("It has just been written, for the first time in this block.");
      return none(move.space == Space::shared
                      ? "No thread of this block has written this yet: it has no value so far."
                      : "No thread of this block has written this yet: its value is from before the launch.");
    }
    case StepMoveKind::first_order:
    case StepMoveKind::other_order:
      return to_order(move.kind == StepMoveKind::other_order, stop);
  }
  return {};
}

// Another order of warps makes another recording.
void SteppedBlock::forget() {
  m_whole = false;
  m_shown.log = nullptr;
  m_shown.stops = nullptr;
  m_shown.timeline = nullptr;
}

std::optional<uint32_t> SteppedBlock::move(const StepMove& move, const std::stop_token& stop) {
  if (m_stepper.position() != m_shown.position) m_stepper.jump(m_shown.position);
  const uint64_t recorded = m_stepper.recorded(), from = m_stepper.position();
  const Stop stopped = follow(move, stop);
  if (move.kind == StepMoveKind::this_warp && m_stepper.recorded() != recorded) {
    m_reordered = true;
    forget();
  }
  // A breakpoint and a search show the warp that they stopped for.
  const bool found = stopped.why == Why::breakpoint || stopped.why == Why::watchpoint;
  m_shown = snapshot_of(m_stepper, found ? stopped.warp : move.warp, &m_shown, m_order.wants);
  note_touched(m_shown, m_stepper, from);
  if (!stopped.message.empty()) m_shown.message = stopped.message;
  if (!found || stopped.lanes == 0) return std::nullopt;
  return static_cast<uint32_t>(std::countr_zero(stopped.lanes));
}

bool SteppedBlock::knows_all() const {
  return m_whole && (m_shown.stops || m_shown.breakpoints.empty()) && m_shown.log && m_agreed &&
         (!m_order.race || m_shown.orders || !m_shown.no_orders.empty());
}

bool SteppedBlock::look_ahead(const std::stop_token& stop) {
  if (m_order.race && !m_shown.orders && m_shown.no_orders.empty()) return find_orders(stop);
  if (!m_whole) return find_length(stop);
  if (!m_shown.stops && !m_shown.breakpoints.empty()) return find_stops(stop);
  if (!m_shown.log) return find_log(stop);
  if (!m_agreed) return find_agreement(stop);
  return false;
}

// Runs to the end and comes back to what is shown.
bool SteppedBlock::find_length(const std::stop_token& stop) {
  m_stepper.jump(UINT64_MAX, stop);
  if (!stop.stop_requested()) {
    m_shown.timeline =
        std::make_shared<const stepping::Timeline>(stepping::timeline_of(m_stepper, timeline_parts));
    m_whole = true;
  }
  m_shown.recorded = m_stepper.recorded();
  m_shown.length = m_stepper.length();
  if (m_whole) note_incidents();
  m_stepper.jump(m_shown.position);
  return m_whole;
}

// The fault is where the block ended; a finding where its thread's warp first comes to its line.
void SteppedBlock::note_incidents() {
  m_shown.incidents.clear();
  const auto trace = m_stepper.trace();
  const Dim3 extent = m_stepper.launch().block;
  const std::optional<Incident> fault = m_stepper.incident();
  for (const Incident& incident : m_order.incidents) {
    if (fault && fault->kind == incident.kind && !trace.empty()) {
      m_shown.incidents.emplace_back(trace.size() - 1, std::string(to_string(incident.kind)));
      continue;
    }
    const uint64_t thread = linear_index(incident.thread, extent);
    for (size_t i = 0; i < trace.size(); ++i) {
      const bool lane = (trace[i].active >> thread % warp_lanes & 1) != 0;
      if (trace[i].warp != thread / warp_lanes || !lane) continue;
      if (m_stepper.table().instruction(trace[i].instruction).line != incident.line) continue;
      m_shown.incidents.emplace_back(i, std::string(to_string(incident.kind)));
      break;
    }
  }
}

bool SteppedBlock::find_stops(const std::stop_token& stop) {
  auto stops = stepping::stops_of(m_stepper, most_stops, stop);
  m_stepper.jump(m_shown.position);
  if (stop.stop_requested()) return false;
  m_shown.stops = std::make_shared<const std::vector<uint64_t>>(std::move(stops));
  return true;
}

bool SteppedBlock::find_log(const std::stop_token& stop) {
  auto log = stepping::log_accesses(m_stepper, m_shown.warp, 0, m_stepper.recorded(), most_logged, stop);
  m_stepper.jump(m_shown.position);
  if (stop.stop_requested()) return false;
  m_shown.log = std::make_shared<const stepping::AccessLog>(std::move(log));
  return true;
}

bool SteppedBlock::find_orders(const std::stop_token& stop) {
  const auto raced = raced_bytes(m_stepper, *m_order.race);
  if (!raced) {
    m_shown.no_orders = "The block does not have the memory that the finding names.";
    return true;
  }
  auto orders = stepping::two_orders_of(m_shown.stepped, m_order.block, m_options, *raced, stop);
  if (stop.stop_requested()) return false;
  if (orders) {
    m_shown.orders = std::make_shared<const stepping::TwoOrders>(std::move(orders).value());
  } else {
    m_shown.no_orders = orders.error().message;
  }
  return true;
}

// Only a block that has run to its end, in its own order, can be compared with another run of it.
bool SteppedBlock::find_agreement(const std::stop_token& stop) {
  const bool same_code = m_order.request->module->ptx == m_shown.stepped->module->ptx;
  if (!same_code && !m_reordered) {
    m_stepper.jump(UINT64_MAX, stop);
    if (m_stepper.end() == stepping::End::finished) {
      LaunchRequest ran = *m_order.request;
      ran.seed = m_shown.stepped->seed;
      if (const auto found = agreement_of(m_stepper, ran, m_options, stop)) m_shown.agreement = *found;
    }
    m_stepper.jump(m_shown.position);
  }
  m_agreed = !stop.stop_requested();
  return m_agreed && m_shown.agreement.has_value();
}

}  // namespace warplens
