#include "app/state/files/session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/state/reducers/code.h"
#include "app/state/reducers/files.h"
#include "app/state/reducers/frame.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/setup.h"
#include "app/state/reducers/step.h"

namespace warplens {
namespace {

// The pinned things of a session. The first result finds them, or says what it does not have.
PinnedThing thing_of(const Session& session) {
  PinnedThing thing;
  thing.line = session.pinned_line;
  if (!session.pinned_buffer.empty()) {
    thing.element = PinnedElement{session.pinned_buffer, session.pinned_index};
  } else {
    thing.block = session.pinned_block;
    if (thing.block) thing.thread = session.pinned_thread;
  }
  return thing;
}

// The same, as far as it is known without a result.
Pick pins_of(const AppState& state, const Session& session) {
  Pick pick;
  pick.block = session.pinned_block;
  if (pick.block) pick.thread = session.pinned_thread;
  pick.line = session.pinned_line;
  if (session.pinned_buffer.empty() || !state.setup.kernel) return pick;
  uint32_t index = 0;
  for (const KernelArgument& argument : state.setup.kernel->arguments) {
    if (!argument.is_buffer) continue;
    if (argument.name == session.pinned_buffer) pick.element = ElementPick{index, session.pinned_index};
    ++index;
  }
  return pick;
}

// Values that the kernel no longer has are left out, and a message names them.
void take_setup(AppState& state, const Session& session) {
  const std::shared_ptr<const Image> image = state.setup.launch.image;
  const std::string path = state.setup.launch.image_path;
  state.setup.launch = session.setup;
  state.setup.launch.kernel = state.setup.kernel->name;
  std::string unknown;
  std::erase_if(state.setup.launch.values, [&](const auto& value) {
    for (const auto* list : {&state.setup.kernel->settings, &state.setup.kernel->arguments})
      for (const KernelArgument& argument : *list)
        if (argument.name == value.first && !argument.is_buffer && argument.expression.empty()) return false;
    unknown += (unknown.empty() ? "" : ", ") + value.first;
    return true;
  });
  if (!unknown.empty())
    update(state,
           Notify{ProblemLevel::note, "The session is of another version of this kernel",
                  "It has no longer: " + unknown + ". Everything else was taken.", NoticeKind::opening});
  // The old picture stays until the session's has been read.
  state.setup.launch.image = image;
  if (session.setup.image_path != path && !session.setup.image_path.empty())
    state.effects.add(effect::LoadPicture{session.setup.image_path});
  state.setup.launch.image_path = path;
  detail::take_pins(state, session);
  state.step.wants.breakpoints.clear();
  for (const Session::Breakpoint& breakpoint : session.breakpoints)
    detail::apply(state.step, SetBreakpoint{{breakpoint.file, breakpoint.line, breakpoint.condition}, true});
}

}  // namespace

Session session_of(const AppState& state) {
  Session session;
  const CodeState& code = state.code;
  if (code.own) {
    session.code_path = code.path;
    session.code_name = code.name;
    session.code_entry = code.entry;
    session.copy_of = code.copy_of;
    session.has_code_text = code.path.empty() || code.dirty();
    if (session.has_code_text) session.code_text = code.text;
  } else {
    session.kernel = state.setup.launch.kernel;
  }
  session.device = state.setup.device.id;
  session.setup = state.setup.launch;
  if (state.setup.kernel != nullptr && state.setup.kernel->recorded) {
    // A launch of a recording has megabytes of memory and is in a file of its own.
    session.kernel = built_in_kernels().front().name;
    session.setup = default_setup(built_in_kernels().front());
  }
  session.setup.image = nullptr;
  session.view = row_of(state.frame.view).name;
  if (const auto part = state.frame.parts.find(state.frame.view); part != state.frame.parts.end())
    session.part = part->second;
  session.text_percent = static_cast<uint32_t>(std::lround(state.frame.preferences.text_scale * 100));
  session.order = state.setup.order;
  const auto& baseline = state.runs.baseline;
  if (baseline && baseline->choice.setup.kernel == state.setup.launch.kernel) {
    session.baseline = baseline->choice.setup;
    session.baseline->image = nullptr;
  }
  const Pick& pinned = state.selection.pinned;
  session.pinned_block = pinned.block;
  session.pinned_thread = pinned.thread;
  session.pinned_line = pinned.line;
  if (pinned.element && state.runs.result && state.runs.result->request &&
      pinned.element->buffer < state.runs.result->request->buffers.size()) {
    session.pinned_buffer = state.runs.result->request->buffers[pinned.element->buffer].name;
    session.pinned_index = pinned.element->index;
  }
  for (const StepBreakpoint& breakpoint : state.step.wants.breakpoints)
    session.breakpoints.push_back({breakpoint.file, breakpoint.line, breakpoint.condition});
  return session;
}

namespace detail {

void take_pins(AppState& state, const Session& session) {
  state.selection = {};
  state.selection.pinned = pins_of(state, session);
  state.selection.thing = thing_of(session);
}

void finish_session(AppState& state) {
  const auto session = std::exchange(state.files.opening_session, nullptr);
  if (session && state.setup.kernel) take_setup(state, *session);
}

void go_on_with_session(AppState& state) {
  if (!state.files.after_baseline || state.code.wanted != 0) return;
  const auto session = std::exchange(state.files.after_baseline, nullptr);
  const uint64_t serial = state.runs.now.shown;
  apply(state.runs, PinBaseline{serial});
  take_setup(state, *session);
  setup_changed(state, "Session opened");
}

void apply(AppState& state, const SessionLoaded& action) {
  state.files.after_baseline.reset();
  if (action.session->baseline) {
    Session first = *action.session;
    first.setup = *std::exchange(first.baseline, std::nullopt);
    apply(state, SessionLoaded{std::make_shared<const Session>(std::move(first)), action.path});
    state.files.after_baseline = action.session;
    return;
  }
  const Session& session = *action.session;
  const auto kernel = session.own() ? Result<const KernelDescription*>(nullptr) : find_kernel(session.kernel);
  if (!kernel)
    return apply(state.problems, Notify{ProblemLevel::error, "The session was not opened",
                                        kernel.error().message, NoticeKind::opening});
  const Device* device = device_by_id(state, session.device);
  const bool real = session.device.starts_with("cuda:");
  const bool sought = state.setup.real_gpus.devices.empty() && state.setup.real_gpus.none.empty();
  if (device == nullptr && !session.device.empty() && !real)
    return apply(state.problems, Notify{ProblemLevel::error, "The session was not opened",
                                        "There is no device \"" + session.device + "\" in this program.",
                                        NoticeKind::opening});
  for (const std::string& warning : session.warnings)
    apply(state.problems, Notify{ProblemLevel::note, "In the session", warning, NoticeKind::opening});
  keep_for_undo(state, false);
  if (!session.device.empty()) state.setup.wanted_device.reset();
  if (real && (sought || (device != nullptr && !state.runs.result))) {
    state.setup.wanted_device = session.device;  // when it is found, and the first picture is there
  } else if (device != nullptr) {
    state.setup.device = *device;
  } else if (real) {
    apply(state.problems,
          Notify{ProblemLevel::note, session.device + " is not there",
                 "The session was saved on a real GPU; " + state.setup.device.name + " takes its place.",
                 NoticeKind::saving});
  }
  if (!action.path.empty()) remember_file(state.files, action.path);
  state.files.opening_session = action.session;
  if (session.own()) {
    open_code(state, session);
  } else {
    choose_built_in(state, **kernel);
    finish_session(state);
    setup_changed(state, "Session opened");
  }
  state.setup.order = session.order;
  if (session.text_percent != 0) apply(state.frame, SetTextScale{float(session.text_percent) / 100});
  const auto view = tab_from(session.view);
  if (view) state.frame.view = *view;
  if (view && !session.part.empty()) {
    state.frame.parts[*view] = session.part;
    ++state.frame.parts_set;
  }
}

}  // namespace detail
}  // namespace warplens
