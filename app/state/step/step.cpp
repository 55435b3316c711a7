#include "app/state/parts/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/base/format.h"
#include "app/state/parts/pins.h"
#include "app/state/reducers/frame.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/select.h"
#include "app/state/reducers/setup.h"
#include "app/state/reducers/step.h"
#include "core/launch/steps.h"

namespace warplens {
namespace {

bool is_block_of(const LaunchShape& shape, Dim3 at) {
  return at.x < shape.grid.x && at.y < shape.grid.y && at.z < shape.grid.z;
}

bool can_move(const StepState& step) { return step.request != nullptr && step.error.empty(); }

LaunchShape shape_of(const LaunchRequest& request, uint32_t launch) {
  const LaunchStep* step = nth_launch(request, launch);
  if (step == nullptr) return {};
  LaunchShape shape;
  shape.grid = step->grid;
  shape.block = step->block;
  return shape;
}

Dim3 block_to_step(const AppState& state, uint32_t launch) {
  const RunResult& result = *state.runs.result;
  const LaunchShape shape = shape_of(*result.request, launch);
  if (const auto& pinned = state.selection.pinned.block; pinned && is_block_of(shape, *pinned))
    return *pinned;
  if (!result.faults.empty() && is_block_of(shape, result.faults.front().block))
    return result.faults.front().block;
  return {0, 0, 0};
}

// The launch of another request may not be there.
uint32_t launch_in(const LaunchRequest& request, uint32_t wanted) {
  return nth_launch(request, wanted) != nullptr ? wanted : 0;
}

// These settings of the stepper stay: order, breakpoints, speed and open parts.
void begin(AppState& state) {
  StepState fresh;
  fresh.run = state.runs.now.shown;
  fresh.request = state.runs.result->request;
  const bool same = state.step.request && state.step.request->kernel == fresh.request->kernel;
  if (same) fresh.choice = state.step.choice;
  fresh.choice.launch = launch_in(*fresh.request, fresh.choice.launch);
  // Blocks of a cooperative launch wait for each other: none can run before another.
  const LaunchStep* launch = nth_launch(*fresh.request, fresh.choice.launch);
  if (launch != nullptr && launch->cooperative) fresh.choice.earlier_blocks = false;
  fresh.wants = std::move(state.step.wants);
  fresh.wants.frame = {};
  fresh.lines_per_second = state.step.lines_per_second;
  fresh.block = block_to_step(state, fresh.choice.launch);
  fresh.serial = state.runs.next_serial++;
  fresh.moving = true;
  state.step = std::move(fresh);
}

// The warp of the pinned thread, whose lane is shown.
uint32_t take_thread(AppState& state) {
  const auto& thread = state.selection.pinned.thread;
  const Dim3 extent = stepped_shape(state.step).block;
  if (!thread || thread->x >= extent.x || thread->y >= extent.y || thread->z >= extent.z) return 0;
  const auto index = static_cast<uint32_t>(linear_index(*thread, extent));
  state.step.lane = index % warp_lanes;
  return index / warp_lanes;
}

StepMove write_of(const LaunchRequest& request, const ElementPick& element, StepMoveKind kind) {
  StepMove move{kind};
  const BufferSpec& spec = request.buffers[element.buffer];
  move.space = Space::global;
  move.bytes = bytes_of(spec.dtype);
  move.address = element.index * move.bytes;
  move.buffer = spec.name;
  return move;
}

const stepping::NamedArray* array_named(const StepSnapshot& shown, const std::string& name) {
  for (const stepping::NamedArray& array : shown.named)
    if (array.space == Space::global && array.name == name) return &array;
  return nullptr;
}

// An output's first element that two runs have different values of.
std::optional<uint64_t> first_difference(const RunResult& now, const OutputBuffer& output,
                                         const RunResult& before) {
  const BufferSpec& spec = now.request->buffers[output.index];
  for (const OutputBuffer& other : before.outputs) {
    const BufferSpec& same = before.request->buffers[other.index];
    if (same.name != spec.name || same.dtype != spec.dtype || !other.bytes || !output.bytes) continue;
    const auto ends =
        std::mismatch(output.bytes->begin(), output.bytes->end(), other.bytes->begin(), other.bytes->end());
    if (ends.first == output.bytes->end() || ends.second == other.bytes->end()) continue;
    return static_cast<uint64_t>(ends.first - output.bytes->begin()) / bytes_of(spec.dtype);
  }
  return std::nullopt;
}

}  // namespace

Dim3 block_to_step(const AppState& state) { return block_to_step(state, state.step.choice.launch); }

bool step_is_due(const AppState& state) {
  if (!state.runs.result || !state.runs.result->request || state.runs.now.phase == RunPhase::running)
    return false;
  if (state.runs.result->status == RunStatus::refused) return false;
  return state.step.run != state.runs.now.shown || !(state.step.block == block_to_step(state));
}

std::vector<std::string> launches_of(const LaunchRequest& request) {
  std::vector<std::string> launches;
  for (uint32_t i = 0; const LaunchStep* step = nth_launch(request, i); ++i)
    launches.push_back(fmt::format("{}, {} of {}", step->entry,
                                   count_text(step->grid.count(), "block", "blocks"),
                                   count_text(step->block.count(), "thread", "threads")));
  return launches;
}

LaunchShape stepped_shape(const StepState& step) {
  return step.request ? shape_of(*step.request, step.choice.launch) : LaunchShape{};
}

std::optional<StepTarget> step_target(const AppState& state) {
  const StepState& step = state.step;
  if (step.target) return step.target;
  if (!step.shown) return std::nullopt;
  if (const auto& pinned = state.selection.pinned.element;
      pinned && step.request && pinned->buffer < step.request->buffers.size()) {
    const StepMove move = write_of(*step.request, *pinned, StepMoveKind::who_wrote);
    if (const stepping::NamedArray* array = array_named(*step.shown, move.buffer))
      return StepTarget{Space::global, array->address + move.address, move.bytes,
                        fmt::format("{}[{}]", move.buffer, pinned->index)};
  }
  for (auto access = step.shown->touched.rbegin(); access != step.shown->touched.rend(); ++access) {
    if (access->warp != step.shown->warp || (access->lanes >> step.lane & 1) == 0) continue;
    const uint64_t address = access->address[step.lane];
    return StepTarget{access->space, address, access->bytes,
                      stepping::place_text(step.shown->named, access->space, address, access->bytes)};
  }
  return std::nullopt;
}

const StepBreakpoint* breakpoint_at(const StepState& step, std::string_view file, uint32_t line) {
  for (const StepBreakpoint& breakpoint : step.wants.breakpoints)
    if (breakpoint.file == file && breakpoint.line == line) return &breakpoint;
  return nullptr;
}

bool can_step_thread(const AppState& state) {
  if (!state.runs.result || !state.runs.result->request) return false;
  if (state.runs.result->status == RunStatus::refused) return false;
  return state.selection.pinned.thread.has_value();
}

std::optional<ElementPick> first_difference(const AppState& state) {
  if (!state.runs.baseline || !state.runs.baseline->result || !state.runs.result) return std::nullopt;
  const RunResult &now = *state.runs.result, &before = *state.runs.baseline->result;
  if (!now.request || !before.request) return std::nullopt;
  for (const OutputBuffer& output : now.outputs)
    if (const auto element = first_difference(now, output, before))
      return ElementPick{output.index, *element};
  return std::nullopt;
}

namespace detail {

void apply(AppState& state, const OpenStep& action) {
  if (!state.runs.result || !state.runs.result->request) return;
  begin(state);
  StepState& step = state.step;
  StepMove first{StepMoveKind::to_position};
  first.value = action.position;
  first.warp = take_thread(state);
  if (action.finding && *action.finding < state.runs.result->findings.size())
    step.race = state.runs.result->findings[*action.finding];
  step.moves.push_back(first);
  if (action.line != 0) step.moves.push_back({StepMoveKind::to_line, first.warp, action.line});
  if (!action.element || action.element->buffer >= step.request->buffers.size()) return;
  StepMove write = write_of(*step.request, *action.element, StepMoveKind::next_write);
  write.warp = first.warp;
  step.moves.push_back(write);
}

void apply(AppState& state, const StepThread&) {
  if (!can_step_thread(state)) return;
  const std::optional<ElementPick> element = state.selection.pinned.element;
  state.step.choice.launch = 0;
  OpenStep open;
  open.element = element;
  apply(state, open);
  apply(state, ShowView{View::step});
}

void apply(AppState& state, const StepDifference& action) {
  const std::optional<ElementPick> element = first_difference(state);
  if (!element)
    return apply(state.problems, Notify{ProblemLevel::note, "No output differs",
                                        "The two runs leave the same in every output that both have."});
  // By name: the other run may have other buffers.
  std::string name = state.runs.result->request->buffers[element->buffer].name;
  if (action.in_baseline) {
    const uint64_t baseline = state.runs.baseline->serial;
    apply(state, RestoreRun{baseline});
    if (state.runs.now.shown != baseline)
      return apply(state.problems, Notify{ProblemLevel::note, "The baseline's buffers were deleted",
                                          "It runs again first; then the difference can be stepped."});
  }
  for (const OutputBuffer& output : state.runs.result->outputs) {
    if (state.runs.result->request->buffers[output.index].name != name) continue;
    const ElementPick same{output.index, element->index};
    apply(state, Pin{with_writer(*state.runs.result, same)});
    OpenStep open;
    open.element = same;
    apply(state, open);
    apply(state, ShowView{View::step});
  }
}

// Another launch or another order is another way through the block: it begins at the start.
void apply(AppState& state, const ChooseStep& action) {
  if (!state.runs.result || !state.runs.result->request) return;
  state.step.choice = action.choice;
  apply(state, OpenStep{});
}

void apply(StepState& step, const SetBreakpoint& action) {
  auto& all = step.wants.breakpoints;
  const StepBreakpoint& wanted = action.breakpoint;
  const auto same = std::ranges::find_if(
      all, [&](const StepBreakpoint& b) { return b.file == wanted.file && b.line == wanted.line; });
  if (!action.on) {
    if (same != all.end()) all.erase(same);
  } else if (same != all.end()) {
    *same = wanted;
  } else if (all.size() < most_breakpoints) {
    all.push_back(wanted);
    std::ranges::sort(all, {}, [](const StepBreakpoint& b) { return std::pair(b.file, b.line); });
  }
}

void apply(StepState& step, const OpenPart& action) {
  auto& open = step.wants.open;
  std::erase(open, action.path);
  if (action.open) open.push_back(action.path);
}

// The values come with the worker's next snapshot.
void apply(StepState& step, const ChooseFrame& action) {
  if (!can_move(step) || !step.shown) return;
  step.wants.frame = {step.lane, action.number};
  StepMove look{StepMoveKind::look};
  look.warp = step.shown->warp;
  step.moves.push_back(look);
  step.moving = true;
}

void apply(StepState& step, const ChooseCell& action) { step.target = action.target; }

void apply(StepState& step, const StepBy& action) {
  if (!can_move(step)) return;
  // Opening a part stays in its frame.
  const bool stays =
      action.move.kind == StepMoveKind::look && step.shown && action.move.warp == step.shown->warp;
  if (!stays) step.wants.frame = {};
  step.moves.push_back(action.move);
  step.moving = true;
}

void apply(StepState& step, const StepPlay& action) {
  step.playing = action.on && can_move(step);
  step.lines_per_second = action.lines_per_second;
}

void apply(StepState& step, const ShowLane& action) {
  step.lane = action.lane % warp_lanes;
  // Another lane may have another stack.
  if (step.wants.frame.number != 0) apply(step, ChooseFrame{0});
}

// A position that was reached in the meantime is not shown if a newer block is open.
void apply(StepState& step, const StepShown& action) {
  if (action.serial != step.serial) return;
  step.shown = action.snapshot;
  step.moving = action.more;
  if (action.lane) step.lane = *action.lane;
  if (action.snapshot->end != stepping::End::none || action.lane) step.playing = false;
}

void apply(StepState& step, const StepFailed& action) {
  if (action.serial != step.serial) return;
  step.error = action.message;
  step.moving = step.playing = false;
}

}  // namespace detail
}  // namespace warplens
