// What a stepped block shows, as plain data.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/state/parts/step.h"

namespace warplens {
namespace {

using stepping::RegisterView;

// Equal values, or whole numbers that grow by one from lane to lane, are written once.
std::string folded(const StepValue& value, uint32_t all,
                   const std::array<stepping::LaneBits, warp_lanes>& bits, bool counts) {
  if (value.set == 0 || value.set != all) return "";
  const auto first = static_cast<uint32_t>(std::countr_zero(all));
  bool equal = true, grows = counts && all == 0xffffffff;
  for (uint32_t lane = first + 1; lane < warp_lanes; ++lane) {
    if ((all >> lane & 1) == 0) continue;
    equal = equal && value.lanes[lane] == value.lanes[first];
    grows = grows && bits[lane].low - bits[lane - 1].low == 1;
  }
  if (equal)
    return value.lanes[first] + (all == 0xffffffff ? " in all lanes" : " in all lanes that are here");
  return grows ? fmt::format("{} … {}", value.lanes[0], value.lanes[warp_lanes - 1]) : "";
}

void mark_changes(StepValue& value, const std::vector<StepValue>* before) {
  if (before == nullptr) return;
  const auto old = std::ranges::find(*before, value.path, &StepValue::path);
  if (old == before->end()) return;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    if ((value.set >> lane & 1) != 0 && old->lanes[lane] != value.lanes[lane]) value.changed |= 1u << lane;
}

template <class TextOf>
void take_lanes(StepValue& value, TextOf text_of) {
  for (uint32_t lanes = value.set; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    value.lanes[lane] = text_of(lane);
  }
}

StepValue register_value(const RegisterView& view) {
  StepValue value;
  value.name = value.path = view.name;
  value.type = ptx::text_of(view.type);
  value.set = view.set;
  take_lanes(value, [&](uint32_t lane) { return stepping::text_of(view.type, view.bits[lane]); });
  value.folded = folded(value, value.set, view.bits, !view.predicate && !ptx::is_float(view.type));
  return value;
}

std::vector<StepValue> registers_of(const stepping::BlockStepper& stepper, uint32_t warp,
                                    const std::vector<StepValue>* before) {
  std::vector<StepValue> values;
  for (const RegisterView& view : stepper.registers(warp)) {
    if (view.set == 0) continue;
    values.push_back(register_value(view));
    mark_changes(values.back(), before);
  }
  return values;
}

StepValue variable_value(const stepping::BlockStepper& stepper, uint32_t warp,
                         const stepping::VariableView& view) {
  StepValue value;
  value.name = view.within.empty() ? view.name : fmt::format("{}: {}", view.within, view.name);
  value.path = value.name;
  value.type = view.type;
  value.set = view.has;
  value.not_set = view.not_set;
  value.opens = view.opens && view.has != 0;
  take_lanes(value, [&](uint32_t lane) { return stepper.text_of(warp, view, lane); });
  value.folded = folded(value, view.in_scope, view.bits, view.counts);
  if (value.set != 0) return value;
  value.folded = view.unreadable != 0 ? view.reason
                 : view.no_place != 0 ? "the compiler kept no place for it"
                                      : "not set yet";
  return value;
}

// Rows of one warp: variables, and the parts of those that are open.
class ValueRows {
 public:
  ValueRows(const stepping::BlockStepper& stepper, uint32_t warp, const std::vector<std::string>& open,
            const std::vector<StepValue>* before)
      : m_stepper(stepper), m_warp(warp), m_open(open), m_before(before) {}

  void add(const stepping::VariableView& view, const std::string& within, uint32_t depth) {
    StepValue value = variable_value(m_stepper, m_warp, view);
    // Two variables of one name, an inner and an outer one, are two rows.
    if (!within.empty()) value.path = within + "/" + value.path;
    while (std::ranges::find(rows, value.path, &StepValue::path) != rows.end()) value.path += "'";
    value.depth = depth;
    value.open = value.opens && std::ranges::find(m_open, value.path) != m_open.end();
    mark_changes(value, m_before);
    const bool open = value.open;
    const std::string path = value.path;
    rows.push_back(std::move(value));
    if (!open) return;
    constexpr uint64_t at_once = 64;
    for (const stepping::VariableView& part : m_stepper.parts(m_warp, view, 0, at_once)) {
      if (rows.size() >= most_parts) return;
      add(part, path, depth + 1);
    }
    if (const uint64_t all = m_stepper.count_of_parts(view); all > at_once)
      add_rest(all - at_once, path, depth);
  }
  std::vector<StepValue> rows;

