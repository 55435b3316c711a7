// CUDA graphs: nodes with what each does and the edges between them, graphs that are ready to be launched,
// and streams that are being captured. All of it is guarded by Gpu::mutex.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/dim3.h"
#include "core/program/program.h"
#include "cuda/stand_in/driver/api.h"
#include "cuda/stand_in/driver/library_call.h"
#include "cuda/stand_in/driver/state/context.h"
#include "cuda/stand_in/driver/state/handles.h"

namespace warplens::driver {

struct Graph;
struct GraphNode;

// The work of each kind of node. A node keeps what its kind needs, in the structs of the API if they fit.
struct KernelNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_KERNEL;
  const void* function = nullptr;  // a CUfunction or a CUkernel
  const Context* context = nullptr;
  std::shared_ptr<const program::Program> program;  // the handle's program when the node was made
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  std::vector<std::byte> parameters;
  std::vector<void*> pointers;  // to each parameter, for callers that ask
  std::map<CUlaunchAttributeID, CUlaunchAttributeValue> attributes;
};
struct CopyNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEMCPY;
  CUDA_MEMCPY3D copy{};
  CUcontext context = nullptr;
};
struct SetNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEMSET;
  CUDA_MEMSET_NODE_PARAMS_v2 set{};
};
// Work of a library of ours (cuda/stand_in/driver/library_call.h), shared by a node and its copies.
using LibraryWork = std::shared_ptr<const warplens_library_work>;

struct HostNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_HOST;
  CUhostFn function = nullptr;
  void* data = nullptr;
  LibraryWork library = nullptr;  // in place of a function of the program's
};
struct ChildNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_GRAPH;
  std::shared_ptr<Graph> graph;
  CUgraphChildGraphNodeOwnership ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE;
};
struct EmptyNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
};
struct WaitNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_WAIT_EVENT;
  CUevent event = nullptr;
};
struct RecordNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EVENT_RECORD;
  CUevent event = nullptr;
};
struct AllocNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  CUDA_MEM_ALLOC_NODE_PARAMS_v2 asked{};
  std::vector<CUmemAccessDesc> access;
};
struct FreeNode {
  static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  CUdeviceptr address = 0;
};
using NodeWork = std::variant<KernelNode, CopyNode, SetNode, HostNode, ChildNode, EmptyNode, WaitNode,
                              RecordNode, AllocNode, FreeNode>;

struct GraphEdge {
  GraphNode* from = nullptr;
  CUgraphEdgeData data{};
};

struct GraphNode {
  Graph* graph = nullptr;
  uint64_t id = 0;        // never given to another node
  uint64_t original = 0;  // id of the node that it is a copy of; 0: none
  NodeWork work;
  std::vector<GraphEdge> dependencies;
  std::vector<GraphNode*> dependents;
  bool enabled = true;  // cuGraphNodeSetEnabled, in a graph that is ready to be launched
};

// An object of the program's own, which a graph can keep alive.
struct UserObject {
  void* object = nullptr;
  CUhostFn destroy = nullptr;
  uint64_t references = 0;
};

struct GraphExec;
struct Capture;

struct Graphs {
  std::unordered_map<const void*, GraphNode*> nodes;            // of all graphs, by handle
  std::unordered_map<const void*, Graph*> all;                  // those in child nodes too
  std::unordered_map<const void*, std::shared_ptr<Graph>> own;  // those that the program may destroy
  std::unordered_map<const void*, std::shared_ptr<GraphExec>> execs;
  Handles<UserObject> objects;
  std::vector<std::pair<CUhostFn, void*>> ended;  // objects with a pending destructor call, without the lock
  std::vector<std::unique_ptr<Capture>> captures;
  uint64_t numbers = 0;

  void release(UserObject* object, uint64_t count);
};

struct Graph {
  explicit Graph(Graphs& its_graphs) : graphs(its_graphs), id(++its_graphs.numbers) {
    graphs.all.emplace(this, this);
  }
  Graph(Graph&&) = delete;
  ~Graph();

  Graphs& graphs;
  uint64_t id = 0;
  uint64_t original = 0;                          // id of the graph that it is a copy of
  bool is_child = false;                          // in a node
  std::vector<std::unique_ptr<GraphNode>> nodes;  // in the order in which they were made
  std::map<UserObject*, uint64_t> objects;        // the references that it holds

  GraphNode* add(NodeWork work);
  void remove(GraphNode& node);
};

// One node of a launch: child graphs are laid out, each followed by an empty step that ends it.
struct GraphStep {
  GraphNode* node = nullptr;
  std::vector<uint32_t> after;  // steps before it
  uint32_t branch = 0;          // steps of one branch follow each other, as on a stream
};

struct GraphExec {
  std::unique_ptr<Graph> graph;
  uint64_t source = 0;  // id of the graph that it was made of
  unsigned long long flags = 0;
  std::vector<GraphStep> steps;
  uint32_t branches = 0;
  std::vector<Stream*> streams;  // of the branches but the first, in Gpu::streams
  Event last_launch;             // when it is over
};

// Streams that record their work, from cuStreamBeginCapture to cuStreamEndCapture.
struct Capture {
  uint64_t id = 0;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id thread;
  std::shared_ptr<Graph> graph;
  bool own_graph = true;  // it is destroyed if the capture fails
  Stream* origin = nullptr;
  std::vector<Stream*> streams;
  std::vector<GraphNode*> last_of_others;  // the last nodes of streams that were destroyed
  bool invalidated = false;
};

bool add_edge(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data);     // false: it is there already
bool remove_edge(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data);  // false: there is none
// Whether the node is one of `after`, or one that these depend on.
bool comes_before(const GraphNode& node, std::span<GraphNode* const> after);
// The nodes in an order in which each follows those that it depends on; missing ones are in a cycle.
std::vector<GraphNode*> in_order(const Graph& graph);
std::unique_ptr<Graph> copy_of(const Graph& graph);
// The copy of a node; with `deep`, also in child graphs. Null if there is none.
GraphNode* find_copy(const Graph& graph, uint64_t original, bool deep);
bool has_memory_nodes(const Graph& graph);
// The graph as the steps of a launch. An error is the node that is in a cycle.
GraphNode* lay_out(GraphExec& exec);

}  // namespace warplens::driver
