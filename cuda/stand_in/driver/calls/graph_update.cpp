// New parameters for a graph that is ready to be launched, from another graph of the same form (cuda.h,
// cuGraphExecUpdate). Nodes are paired in the order in which they were made.
#include <cstring>
#include <unordered_map>

#include "cuda/stand_in/driver/calls/graphs.h"

namespace warplens::driver {

namespace {

bool fails(CUgraphExecUpdateResultInfo& info, CUgraphExecUpdateResult result, GraphNode* node = nullptr,
           GraphNode* from = nullptr) {
  info = {result, handle_of(node), handle_of(from)};
  return false;
}

using Places = std::unordered_map<const GraphNode*, size_t>;
Places places_of(const Graph& graph) {
  Places places;
  for (size_t i = 0; i < graph.nodes.size(); ++i) places[graph.nodes[i].get()] = i;
  return places;
}

bool have_same_form(const Graph& graph, const Graph& next, CUgraphExecUpdateResultInfo& info) {
  constexpr auto changed = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  if (graph.nodes.size() != next.nodes.size()) return fails(info, changed);
  const Places here = places_of(graph), there = places_of(next);
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto &now = graph.nodes[i]->dependencies, &then = next.nodes[i]->dependencies;
    if (now.size() != then.size()) return fails(info, changed, next.nodes[i].get());
    for (size_t e = 0; e < now.size(); ++e) {
      const bool same = here.at(now[e].from) == there.at(then[e].from) &&
                        std::memcmp(&now[e].data, &then[e].data, sizeof now[e].data) == 0;
      if (!same) return fails(info, changed, next.nodes[i].get(), then[e].from);
    }
  }
  return true;
}

bool may_update(Gpu& device, const Graph& graph, const Graph& next, CUgraphExecUpdateResultInfo& info) {
  if (!have_same_form(graph, next, info)) return false;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const NodeWork &now = graph.nodes[i]->work, &then = next.nodes[i]->work;
    GraphNode* node = next.nodes[i].get();
    if (type_of(now) != type_of(then)) return fails(info, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, node);
    if (const auto* child = std::get_if<ChildNode>(&now)) {
      if (!may_update(device, *child->graph, *std::get<ChildNode>(then).graph, info)) return false;
      continue;
    }
    const CUgraphExecUpdateResult result = kind_of(now).may_become(device, now, then);
    if (result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return fails(info, result, node);
  }
  return true;
}

void take_over(Graph& graph, const Graph& next) {
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (const auto* child = std::get_if<ChildNode>(&graph.nodes[i]->work)) {
      take_over(*child->graph, *std::get<ChildNode>(next.nodes[i]->work).graph);
    } else {
      graph.nodes[i]->work = next.nodes[i]->work;
    }
  }
  const auto before = std::move(graph.objects);
  graph.objects = next.objects;
  for (const auto& [object, count] : graph.objects) object->references += count;
  for (const auto& [object, count] : before) graph.graphs.release(object, count);
}

CUresult update_exec(CUgraphExec handle, CUgraph graph_handle, CUgraphExecUpdateResultInfo& info) {
  return ended(with_gpu([&](Gpu& device) -> CUresult {
    GraphExec* exec = find_exec(device, handle);
    const Graph* graph = find_in(device.graphs.all, graph_handle);
    fails(info, CU_GRAPH_EXEC_UPDATE_ERROR);
    if (exec == nullptr || graph == nullptr || graph->is_child) return CUDA_ERROR_INVALID_VALUE;
    if (update(device, *exec->graph, *graph, info)) return CUDA_SUCCESS;
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  }));
}

}  // namespace

bool update(Gpu& device, Graph& graph, const Graph& next, CUgraphExecUpdateResultInfo& info) {
  if (!may_update(device, graph, next, info)) return false;
  take_over(graph, next);
  info = {CU_GRAPH_EXEC_UPDATE_SUCCESS, nullptr, nullptr};
  return true;
}

}  // namespace warplens::driver

using namespace warplens::driver;

extern "C" {

CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
  return info == nullptr ? invalid_value() : update_exec(exec, graph, *info);
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode* node,
                           CUgraphExecUpdateResult* result) {
  CUgraphExecUpdateResultInfo info{};
  const CUresult code = update_exec(exec, graph, info);
  if (node != nullptr) *node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return code;
}

}  // extern "C"
