#include "app/cli/learn/worksheet_picture.h"

#include <algorithm>

#include "app/views/document.h"
#include "app/views/renderings.h"
#include "core/gpu/engine/replay.h"
#include "core/job/named_variables.h"
#include "core/job/run_job.h"

namespace warplens {
namespace {

// Parts of a view that are pictures of their own; with an empty name, there is no picture of them.
struct PartRendering {
  std::string_view view, part, rendering;
};
constexpr PartRendering part_renderings[] = {{"timing", "timer", "stopwatch"},
                                             {"timing", "blocks", "sweep"},
                                             {"timing", "sizes", "sizes"},
                                             {"timing", "roofline", "roofline"},
                                             {"timing", "runs", ""}};

const Rendering* rendering_for(const lesson::Situation& situation) {
  for (const PartRendering& one : part_renderings)
    if (one.view == situation.view && one.part == situation.part) return rendering_of(one.rendering);
  return rendering_of(situation.view);
}

void choose_pins(const lesson::Staged& staged, RenderChoice& choice) {
  for (const lesson::Target& pin : staged.situation.pins) {
    if (pin.kind == lesson::Target::Kind::thread || pin.kind == lesson::Target::Kind::block)
      choice.at = pin.block;
    if (pin.kind == lesson::Target::Kind::thread) choice.thread = pin.thread;
    if (pin.kind == lesson::Target::Kind::line) choice.line = static_cast<uint32_t>(pin.index);
  }
}

// The Step view stands where the step says, in the code that it steps: that with variables by name, where it
// can be made.
void choose_place(const lesson::Staged& staged, RenderChoice& choice, const std::stop_token& stop) {
  if (!staged.show.step) return;
  const Result<LaunchRequest> named = with_named_variables(*staged.result->request, stop);
  const auto stepped = named ? std::make_shared<const LaunchRequest>(*named) : staged.result->request;
  uint32_t warp = 0;
  const Result<lesson::SteppedTo> at = lesson::stepped_to(staged.show, stepped, warp, stop);
  if (!at) return;
  choice.position = at->position;
  const Dim3 block = staged.result->shape.block;
  if (choice.thread && warp_of(*choice.thread, block) == warp) return;
  const uint64_t thread = uint64_t{warp} * warp_lanes + staged.show.lane.value_or(0);
  choice.thread = position_at(std::min(thread, block.count() - 1), block);
}

Job drawn_job(const lesson::Staged& staged) {
  Job job;
  job.request = staged.result->request;
  job.kernel = staged.kernel;
  job.problem = staged.situation.problem;
  return job;
}

}  // namespace

std::optional<Picture> worksheet_picture(const lesson::Staged& staged, const std::stop_token& stop) {
  const Rendering* rendering = rendering_for(staged.situation);
  if (rendering == nullptr || staged.result == nullptr || rendering->needs > RenderNeeds::timed_run ||
      staged.result->status == RunStatus::refused)
    return std::nullopt;
  RenderChoice choice;
  choice.theme = Theme::light;
  choice.width = 1000;
  choice.height = 620;  // room for the threads of a small launch above their elements
  if (!staged.situation.part.empty()) choice.level = choice.mode = staged.situation.part;
  choose_pins(staged, choice);
  if (staged.situation.view == "step") choose_place(staged, choice, stop);
  if (rendering->at_is_cell) choice.at.reset();
  const Job job = drawn_job(staged);
  RenderSource source{.job = &job, .result = staged.result.get()};
  source.stop = stop;
  std::optional<BlockFootprint> footprint;
  if (rendering->pick != nullptr) {
    const Result<Pick> pick = rendering->pick(choice, *staged.result);
    if (pick) source.pick = *pick;
    if (source.pick.block)
      if (Result<BlockFootprint> replayed = replay_block(*job.request, *source.pick.block, {}))
        footprint = std::move(*replayed);
    if (footprint) {
      source.footprint = &*footprint;
      source.digest = digest_of(*staged.result, *footprint, source.pick, ThreadColouring::warps);
    }
  }
  const Rendered rendered = rendering->make(choice, source);
  if (!rendered.refused.empty()) return std::nullopt;
  return framed_picture(choice, job, rendered.draw);
}

bool prints_source(std::string_view view, std::span<const std::string> unknown) {
  return (view == "code" || view == "step") && std::ranges::find(unknown, "code") == unknown.end();
}

}  // namespace warplens
