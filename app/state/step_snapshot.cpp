// What a stepped block shows, as plain data.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/state/step.h"

namespace warplens {
namespace {

using stepping::RegisterView;

// Equal values, or whole numbers that grow by one from lane to lane, are written once.
std::string folded(const RegisterView& view) {
  if (view.set == 0) return "not set yet";
  if (view.set != 0xffffffff) return "";
  const auto differs_by = [&](uint64_t step) {
    for (size_t lane = 1; lane < view.bits.size(); ++lane)
      if (view.bits[lane].high != view.bits[0].high || view.bits[lane].low - view.bits[lane - 1].low != step)
        return false;
    return true;
  };
  const auto text = [&](size_t lane) { return stepping::text_of(view.type, view.bits[lane]); };
  if (differs_by(0)) return text(0) + " in all lanes";
  if (!view.predicate && !ptx::is_float(view.type) && differs_by(1))
    return fmt::format("{} … {}", text(0), text(warp_lanes - 1));
  return "";
}

StepValue value_of(const RegisterView& view, const StepSnapshot* before) {
  StepValue value;
  value.name = view.name;
  value.type = ptx::text_of(view.type);
  value.set = view.set;
  value.folded = folded(view);
  for (uint32_t lanes = view.set; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(lanes));
    value.lanes[lane] = stepping::text_of(view.type, view.bits[lane]);
  }
  if (before == nullptr) return value;
  const auto old = std::ranges::find(before->values, value.name, &StepValue::name);
  if (old == before->values.end()) return value;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    if ((value.set >> lane & 1) != 0 && old->lanes[lane] != value.lanes[lane]) value.changed |= 1u << lane;
  return value;
}

// Only registers that hold something in a lane, those that were written last first.
std::vector<StepValue> values_of(const stepping::BlockStepper& stepper, uint32_t warp,
                                 const StepSnapshot* before) {
  const bool same = before != nullptr && before->warp == warp;
  std::vector<StepValue> values;
  for (const RegisterView& view : stepper.registers(warp))
    if (view.set != 0) values.push_back(value_of(view, same ? before : nullptr));
  return values;
}

std::vector<StepArray> arrays_of(const stepping::BlockStepper& stepper) {
  std::vector<StepArray> arrays;
  const uint64_t end = stepper.bytes_of(Space::shared);
  const auto add = [&](std::string name, uint64_t from, uint64_t to) {
    to = std::min(to, end);
    if (from >= to) return;
    if (Result<Bytes> bytes = stepper.read(Space::shared, from, to - from))
      arrays.push_back({std::move(name), from, *std::move(bytes)});
  };
  for (const program::SharedVariable& variable : stepper.table().program().shared_variables)
    add(std::string(variable.name), variable.begin, variable.end);
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
    shot.values = values_of(stepper, shot.warp, before);
  }
  shot.barriers = stepper.barriers();
  shot.arrays = arrays_of(stepper);
  shot.accesses.assign(stepper.accesses().begin(), stepper.accesses().end());
  shot.access = stepping::footprint_of(stepper);
  if (before != nullptr) shot.timeline = before->timeline;
  return shot;
}

}  // namespace warplens
