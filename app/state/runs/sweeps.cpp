// Sweeps. The Timing view requests them, they run in the background, and they are kept until the setup for
// which they were requested changes.
#include "app/state/parts/sweeps.h"

#include <algorithm>

#include "app/state/reducers/runs.h"
#include "core/job/sweep.h"

namespace warplens {
namespace {

SweepState& sweep_of(SweepStates& sweeps, SweepKind kind) { return sweeps[static_cast<size_t>(kind)]; }

// The values that a sweep over sizes sets itself do not matter.
std::map<std::string, double> without_sizes(const Choice& choice) {
  auto values = choice.setup.values;
  const auto built_in = find_kernel(choice.setup.kernel);
  const KernelDescription* kernel = choice.own ? choice.own.get() : built_in ? *built_in : nullptr;
  if (kernel != nullptr)
    for (const std::string& name : size_names(*kernel)) values.erase(name);
  return values;
}

}  // namespace

bool same_sweep(SweepKind kind, const Choice& a, const Choice& b) {
  const KernelSetup &x = a.setup, &y = b.setup;
  if (x.kernel != y.kernel || x.image != y.image || x.shared_dynamic_bytes != y.shared_dynamic_bytes ||
      x.data_seed != y.data_seed || x.fit_grid != y.fit_grid || a.device.id != b.device.id || a.own != b.own)
    return false;
  if (!x.fit_grid && !(x.grid == y.grid)) return false;
  if (kind == SweepKind::blocks) return x.values == y.values;
  return x.block == y.block && without_sizes(a) == without_sizes(b);
}

bool sweep_is_due(const AppState& state, SweepKind kind) {
  if (!state.setup.kernel || !state.setup.outlook.error.empty()) return false;
  const SweepState& sweep = state.sweeps[static_cast<size_t>(kind)];
  const Choice now = state.setup.choice();
  if (!sweep.of || !same_sweep(kind, *sweep.of, now)) return true;
  if (kind == SweepKind::sizes || now.setup.block == sweep.of->setup.block) return false;
  const std::vector<Dim3> blocks = usual_blocks(*state.setup.kernel, now.device);
  return std::ranges::find(blocks, now.setup.block) == blocks.end();
}

SweepRequest sweep_request(const KernelDescription& kernel, const KernelSetup& setup, const Device& device,
                           SweepKind kind) {
  SweepRequest request;
  request.kind = kind;
  request.kernel = borrowed(kernel);
  request.setup = setup;
  request.device = device;
  request.options.caches = true;
  if (kind == SweepKind::blocks)
    request.blocks = with_todays(usual_blocks(kernel, device), setup.block);
  else
    request.sizes = usual_sizes(kernel);
  // The longest time for one point of a sweep. The step budget ends endless kernels.
  constexpr double longest_point_ms = 1500;
  request.longest_point_ms = kind == SweepKind::sizes ? longest_point_ms : 0;
  return request;
}

namespace detail {

void apply(AppState& state, const WantSweep& action) {
  if (!sweep_is_due(state, action.kind)) return;
  SweepState& sweep = sweep_of(state.sweeps, action.kind);
  Choice now = state.setup.choice();
  const bool valid = sweep.of && same_sweep(action.kind, *sweep.of, now);
  if (!valid) sweep.result = nullptr;
  sweep.error.clear();
  sweep.of = std::move(now);
  sweep.serial = state.runs.next_serial++;
  sweep.wanted = true;
}

void apply(AppState& state, const CancelSweeps&) {
  for (SweepState& sweep : state.sweeps) {
    if (!sweep.wanted) continue;
    sweep.wanted = false;
    state.effects.add(effect::CancelSweeps{});
  }
}

void apply(SweepStates& sweeps, const SweepProgressed& action) {
  SweepState& sweep = sweep_of(sweeps, action.kind);
  if (action.serial != sweep.serial) return;
  if (!action.sweep) {
    sweep.error = action.error;
    sweep.wanted = false;
    return;
  }
  sweep.result = action.sweep;
  if (action.sweep->complete()) sweep.wanted = false;
}

}  // namespace detail
}  // namespace warplens
