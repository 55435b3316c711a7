// Moves of the block in focus, forwards and backwards, and from block to block.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/debug/debuggee.h"
#include "app/debug/places.h"
#include "core/gpu/stepping/walk.h"

namespace warplens::dap {

using stepping::BlockStepper;
using stepping::End;
using stepping::Goal;
using stepping::Stop;
using stepping::Why;

namespace {

// Two moves of this many parts would be a loop without an end.
constexpr uint32_t most_parts_of_a_step = 100'000;

}  // namespace

Debuggee::Spot Debuggee::spot(uint32_t thread) const {
  Spot spot;
  const uint32_t warp = thread / warp_lanes, lane = thread % warp_lanes;
  for (const stepping::StackView& stack : m_stepper->stacks(warp)) {
    if ((stack.lanes >> lane & 1) == 0 || stack.frames.empty()) continue;
    const stepping::FrameView& frame = stack.frames.front();
    spot.live = true;
    spot.line = frame.at.line;
    spot.file = frame.at.file;
    spot.depth = stack.frames.size();
    spot.level = frame.level;
    spot.inlined = frame.inlined;
  }
  spot.next = (m_stepper->warp(warp).active >> lane & 1) != 0;
  return spot;
}

// Whether the thread ran between that position and this one. What is too far back to be recorded may have.
bool Debuggee::ran_since(uint32_t thread, uint64_t from) const {
  const auto trace = m_stepper->trace();
  const uint64_t to = m_stepper->position();
  if (to > trace.size()) return true;
  for (uint64_t at = to; at-- > from;) {
    const TraceEntry& entry = trace[static_cast<size_t>(at)];
    if (entry.warp == thread / warp_lanes && (entry.active >> (thread % warp_lanes) & 1) != 0) return true;
  }
  return false;
}

// If the thread in focus has exited, a thread that has not takes its place: one of its warp, or of the next.
void Debuggee::settle() {
  const uint32_t warps = m_stepper->warps(), own = m_thread / warp_lanes;
  if ((m_stepper->warp(own).live >> (m_thread % warp_lanes) & 1) != 0) return;
  for (uint32_t i = 0; i < warps; ++i) {
    const uint32_t warp = (own + i) % warps, live = m_stepper->warp(warp).live;
    if (live == 0) continue;
    choose_thread(warp * warp_lanes + static_cast<uint32_t>(std::countr_zero(live)));
    return;
  }
}

Halt Debuggee::halt_at(const Stop& stopped, Halt::Why why) {
  print();
  m_fresh = false;
  m_ended = false;
  if (stopped.why == Why::cancelled) return {.why = Halt::Why::paused};
  if (stopped.why == Why::breakpoint)
    if (auto halt = at_stops(m_stepper->all_here(), true)) return *halt;
  if (stopped.why == Why::watchpoint)
    if (auto halt = at_watchpoint(stopped)) return *halt;
  if (m_stepper->end() == End::fault)
    if (auto halt = at_end(stopped)) return *halt;
  settle();
  return {.why = why, .text = stopped.why == Why::stepped ? "" : stopped.message};
}

std::optional<Halt> Debuggee::run_block(const std::stop_token& stop) {
  BlockStepper& stepper = *m_stepper;
  if (std::exchange(m_fresh, false) && stepper.position() == 0)
    if (auto halt = at_stops(stepper.all_here(), true)) return halt;
  if (stepper.end() != End::none) return std::nullopt;
  for (;;) {
    const uint64_t here = stepper.position();
    const PlacedIncident* next = incident_after(here);
    const Stop stopped = next != nullptr
                             ? stepper.run({Goal::Kind::instructions, 0, next->position - here}, stop)
                             : stepper.run({}, stop);
    print();
    if (next != nullptr && stepper.position() == next->position) {
      if (stopped.why == Why::breakpoint) at_stops(stepper.all_here(), true);
      return at_incident(*next);
    }
    std::optional<Halt> halt;
    if (stopped.why == Why::cancelled) halt = Halt{.why = Halt::Why::paused};
    if (stopped.why == Why::breakpoint) halt = at_stops(stepper.all_here(), true);
    if (stopped.why == Why::watchpoint) halt = at_watchpoint(stopped);
    if (!halt && stepper.end() != End::none) {
      Stop end = stopped;
      end.why = stepper.end() == End::fault      ? Why::fault
                : stepper.end() == End::waits    ? Why::waits
                : stepper.end() == End::finished ? Why::finished
                                                 : Why::no_memory;
      if (end.why != stopped.why) end.message = stepper.end_message();
      return at_end(end);
    }
    if (halt) {
      if (halt->why == Halt::Why::paused) settle();
      return halt;
    }
  }
}

// The next block of the launch in which something may stop.
std::optional<uint64_t> Debuggee::next_block(uint64_t after, const std::stop_token& stop) const {
  const Dim3 grid = m_stepper->launch().grid;
  std::set<uint64_t> of_incidents;
  for (const Incident& incident : m_incidents) {
    if (!is_watched(incident)) continue;
    of_incidents.insert(linear_index(incident.block, grid));
    if (incident.other) of_incidents.insert(linear_index(incident.other->block, grid));
  }
  const auto incident = of_incidents.upper_bound(after);
  const uint64_t first = incident == of_incidents.end() ? grid.count() : *incident;
  std::vector<const stepping::BlockFilter*> filters;
  for (const auto& [group, wanted] : m_stops)
    for (const WantedStop& one : wanted)
      if (one.number != 0 && one.filter) filters.push_back(&*one.filter);
  for (uint64_t index = after + 1; index < first && !filters.empty(); ++index) {
    if (index % 4096 == 0 && stop.stop_requested()) return std::nullopt;
    const Dim3 block = position_at(index, grid);
    if (std::ranges::any_of(filters, [&](const auto* filter) { return filter->may_hold(block); }))
      return index;
  }
  return first < grid.count() ? std::optional(first) : std::nullopt;
}

// Nothing more stops. It goes back to the end of the block where it was, from which one can step back.
Halt Debuggee::finish(size_t launch, Dim3 block, const std::stop_token& stop) {
  if (launch != m_launch || block != m_stepper->block()) {
    if (const Result<void> back = focus(launch, block, stop); !back)
      return {.why = stop.stop_requested() ? Halt::Why::paused : Halt::Why::end,
              .text = back.error().message};
    m_stepper->jump(UINT64_MAX, stop);
    m_printed = m_stepper->console().size();
  }
  m_fresh = false;
  m_ended = true;
  return {.why = Halt::Why::end,
          .text = fmt::format(
              "Nothing more stops. This is the end of block {}: step back from here, or continue to end.",
              text_of(m_stepper->block()))};
}

Halt Debuggee::run_on(const std::stop_token& stop) {
  if (m_ended) return {.why = Halt::Why::finished};
  m_incident.reset();
  const size_t launch = m_launch;
  const Dim3 block = m_stepper->block();
  const bool fresh = m_fresh;
  learn_incidents(stop);
  m_fresh = fresh;
  for (;;) {
    if (auto halt = run_block(stop)) return *halt;
    if (stop.stop_requested()) return {.why = Halt::Why::paused};
    if (m_stepper->end() == End::fault) return finish(launch, block, stop);  // it ends the program's work
    const Dim3 grid = m_stepper->launch().grid;
    std::optional<uint64_t> next = next_block(linear_index(m_stepper->block(), grid), stop);
    size_t number = m_launch;
    if (!next && !stop.stop_requested() && number + 1 < m_target.launches.size()) {
      ++number;
      next = 0;
    }
    if (stop.stop_requested()) return {.why = Halt::Why::paused};
    if (!next) return finish(launch, block, stop);
    const Result<void> opened = focus(number, position_at(*next, m_target.launches[number].grid), stop);
    if (!opened && stop.stop_requested()) return {.why = Halt::Why::paused};
    if (!opened) {
      m_ended = true;
      return {.why = Halt::Why::end, .text = opened.error().message};
    }
    if (number != launch) learn_incidents(stop);
  }
}

Halt Debuggee::run_back(const std::stop_token& stop) {
  m_ended = false;
  m_incident.reset();
  BlockStepper& stepper = *m_stepper;
  const uint64_t here = stepper.position();
  const PlacedIncident* incident = incident_before(here);
  for (;;) {
    const auto found = stepping::back_to_stop(stepper, stop);
    if (stop.stop_requested()) {
      stepper.jump(here);
      return {.why = Halt::Why::paused};
    }
    if (incident != nullptr && (!found || found->position <= incident->position)) {
      stepper.jump(incident->position);
      return at_incident(*incident);
    }
    if (!found) break;
    const auto halt =
        found->why == Why::watchpoint ? at_stops({*found}, false) : at_stops(stepper.all_here(), false);
    if (halt) return *halt;
  }
  stepper.jump(0);
  settle();
  m_fresh = false;
  return {.why = Halt::Why::moved,
          .text = fmt::format("This is the start of block {}. Nothing stops before it.",
                              text_of(stepper.block()))};
}

Halt Debuggee::step(StepKind kind, uint32_t thread, const std::stop_token& stop) {
  BlockStepper& stepper = *m_stepper;
  if (stepper.end() != End::none) return run_on(stop);
  m_incident.reset();
  choose_thread(thread);
  settle();
  const uint32_t own = m_thread, warp = own / warp_lanes;
  const Spot start = spot(own);
  if (kind == StepKind::out && start.depth <= 1) return run_on(stop);
  const bool instruction = kind == StepKind::instruction || kind == StepKind::over_instruction;
  Goal::Kind goal = instruction              ? Goal::Kind::instruction
                    : kind == StepKind::into ? Goal::Kind::line
                    : kind == StepKind::over ? Goal::Kind::over
                    : start.inlined          ? Goal::Kind::line
                                             : Goal::Kind::out;
  for (uint32_t part = 0; part < most_parts_of_a_step; ++part) {
    const uint64_t from = stepper.position();
    const Stop stopped = stepper.run({goal, warp}, stop);
    if (stopped.why == Why::limit) continue;
    if (stopped.why == Why::breakpoint || stopped.why == Why::watchpoint) {
      Halt halt = halt_at(stopped, Halt::Why::step);
      if (halt.why != Halt::Why::step) return halt;
    } else if (stopped.why != Why::stepped) {
      return halt_at(stopped, Halt::Why::step);
    }
    const Spot now = spot(own);
    if (!now.live) return halt_at(stopped, Halt::Why::step);
    if (!ran_since(own, from)) continue;  // another path of the warp ran
    const bool over = kind == StepKind::over || kind == StepKind::over_instruction;
    if (over && now.depth > start.depth) {
      goal = now.level > start.level ? Goal::Kind::out : Goal::Kind::line;
      continue;
    }
    if (kind == StepKind::out && now.depth >= start.depth) continue;
    if (kind == StepKind::out) return halt_at(stopped, Halt::Why::step);
    goal = instruction ? Goal::Kind::instruction : over ? Goal::Kind::over : Goal::Kind::line;
    // It has not left the line: it waits for lanes of its warp that go another way, or a breakpoint that does
    // not stop has ended the move.
    if (!instruction && (!now.next || stopped.why != Why::stepped) && now.line == start.line &&
        now.file == start.file && now.depth == start.depth)
      continue;
    return halt_at(stopped, Halt::Why::step);
  }
  return halt_at({}, Halt::Why::step);
}

Halt Debuggee::step_back(bool instruction, uint32_t thread, const std::stop_token& stop) {
  BlockStepper& stepper = *m_stepper;
  m_ended = false;
  m_incident.reset();
  choose_thread(thread);
  const uint32_t own = m_thread, warp = own / warp_lanes;
  const Spot start = spot(own);
  Stop stopped;
  for (uint32_t part = 0; part < most_parts_of_a_step && stepper.position() > 0; ++part) {
    const uint64_t from = stepper.position();
    stopped = instruction ? stepper.back() : stepping::back_by_line(stepper, warp);
    if (stop.stop_requested()) break;
    const uint64_t here = stepper.position();
    const auto trace = stepper.trace();
    bool ran = false;
    for (uint64_t at = here; at < std::min<uint64_t>(from, trace.size()) && !ran; ++at)
      ran = trace[static_cast<size_t>(at)].warp == warp &&
            (trace[static_cast<size_t>(at)].active >> (own % warp_lanes) & 1) != 0;
    if (!ran) continue;
    if (!instruction && start.live && spot(own).depth > start.depth) continue;  // past calls
    Stop here_now;
    here_now.warp = warp;
    here_now.lanes = 1u << (own % warp_lanes);
    if (!instruction && !arrives(here_now)) continue;  // behind a call of this line
    break;
  }
  stopped.why = Why::stepped;
  stopped.message.clear();
  m_fresh = false;
  settle();
  return {.why = stop.stop_requested() ? Halt::Why::paused : Halt::Why::step,
          .text = stepper.position() == 0 ? "This is the start of the block." : ""};
}

Halt Debuggee::go_to_line(std::string_view file, uint32_t line, uint32_t thread,
                          const std::stop_token& stop) {
  BlockStepper& stepper = *m_stepper;
  m_incident.reset();
  choose_thread(thread);
  const uint32_t warp = m_thread / warp_lanes;
  const uint64_t here = stepper.position();
  const Result<uint32_t> number = stepper.add({.kind = stepping::Breakpoint::Kind::source_line,
                                               .line = line,
                                               .file = std::string(file),
                                               .warp = warp,
                                               .condition = fmt::format("thread == {}", m_thread)});
  if (!number) return {.why = Halt::Why::moved, .text = number.error().message};
  const auto arrived = [&](const Stop& stopped) {
    return stopped.why == Why::breakpoint && std::ranges::any_of(stepper.all_here(), [&](const Stop& hit) {
             return hit.breakpoint == *number;
           });
  };
  Stop stopped;
  do {
    stopped = stepper.run({}, stop);
  } while (!arrived(stopped) && !stop.stop_requested() && stepper.end() == End::none);
  std::string text;
  if (!arrived(stopped) && !stop.stop_requested()) {
    stepper.jump(here);
    std::optional<Stop> last;
    do {
      last = stepping::back_to_stop(stepper, stop);
    } while (last && !arrived(*last));
    text = last ? "The thread does not come to the line any more: this is where it last did."
                : "The thread never comes to this line.";
    if (!last) stepper.jump(here);
  }
  stepper.remove(*number);
  print();
  m_fresh = false;
  m_ended = false;
  settle();
  return {.why = stop.stop_requested() ? Halt::Why::paused : Halt::Why::moved, .text = text};
}

Halt Debuggee::go_to_position(uint64_t position, const std::stop_token& stop) {
  m_incident.reset();
  m_stepper->jump(position, stop);
  print();
  m_fresh = false;
  m_ended = false;
  settle();
  return {.why = stop.stop_requested() ? Halt::Why::paused : Halt::Why::moved};
}

Halt Debuggee::go_to_write(Space space, uint64_t address, uint64_t bytes, bool back,
                           const std::stop_token& stop) {
  BlockStepper& stepper = *m_stepper;
  m_incident.reset();
  m_fresh = false;
  m_ended = false;
  std::optional<Stop> found;
  const uint64_t here = stepper.position();
  if (back) {
    found = stepping::seek_write(stepper, space, address, bytes, stop);
  } else {
    const Stop stopped = stepping::seek_next_write(stepper, space, address, bytes, stop);
    print();
    if (stopped.why == Why::watchpoint && stopped.message.empty()) found = stopped;
  }
  if (stop.stop_requested()) return {.why = Halt::Why::paused};
  if (!found) {
    stepper.jump(here);
    return {
        .why = Halt::Why::moved,
        .text = back ? "No thread of this block has written it before: its value is from before the launch."
                     : "No thread of this block writes it any more before the next stop."};
  }
  const auto lane = static_cast<uint32_t>(std::countr_zero(found->lanes == 0 ? 1u : found->lanes));
  choose_thread(found->warp * warp_lanes + lane);
  return {.why = Halt::Why::data_breakpoint,
          .text = fmt::format("This thread has written it at position {}.", found->position)};
}

}  // namespace warplens::dap
