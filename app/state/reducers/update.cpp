#include "app/state/update.h"

#include <algorithm>

#include "app/state/reducers/code.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/frame.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/live.h"
#include "app/state/reducers/program.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/select.h"
#include "app/state/reducers/setup.h"
#include "app/state/reducers/step.h"

namespace warplens {
namespace {

// The effect of an action is an overload of apply(), for the part of the state that it changes or for the
// whole state.
template <class Part, class Kind>
concept IsChangedBy = requires(Part& part, const Kind& action) {
  detail::apply(part, action);
};

template <class Kind, class Part>
void reduce_part(const Kind& action, Part& part) {
  if constexpr (IsChangedBy<Part, Kind>) detail::apply(part, action);
}

template <class Kind, class... Parts>
void reduce_one_of(const Kind& action, Parts&... parts) {
  static_assert((int{IsChangedBy<Parts, Kind>} + ...) == 1,
                "an action changes one part, or it gets all of the state");
  (reduce_part(action, parts), ...);
}

template <class Kind>
void reduce(AppState& state, const Kind& action) {
  if constexpr (IsChangedBy<AppState, Kind>)
    detail::apply(state, action);
  else
    reduce_one_of(action, state.setup, state.undo, state.code, state.runs, state.sweeps, state.problems,
                  state.live, state.step, state.frame, state.program, state.lesson, state.progress,
                  state.author, state.effects);
}

void reduce_any(AppState& state, const Action& action) {
  switch (action.kind()) {
#define WARPLENS_ACTION(Name) \
  case ActionKind::Name:      \
    return reduce(state, *as<Name>(action));
#include "app/state/actions.def"
#undef WARPLENS_ACTION
  }
}

// The step of the lesson does not allow it, or a window for students has it not. The editor gets its text
// back.
void refuse(AppState& state, const Action& action, std::string why) {
  if (as<EditSource>(action)) ++state.code.text_serial;
  if (as<EditProgramText>(action)) ++state.program.source.serial;
  if (!state.lesson.is_open())
    return update(state,
                  Notify{ProblemLevel::note, "Not in this window", std::move(why), NoticeKind::opening});
  state.lesson.refusal = std::move(why);
  ++state.lesson.told;
  ++state.revision;
}

}  // namespace

void update(AppState& state, const Action& action) {
  if (std::string why = why_not_allowed(state, action); !why.empty())
    return refuse(state, action, std::move(why));
  detail::outdate_notices(state, action);
  reduce_any(state, action);
  if (as<Tick>(action) || as<RunProgressed>(action) || as<SweepProgressed>(action)) return;
  if (as<LiveReported>(action)) return;
  if (!is_offered(state.program, state.frame.view)) state.frame.view = View::image;
  detail::take_wanted_device(state);
  ++state.revision;
  if (as<Hover>(action)) return;
  if (const auto* lane = as<ShowLane>(action)) detail::answer_by_lane(state, lane->lane);
  judge_step(state);
  state.problems.all = problems_of(state);
  quieten(state, state.problems.all);
  detail::step_to_finding(state);
}

const Device* device_by_id(const AppState& state, std::string_view id) {
  for (const auto* devices : {&state.setup.real_gpus.devices, &built_in_devices()}) {
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
  state.setup.device = built_in_devices().front();
  if (device.empty() || device.starts_with("cuda:")) {
    state.setup.wanted_device = device;
  } else {
    auto chosen = find_device(device);
    if (!chosen) return chosen.error();
    state.setup.device = *std::move(chosen);
  }
  state.setup.kernel = *found;
  state.setup.launch = default_setup(**found);
  detail::setup_changed(state, "Not run yet");
  state.problems.all = problems_of(state);
  return state;
}

}  // namespace warplens
