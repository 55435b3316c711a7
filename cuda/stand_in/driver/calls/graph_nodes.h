// The kinds of nodes: how each is made from a program's parameters, returned to the program, and run.
#pragma once

#include <span>
#include <string>

#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// Where a node is made.
struct NodePlace {
  Context& context;  // the current one
  Graph& graph;
  std::span<GraphNode* const> after;
};

struct NodeKind {
  CUgraphNodeType type;
  const char* name;
  bool can_be_disabled;
  // Copies the requested parameters; `work` keeps the others (the attributes of a kernel). An allocation's
  // address is written to where the program reads it.
  CUresult (*make)(Gpu&, const NodePlace&, CUgraphNodeParams& asked, NodeWork& work);
  void (*describe)(NodeWork& work, CUgraphNodeParams& told);
  // Runs the node, as the call that does the same on a stream. Called without the lock.
  CUresult (*run)(const NodeWork& work, CUstream stream);
  // Whether a node of a graph that is ready to be launched may become this one, of the same kind.
  CUgraphExecUpdateResult (*may_become)(Gpu&, const NodeWork& now, const NodeWork& next);
  std::string (*words)(const NodeWork& work);  // for people
};

// Null if nodes of this type are not supported.
const NodeKind* find_kind(CUgraphNodeType type);
const NodeKind& kind_of(const NodeWork& work);
CUgraphNodeType type_of(const NodeWork& work);

CUresult make_kernel(Gpu& device, Context& context, const void* function,
                     const CUDA_KERNEL_NODE_PARAMS_v3& asked, KernelNode& node);
// Whether nodes have this attribute, as launches and streams do.
bool is_node_attribute(CUlaunchAttributeID id);
// A copy of one row.
CUDA_MEMCPY3D row_copy(CUmemorytype to_type, uint64_t to, CUmemorytype from_type, uint64_t from,
                       size_t bytes);
bool is_row(const CUDA_MEMCPY3D& copy);

}  // namespace warplens::driver