 private:
  void add_rest(uint64_t count, const std::string& path, uint32_t depth) {
    StepValue rest;
    rest.name = "…";
    rest.path = path + "/…";
    rest.depth = depth + 1;
    rest.folded = fmt::format("{} more elements", count);
    rows.push_back(std::move(rest));
  }
  const stepping::BlockStepper& m_stepper;
  uint32_t m_warp;
  const std::vector<std::string>& m_open;
  const std::vector<StepValue>* m_before;
};

// Shared arrays are drawn as grids, so they are left out.
std::vector<StepValue> variables_of(const stepping::BlockStepper& stepper, uint32_t warp,
                                    const std::optional<stepping::FrameView>& frame,
                                    const std::vector<std::string>& open,
                                    const std::vector<StepValue>* before) {
  ValueRows rows(stepper, warp, open, before);
  for (const stepping::VariableView& view :
       frame ? stepper.variables(warp, *frame) : stepper.variables(warp)) {
    const auto is_array = [&](const stepping::SharedArray& array) { return array.name == view.name; };
    if (std::ranges::any_of(stepper.shared_arrays(), is_array)) continue;
    if (rows.rows.size() >= most_parts) break;
    rows.add(view, "", 0);
  }
  return std::move(rows.rows);
}

// The chosen frame; none for the innermost one, or where the lane has fewer.
std::optional<stepping::FrameView> frame_of(const std::vector<stepping::StackView>& stacks,
                                            const StepFrame& wanted) {
  if (wanted.number == 0) return std::nullopt;
  for (const stepping::StackView& stack : stacks)
    if ((stack.lanes >> wanted.lane & 1) != 0 && wanted.number < stack.frames.size())
      return stack.frames[wanted.number];
  return std::nullopt;
}

std::vector<StepArray> arrays_of(const stepping::BlockStepper& stepper) {
  std::vector<StepArray> arrays;
  for (const stepping::SharedArray& array : stepper.shared_arrays())
    if (Result<Bytes> bytes = stepper.read(Space::shared, array.address, array.bytes)) {
      StepArray made{array, *std::move(bytes), {}};
      const auto writers = stepper.shared_writers();
      const uint64_t from = std::min<uint64_t>(array.address, writers.size());
      const auto part = writers.subspan(static_cast<size_t>(from),
                                        std::min<size_t>(made.bytes.size(), writers.size() - from));
      made.writers.assign(part.begin(), part.end());
      arrays.push_back(std::move(made));
    }
  return arrays;
}

std::optional<TraceEntry> last_of(const stepping::BlockStepper& stepper) {
  const auto trace = stepper.trace();
  const uint64_t position = stepper.position();
  if (position == 0 || position > trace.size()) return std::nullopt;
  return trace[static_cast<size_t>(position - 1)];
}

// Where the warp is: at the instruction that its next path runs, else at the last one that it ran.
std::optional<stepping::CodePlace> place_of(const stepping::BlockStepper& stepper,
                                            const stepping::WarpView& warp) {
  if (!warp.paths.empty()) return warp.paths.back().at;
  const auto trace = stepper.trace();
  for (size_t at = std::min<size_t>(static_cast<size_t>(stepper.position()), trace.size()); at-- > 0;)
    if (trace[at].warp == warp.warp) return stepper.place(trace[at].instruction);
  return std::nullopt;
}

}  // namespace

StepSnapshot snapshot_of(const stepping::BlockStepper& stepper, uint32_t warp, const StepSnapshot* before,
                         const StepWants& wants) {
  StepSnapshot shot;
  shot.position = stepper.position();
  shot.recorded = stepper.recorded();
  shot.length = stepper.length();
  shot.end = stepper.end();
  if (shot.end != stepping::End::none) shot.message = stepper.end_message();
  shot.incident = stepper.incident();
  shot.next = stepper.next();
  shot.last = last_of(stepper);
  shot.warp = std::min(warp, stepper.warps() == 0 ? 0 : stepper.warps() - 1);
  for (uint32_t i = 0; i < stepper.warps(); ++i) shot.warps.push_back(stepper.warp(i));
  if (!shot.warps.empty()) {
    if (const auto place = place_of(stepper, shot.warps[shot.warp])) {
      shot.line = place->line;
      shot.ptx_line = place->ptx_line;
      shot.file = place->file;
      shot.instruction = stepper.text_of(place->instruction);
    }
    const bool same = before != nullptr && before->warp == shot.warp;
    shot.registers = registers_of(stepper, shot.warp, same ? &before->registers : nullptr);
    shot.stacks = stepper.stacks(shot.warp);
    shot.frame = frame_of(shot.stacks, wants.frame);
    const bool same_frame = same && before->frame == shot.frame;
    shot.variables =
        variables_of(stepper, shot.warp, shot.frame, wants.open, same_frame ? &before->variables : nullptr);
  }
  shot.barriers = stepper.barriers();
  shot.arrays = arrays_of(stepper);
  shot.accesses.assign(stepper.accesses().begin(), stepper.accesses().end());
  shot.access = stepping::footprint_of(stepper);
  shot.touched = stepping::accesses_here(stepper);
  shot.named = stepping::named_arrays(stepper);
  shot.no_variables = stepper.no_variables();
  if (before == nullptr) return shot;
  shot.timeline = before->timeline;
  shot.stepped = before->stepped;
  shot.breakpoints = before->breakpoints;
  shot.stops = before->stops;
  shot.incidents = before->incidents;
  shot.orders = before->orders;
  shot.no_orders = before->no_orders;
  shot.agreement = before->agreement;
  if (before->log && before->log->warp == shot.warp) shot.log = before->log;
  return shot;
}

void note_touched(StepSnapshot& shot, stepping::BlockStepper& stepper, uint64_t from) {
  constexpr uint64_t longest = 2048;
  constexpr size_t most = 128;
  const uint64_t to = stepper.position();
  const auto trace = stepper.trace();
  if (from >= to || to - from > longest || to > trace.size()) return;
  std::vector<uint64_t> at;  // after the instructions that access memory
  for (uint64_t i = from; i < to; ++i)
    if (trace[static_cast<size_t>(i)].bytes != 0) at.push_back(i + 1);
  if (at.empty() || (at.size() == 1 && at.front() == to)) return;
  if (at.size() > most) at.erase(at.begin(), at.end() - static_cast<std::ptrdiff_t>(most));
  shot.touched.clear();
  bool any_of_shown = false;  // then its last access is shown, else the last one of any warp
  for (const uint64_t position : at) {
    stepper.jump(position);
    auto found = stepping::accesses_here(stepper);
    const bool of_shown = std::ranges::any_of(found, [&](const auto& a) { return a.warp == shot.warp; });
    if (of_shown || !any_of_shown) shot.access = stepping::footprint_of(stepper);
    any_of_shown = any_of_shown || of_shown;
    std::ranges::move(found, std::back_inserter(shot.touched));
  }
  stepper.jump(to);
}

}  // namespace warplens
