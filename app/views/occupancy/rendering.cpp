// The Occupancy view in a file. It needs no run.
#include "app/views/model/rendering.h"

#include "app/views/occupancy/picture.h"
#include "core/compile/compiler.h"
#include "core/launch/steps.h"

namespace warplens {
namespace {

// Asks the assembler for the kernel's registers on every device of the list. A device that it does not know
// is left out, and the view says so.
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
        resources_of(request.module->ptx, launch->entry, device.compute_capability,
                     {.max_registers = request.max_registers});
    return found ? std::optional(*found) : std::nullopt;
  };
  input.resources = resources_on(request.device);
  input.refusal = check_launch(request.device, input.shape, input.resources ? &*input.resources : nullptr);
  for (const Device& device : built_in_devices()) input.devices.push_back({device, resources_on(device)});
  return view_occupancy(input);
}

// A launch that CUDA would refuse is drawn too: the picture says why.
Rendered make_occupancy(const RenderChoice&, const RenderSource& source) {
  const auto view = std::make_shared<const OccupancyView>(occupancy_of_job(*source.job));
  return {[view](Picture& picture, const Style& style, Box box) {
            return draw_occupancy_view(picture, style, box, *view, false).bottom;
          },
          [view] { return occupancy_table(*view); }, view->refused ? view->reason : std::string()};
}

}  // namespace

std::span<const Rendering> occupancy_renderings() {
  static constexpr Rendering rows[] = {
      {.name = "occupancy", .needs = RenderNeeds::launch, .has_table = true, .make = make_occupancy}};
  return rows;
}

}  // namespace warplens
