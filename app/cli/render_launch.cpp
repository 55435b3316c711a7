#include "app/cli/render_launch.h"
#include "core/launch/steps.h"

#include "core/compile/compiler.h"

namespace warplens {

OccupancyView occupancy_of_job(const Job& job) {
  OccupancyViewInput input;
  const LaunchRequest& request = *job.request;
  input.device = request.device;
  const LaunchStep* launch = first_launch(request);
  if (launch == nullptr) {
    input.shape.block = {0, 0, 0};
    return view_occupancy(input);
  }
  input.shape = {launch->grid, launch->block, launch->shared_dynamic_bytes, launch->cooperative};
  const auto resources_on = [&](const Device& device) -> std::optional<Resources> {
    const Result<Resources> found =
        resources_of(request.module->ptx, launch->entry, device.compute_capability);
    return found ? std::optional(*found) : std::nullopt;
  };
  input.resources = resources_on(request.device);
  input.refusal = check_launch(request.device, input.shape, input.resources ? &*input.resources : nullptr);
  for (const Device& device : built_in_devices()) input.devices.push_back({device, resources_on(device)});
  return view_occupancy(input);
}

}  // namespace warplens
