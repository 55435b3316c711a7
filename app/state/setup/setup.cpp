// Choices of what to run.
#include "app/state/parts/setup.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/state/reducers/code.h"
#include "app/state/reducers/learn.h"
#include "app/state/reducers/runs.h"
#include "app/state/reducers/select.h"
#include "app/state/reducers/setup.h"
#include "app/state/setup/outlook.h"
#include "core/kernels/own/own_kernel.h"

namespace warplens::detail {

namespace {

// A block needs at least one thread on each axis. CUDA refuses a block that is too large.
Dim3 at_least_one(Dim3 extent) {
  return {std::max(extent.x, 1u), std::max(extent.y, 1u), std::max(extent.z, 1u)};
}

void take_kernel(AppState& state, const KernelDescription& kernel) {
  state.setup.remembered[state.setup.launch.kernel] = state.setup.launch;
  const auto known = state.setup.remembered.find(kernel.name);
  KernelSetup setup = known == state.setup.remembered.end() ? default_setup(kernel) : known->second;
  setup.image = state.setup.launch.image ? state.setup.launch.image : setup.image;
  setup.image_path = state.setup.launch.image ? state.setup.launch.image_path : setup.image_path;
  state.setup.launch = std::move(setup);
  state.setup.kernel = &kernel;
  take_own(state, nullptr);
  leave_kernel(state);
}

void ask_for_picture(AppState& state) {
  if (state.setup.kernel && needs_picture(*state.setup.kernel) && !state.setup.launch.image) {
    state.effects.add(effect::LoadPicture{state.setup.launch.image_path});
  }
}

}  // namespace

void refresh_outlook(AppState& state) {
  if (!state.setup.kernel) return;
  state.setup.outlook =
      outlook_of(*state.setup.kernel, state.setup.launch, state.setup.device, known_resources(state));
  if (state.setup.outlook.error.empty()) state.setup.launch.grid = state.setup.outlook.shape.grid;
}

void choose_built_in(AppState& state, const KernelDescription& kernel) { take_kernel(state, kernel); }

void setup_changed(AppState& state, std::string why) {
  ask_for_picture(state);
  refresh_outlook(state);
  state.live.changed_s = state.frame.now_s;
  if (state.predict.on && why != "Run again") predict_change(state, why);
  state.runs.now.stale_because = std::move(why);
  if (!state.setup.outlook.error.empty()) {
    // The old run is no longer needed.
    if (state.runs.now.phase == RunPhase::running) state.effects.add(effect::CancelRun{});
    state.runs.now.wanted = 0;
    return;
  }
  // While a text is compiled, nothing runs, since the kernel will be replaced.
  state.runs.now.wanted = state.code.wanted != 0 ? 0 : state.runs.next_serial++;
}

void apply(AppState& state, const ChooseKernel& action) {
  const auto kernel = find_kernel(action.name);
  if (!kernel)
    return apply(state.problems,
                 Notify{ProblemLevel::error, "No such kernel", kernel.error().message, NoticeKind::opening});
  if (*kernel == state.setup.kernel && !state.code.own) return;
  keep_for_undo(state, false);
  take_kernel(state, **kernel);
  setup_changed(state, "Kernel changed");
}

void apply(AppState& state, const ChooseDevice& action) {
  const Device* device = device_by_id(state, action.id);
  state.setup.wanted_device.reset();
  if (device == nullptr || device->id == state.setup.device.id) return;
  keep_for_undo(state, false);
  state.setup.device = *device;
  if (state.setup.own_kernel) compile_again(state);
  setup_changed(state, "Device changed");
}

namespace {

// Whether something is in progress that will give the first result.
bool first_result_is_due(const AppState& state) {
  if (state.runs.result) return false;
  const bool without_picture =
      state.setup.kernel && needs_picture(*state.setup.kernel) && !state.setup.launch.image;
  return state.runs.now.wanted != 0 || state.code.wanted != 0 || without_picture;
}

}  // namespace

void apply(SetupState& setup, const GpusFound& action) { setup.real_gpus = action.gpus; }

// The GPU is used as soon as it is found, unless another device was chosen meanwhile. But the first picture
// is from the virtual GPU, which does not wait for a driver: after a fault, a driver can take a minute to
// start a run.
void take_wanted_device(AppState& state) {
  const RealGpus& gpus = state.setup.real_gpus;
  if (gpus.devices.empty() && gpus.none.empty()) return;  // not found yet
  if (!state.setup.wanted_device || first_result_is_due(state)) return;
  std::string wanted = *std::exchange(state.setup.wanted_device, std::nullopt);
  const bool asked = !wanted.empty();
  if (!asked && !gpus.devices.empty()) wanted = gpus.devices.front().id;
  if (const Device* device = device_by_id(state, wanted)) {
    state.setup.device = *device;
    if (state.setup.own_kernel) compile_again(state);
    setup_changed(state, "Device changed");
  } else if (asked) {
    apply(state.problems,
          Notify{ProblemLevel::error, wanted + " is not there",
                 gpus.devices.empty() ? gpus.none
                                      : "This machine's GPUs end at " + gpus.devices.back().id +
                                            ", and a virtual one is used instead.",
                 NoticeKind::opening});
  }
}

void apply(AppState& state, const SetBlock& action) {
  const Dim3 block = at_least_one(action.block);
  if (block == state.setup.launch.block) return;
  keep_for_undo(state, action.dragging);
  state.setup.launch.block = block;
  setup_changed(state, "Block changed");
}

void apply(AppState& state, const SetGrid& action) {
  const Dim3 grid = at_least_one(action.grid);
  if (grid == state.setup.launch.grid) return;
  keep_for_undo(state, action.dragging);
  state.setup.launch.grid = grid;
  state.setup.launch.fit_grid = false;
  setup_changed(state, "Grid changed");
}

void apply(AppState& state, const SetFitGrid& action) {
  if (action.fit == state.setup.launch.fit_grid) return;
  keep_for_undo(state, false);
  state.setup.launch.fit_grid = action.fit;
  setup_changed(state, "Grid changed");
}

void apply(AppState& state, const SetValue& action) {
  if (std::isnan(action.value)) return;
  const auto at = state.setup.launch.values.find(action.name);
  if (at != state.setup.launch.values.end() && at->second == action.value) return;
  keep_for_undo(state, action.dragging);
  state.setup.launch.values[action.name] = action.value;
  setup_changed(state, action.name + " changed");
}

void apply(AppState& state, const SetSharedBytes& action) {
  if (action.bytes == state.setup.launch.shared_dynamic_bytes) return;
  keep_for_undo(state, action.dragging);
  state.setup.launch.shared_dynamic_bytes = action.bytes;
  setup_changed(state, "Shared memory changed");
}

void apply(AppState& state, const SetSeed& action) {
  if (action.seed == state.setup.launch.data_seed) return;
  keep_for_undo(state, action.dragging);
  state.setup.launch.data_seed = action.seed;
  setup_changed(state, "Seed changed");
}

void apply(AppState& state, const SetOrder& action) {
  if (action.order == state.setup.order) return;
  keep_for_undo(state, action.dragging);
  state.setup.order = action.order;
  setup_changed(state, "Order changed");
}

void apply(AppState& state, const ApplyFix& action) {
  const Fix& fix = action.fix;
  keep_for_undo(state, false);
  if (!fix.kernel.empty()) {
    if (const auto kernel = find_kernel(fix.kernel)) {
      std::string before = state.code.own ? std::string() : state.setup.launch.kernel;
      take_kernel(state, **kernel);
      state.code.changed_from = std::move(before);
      state.frame.view = View::code;  // which shows what differs
    }
  }
  if (fix.block) state.setup.launch.block = at_least_one(*fix.block);
  if (fix.shared_bytes) state.setup.launch.shared_dynamic_bytes = *fix.shared_bytes;
  if (fix.fit_grid) state.setup.launch.fit_grid = true;
  if (fix.grid) {
    state.setup.launch.grid = at_least_one(*fix.grid);
    state.setup.launch.fit_grid = false;
    // If the fix is the grid that fits, the grid continues to follow the problem.
    KernelSetup fitted = state.setup.launch;
    fitted.fit_grid = true;
    const auto grid =
        state.setup.kernel ? fitted_grid(*state.setup.kernel, fitted) : Result<Dim3>(failed(""));
    if (grid && *grid == state.setup.launch.grid) state.setup.launch.fit_grid = true;
  }
  setup_changed(state, fix.label);
}

void apply(AppState& state, const RunAgain&) {
  if (state.code.own && state.code.text != state.code.compiled) return apply(state, RunSource{});
  setup_changed(state, "Run again");
}

// Findings belong to their run, so a new run is made.
void apply(AppState& state, const SetLooking& action) {
  if (action.when == state.frame.preferences.looking) return;
  state.frame.preferences.looking = action.when;
  if (state.runs.result) apply(state, RunAgain{});
}

void apply(AppState& state, const PictureLoaded& action) {
  const bool first = state.setup.launch.image == nullptr;
  if (!first) keep_for_undo(state, false);
  state.setup.launch.image = action.image;
  state.setup.launch.image_path = action.path;
  if (std::filesystem::path(action.path).has_parent_path()) remember_file(state.files, action.path);
  if (state.setup.kernel && needs_picture(*state.setup.kernel)) setup_changed(state, "Picture changed");
}

void apply(AppState& state, const ResourcesKnown& action) {
  state.setup.known_resources[{action.kernel, action.architecture}] = action.resources;
  refresh_outlook(state);
}

}  // namespace warplens::detail
