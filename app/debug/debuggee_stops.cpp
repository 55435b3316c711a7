// Breakpoints of the block in focus, and what is reached with them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/debug/debuggee.h"

namespace warplens::dap {

using stepping::Stop;
using stepping::Why;
using Kind = stepping::Breakpoint::Kind;

namespace {

Halt::Why reason_of(Kind kind) {
  switch (kind) {
    case Kind::source_line:
      return Halt::Why::breakpoint;
    case Kind::function:
      return Halt::Why::function_breakpoint;
    case Kind::ptx_line:
      return Halt::Why::instruction_breakpoint;
    default:
      return Halt::Why::data_breakpoint;
  }
}

}  // namespace

WantedStop* Debuggee::wanted_of(uint32_t number) {
  for (auto& [group, wanted] : m_stops)
    for (WantedStop& one : wanted)
      if (one.number == number) return &one;
  return nullptr;
}

void Debuggee::add_stops() {
  for (const uint32_t number : m_stepper->breakpoints()) m_stepper->remove(number);
  for (auto& [group, wanted] : m_stops)
    for (WantedStop& one : wanted) add_stop(*m_stepper, one);
}

const std::vector<WantedStop>& Debuggee::set_stops(const std::string& group, std::vector<WantedStop> wanted,
                                                   const std::stop_token& stop) {
  std::vector<WantedStop>& mine = m_stops[group];
  for (const WantedStop& old : mine)
    if (old.number != 0) m_stepper->remove(old.number);
  mine = std::move(wanted);
  bool counts = false;
  for (WantedStop& one : mine) {
    add_stop(*m_stepper, one);
    counts = counts || one.hits.counts();
  }
  if (counts) count_passed(stop);
  return mine;
}

// The hits before this position, for those that count them.
void Debuggee::count_passed(const std::stop_token& stop) {
  const uint64_t here = m_stepper->position();
  const auto note = [&] {
    for (const Stop& hit : m_stepper->all_here())
      if (WantedStop* wanted = wanted_of(hit.breakpoint);
          wanted != nullptr && wanted->hits.counts() &&
          (wanted->place.kind != Kind::source_line || arrives(hit)))
        wanted->passed.insert(hit.position);
  };
  if (here == 0) return;
  m_stepper->jump(0, stop);
  note();
  while (m_stepper->position() < here && !stop.stop_requested()) {
    const uint64_t before = m_stepper->position();
    const Stop stopped = m_stepper->run({stepping::Goal::Kind::instructions, 0, here - before}, stop);
    if (stopped.why == Why::breakpoint) note();
    if (stopped.why == Why::watchpoint)
      if (WantedStop* wanted = wanted_of(stopped.breakpoint); wanted != nullptr && wanted->hits.counts())
        wanted->passed.insert(stopped.position);
    if (m_stepper->position() == before) break;
  }
  m_stepper->jump(here, stop);
}

void Debuggee::write_message(const WantedStop& wanted, const Stop& hit) {
  const auto parts = message_parts(wanted.message);
  if (!parts) return;
  std::string text;
  for (size_t i = 0; i < parts->size(); ++i) {
    const std::string& part = (*parts)[i];
    if (i % 2 == 0) {
      text += part;
      continue;
    }
    std::vector<std::string> values;
    const auto view = m_stepper->find_part(hit.warp, part, hit.lanes);
    const auto computed = view ? Result<std::vector<expression::Value>>(std::vector<expression::Value>())
                               : m_stepper->evaluate(hit.warp, part, hit.lanes);
    if (!computed) {
      text += "{" + computed.error().message + "}";
      continue;
    }
    for (uint32_t rest = hit.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      values.push_back(view ? m_stepper->text_of(hit.warp, *view, lane)
                            : expression::text_of((*computed)[lane]));
    }
    text += folded(values);
  }
  m_tell("console", text + "\n");
}

// Whether the lanes come to the line here. The code of a line has several parts, and each begins the line for
// the stepper; so does the return of a function that the line calls.
bool Debuggee::arrives(const Stop& hit) const {
  constexpr uint64_t longest = 1 << 16;
  const auto next = m_stepper->next();
  const auto trace = m_stepper->trace();
  const uint64_t here = m_stepper->position();
  if (!next || here > trace.size()) return true;
  const stepping::InstructionInfo& now = m_stepper->table().instruction(next->instruction);
  for (uint64_t at = here; at-- > 0 && here - at < longest;) {
    const TraceEntry& entry = trace[static_cast<size_t>(at)];
    if (entry.warp != hit.warp || (entry.active & hit.lanes) == 0) continue;
    const stepping::InstructionInfo& before = m_stepper->table().instruction(entry.instruction);
    if (before.function != now.function) continue;
    // A jump back means that a loop repeats, or that the function was called again.
    return before.line != now.line || before.file != now.file || entry.instruction >= next->instruction;
  }
  return true;
}

// The breakpoints that hold here: those with a message write it, and those with a count may not stop.
std::optional<Halt> Debuggee::at_stops(const std::vector<Stop>& hits, bool forward) {
  std::optional<Halt> halt;
  uint32_t lanes = 0, warp = 0;
  for (const Stop& hit : hits) {
    WantedStop* wanted = wanted_of(hit.breakpoint);
    if (wanted == nullptr) continue;
    if (wanted->place.kind == Kind::source_line && !arrives(hit)) continue;
    if (wanted->hits.counts()) {
      wanted->passed.insert(hit.position);
      const auto until = wanted->passed.upper_bound(hit.position);
      if (!wanted->hits.stops(static_cast<uint64_t>(std::distance(wanted->passed.begin(), until)))) continue;
    }
    if (!wanted->message.empty()) {
      if (forward) write_message(*wanted, hit);
      continue;
    }
    if (!halt) halt = Halt{.why = reason_of(wanted->place.kind)};
    halt->stops.push_back(wanted->id);
    lanes |= hit.lanes;
    warp = hit.warp;
  }
  if (!halt) return halt;
  const bool same = m_thread / warp_lanes == warp && (lanes >> (m_thread % warp_lanes) & 1) != 0;
  if (!same) choose_thread(warp * warp_lanes + static_cast<uint32_t>(std::countr_zero(lanes)));
  return halt;
}

std::optional<Halt> Debuggee::at_watchpoint(const Stop& stopped) { return at_stops({stopped}, true); }

Halt Debuggee::at_incident(const PlacedIncident& placed) {
  m_incident = placed.incident;
  choose_thread(static_cast<uint32_t>(linear_index(placed.incident.thread, m_stepper->launch().block)));
  return {.why = Halt::Why::exception,
          .text = (placed.is_other ? "This thread's access is the other one of two. " : "") +
                  placed.incident.message,
          .incident = placed.incident};
}

// Nothing if the block has just run to its end.
std::optional<Halt> Debuggee::at_end(const Stop& stopped) {
  if (stopped.why == Why::fault) {
    std::optional<Incident> incident = m_stepper->incident();
    if (incident)
      choose_thread(static_cast<uint32_t>(linear_index(incident->thread, m_stepper->launch().block)));
    if (!m_faults) return std::nullopt;
    m_incident = incident;
    return Halt{.why = Halt::Why::exception, .text = stopped.message, .incident = std::move(incident)};
  }
  if (stopped.why == Why::waits || stopped.why == Why::no_memory) {
    m_ended = true;
    return Halt{.why = Halt::Why::end, .text = stopped.message};
  }
  return std::nullopt;
}

// What printf has written since, on the first way through the block.
void Debuggee::print() {
  const std::string& console = m_stepper->console();
  if (console.size() <= m_printed) return;
  m_tell("stdout", console.substr(m_printed));
  m_printed = console.size();
}

}  // namespace warplens::dap
