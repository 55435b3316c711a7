// New nodes of each kind, and their parameters: set, returned, and changed, in graphs and in those that are
// ready to be launched. CUgraphNodeParams holds what any kind takes, so that each call below fills in its
// part of it, or reads that.
#include <algorithm>
#include <cstring>

#include "cuda/stand_in/driver/calls/graphs.h"
#include "cuda/stand_in/driver/calls/launch.h"

namespace warplens::driver {

CUresult set_work(Gpu& device, Context& context, GraphNode& node, CUgraphNodeParams& asked, NodeWork& made) {
  if (asked.type != type_of(node.work))
    return device.refuse(CUDA_ERROR_INVALID_VALUE,
                         "A node of a graph is of another kind than the parameters for it.");
  // Memory keeps the address that other nodes have.
  if (asked.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || asked.type == CU_GRAPH_NODE_TYPE_MEM_FREE)
    return CUDA_ERROR_INVALID_VALUE;
  made = node.work;
  return kind_of(node.work).make(device, {context, *node.graph, {}}, asked, made);
}

namespace {

CUgraphNodeParams parameters_of(CUgraphNodeType type) {
  CUgraphNodeParams made;
  std::memset(&made, 0, sizeof made);
  made.type = type;
  return made;
}

CUresult add(CUgraphNode* made, CUgraph graph_handle, const CUgraphNode* dependencies,
             const CUgraphEdgeData* edges, size_t count, CUgraphNodeParams& asked) {
  if (made == nullptr || graph_handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    Graph* graph = find_in(device.graphs.all, graph_handle);
    std::vector<GraphNode*> after;
    if (graph == nullptr || !find_nodes(device, *graph, dependencies, count, after))
      return device.refuse(CUDA_ERROR_INVALID_VALUE,
                           "The graph is invalid, or the dependencies are not nodes of it, each given once.");
    GraphNode* node = nullptr;
    if (const CUresult error = new_node(device, context, *graph, after, asked, node); error != CUDA_SUCCESS)
      return error;
    for (size_t i = 0; edges != nullptr && i < count; ++i) {
      if (!is_edge_data(edges[i], *after[i], *node)) {
        graph->remove(*node);
        return CUDA_ERROR_INVALID_VALUE;
      }
      node->dependencies[i].data = edges[i];
    }
    *made = handle_of(node);
    return CUDA_SUCCESS;
  });
}

// read(const CUgraphNodeParams&), of a node of this type.
template <class F>
CUresult get(CUgraphNode handle, CUgraphNodeType type, const void* to, F read) {
  return with_node(handle, [&](Gpu&, GraphNode& node) -> CUresult {
    if (to == nullptr || type_of(node.work) != type) return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams told = parameters_of(type);
    kind_of(node.work).describe(node.work, told);
    read(told);
    return CUDA_SUCCESS;
  });
}

CUresult set_params(CUgraphNode handle, CUgraphNodeParams& asked) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return with_context(Waits::no, [&](Gpu& device, Context& context) -> CUresult {
    GraphNode* node = find_in(device.graphs.nodes, handle);
    NodeWork made = EmptyNode{};
    if (node == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const CUresult error = set_work(device, context, *node, asked, made);
    if (error == CUDA_SUCCESS) node->work = std::move(made);
    return error;
  });
}

// Copies of several rows do not change there (cuda.h, cuGraphExecMemcpyNodeSetParams).
bool may_change(const NodeWork& now) {
  const auto* copy = std::get_if<CopyNode>(&now);
  return copy == nullptr || is_row(copy->copy);
}

CUresult set_child(Gpu& device, GraphNode& node, CUgraph handle) {
  const auto* child = std::get_if<ChildNode>(&node.work);
  const Graph* next = find_in(device.graphs.all, handle);
  if (child == nullptr || next == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphExecUpdateResultInfo info{};
  return update(device, *child->graph, *next, info) ? CUDA_SUCCESS : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

CUresult set_params(CUgraphExec exec_handle, CUgraphNode handle, CUgraphNodeParams& asked) {
  return ended(with_exec_node(exec_handle, handle, [&](Gpu& device, GraphExec&, GraphNode& node) -> CUresult {
    Context* context = current_context();
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (asked.type == CU_GRAPH_NODE_TYPE_GRAPH) return set_child(device, node, asked.graph.graph);
    NodeWork made = EmptyNode{};
    if (const CUresult error = set_work(device, *context, node, asked, made); error != CUDA_SUCCESS)
      return error;
    if (!may_change(node.work) ||
        kind_of(made).may_become(device, node.work, made) != CU_GRAPH_EXEC_UPDATE_SUCCESS)
      return device.refuse(
          CUDA_ERROR_INVALID_VALUE,
          "An executable graph's node cannot become this: its context, the kinds of its memory and "
          "the form of its rows stay.");
    node.work = std::move(made);
    return CUDA_SUCCESS;
  }));
}

// Parameters of one kind, from the struct of its own calls. A null pointer gives parameters of no kind, which
// every call refuses.
constexpr auto no_kind = static_cast<CUgraphNodeType>(-1);

template <class Struct, class F>
CUgraphNodeParams asked_of(CUgraphNodeType type, const Struct* from, F fill_in) {
  CUgraphNodeParams made = parameters_of(from == nullptr ? no_kind : type);
  if (from != nullptr) fill_in(made);
  return made;
}

template <class Kernel>  // v1 or v2
CUgraphNodeParams kernel_of(const Kernel* from) {
  return asked_of(CU_GRAPH_NODE_TYPE_KERNEL, from, [&](CUgraphNodeParams& p) {
    static_assert(sizeof(Kernel) <= sizeof p.kernel);
    std::memcpy(&p.kernel, from, sizeof *from);
  });
}
CUgraphNodeParams copy_of(const CUDA_MEMCPY3D* from, CUcontext context) {
  return asked_of(CU_GRAPH_NODE_TYPE_MEMCPY, from, [&](CUgraphNodeParams& p) {
    p.memcpy.copyParams = *from;
    p.memcpy.copyCtx = context;
  });
}
CUgraphNodeParams set_of(const CUDA_MEMSET_NODE_PARAMS* from, CUcontext context) {
  return asked_of(CU_GRAPH_NODE_TYPE_MEMSET, from, [&](CUgraphNodeParams& p) {
    std::memcpy(&p.memset, from, sizeof *from);
    p.memset.ctx = context;
  });
}
CUgraphNodeParams host_of(const CUDA_HOST_NODE_PARAMS* from) {
  return asked_of(CU_GRAPH_NODE_TYPE_HOST, from, [&](CUgraphNodeParams& p) {
    p.host = {from->fn, from->userData};
  });
}
CUgraphNodeParams child_of(CUgraph graph) {
  CUgraphNodeParams made = parameters_of(CU_GRAPH_NODE_TYPE_GRAPH);
  made.graph.graph = graph;
  return made;
}
CUgraphNodeParams wait_of(CUevent event) {
  CUgraphNodeParams made = parameters_of(CU_GRAPH_NODE_TYPE_WAIT_EVENT);
  made.eventWait.event = event;
  return made;
}
CUgraphNodeParams record_of(CUevent event) {
  CUgraphNodeParams made = parameters_of(CU_GRAPH_NODE_TYPE_EVENT_RECORD);
  made.eventRecord.event = event;
  return made;
}

CUresult add(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies, size_t count,
             CUgraphNodeParams asked) {
  return asked.type == no_kind ? invalid_value() : add(made, graph, dependencies, nullptr, count, asked);
}
CUresult change(CUgraphNode node, CUgraphNodeParams asked) {
  return asked.type == no_kind ? CUDA_ERROR_INVALID_VALUE : set_params(node, asked);
}
CUresult change(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams asked) {
  return asked.type == no_kind ? CUDA_ERROR_INVALID_VALUE : set_params(exec, node, asked);
}

template <class Kernel>
CUresult get_kernel(CUgraphNode node, Kernel* to) {
  return get(node, CU_GRAPH_NODE_TYPE_KERNEL, to,
             [&](const CUgraphNodeParams& told) { std::memcpy(to, &told.kernel, sizeof *to); });
}

CUresult with_kernel_node(CUgraphNode handle, CUlaunchAttributeID which, const void* value,
                          CUresult (*f)(Gpu&, KernelNode&, CUlaunchAttributeID, const void*)) {
  return with_node(handle, [&](Gpu& device, GraphNode& node) -> CUresult {
    auto* kernel = std::get_if<KernelNode>(&node.work);
    if (kernel == nullptr || value == nullptr || !is_node_attribute(which)) return CUDA_ERROR_INVALID_VALUE;
    return f(device, *kernel, which, value);
  });
}

}  // namespace

}  // namespace warplens::driver

using namespace warplens::driver;
using Params = CUgraphNodeParams;

extern "C" {

CUresult cuGraphAddNode_v2(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData* edges, size_t count, CUgraphNodeParams* asked) {
  return asked == nullptr ? CUDA_ERROR_INVALID_VALUE : add(made, graph, dependencies, edges, count, *asked);
}
CUresult cuGraphAddNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                        CUgraphNodeParams* asked) {
  return cuGraphAddNode_v2(made, graph, dependencies, nullptr, count, asked);
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* asked) {
  return asked == nullptr ? CUDA_ERROR_INVALID_VALUE : set_params(node, *asked);
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* asked) {
  return asked == nullptr ? CUDA_ERROR_INVALID_VALUE : set_params(exec, node, *asked);
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS* asked) {
  return add(made, graph, dependencies, count, kernel_of(asked));
}
CUresult cuGraphAddKernelNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS_v1* asked) {
  return add(made, graph, dependencies, count, kernel_of(asked));
}
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* to) {
  return get_kernel(node, to);
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* to) {
  return get_kernel(node, to);
}
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* asked) {
  return change(node, kernel_of(asked));
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* asked) {
  return change(node, kernel_of(asked));
}
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* asked) {
  return change(exec, node, kernel_of(asked));
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS_v1* asked) {
  return change(exec, node, kernel_of(asked));
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID which,
                                       const CUkernelNodeAttrValue* value) {
  return with_kernel_node(
      node, which, value,
      [](Gpu& device, KernelNode& kernel, CUlaunchAttributeID id, const void* from) -> CUresult {
        CUlaunchAttribute one{};
        one.id = id;
        std::memcpy(&one.value, from, sizeof one.value);
        if (const CUresult error = check_attribute(device, one); error != CUDA_SUCCESS) return error;
        kernel.attributes[id] = one.value;
        return CUDA_SUCCESS;
      });
}
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID which,
                                       CUkernelNodeAttrValue* value) {
  return with_kernel_node(node, which, value,
                          [](Gpu&, KernelNode& kernel, CUlaunchAttributeID id, const void* to) {
                            const auto at = kernel.attributes.find(id);
                            const CUlaunchAttributeValue told =
                                at == kernel.attributes.end() ? CUlaunchAttributeValue{} : at->second;
                            std::memcpy(const_cast<void*>(to), &told, sizeof told);
                            return CUDA_SUCCESS;
                          });
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return with_node(to, [&](Gpu& device, GraphNode& node) -> CUresult {
    GraphNode* source = find_in(device.graphs.nodes, from);
    auto* target = std::get_if<KernelNode>(&node.work);
    const auto* kernel = source == nullptr ? nullptr : std::get_if<KernelNode>(&source->work);
    if (target == nullptr || kernel == nullptr || target->context != kernel->context)
      return CUDA_ERROR_INVALID_VALUE;
    target->attributes = kernel->attributes;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMCPY3D* asked, CUcontext context) {
  return add(made, graph, dependencies, count, copy_of(asked, context));
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* to) {
  return get(node, CU_GRAPH_NODE_TYPE_MEMCPY, to, [&](const Params& told) { *to = told.memcpy.copyParams; });
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* asked) {
  return change(node, copy_of(asked, nullptr));
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* asked,
                                        CUcontext context) {
  return change(exec, node, copy_of(asked, context));
}

CUresult cuGraphAddMemsetNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* asked, CUcontext context) {
  return add(made, graph, dependencies, count, set_of(asked, context));
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* to) {
  return get(node, CU_GRAPH_NODE_TYPE_MEMSET, to,
             [&](const Params& told) { std::memcpy(to, &told.memset, sizeof *to); });
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* asked) {
  return change(node, set_of(asked, nullptr));
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* asked, CUcontext context) {
  return change(exec, node, set_of(asked, context));
}

CUresult cuGraphAddHostNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                            const CUDA_HOST_NODE_PARAMS* asked) {
  return add(made, graph, dependencies, count, host_of(asked));
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* to) {
  return get(node, CU_GRAPH_NODE_TYPE_HOST, to, [&](const Params& told) {
    *to = {told.host.fn, told.host.userData};
  });
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* asked) {
  return change(node, host_of(asked));
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* asked) {
  return change(exec, node, host_of(asked));
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child) {
  return add(made, graph, dependencies, count, child_of(child));
}
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* to) {
  return get(node, CU_GRAPH_NODE_TYPE_GRAPH, to, [&](const Params& told) { *to = told.graph.graph; });
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return change(exec, node, child_of(child));
}

