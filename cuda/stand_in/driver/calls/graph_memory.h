// Memory that nodes of graphs allocate and free.
#pragma once

#include <span>

#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// An address for a new allocation node after these nodes: that of one that was freed before it, or a new one.
// 0 if none is left.
uint64_t address_for(Gpu& device, const Graph& graph, std::span<GraphNode* const> after, uint64_t bytes);
// Whether a new node of the graph may free the address; if not, the reason was reported.
CUresult may_free(Gpu& device, const Graph& graph, uint64_t address);
CUresult run_alloc(Gpu& device, Context& context, const AllocNode& node);
CUresult run_free(Gpu& device, const FreeNode& node);
// Returns memory to the system that no allocation uses.
void trim_graph_memory(DeviceState& on);

}  // namespace warplens::driver
