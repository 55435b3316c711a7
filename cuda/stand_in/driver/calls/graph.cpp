// Graphs, their nodes as such, and the edges between them.
#include <algorithm>
#include <climits>
#include <cstring>
#include <unordered_set>

#include "cuda/stand_in/driver/calls/graphs.h"

namespace warplens::driver {

bool find_nodes(Gpu& device, const Graph& graph, const CUgraphNode* handles, size_t count,
                std::vector<GraphNode*>& nodes) {
  if (handles == nullptr && count != 0) return false;
  std::unordered_set<const GraphNode*> seen;
  for (size_t i = 0; i < count; ++i) {
    GraphNode* node = find_in(device.graphs.nodes, handles[i]);
    if (node == nullptr || node->graph != &graph || !seen.insert(node).second) return false;
    nodes.push_back(node);
  }
  return true;
}

bool is_edge_data(const CUgraphEdgeData& data, const GraphNode& from, const GraphNode& to) {
  const bool is_kernel = std::holds_alternative<KernelNode>(from.work);
  const bool both = is_kernel && std::holds_alternative<KernelNode>(to.work);
  return data.to_port == 0 &&
         std::ranges::all_of(data.reserved, [](unsigned char byte) { return byte == 0; }) &&
         data.from_port <= (is_kernel ? CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER : 0) &&
         (data.type == CU_GRAPH_DEPENDENCY_TYPE_DEFAULT ||
          (data.type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC && both && data.from_port != 0));
}

CUresult new_node(Gpu& device, Context& context, Graph& graph, std::span<GraphNode* const> after,
                  CUgraphNodeParams& asked, GraphNode*& made) {
  const NodeKind* kind = find_kind(asked.type);
  if (kind == nullptr)
    return device.refuse(
        CUDA_ERROR_NOT_SUPPORTED,
        "Nodes of graphs that wait for semaphores of other drivers, do batches of memory operations "
        "or choose between graphs are not simulated.");
  NodeWork work = EmptyNode{};
  if (const CUresult error = kind->make(device, {context, graph, after}, asked, work); error != CUDA_SUCCESS)
    return error;
  made = graph.add(std::move(work));
  for (GraphNode* before : after) add_edge(*before, *made, plain_edge);
  return CUDA_SUCCESS;
}

CUresult ended(CUresult code) {
  Gpu* device = gpu();
  if (device == nullptr) return code;
  std::vector<std::pair<CUhostFn, void*>> all;
  {
    const std::scoped_lock lock(device->mutex);
    std::swap(all, device->graphs.ended);
  }
  for (const auto& [destroy, object] : all) destroy(object);
  return code;
}

namespace {

// A list as the API gives it: without a place, how many there are; with more places than that, the rest
// empty.
template <class T>
CUresult fill(const std::vector<T>& all, T* to, size_t* count) {
  for (size_t i = 0; to != nullptr && i < *count; ++i) to[i] = i < all.size() ? all[i] : T{};
  *count = to == nullptr ? all.size() : std::min(*count, all.size());
  return CUDA_SUCCESS;
}

// Edges as three parallel lists; any of them may be left out.
struct EdgeLists {
  std::vector<CUgraphNode> from, to;
  std::vector<CUgraphEdgeData> data;

