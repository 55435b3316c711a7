#include "cuda/stand_in/driver/state/graph.h"

#include <algorithm>
#include <cstring>
#include <unordered_set>

namespace warplens::driver {

void Graphs::release(UserObject* object, uint64_t count) {
  object->references -= std::min(object->references, count);
  if (object->references != 0) return;
  ended.emplace_back(object->destroy, object->object);
  objects.take(object);
}

Graph::~Graph() {
  for (const auto& node : nodes) graphs.nodes.erase(node.get());
  for (const auto& [object, count] : objects) graphs.release(object, count);
  graphs.all.erase(this);
}

GraphNode* Graph::add(NodeWork work) {
  auto node = std::make_unique<GraphNode>();
  node->graph = this;
  node->id = ++graphs.numbers;
  node->work = std::move(work);
  nodes.push_back(std::move(node));
  GraphNode* made = nodes.back().get();
  graphs.nodes.emplace(made, made);
  return made;
}

void Graph::remove(GraphNode& node) {
  for (const GraphEdge& edge : node.dependencies) std::erase(edge.from->dependents, &node);
  for (GraphNode* to : node.dependents)
    std::erase_if(to->dependencies, [&](const GraphEdge& edge) { return edge.from == &node; });
  graphs.nodes.erase(&node);
  std::erase_if(nodes, [&](const auto& known) { return known.get() == &node; });
}

namespace {

bool is_edge(const GraphEdge& edge, const GraphNode& from, const CUgraphEdgeData& data) {
  return edge.from == &from && std::memcmp(&edge.data, &data, sizeof data) == 0;
}

}  // namespace

bool add_edge(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data) {
  for (const GraphEdge& edge : to.dependencies)
    if (is_edge(edge, from, data)) return false;
  to.dependencies.push_back({&from, data});
  from.dependents.push_back(&to);
  return true;
}

bool remove_edge(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data) {
  const auto at = std::find_if(to.dependencies.begin(), to.dependencies.end(),
                               [&](const GraphEdge& edge) { return is_edge(edge, from, data); });
  if (at == to.dependencies.end()) return false;
  to.dependencies.erase(at);
  from.dependents.erase(std::find(from.dependents.begin(), from.dependents.end(), &to));
  return true;
}

bool comes_before(const GraphNode& node, std::span<GraphNode* const> after) {
  std::vector<const GraphNode*> open(after.begin(), after.end());
  std::unordered_set<const GraphNode*> seen(open.begin(), open.end());
  while (!open.empty()) {
    const GraphNode* next = open.back();
    open.pop_back();
    if (next == &node) return true;
    for (const GraphEdge& edge : next->dependencies)
      if (seen.insert(edge.from).second) open.push_back(edge.from);
  }
  return false;
}

std::vector<GraphNode*> in_order(const Graph& graph) {
  std::unordered_map<const GraphNode*, size_t> open;
  std::vector<GraphNode*> order;
  for (const auto& node : graph.nodes) {
    open[node.get()] = node->dependencies.size();
    if (node->dependencies.empty()) order.push_back(node.get());
  }
  for (size_t i = 0; i < order.size(); ++i)
    for (GraphNode* to : order[i]->dependents)
      if (--open[to] == 0) order.push_back(to);
  return order;
}

std::unique_ptr<Graph> copy_of(const Graph& graph) {
  auto made = std::make_unique<Graph>(graph.graphs);
  made->original = graph.id;
  std::unordered_map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : graph.nodes) {
    GraphNode* copy = made->add(node->work);
    copy->original = node->id;
    copy->enabled = node->enabled;
    copies[node.get()] = copy;
    auto* child = std::get_if<ChildNode>(&copy->work);
    if (child == nullptr) continue;
    child->graph = copy_of(*child->graph);
    child->graph->is_child = true;
  }
  for (const auto& node : graph.nodes)
    for (const GraphEdge& edge : node->dependencies)
      add_edge(*copies[edge.from], *copies[node.get()], edge.data);
  made->objects = graph.objects;
  for (const auto& [object, count] : made->objects) object->references += count;
  return made;
}

