// Choices of what to run, with their undo steps.
#include <algorithm>
#include <cmath>

#include "app/state/outlook.h"
#include "app/state/session_state.h"
#include "app/state/update_parts.h"
#include "core/kernels/own/own_kernel.h"

namespace warplens::detail {

// Every step of a drag but the first belongs to the undo step that the first made.
void keep_for_undo(AppState& state, bool dragging) {
  const bool goes_on = dragging && state.gesture_open;
  if (dragging && !state.gesture_open) ++state.gesture;
  state.gesture_open = dragging;
  if (goes_on) return;
  state.undo.push_back({state.setup, state.device, state.own_kernel});
  if (state.undo.size() > max_undo) state.undo.erase(state.undo.begin());
  state.redo.clear();
}

namespace {

// A block needs at least one thread on each axis; what is too large is CUDA's to refuse.
Dim3 at_least_one(Dim3 extent) {
  return {std::max(extent.x, 1u), std::max(extent.y, 1u), std::max(extent.z, 1u)};
}

void take_kernel(AppState& state, const KernelDescription& kernel) {
  state.remembered[state.setup.kernel] = state.setup;
  const auto known = state.remembered.find(kernel.name);
  KernelSetup setup = known == state.remembered.end() ? default_setup(kernel) : known->second;
  setup.image = state.setup.image ? state.setup.image : setup.image;
  setup.image_path = state.setup.image ? state.setup.image_path : setup.image_path;
  state.setup = std::move(setup);
  state.kernel = &kernel;
  take_own(state, nullptr);
  state.selection = {};
}

// The text that is being edited stays where the choice is one of the same kernel.
KernelSetup take_own_choice(AppState& state, const Choice& choice) {
  if (state.own_kernel && state.own_kernel->name == choice.own->name &&
      state.own_kernel->path == choice.own->path)
    return carried_over(*choice.own, choice.setup, *state.own_kernel);
  take_own(state, choice.own);
  state.selection = {};
  return choice.setup;
}

void take_choice(AppState& state, const Choice& choice) {
  KernelSetup setup = choice.setup;
  if (choice.own) {
    setup = take_own_choice(state, choice);
  } else if (const auto kernel = find_kernel(choice.setup.kernel)) {
    if (state.kernel != *kernel) state.selection = {};
    state.kernel = *kernel;
    take_own(state, nullptr);
  }
  state.setup = std::move(setup);
  const bool other_device =
      state.device.compute_capability.number() != choice.device.compute_capability.number();
  state.device = choice.device;
  if (choice.own && other_device) compile_again(state);
  state.gesture_open = false;
}

void ask_for_picture(AppState& state) {
  if (state.kernel && needs_picture(*state.kernel) && !state.setup.image) {
    state.wishes.load_picture = state.setup.image_path;
  }
}

}  // namespace

void refresh_outlook(AppState& state) {
  if (!state.kernel) return;
  state.outlook = outlook_of(*state.kernel, state.setup, state.device, known_resources(state));
  if (state.outlook.error.empty()) state.setup.grid = state.outlook.shape.grid;
}

void choose_built_in(AppState& state, const KernelDescription& kernel) { take_kernel(state, kernel); }

void setup_changed(AppState& state, std::string why) {
  ask_for_picture(state);
  refresh_outlook(state);
  state.live.changed_s = state.now_s;
  state.run.stale_because = std::move(why);
  if (!state.outlook.error.empty()) {
    state.wishes.cancel = state.run.phase == RunPhase::running;  // nobody waits for the old one any more
    state.run.wanted = 0;
    return;
  }
  // While a text is being compiled, nothing runs: the kernel is about to be another.
  state.run.wanted = state.code.wanted != 0 ? 0 : state.next_serial++;
}

void apply(AppState& state, const ChooseKernel& action) {
  const auto kernel = find_kernel(action.name);
  if (!kernel) return apply(state, Notify{ProblemLevel::error, "No such kernel", kernel.error().message});
  if (*kernel == state.kernel && !state.code.own) return;
  keep_for_undo(state, false);
  take_kernel(state, **kernel);
  setup_changed(state, "Kernel changed");
}

void apply(AppState& state, const ChooseDevice& action) {
  const Device* device = device_by_id(state, action.id);
  state.wanted_device.reset();
  if (device == nullptr || device->id == state.device.id) return;
  keep_for_undo(state, false);
  state.device = *device;
  if (state.own_kernel) compile_again(state);
  setup_changed(state, "Device changed");
}

namespace {

// Something is on its way that will be the first result.
bool first_result_is_due(const AppState& state) {
  if (state.result) return false;
  const bool without_picture = state.kernel && needs_picture(*state.kernel) && !state.setup.image;
  return state.run.wanted != 0 || state.code.wanted != 0 || without_picture;
}

}  // namespace

void apply(AppState& state, const GpusFound& action) { state.real_gpus = action.gpus; }

// The GPU is used as soon as it is found, unless another device was chosen meanwhile. But the first picture
// is the virtual GPU's, which waits for no driver: one that has just seen a fault can take a minute to start
// a run.
void take_wanted_device(AppState& state) {
  const RealGpus& gpus = state.real_gpus;
  if (gpus.devices.empty() && gpus.none.empty()) return;  // not found yet
  if (!state.wanted_device || first_result_is_due(state)) return;
  std::string wanted = *std::exchange(state.wanted_device, std::nullopt);
  const bool asked = !wanted.empty();
  if (!asked && !gpus.devices.empty()) wanted = gpus.devices.front().id;
  if (const Device* device = device_by_id(state, wanted)) {
    state.device = *device;
    if (state.own_kernel) compile_again(state);
    setup_changed(state, "Device changed");
  } else if (asked) {
    apply(state, Notify{ProblemLevel::error, wanted + " is not there",
                        gpus.devices.empty() ? gpus.none
                                             : "This machine's GPUs end at " + gpus.devices.back().id +
                                                   ", and a virtual one is used instead."});
  }
}

void apply(AppState& state, const SetBlock& action) {
  const Dim3 block = at_least_one(action.block);
  if (block == state.setup.block) return;
  keep_for_undo(state, action.dragging);
  state.setup.block = block;
  setup_changed(state, "Block changed");
}

void apply(AppState& state, const SetGrid& action) {
  const Dim3 grid = at_least_one(action.grid);
  if (grid == state.setup.grid) return;
  keep_for_undo(state, action.dragging);
  state.setup.grid = grid;
  state.setup.fit_grid = false;
  setup_changed(state, "Grid changed");
}

void apply(AppState& state, const SetFitGrid& action) {
  if (action.fit == state.setup.fit_grid) return;
  keep_for_undo(state, false);
  state.setup.fit_grid = action.fit;
  setup_changed(state, "Grid changed");
}

void apply(AppState& state, const SetValue& action) {
  if (std::isnan(action.value)) return;
  const auto at = state.setup.values.find(action.name);
  if (at != state.setup.values.end() && at->second == action.value) return;
  keep_for_undo(state, action.dragging);
  state.setup.values[action.name] = action.value;
  setup_changed(state, action.name + " changed");
}

void apply(AppState& state, const SetSharedBytes& action) {
  if (action.bytes == state.setup.shared_dynamic_bytes) return;
  keep_for_undo(state, action.dragging);
  state.setup.shared_dynamic_bytes = action.bytes;
  setup_changed(state, "Shared memory changed");
}

void apply(AppState& state, const SetSeed& action) {
  if (action.seed == state.setup.data_seed) return;
  keep_for_undo(state, action.dragging);
  state.setup.data_seed = action.seed;
  setup_changed(state, "Seed changed");
}

void apply(AppState& state, const EndGesture&) { state.gesture_open = false; }

void apply(AppState& state, const ApplyFix& action) {
  const Fix& fix = action.fix;
  keep_for_undo(state, false);
  if (!fix.kernel.empty()) {
    if (const auto kernel = find_kernel(fix.kernel)) take_kernel(state, **kernel);
  }
  if (fix.block) state.setup.block = at_least_one(*fix.block);
  if (fix.shared_bytes) state.setup.shared_dynamic_bytes = *fix.shared_bytes;
  if (fix.fit_grid) state.setup.fit_grid = true;
  if (fix.grid) {
    state.setup.grid = at_least_one(*fix.grid);
    state.setup.fit_grid = false;
    // Where the fix is the grid that fits anyway, the grid goes on following the problem.
    KernelSetup fitted = state.setup;
    fitted.fit_grid = true;
    const auto grid = state.kernel ? fitted_grid(*state.kernel, fitted) : Result<Dim3>(failed(""));
    if (grid && *grid == state.setup.grid) state.setup.fit_grid = true;
  }
  setup_changed(state, fix.label);
}

void apply(AppState& state, const Undo&) {
  if (state.undo.empty()) return;
  state.redo.push_back({state.setup, state.device, state.own_kernel});
  const Choice choice = std::move(state.undo.back());
  state.undo.pop_back();
  take_choice(state, choice);
  setup_changed(state, "Undone");
}

void apply(AppState& state, const Redo&) {
  if (state.redo.empty()) return;
  state.undo.push_back({state.setup, state.device, state.own_kernel});
  const Choice choice = std::move(state.redo.back());
  state.redo.pop_back();
  take_choice(state, choice);
  setup_changed(state, "Redone");
}

void apply(AppState& state, const RestoreRun& action) {
  const auto record =
      std::find_if(state.history.begin(), state.history.end(),
                   [&](const RunRecord& candidate) { return candidate.serial == action.serial; });
  if (record == state.history.end()) return;
  keep_for_undo(state, false);
  const RunRecord kept = *record;
  take_choice(state, kept.choice);
  if (!kept.result) return setup_changed(state, "Run " + kept.label + " restored");
  // Its result is still there: show it, and stop what is running.
  refresh_outlook(state);
  state.wishes.cancel = state.run.phase == RunPhase::running;
  state.run.wanted = 0;
  state.run.stale_because.clear();
  if (state.result != kept.result) state.previous = std::exchange(state.result, kept.result);
  state.run.shown = kept.serial;
  selection_changed(state);
}

void apply(AppState& state, const CompareWith& action) {
  state.compared = action.serial == 0 ? std::nullopt : std::optional(action.serial);
}

void apply(AppState& state, const RunAgain&) {
  if (state.code.own && state.code.text != state.code.compiled) return apply(state, RunSource{});
  setup_changed(state, "Run again");
}

void apply(AppState& state, const PictureLoaded& action) {
  const bool first = state.setup.image == nullptr;
  if (!first) keep_for_undo(state, false);
  state.setup.image = action.image;
  state.setup.image_path = action.path;
  if (action.path.find('/') != std::string::npos) remember_file(state, action.path);
  if (state.kernel && needs_picture(*state.kernel)) setup_changed(state, "Picture changed");
}

}  // namespace warplens::detail
