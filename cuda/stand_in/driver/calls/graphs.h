// Parts that calls of graphs share: handles, new nodes, and the ends of the program's own objects.
#pragma once

#include <span>
#include <vector>

#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/graph_nodes.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

template <class T>
T* find_in(const std::unordered_map<const void*, T*>& all, const void* handle) {
  const auto at = all.find(handle);
  return at == all.end() ? nullptr : at->second;
}
inline CUgraph handle_of(Graph* graph) { return reinterpret_cast<CUgraph>(graph); }
inline CUgraphNode handle_of(GraphNode* node) { return reinterpret_cast<CUgraphNode>(node); }
inline GraphExec* find_exec(Gpu& device, CUgraphExec handle) {
  const auto at = device.graphs.execs.find(handle);
  return at == device.graphs.execs.end() ? nullptr : at->second.get();
}

// Calls f(Gpu&, Graph&) → CUresult. An unknown handle is an invalid value.
template <class F>
CUresult with_graph(CUgraph handle, F f) {
  return with_gpu([&](Gpu& device) -> CUresult {
    Graph* graph = find_in(device.graphs.all, handle);
    return graph == nullptr
               ? device.refuse(CUDA_ERROR_INVALID_VALUE, "This is no graph, or one that was destroyed.")
               : f(device, *graph);
  });
}
// Calls f(Gpu&, GraphNode&) → CUresult.
template <class F>
CUresult with_node(CUgraphNode handle, F f) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_gpu([&](Gpu& device) -> CUresult {
    GraphNode* node = find_in(device.graphs.nodes, handle);
    return node == nullptr ? device.refuse(CUDA_ERROR_INVALID_VALUE,
                                           "This is no node of a graph, or one that was destroyed.")
                           : f(device, *node);
  });
}
// Calls f(Gpu&, GraphExec&, GraphNode&) → CUresult with the instantiated graph's copy of a node.
template <class F>
CUresult with_exec_node(CUgraphExec exec_handle, CUgraphNode handle, F f) {
  return with_node(handle, [&](Gpu& device, GraphNode& node) -> CUresult {
    GraphExec* exec = find_exec(device, exec_handle);
    GraphNode* copy = exec == nullptr ? nullptr : find_copy(*exec->graph, node.id, true);
    return copy == nullptr
               ? device.refuse(CUDA_ERROR_INVALID_VALUE,
                               "The node is none of the graph that was instantiated, or this is no "
                               "executable graph.")
               : f(device, *exec, *copy);
  });
}

// Finds the nodes of the handles. False unless all are nodes of this graph, each once.
bool find_nodes(Gpu& device, const Graph& graph, const CUgraphNode* handles, size_t count,
                std::vector<GraphNode*>& nodes);
// Edges wait for whole nodes, or for a part of a kernel, which is the same here.
bool is_edge_data(const CUgraphEdgeData& data, const GraphNode& from, const GraphNode& to);
constexpr CUgraphEdgeData plain_edge{};

// Adds a node. All nodes of programs and of captures are added here.
CUresult new_node(Gpu& device, Context& context, Graph& graph, std::span<GraphNode* const> after,
                  CUgraphNodeParams& asked, GraphNode*& made);

// Makes a node's work from new parameters, if they are valid; else the node keeps its work.
CUresult set_work(Gpu& device, Context& context, GraphNode& node, CUgraphNodeParams& asked, NodeWork& made);
// Writes the parameters of one graph into another of the same form; `info` says what prevents that.
bool update(Gpu& device, Graph& graph, const Graph& next, CUgraphExecUpdateResultInfo& info);

// Calls the destructors of objects that nothing refers to any more, without the lock; gives `code` back.
CUresult ended(CUresult code);

}  // namespace warplens::driver
