// Sets what the window shows to what a step of a lesson says.
#include <algorithm>
#include <utility>

#include "app/state/files/session.h"
#include "app/state/reducers/code.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/frame.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/program.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/setup.h"
#include "app/state/reducers/step.h"
#include "core/image/image.h"
#include "core/job/files/session_file.h"

namespace warplens::detail {
namespace {

using lesson::Show;
using lesson::Target;

const std::string* file_of(const lesson::Folder& folder, const std::string& name) {
  const auto found = folder.files.find(name);
  return found == folder.files.end() ? nullptr : &found->second;
}

// The student's settings from when this step was left; null if there are none, or while run A is made.
const LeftStep* left_now(const AppState& state) {
  const auto left = state.lesson.left.find(state.lesson.player.at);
  return state.lesson.phase == ShowPhase::baseline || left == state.lesson.left.end() ? nullptr
                                                                                      : left->second.get();
}

// The picture of the folder at once, a sample when it has been read.
void show_picture(AppState& state, const Show& show, bool fresh) {
  KernelSetup& launch = state.setup.launch;
  if (!show.image && !fresh) return;
  const std::string wanted = show.image.value_or("");
  const lesson::Folder& folder = state.lesson.open->folder;
  if (const std::string* bytes = file_of(folder, wanted)) {
    auto image = decode_image(std::as_bytes(std::span(bytes->data(), bytes->size())), wanted, 3);
    if (!image)
      return apply(state.problems, Notify{ProblemLevel::error, "The picture of this step cannot be read",
                                          image.error().message});
    launch.image = std::make_shared<const Image>(*std::move(image));
    launch.image_path = folder.path.empty() ? wanted : folder.path + "/" + wanted;
    return;
  }
  if (launch.image && launch.image_path == wanted) return;
  launch.image = nullptr;
  launch.image_path = wanted;
}

void show_launch(AppState& state, const Show& show) {
  KernelSetup& launch = state.setup.launch;
  for (const auto& [name, value] : show.values) launch.values[name] = value;
  if (show.block) launch.block = *show.block;
  if (show.fit_grid) launch.fit_grid = *show.fit_grid;
  if (show.grid) {
    launch.grid = *show.grid;
    launch.fit_grid = false;
  }
  if (show.shared_bytes) launch.shared_dynamic_bytes = *show.shared_bytes;
  if (show.seed) launch.data_seed = *show.seed;
  if (show.order) state.setup.order = *show.order;
}

void pin_target(const Target& target, Dim3 block_size, Session& pins) {
  switch (target.kind) {
    case Target::Kind::thread:
      pins.pinned_block = target.block;
      pins.pinned_thread = target.thread;
      break;
    case Target::Kind::block:
      pins.pinned_block = target.block;
      break;
    case Target::Kind::warp:
      pins.pinned_block = target.block;
      pins.pinned_thread = position_at(target.index * warp_lanes, block_size);
      break;
    case Target::Kind::lane:
      pins.pinned_thread = position_at(target.index, block_size);
      break;
    case Target::Kind::element:
      pins.pinned_buffer = target.array;
      pins.pinned_index = target.index;
      break;
    case Target::Kind::line:
      pins.pinned_line = static_cast<uint32_t>(target.index);
      break;
    case Target::Kind::nothing:
    case Target::Kind::bank:
      break;
  }
}

void show_pins(AppState& state, const Show& show) {
  Session pins;
  for (const Target& target : show.pins.value_or(std::vector<Target>{}))
    pin_target(target, state.setup.launch.block, pins);
  take_pins(state, pins);
}

void show_view(AppState& state, const Show& show) {
  const std::optional<View> view = show.view ? tab_from(*show.view) : std::nullopt;
  if (view) state.frame.view = *view;
  if (view && show.part) {
    state.frame.parts[*view] = *show.part;
    ++state.frame.parts_set;
  }
  if (show.text_percent) apply(state.frame, SetTextScale{float(*show.text_percent) / 100});
}

void show_device(AppState& state, const Show& show) {
  const std::string& of_lesson = state.lesson.open->lesson.device;
  const std::string wanted = show.device ? *show.device : of_lesson;
  const Device* device = wanted.empty() ? &built_in_devices().front() : device_by_id(state, wanted);
  if (device == nullptr) device = &built_in_devices().front();
  state.setup.wanted_device.reset();
  state.setup.device = *device;
}

// A kernel of the folder is compiled first. A built-in one whose code the student may edit is a copy.
void show_code(AppState& state, const Show& show) {
  Session code;
  const LeftStep* left = left_now(state);
  if (show.code) {
    code.code_name = *show.code;
    const std::string* text = file_of(state.lesson.open->folder, *show.code);
    code.code_text = text != nullptr ? *text : std::string();
  } else {
    const auto kernel = find_kernel(*show.kernel);
    if (!kernel) return;
    code.code_name = (*kernel)->source_name;
    code.code_text = (*kernel)->source;
    code.copy_of = (*kernel)->name;
  }
  code.code_entry = show.entry.value_or("");
  code.has_code_text = true;
  // The code starts from the lesson's text again: edits from an earlier step are not kept.
  if (state.code.own && state.code.path.empty() && state.code.name == code.code_name)
    state.code.saved = state.code.text;
  state.drafts.codes.erase(code.code_name);
  state.lesson.own_text = code.code_text;
  state.lesson.phase = ShowPhase::compiling;
  if (left != nullptr && left->session.has_code_text) {  // the student's, against the step's as own_text
    code.code_text = left->session.code_text;
    code.code_entry = left->session.code_entry;
  }
  open_code(state, code);
}

bool edits_code(const Show& show) {
  return show.change &&
         std::ranges::any_of(*show.change, [](const lesson::Change& c) { return c.name == "code"; });
}

// The kernel's defaults, changed by the step.
void show_kernel(AppState& state, const Show& show) {
  if (!state.setup.kernel) return;
  const KernelSetup before = std::exchange(state.setup.launch, default_setup(*state.setup.kernel));
  state.setup.launch.image = before.image;
  state.setup.launch.image_path = before.image_path;
  state.setup.order = 0;
  show_picture(state, show, true);
  show_launch(state, show);
  const LeftStep* left = left_now(state);
  if (left == nullptr) return;
  const KernelSetup of_step = std::exchange(state.setup.launch, left->session.setup);
  KernelSetup& launch = state.setup.launch;
  launch.kernel = state.setup.kernel->name;
  launch.image = left->image;
  state.setup.order = left->session.order;
  // A draft of an earlier start has only the picture's path.
  if (!launch.image && launch.image_path == of_step.image_path) launch.image = of_step.image;
  if (!launch.image && !launch.image_path.empty()) state.effects.add(effect::LoadPicture{launch.image_path});
  // Drops the picture that the kernel requested before it had the step's own.
  if (launch.image)
    std::erase_if(state.effects.waiting,
                  [](const Effect& wanted) { return std::holds_alternative<effect::LoadPicture>(wanted); });
}

void finish_showing(AppState& state, const Show& show) {
  if (const LeftStep* left = left_now(state)) {
    take_pins(state, left->session);
    Show seen;
    seen.view = left->session.view;
    if (!left->session.part.empty()) seen.part = left->session.part;
    show_view(state, seen);
  } else {
    show_pins(state, show);
    show_view(state, show);
  }
  state.undo.done.clear();
  state.undo.undone.clear();
  setup_changed(state, "The lesson set it");
}

// The launch that the step shows; for a step with a baseline, run A first.
Show wanted_show(const AppState& state) {
  Show show = lesson::wanted_show(state.lesson.player);
  if (state.lesson.phase == ShowPhase::baseline && !show.baseline.empty())
    return with_changes(show, show.baseline.front());
  return show;
}

// Nothing runs until the student says so. Once one was run, what `reveal` shows is run at once.
void show_program(AppState& state, const Show& show) {
  const std::string* text = file_of(state.lesson.open->folder, *show.program);
  if (text == nullptr) return;
  state.lesson.own_text = *text;
  state.lesson.phase = ShowPhase::step;
  state.lesson.runs_a = false;
  state.lesson.placed = true;
  give_program(state, name_of_program(state, *show.program), *text);
  Show seen = show;
  seen.view = show.view.value_or("program");
  show_view(state, seen);
  state.undo.done.clear();
  state.undo.undone.clear();
  if (state.lesson.player.progress().changed && state.lesson.runs_programs) apply(state, RunProgram{});
}

void begin_showing(AppState& state) {
  Show show = wanted_show(state);
  if (const LeftStep* left = left_now(state)) {
    if (!left->session.device.empty()) show.device = left->session.device;
    if (!left->session.kernel.empty()) show.kernel = left->session.kernel;
  }
  show_device(state, show);
  if (show.program) return show_program(state, show);
  take_program_away(state);
  if (show.code || edits_code(show)) return show_code(state, show);  // go_on_showing() does the rest
  const auto kernel = show.kernel ? find_kernel(*show.kernel) : Result<const KernelDescription*>(failed(""));
  if (kernel) {
    choose_built_in(state, **kernel);
    show_kernel(state, show);
  }
  finish_showing(state, show);
}

// Where the Step view stands, as soon as there is a run to step.
void show_step_place(AppState& state, const Show& show) {
  if (show.lane) apply(state.step, ShowLane{*show.lane});
  if (!show.step) return;
  using Kind = lesson::StepPlace::Kind;
  const lesson::StepPlace& place = *show.step;
  OpenStep open;
  if (place.kind == Kind::line && !place.warp) open.line = static_cast<uint32_t>(place.value);
  if (place.kind == Kind::position) open.position = place.value;
  if (place.kind == Kind::end) open.position = UINT64_MAX;
  apply(state, open);
  StepMove move;
  move.warp = place.warp.value_or(0);
  if (place.kind == Kind::line && place.warp) {
    move.kind = StepMoveKind::to_line;
    move.value = place.value;
  } else if (place.kind == Kind::barrier) {
    move.kind = StepMoveKind::barrier;
  } else if (place.kind == Kind::divergence) {
    move.kind = StepMoveKind::divergence;
  } else if (place.kind == Kind::conflict) {
    move.kind = StepMoveKind::conflict;
  }
  if (move.kind != StepMoveKind::look) apply(state.step, StepBy{move});
  if (show.lane) apply(state.step, ShowLane{*show.lane});
}

}  // namespace

std::string name_of_program(const AppState& state, const std::string& file) {
  return key_of_lesson(*state.lesson.open) + "/" + current_step(state)->id + "/" + file;
}

bool is_shown_whole(const AppState& state) {
  const CodeState& code = state.code;
  return state.lesson.phase == ShowPhase::step && code.wanted == 0 &&
         (!code.own || code.text == code.compiled);
}

void keep_left_step(AppState& state) {
  if (state.lesson.phase == ShowPhase::step) state.lesson.left[state.lesson.player.at] = left_as_it_is(state);
}

void show_step(AppState& state, bool onwards) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) return;
  state.runs.baseline.reset();
  state.lesson.runs_before = state.runs.recorded;
  state.lesson.refusal.clear();
  state.lesson.placed = false;
  state.lesson.broken_text.clear();
  const size_t at = state.lesson.player.at;
  if (step->own.keep && !step->own.names_kernel() && onwards && !state.lesson.left.contains(at)) {
    show_changes(state, step->own);
    state.lesson.found[at] = left_as_it_is(state);
    return;
  }
  state.lesson.phase = step->show.baseline.empty() ? ShowPhase::step : ShowPhase::baseline;
  state.lesson.runs_a = !step->show.baseline.empty();
  begin_showing(state);
}

