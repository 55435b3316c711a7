// The kinds of nodes: how each is made of what a program passes, told to it again, and run.
#pragma once

#include <span>
#include <string>

#include "driver/state/gpu.h"

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
  // Copies what is asked; `work` keeps what is not (the attributes of a kernel). An allocation's address is
  // written to where the program reads it.
  CUresult (*make)(Gpu&, const NodePlace&, CUgraphNodeParams& asked, NodeWork& work);
  void (*describe)(NodeWork& work, CUgraphNodeParams& told);
  // As the call that does the same on a stream; without the lock.
  CUresult (*run)(const NodeWork& work, CUstream stream);
  // Whether a node of a graph that is ready to be launched may become this one, of the same kind.
  CUgraphExecUpdateResult (*may_become)(Gpu&, const NodeWork& now, const NodeWork& next);
  std::string (*words)(const NodeWork& work);  // for people
};

// Null: nodes of this type are not provided.
const NodeKind* find_kind(CUgraphNodeType type);
const NodeKind& kind_of(const NodeWork& work);
CUgraphNodeType type_of(const NodeWork& work);

CUresult make_kernel(Gpu& device, Context& context, const void* function,
                     const CUDA_KERNEL_NODE_PARAMS_v3& asked, KernelNode& node);
// Attributes that nodes have, beside launches and streams.
bool is_node_attribute(CUlaunchAttributeID id);
// A copy of one row.
CUDA_MEMCPY3D row_copy(CUmemorytype to_type, uint64_t to, CUmemorytype from_type, uint64_t from,
                       size_t bytes);
bool is_row(const CUDA_MEMCPY3D& copy);

}  // namespace warplens::driver
