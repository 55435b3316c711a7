#include "app/state/learn/lesson_facts.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens {
namespace {

// The buffer's name in the shown run; empty if there is none.
std::string array_of(const AppState& state, const ElementPick& element) {
  const RunResult* result = state.runs.result.get();
  if (result == nullptr || !result->request || element.buffer >= result->request->buffers.size()) return "";
  return result->request->buffers[element.buffer].name;
}

std::vector<lesson::Target> pins_of_state(const AppState& state) {
  std::vector<lesson::Target> pins;
  const Pick& pinned = state.selection.pinned;
  for (const lesson::Target::Kind kind : {lesson::Target::Kind::thread, lesson::Target::Kind::block,
                                          lesson::Target::Kind::element, lesson::Target::Kind::line}) {
    if (kind == lesson::Target::Kind::block && pinned.thread) continue;
    if (const auto target = target_of(state, pinned, kind)) pins.push_back(*target);
  }
  return pins;
}

std::optional<lesson::SteppedTo> step_of(const AppState& state) {
  const auto& shown = state.step.shown;
  if (!shown || state.step.moving || !state.step.moves.empty() || state.step.run != state.runs.now.shown)
    return std::nullopt;
  lesson::SteppedTo at;
  at.line = shown->line;
  at.position = shown->position;
  at.end = shown->end != stepping::End::none;
  if (shown->warp < shown->warps.size())
    at.active = static_cast<uint32_t>(std::popcount(shown->warps[shown->warp].active));
  return at;
}

bool is_sample(const AppState& state) {
  const std::string& path = state.setup.launch.image_path;
  const bool sample = path.empty() || std::ranges::any_of(state.files.samples, [&](const SamplePhoto& photo) {
                        return photo.name == path || photo.path == path;
                      });
  const lesson::LessonStep* step = current_step(state);
  return sample || (step != nullptr && state.lesson.open->folder.files.contains(path));
}

}  // namespace

std::optional<lesson::Target> target_of(const AppState& state, const Pick& pick, lesson::Target::Kind kind) {
  lesson::Target target;
  target.kind = kind;
  const Dim3 block = state.setup.launch.block;
  switch (kind) {
    case lesson::Target::Kind::thread:
      if (!pick.block || !pick.thread) return std::nullopt;
      target.block = *pick.block;
      target.thread = *pick.thread;
      return target;
    case lesson::Target::Kind::block:
      if (!pick.block) return std::nullopt;
      target.block = *pick.block;
      return target;
    case lesson::Target::Kind::warp:
      if (!pick.block || !pick.thread) return std::nullopt;
      target.block = *pick.block;
      target.index = linear_index(*pick.thread, block) / warp_lanes;
      return target;
    case lesson::Target::Kind::lane:
      if (!pick.thread) return std::nullopt;
      target.index = linear_index(*pick.thread, block) % warp_lanes;
      return target;
    case lesson::Target::Kind::element:
      if (!pick.element) return std::nullopt;
      target.array = array_of(state, *pick.element);
      target.index = pick.element->index;
      return target;
    case lesson::Target::Kind::line:
      if (pick.line == 0) return std::nullopt;
      target.index = pick.line;
      return target;
    case lesson::Target::Kind::bank:
    case lesson::Target::Kind::nothing:
      break;
  }
  return std::nullopt;
}

uint64_t runs_of_step(const AppState& state) {
  return state.runs.recorded - std::min(state.lesson.runs_before, state.runs.recorded);
}

std::shared_ptr<const RunResult> run_of_now(const AppState& state) {
  const bool of_now =
      state.runs.now.wanted == 0 && state.code.wanted == 0 && state.runs.now.stale_because.empty();
  return of_now ? state.runs.result : nullptr;
}

// The last run of the program as it is now; empty if there is none.
std::optional<lesson::ProgramOutcome> program_run_of_now(const AppState& state) {
  const ProgramState& program = state.program;
  const ProgramRun& run = program.run;
  const bool ended = run.phase == ProgramRun::Phase::ended || run.is_other_order;
  if (!run.given || !ended || run.stopped || run.text != program.source.text) return std::nullopt;
  if (!run.problem.empty() && run.compiles && !run.used_device) return std::nullopt;  // it did not begin
  lesson::ProgramOutcome outcome;
  outcome.compiles = run.compiles;
  outcome.status = run.status;
  outcome.signal = run.signal;
  outcome.printed = run.output.printed;
  if (run.used_device && program.opened) outcome.recording = {program.opened, &program.opened->recording};
  return outcome;
}

lesson::Facts facts_of(const AppState& state) {
  lesson::Situation now;
  const std::optional<lesson::ProgramOutcome> program = program_run_of_now(state);
  lesson::ProgramOutcome reordered;
  now.program = program ? &*program : nullptr;
  if (const ProgramRun& run = state.program.run; program && run.other_order && !run.is_other_order) {
    reordered.printed = run.other_order->printed;
    now.reordered = &reordered;
  }
  if (state.lesson.is_open()) now.prints = lesson::wanted_show(state.lesson.player).prints.value_or("");
  now.kernel = state.setup.kernel;
  now.setup = &state.setup.launch;
  now.device = &state.setup.device;
  if (state.setup.outlook.error.empty()) now.shape = state.setup.outlook.shape;
  now.problem = state.setup.outlook.problem;
  now.result = run_of_now(state);
  if (state.runs.baseline) now.baseline = state.runs.baseline->result;
  now.view = row_of(state.frame.view).name;
  if (const auto part = state.frame.parts.find(state.frame.view); part != state.frame.parts.end())
    now.part = part->second;
  now.order = state.setup.order;
  now.text_percent = static_cast<uint32_t>(std::lround(state.frame.preferences.text_scale * 100));
  now.runs = static_cast<uint32_t>(runs_of_step(state));
  now.own_image = state.setup.launch.image != nullptr && !is_sample(state);
  now.edited = state.program.run.given ? state.program.source.dirty()
                                       : state.code.own && state.code.text != state.lesson.own_text;
  now.pins = pins_of_state(state);
  now.step = step_of(state);
  if (!state.code.own && state.setup.kernel) now.kernel_name = state.setup.kernel->name;
  lesson::Facts facts = lesson::facts_of(now);
  return state.lesson.is_open() ? lesson::with_answers(state.lesson.player, std::move(facts)) : facts;
}

}  // namespace warplens
