// What a stepped block shows, as plain data.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/state/step.h"

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
  const auto old = std::ranges::find(*before, value.name, &StepValue::name);
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
  value.name = view.name;
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
  value.type = view.type;
  value.set = view.has;
  take_lanes(value, [&](uint32_t lane) { return stepper.text_of(warp, view, lane); });
  value.folded = folded(value, view.in_scope, view.bits, view.counts);
  if (value.set != 0) return value;
  value.folded = view.unreadable != 0 ? view.reason
                 : view.no_place != 0 ? "the compiler kept no place for it"
                                      : "not set yet";
  return value;
}

// Shared arrays are drawn as grids, so they are left out.
std::vector<StepValue> variables_of(const stepping::BlockStepper& stepper, uint32_t warp,
                                    const std::vector<StepValue>* before) {
  std::vector<StepValue> values;
  for (const stepping::VariableView& view : stepper.variables(warp)) {
    const auto is_array = [&](const stepping::SharedArray& array) { return array.name == view.name; };
    if (std::ranges::any_of(stepper.shared_arrays(), is_array)) continue;
    values.push_back(variable_value(stepper, warp, view));
    mark_changes(values.back(), before);
  }
  return values;
}

std::vector<StepArray> arrays_of(const stepping::BlockStepper& stepper) {
  std::vector<StepArray> arrays;
  for (const stepping::SharedArray& array : stepper.shared_arrays())
    if (Result<Bytes> bytes = stepper.read(Space::shared, array.address, array.bytes))
      arrays.push_back({array, *std::move(bytes)});
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

StepSnapshot snapshot_of(const stepping::BlockStepper& stepper, uint32_t warp, const StepSnapshot* before) {
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
    shot.variables = variables_of(stepper, shot.warp, same ? &before->variables : nullptr);
  }
  shot.barriers = stepper.barriers();
  shot.arrays = arrays_of(stepper);
  shot.accesses.assign(stepper.accesses().begin(), stepper.accesses().end());
  shot.access = stepping::footprint_of(stepper);
  shot.no_variables = stepper.no_variables();
  if (before == nullptr) return shot;
  shot.timeline = before->timeline;
  shot.stepped = before->stepped;
  return shot;
}

}  // namespace warplens
