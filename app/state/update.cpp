#include "app/state/update.h"

#include <algorithm>
#include <cmath>

#include "app/state/one_of_actions.h"
#include "app/state/problems.h"
#include "app/state/update_parts.h"

namespace warplens {
namespace detail {

void apply(AppState& state, const OpenPicture&) { state.wishes.ask_open_picture = true; }

void apply(AppState& state, const ChoosePicture& action) { state.wishes.load_picture = action.name_or_path; }

void apply(AppState& state, const SaveResult&) {
  if (!state.result || state.result->outputs.empty()) {
    return apply(state, Notify{ProblemLevel::note, "Nothing to save yet",
                               "The last launch handed back no result. Run the kernel first (F5)."});
  }
  state.wishes.ask_save_picture = true;
}

void apply(AppState& state, const SaveResultAs& action) { state.wishes.save_picture = action.path; }

void apply(AppState& state, const Hover& action) {
  if (state.selection.hover == action.pick) return;
  state.selection.hover = action.pick;
  selection_changed(state);
}

void apply(AppState& state, const Pin& action) {
  state.selection.pinned = action.pick;
  selection_changed(state);
}

// Esc lets go of one thing at a time: dialog, run, pin.
void apply(AppState& state, const Unpin&) {
  if (state.dialog != Dialog::none) {
    state.dialog = Dialog::none;
  } else if (state.tour_step != 0) {
    state.tour_step = 0;
  } else if (state.present) {
    state.present = state.blank = false;
  } else if (state.run.phase == RunPhase::running || state.code.wanted != 0) {
    apply(state, CancelRun{});
  } else {
    state.selection.pinned = {};
    selection_changed(state);
  }
}

void apply(AppState& state, const ShowView& action) {
  state.view = action.view;
  selection_changed(state);
}

void apply(AppState& state, const SelectProblem& action) {
  if (action.index >= state.problems.size()) return;
  const Problem& problem = state.problems[action.index];
  if (problem.id.starts_with("compile_")) {  // its place is in the code
    state.view = View::code;
    return apply(state, Pin{{std::nullopt, std::nullopt, std::nullopt, problem.line}});
  }
  if (!problem.block) return;
  apply(state, Pin{{problem.block, problem.thread, std::nullopt}});
}

void apply(AppState& state, const DismissNotice& action) {
  std::erase_if(state.notices, [&](const Problem& p) { return p.notice == action.notice; });
}

void apply(AppState& state, const ShowDialog& action) { state.dialog = action.dialog; }

void apply(AppState& state, const ShowManual& action) {
  state.dialog = Dialog::manual;
  state.manual_chapter = action.chapter;
}

void apply(AppState& state, const ShowTour& action) {
  state.tour_step = action.step;
  state.present = state.blank = false;
}

void apply(AppState& state, const Present& action) {
  state.present = action.on;
  state.blank = false;
  state.tour_step = 0;
}

void apply(AppState& state, const Blank& action) { state.blank = action.on && state.present; }

void apply(AppState& state, const SetTheme& action) { state.preferences.theme = action.theme; }

void apply(AppState& state, const SetTextScale& action) {
  if (std::isnan(action.scale)) return;
  state.preferences.text_scale = std::clamp(action.scale, min_text_scale, max_text_scale);
}

void apply(AppState& state, const SetReduceMotion& action) {
  state.preferences.reduce_motion = action.reduce;
}

void apply(AppState& state, const ResetLayout&) { state.wishes.reset_layout = true; }

void apply(AppState& state, const Quit&) { state.wishes.quit = true; }

void apply(AppState& state, const Tick& action) {
  state.now_s = action.now_s;
  state.frames_per_second = action.frames_per_second;
}

// The same message again moves to the front instead of filling the list.
void apply(AppState& state, const Notify& action) {
  std::erase_if(state.notices,
                [&](const Problem& p) { return p.title == action.title && p.message == action.message; });
  Problem notice;
  notice.level = action.level;
  notice.id = "notice";
  notice.title = action.title;
  notice.message = action.message;
  notice.notice = state.next_notice++;
  state.notices.insert(state.notices.begin(), notice);
  constexpr size_t max_notices = 20;
  if (state.notices.size() > max_notices) state.notices.resize(max_notices);
}

}  // namespace detail

void update(AppState& state, const Action& action) {
  std::visit([&](const auto& what) { detail::apply(state, what); }, action.one_of().kind);
  if (as<Tick>(action) || as<RunProgressed>(action) || as<SweepProgressed>(action)) return;
  if (as<LiveReported>(action)) return;
  detail::take_wanted_device(state);
  ++state.revision;
  if (as<Hover>(action)) return;
  state.problems = problems_of(state);
}

const Device* device_by_id(const AppState& state, std::string_view id) {
  for (const auto* devices : {&state.real_gpus.devices, &built_in_devices()}) {
    const auto found = std::ranges::find(*devices, id, &Device::id);
    if (found != devices->end()) return &*found;
  }
  return nullptr;
}

Result<AppState> initial_state(const std::string& kernel, const std::string& device) {
  AppState state;
  const auto found = find_kernel(kernel.empty() ? "grayscale" : kernel);
  if (!found) return found.error();
  if (built_in_devices().empty()) {
    return missing("No device descriptions are part of this program: build it again with its assets.");
  }
  state.device = built_in_devices().front();
  if (device.empty() || device.starts_with("cuda:")) {
    state.wanted_device = device;
  } else {
    auto chosen = find_device(device);
    if (!chosen) return chosen.error();
    state.device = *std::move(chosen);
  }
  state.kernel = *found;
  state.setup = default_setup(**found);
  detail::setup_changed(state, "Not run yet");
  state.problems = problems_of(state);
  return state;
}

std::string run_label(uint64_t index) {
  std::string label;
  for (++index; index > 0; index = (index - 1) / 26) {
    label.insert(label.begin(), static_cast<char>('A' + (index - 1) % 26));
  }
  return label;
}

}  // namespace warplens