  void add(GraphNode* first, GraphNode* second, const CUgraphEdgeData& edge) {
    from.push_back(handle_of(first));
    to.push_back(handle_of(second));
    data.push_back(edge);
  }
};

// Edges that say more than that one node follows another are lost unless the caller asks for that.
CUresult give_edges(const EdgeLists& all, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                    bool asks_data, size_t* count) {
  const bool plain = std::ranges::all_of(
      all.data, [](const auto& edge) { return std::memcmp(&edge, &plain_edge, sizeof edge) == 0; });
  const bool lists = from != nullptr || to != nullptr;
  if (lists && !plain && (!asks_data || data == nullptr)) return CUDA_ERROR_LOSSY_QUERY;
  const size_t places = *count;
  size_t given = all.from.size();
  const auto one = [&](const auto& values, auto* place) {
    if (place == nullptr) return;
    given = places;
    fill(values, place, &given);
  };
  one(all.from, from);
  one(all.to, to);
  one(all.data, data);
  *count = given;
  return CUDA_SUCCESS;
}

CUresult edges_of(CUgraph handle, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data, bool asks_data,
                  size_t* count) {
  return with_graph(handle, [&](Gpu&, Graph& graph) -> CUresult {
    if (count == nullptr || (from == nullptr) != (to == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    EdgeLists all;
    for (const auto& node : graph.nodes)
      for (const GraphEdge& edge : node->dependencies) all.add(edge.from, node.get(), edge.data);
    return give_edges(all, from, to, data, asks_data, count);
  });
}

CUresult dependencies_of(CUgraphNode handle, CUgraphNode* nodes, CUgraphEdgeData* data, bool asks_data,
                         size_t* count) {
  return with_node(handle, [&](Gpu&, GraphNode& node) -> CUresult {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    EdgeLists all;
    for (const GraphEdge& edge : node.dependencies) all.add(edge.from, &node, edge.data);
    return give_edges(all, nodes, nullptr, data, asks_data, count);
  });
}

CUresult dependents_of(CUgraphNode handle, CUgraphNode* nodes, CUgraphEdgeData* data, bool asks_data,
                       size_t* count) {
  return with_node(handle, [&](Gpu&, GraphNode& node) -> CUresult {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    EdgeLists all;
    std::unordered_set<const GraphNode*> seen;
    for (GraphNode* to : node.dependents)
      for (const GraphEdge& edge : to->dependencies)
        if (edge.from == &node && seen.insert(to).second) all.add(&node, to, edge.data);
    return give_edges(all, nullptr, nodes, data, asks_data, count);
  });
}

bool is_captured_into(const Gpu& device, const Graph& graph) {
  return std::ranges::any_of(device.graphs.captures,
                             [&](const auto& one) { return one->graph.get() == &graph; });
}

// Refuses changes to graphs with memory nodes, and to graphs that a stream is being captured into.
CUresult may_shrink(Gpu& device, const Graph& graph) {
  if (has_memory_nodes(graph))
    return device.refuse(CUDA_ERROR_NOT_SUPPORTED,
                         "A graph with memory nodes keeps all its nodes and edges: make a new graph.");
  return is_captured_into(device, graph)
             ? device.refuse(CUDA_ERROR_ILLEGAL_STATE,
                             "A stream is being captured into the graph: end that first.")
             : CUDA_SUCCESS;
}

// Adds or removes edges: all of them, or none where one is not good.
CUresult change_edges(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                      const CUgraphEdgeData* data, size_t count, bool removes) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_graph(handle, [&](Gpu& device, Graph& graph) -> CUresult {
    if (count == 0) return CUDA_SUCCESS;
    if (from == nullptr || to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::vector<std::pair<GraphNode*, GraphNode*>> pairs;
    for (size_t i = 0; i < count; ++i) {
      GraphNode *first = find_in(device.graphs.nodes, from[i]), *second = find_in(device.graphs.nodes, to[i]);
      const bool fits = first != nullptr && second != nullptr && first != second && first->graph == &graph &&
                        second->graph == &graph &&
                        (data == nullptr || is_edge_data(data[i], *first, *second));
      if (!fits) return CUDA_ERROR_INVALID_VALUE;
      pairs.emplace_back(first, second);
    }
    if (removes) {
      if (const CUresult error = may_shrink(device, graph); error != CUDA_SUCCESS) return error;
    }
    const auto change = [&](size_t i, bool removed) {
      return (removed ? remove_edge : add_edge)(*pairs[i].first, *pairs[i].second,
                                                data == nullptr ? plain_edge : data[i]);
    };
    for (size_t i = 0; i < count; ++i) {
      if (change(i, removes)) continue;
      for (size_t done = i; done-- > 0;) change(done, !removes);
      return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
  });
}

}  // namespace

}  // namespace warplens::driver

using namespace warplens::driver;

extern "C" {

CUresult cuGraphCreate(CUgraph* made, unsigned flags) {
  return with_gpu([&](Gpu& device) -> CUresult {
    if (made == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    auto graph = std::make_shared<Graph>(device.graphs);
    *made = handle_of(graph.get());
    device.graphs.own.emplace(graph.get(), std::move(graph));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphDestroy(CUgraph handle) {
  return ended(with_graph(handle, [&](Gpu& device, Graph& graph) -> CUresult {
    if (is_captured_into(device, graph)) return CUDA_ERROR_ILLEGAL_STATE;
    const auto own = device.graphs.own.find(handle);
    if (own == device.graphs.own.end())
      return device.refuse(CUDA_ERROR_INVALID_VALUE, "A child graph goes with the node that it is in.");
    device.graphs.own.erase(own);
    return CUDA_SUCCESS;
  }));
}

CUresult cuGraphDestroyNode(CUgraphNode handle) {
  return ended(with_node(handle, [](Gpu& device, GraphNode& node) -> CUresult {
    if (const CUresult error = may_shrink(device, *node.graph); error != CUDA_SUCCESS) return error;
    node.graph->remove(node);
    return CUDA_SUCCESS;
  }));
}

CUresult cuGraphClone(CUgraph* made, CUgraph handle) {
  return with_graph(handle, [&](Gpu& device, Graph& graph) -> CUresult {
    if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (has_memory_nodes(graph))
      return device.refuse(CUDA_ERROR_NOT_SUPPORTED,
                           "A graph with memory nodes cannot be cloned: its addresses are its own.");
    std::shared_ptr<Graph> copy = copy_of(graph);
    *made = handle_of(copy.get());
    device.graphs.own.emplace(copy.get(), std::move(copy));
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph clone) {
  return with_node(original, [&](Gpu& device, GraphNode& node) -> CUresult {
    const Graph* graph = find_in(device.graphs.all, clone);
    if (found == nullptr || graph == nullptr || graph->original != node.graph->id)
      return CUDA_ERROR_INVALID_VALUE;
    GraphNode* copy = find_copy(*graph, node.id, false);
    if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *found = handle_of(copy);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType* type) {
  return with_node(handle, [&](Gpu&, GraphNode& node) -> CUresult {
    if (type == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *type = type_of(node.work);
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode* nodes, size_t* count) {
  return with_graph(handle, [&](Gpu&, Graph& graph) -> CUresult {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::vector<CUgraphNode> all;
    for (const auto& node : graph.nodes) all.push_back(handle_of(node.get()));
    return fill(all, nodes, count);
  });
}

CUresult cuGraphGetRootNodes(CUgraph handle, CUgraphNode* nodes, size_t* count) {
  return with_graph(handle, [&](Gpu&, Graph& graph) -> CUresult {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::vector<CUgraphNode> all;
    for (const auto& node : graph.nodes)
      if (node->dependencies.empty()) all.push_back(handle_of(node.get()));
    return fill(all, nodes, count);
  });
}

CUresult cuGraphGetEdges(CUgraph handle, CUgraphNode* from, CUgraphNode* to, size_t* count) {
  return edges_of(handle, from, to, nullptr, false, count);
}
CUresult cuGraphGetEdges_v2(CUgraph handle, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* data,
                            size_t* count) {
  return edges_of(handle, from, to, data, true, count);
}
CUresult cuGraphNodeGetDependencies(CUgraphNode handle, CUgraphNode* nodes, size_t* count) {
  return dependencies_of(handle, nodes, nullptr, false, count);
}
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode handle, CUgraphNode* nodes, CUgraphEdgeData* data,
                                       size_t* count) {
  return dependencies_of(handle, nodes, data, true, count);
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode handle, CUgraphNode* nodes, size_t* count) {
  return dependents_of(handle, nodes, nullptr, false, count);
}
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode handle, CUgraphNode* nodes, CUgraphEdgeData* data,
                                         size_t* count) {
  return dependents_of(handle, nodes, data, true, count);
}

CUresult cuGraphAddDependencies_v2(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* data, size_t count) {
  return change_edges(handle, from, to, data, count, false);
}
CUresult cuGraphAddDependencies(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                                size_t count) {
  return cuGraphAddDependencies_v2(handle, from, to, nullptr, count);
}
CUresult cuGraphRemoveDependencies_v2(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* data, size_t count) {
  return change_edges(handle, from, to, data, count, true);
}
CUresult cuGraphRemoveDependencies(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
  return cuGraphRemoveDependencies_v2(handle, from, to, nullptr, count);
}

}  // extern "C"
