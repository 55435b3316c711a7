#include "app/state/setup/outlook.h"

#include <algorithm>

#include "app/base/format.h"
#include "core/job/warnings/warnings.h"

namespace warplens {
namespace {

// Computes extents and grid. Returns false if there is no launch; `outlook.error` then says why.
bool shape_of(const KernelDescription& kernel, const KernelSetup& setup, LaunchOutlook& outlook) {
  outlook.shape = {setup.grid, setup.block, setup.shared_dynamic_bytes, false};
  if (needs_picture(kernel) && !setup.image) {
    outlook.error = "The picture is still being read.";
    return false;
  }
  const auto problem = problem_size(kernel, setup);
  if (!problem) {
    outlook.error = problem.error().message;
    return false;
  }
  outlook.problem = *problem;
  if (!setup.fit_grid) return true;
  const auto grid = fitted_grid(kernel, setup);
  if (!grid) {
    outlook.error = grid.error().message;
    return false;
  }
  outlook.shape.grid = *grid;
  return true;
}

}  // namespace

bool needs_picture(const KernelDescription& kernel) {
  return std::any_of(kernel.arguments.begin(), kernel.arguments.end(), [](const KernelArgument& argument) {
    return argument.is_buffer && argument.fill == Fill::image;
  });
}

const Resources* known_resources(const AppState& state) {
  const uint32_t cap = state.setup.kernel ? register_cap(*state.setup.kernel, state.setup.launch) : 0;
  const auto at = state.setup.known_resources.find(
      {resources_key(state.setup.launch.kernel, cap), state.setup.device.compute_capability.number()});
  return at == state.setup.known_resources.end() ? nullptr : &at->second;
}

LaunchOutlook outlook_of(const KernelDescription& kernel, const KernelSetup& setup, const Device& device,
                         const Resources* resources) {
  LaunchOutlook outlook;
  if (!shape_of(kernel, setup, outlook)) return outlook;
  const LaunchShape& shape = outlook.shape;
  outlook.refusal = check_launch(device, shape, resources);
  if (resources) outlook.resources = *resources;
  const uint64_t threads = shape.block.count();
  if (resources && threads > 0 && !outlook.refusal) {
    outlook.occupancy = occupancy_of(
        device, {static_cast<uint32_t>(threads), resources->registers_per_thread,
                 resources->shared_static_bytes, shape.shared_dynamic_bytes, shape.grid.count()});
  }
  if (outlook.refusal) return outlook;
  outlook.warnings = launch_warnings({.device = device,
                                      .shape = shape,
                                      .problem = kernel.grid_stride ? std::nullopt : outlook.problem,
                                      .resources = resources,
                                      .occupancy = outlook.occupancy ? &*outlook.occupancy : nullptr,
                                      .counters = nullptr,
                                      .block_is_bound = is_block_bound(kernel)});
  return outlook;
}

Problem refusal_problem(const KernelDescription& kernel, const LaunchShape& shape,
                        const LaunchRefusal& refusal) {
  Problem problem;
  problem.level = ProblemLevel::fault;
  problem.id = "refused";
  problem.title = refusal.cuda_error;
  problem.message = refusal.message;
  problem.consequence = refusal.consequence;
  Fix fix;
  fix.block = kernel.default_block;
  fix.shared_bytes = 0;
  fix.fit_grid = true;
  fix.label = "Use " + extent_text(kernel.default_block) + " blocks and a grid that fits";
  if (!(shape.block == kernel.default_block) || shape.shared_dynamic_bytes != 0) problem.fix = fix;
  return problem;
}

}  // namespace warplens
