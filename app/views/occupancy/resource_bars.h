// The resource bars and the sentences of the Occupancy view.
#pragma once

#include "app/views/occupancy/model.h"

namespace warplens {

// The bars of warps, block slots, registers and shared memory, in this order. If `resources_known` is false,
// registers and shared memory are not taken into account.
std::vector<ResourceBar> resource_bars(const Device& device, const OccupancyInput& launch,
                                       const Occupancy& occupancy, bool resources_known);

void describe_occupancy(const OccupancyViewInput& input, const OccupancyInput& launch,
                        const Occupancy& occupancy, OccupancyView& view);
void describe_refusal(const OccupancyViewInput& input, OccupancyView& view);

}  // namespace warplens
