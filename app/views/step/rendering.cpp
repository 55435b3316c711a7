// The Step view in a file.
#include <fmt/format.h>

#include "app/views/model/rendering.h"

#include "app/views/step/picture.h"
#include "core/job/named_variables.h"

namespace warplens {
namespace {

// A position past the block's end is an error.
Result<Pick> pick_to_step(const RenderChoice& choice, const RunResult& result) {
  Pick pick;
  pick.block = choice.at.value_or(Dim3{0, 0, 0});
  pick.thread = choice.thread.value_or(Dim3{0, 0, 0});
  if (choice.position == 0) return pick;
  const Result<LaunchRequest> named = with_named_variables(*result.request);
  const auto stepped = named ? std::make_shared<const LaunchRequest>(*named) : result.request;
  Result<stepping::BlockStepper> stepper = stepping::BlockStepper::open(stepped, *pick.block);
  if (!stepper) return pick;  // the picture says why
  stepper->jump(choice.position);
  if (stepper->position() < choice.position)
    return bad_input(fmt::format("--position {}: block ({},{},{}) ends at position {}", choice.position,
                                 pick.block->x, pick.block->y, pick.block->z, stepper->position()));
  return pick;
}

// The block at the position, and its whole course for the scrubber.
Result<StepSnapshot> snapshot_at(const RenderChoice& choice, const RenderSource& source, uint32_t warp) {
  const Result<LaunchRequest> named = with_named_variables(*source.result->request, source.stop);
  const auto stepped = named ? std::make_shared<const LaunchRequest>(*named) : source.result->request;
  Result<stepping::BlockStepper> stepper =
      stepping::BlockStepper::open(stepped, *source.pick.block, {}, source.stop);
  if (!stepper) return stepper.error();
  stepper->jump(UINT64_MAX, source.stop);
  const auto timeline =
      std::make_shared<const stepping::Timeline>(stepping::timeline_of(*stepper, timeline_parts));
  // What the last move changed is lit up, so it begins one instruction earlier.
  constexpr size_t most_logged = 20'000;
  const auto log = std::make_shared<const stepping::AccessLog>(
      stepping::log_accesses(*stepper, warp, 0, choice.position, most_logged, source.stop));
  stepper->jump(choice.position == 0 ? 0 : choice.position - 1, source.stop);
  StepSnapshot shown = snapshot_of(*stepper, warp, nullptr);
  if (choice.position != 0) {
    stepper->jump(choice.position, source.stop);
    shown = snapshot_of(*stepper, warp, &shown);
    stepping::back_by_line(*stepper, warp);
    const uint64_t from = stepper->position();
    stepper->jump(choice.position, source.stop);
    note_touched(shown, *stepper, from);
  }
  shown.log = log;
  shown.timeline = timeline;
  shown.stepped = stepped;
  return shown;
}

float draw_step_of(Picture& picture, const Style& style, Box box, const RenderChoice& choice,
                   const RenderSource& source) {
  const RunResult& result = *source.result;
  const Dim3 thread = *source.pick.thread, extent = result.shape.block;
  StepViewInput input;
  input.lane = lane_of(thread, extent);
  input.request = result.request.get();
  input.block = *source.pick.block;
  input.grid = result.shape.grid;
  input.threads = result.shape.block;
  input.interactive = false;
  input.launches = launches_of(*result.request);
  input.cooperative = result.shape.cooperative;
  const Result<const KernelDescription*> kernel = find_kernel(result.request->kernel);
  if (kernel)
    input.formula = fill_formula((*kernel)->index_formula, {input.grid, extent, input.block, thread},
                                 scalar_names(*kernel, *result.request));
  const Result<StepSnapshot> shown = snapshot_at(choice, source, warp_of(thread, extent));
  if (shown) {
    const ModuleText& code = *shown->stepped->module;
    input.shown = &*shown;
    input.source = code.source;
    input.source_name = code.source_name;
    input.ptx = code.ptx;
  } else {
    input.message = "This block cannot be stepped: " + shown.error().message;
  }
  return draw_step_view(picture, style, box, input).bottom;
}

Rendered make_step(const RenderChoice& choice, const RenderSource& source) {
  return {[&](Picture& picture, const Style& style, Box box) {
    return draw_step_of(picture, style, box, choice, source);
  }};
}

}  // namespace

std::span<const Rendering> step_renderings() {
  static constexpr Rendering rows[] = {{.name = "step", .pick = pick_to_step, .make = make_step}};
  return rows;
}

}  // namespace warplens