GraphNode* find_copy(const Graph& graph, uint64_t original, bool deep) {
  for (const auto& node : graph.nodes) {
    if (node->original == original) return node.get();
    const auto* child = deep ? std::get_if<ChildNode>(&node->work) : nullptr;
    GraphNode* found = child == nullptr ? nullptr : find_copy(*child->graph, original, deep);
    if (found != nullptr) return found;
  }
  return nullptr;
}

bool has_memory_nodes(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& node) {
    const auto* child = std::get_if<ChildNode>(&node->work);
    return std::holds_alternative<AllocNode>(node->work) || std::holds_alternative<FreeNode>(node->work) ||
           (child != nullptr && has_memory_nodes(*child->graph));
  });
}

namespace {

// Adds the steps of a graph after the steps `begin`, if there are any. Returns a node that is in a cycle, or
// null.
GraphNode* add_steps(const Graph& graph, const std::vector<uint32_t>& begin, std::vector<GraphStep>& steps,
                     std::vector<uint32_t>& ends) {
  const std::vector<GraphNode*> order = in_order(graph);
  if (order.size() != graph.nodes.size()) {
    const auto& all = graph.nodes;
    return std::find_if(all.begin(), all.end(),
                        [&](const auto& node) {
                          return std::find(order.begin(), order.end(), node.get()) == order.end();
                        })
        ->get();
  }
  std::unordered_map<const GraphNode*, uint32_t> step_of;
  for (GraphNode* node : order) {
    std::vector<uint32_t> after = begin;
    if (!node->dependencies.empty()) after.clear();
    for (const GraphEdge& edge : node->dependencies) after.push_back(step_of[edge.from]);
    if (const auto* child = std::get_if<ChildNode>(&node->work)) {
      std::vector<uint32_t> child_ends;
      if (GraphNode* cycle = add_steps(*child->graph, after, steps, child_ends)) return cycle;
      if (!child_ends.empty()) after = std::move(child_ends);
    }
    step_of[node] = static_cast<uint32_t>(steps.size());
    steps.push_back({node, std::move(after), 0});
    if (node->dependents.empty()) ends.push_back(step_of[node]);
  }
  return nullptr;
}

// Grids that a device runs at once (CUDA C++ programming guide, technical specifications).
constexpr size_t most_branches = 128;

// A step goes on in the branch of a step that it follows, else in any whose last step comes before it. So a
// branch orders nothing that the edges do not, while there are branches left.
uint32_t choose_branches(std::vector<GraphStep>& steps) {
  std::vector<std::vector<uint32_t>> reached;  // of each step: how many steps of each branch come before it
  std::vector<uint32_t> lengths;               // of the branches
  for (GraphStep& step : steps) {
    std::vector<uint32_t> before(lengths.size());
    for (const uint32_t earlier : step.after)
      for (size_t b = 0; b < reached[earlier].size(); ++b)
        before[b] = std::max(before[b], reached[earlier][b]);
    const auto goes_on = [&](uint32_t branch) { return before[branch] == lengths[branch]; };
    uint32_t chosen = UINT32_MAX;
    for (const uint32_t earlier : step.after)
      if (chosen == UINT32_MAX && goes_on(steps[earlier].branch)) chosen = steps[earlier].branch;
    for (uint32_t b = 0; b < lengths.size() && chosen == UINT32_MAX; ++b)
      if (goes_on(b)) chosen = b;
    if (chosen == UINT32_MAX && lengths.size() == most_branches) {
      chosen = static_cast<uint32_t>(std::min_element(lengths.begin(), lengths.end()) - lengths.begin());
    } else if (chosen == UINT32_MAX) {
      chosen = static_cast<uint32_t>(lengths.size());
      lengths.push_back(0);
      before.push_back(0);
    }
    step.branch = chosen;
    before[chosen] = ++lengths[chosen];
    reached.push_back(std::move(before));
  }
  return static_cast<uint32_t>(lengths.size());
}

}  // namespace

GraphNode* lay_out(GraphExec& exec) {
  std::vector<uint32_t> ends;
  exec.steps.clear();
  if (GraphNode* cycle = add_steps(*exec.graph, {}, exec.steps, ends)) return cycle;
  exec.branches = choose_branches(exec.steps);
  return nullptr;
}

}  // namespace warplens::driver