void show_changes(AppState& state, const lesson::Show& changes) {
  // A step with a program is shown as a whole: what it shows beside it is not set by itself.
  if (changes.names_kernel()) return begin_showing(state);
  // Another kernel of the same file: what the student typed in it is compiled, not the folder's text.
  if (changes.entry) apply(state, ChooseEntry{*changes.entry});
  if (changes.device) show_device(state, changes);
  show_picture(state, changes, false);
  show_launch(state, changes);
  if (changes.pins) show_pins(state, changes);
  show_view(state, changes);
  state.lesson.placed = !changes.step && state.lesson.placed;
  setup_changed(state, "The lesson set it");
}

bool begin_without_broken_text(AppState& state) {
  LessonState& lesson = state.lesson;
  if (!lesson.is_open() || lesson.phase != ShowPhase::compiling || state.code.text == lesson.own_text)
    return false;
  lesson.broken_text = std::exchange(state.code.text, lesson.own_text);
  lesson.broken_because = std::move(state.code.diagnostics);
  ++state.code.text_serial;
  compile_again(state);
  return true;
}

void go_on_showing(AppState& state) {
  if (!state.lesson.is_open()) return;
  if (state.lesson.phase == ShowPhase::compiling) {
    if (state.code.wanted != 0) return;
    state.lesson.phase = std::exchange(state.lesson.runs_a, false) ? ShowPhase::baseline : ShowPhase::step;
    const Show show = wanted_show(state);
    show_kernel(state, show);
    finish_showing(state, show);
    if (state.lesson.broken_text.empty()) return;
    state.code.text = std::exchange(state.lesson.broken_text, "");
    state.code.diagnostics = std::exchange(state.lesson.broken_because, {});
    ++state.code.text_serial;
    return;
  }
  if (state.runs.now.wanted != 0 || !state.runs.now.stale_because.empty()) return;
  if (state.lesson.phase == ShowPhase::baseline) {
    apply(state.runs, PinBaseline{state.runs.now.shown});
    state.lesson.phase = ShowPhase::step;
    state.lesson.runs_a = false;
    state.lesson.runs_before = state.runs.recorded;
    return begin_showing(state);
  }
  if (!std::exchange(state.lesson.placed, true)) show_step_place(state, wanted_show(state));
}

}  // namespace warplens::detail