CUresult cuGraphAddEmptyNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                             size_t count) {
  return add(made, graph, dependencies, count, parameters_of(CU_GRAPH_NODE_TYPE_EMPTY));
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                                   size_t count, CUevent event) {
  return add(made, graph, dependencies, count, record_of(event));
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* to) {
  return get(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, to,
             [&](const Params& told) { *to = told.eventRecord.event; });
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return change(node, record_of(event));
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return change(exec, node, record_of(event));
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, CUevent event) {
  return add(made, graph, dependencies, count, wait_of(event));
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* to) {
  return get(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, to,
             [&](const Params& told) { *to = told.eventWait.event; });
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return change(node, wait_of(event));
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return change(exec, node, wait_of(event));
}

// The address is returned in the caller's parameters.
CUresult cuGraphAddMemAllocNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* asked) {
  if (asked == nullptr) return invalid_value();
  Params all = parameters_of(CU_GRAPH_NODE_TYPE_MEM_ALLOC);
  static_assert(sizeof all.alloc == sizeof *asked);
  std::memcpy(&all.alloc, asked, sizeof *asked);
  const CUresult error = add(made, graph, dependencies, nullptr, count, all);
  if (error == CUDA_SUCCESS) asked->dptr = all.alloc.dptr;
  return error;
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* to) {
  return get(node, CU_GRAPH_NODE_TYPE_MEM_ALLOC, to,
             [&](const Params& told) { std::memcpy(to, &told.alloc, sizeof *to); });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                               size_t count, CUdeviceptr address) {
  Params all = parameters_of(CU_GRAPH_NODE_TYPE_MEM_FREE);
  all.free.dptr = address;
  return add(made, graph, dependencies, nullptr, count, all);
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* to) {
  return get(node, CU_GRAPH_NODE_TYPE_MEM_FREE, to, [&](const Params& told) { *to = told.free.dptr; });
}

}  // extern "C"
