// The resource bars and the sentences of the Occupancy view.
#pragma once

#include "app/views/occupancy/model.h"

namespace warplens {

// Warps, block slots, registers, shared memory, in this order. `resources_known` false: registers and shared
// memory are left out of the sum.
std::vector<ResourceBar> resource_bars(const Device& device, const OccupancyInput& launch,
                                       const Occupancy& occupancy, bool resources_known);

void describe_occupancy(const OccupancyViewInput& input, const OccupancyInput& launch,
                        const Occupancy& occupancy, OccupancyView& view);
void describe_refusal(const OccupancyViewInput& input, OccupancyView& view);

}  // namespace warplens
