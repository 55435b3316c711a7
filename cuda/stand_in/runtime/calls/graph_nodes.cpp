// Nodes of CUDA graphs. Kernels are named by host functions and copies by cudaMemcpy3DParms; all else is the
// driver's.
#include <cstddef>
#include <cstring>

#include "cuda/stand_in/runtime/calls/copies.h"
#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/state/registry.h"

using namespace warplens::runtime;

static_assert(sizeof(cudaMemsetParams) == sizeof(CUDA_MEMSET_NODE_PARAMS));
static_assert(offsetof(cudaMemsetParams, height) == offsetof(CUDA_MEMSET_NODE_PARAMS, height));
static_assert(sizeof(cudaHostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS));
static_assert(sizeof(cudaMemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS));
static_assert(offsetof(cudaMemAllocNodeParams, dptr) == offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, dptr));
static_assert(sizeof(cudaKernelNodeAttrValue) == sizeof(CUkernelNodeAttrValue));
static_assert(sizeof(cudaGraphNodeParams) == sizeof(CUgraphNodeParams));
static_assert(offsetof(cudaGraphNodeParams, kernel) == offsetof(CUgraphNodeParams, kernel));
static_assert(sizeof(cudaMemAllocNodeParamsV2) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS_v2));
static_assert(sizeof(cudaChildGraphNodeParams) == sizeof(CUDA_CHILD_GRAPH_NODE_PARAMS));
static_assert(int{cudaGraphNodeTypeMemFree} == int{CU_GRAPH_NODE_TYPE_MEM_FREE});

namespace {

using warplens::runtime::to_driver;
using Node = cudaGraphNode_t;

// Where a node is added.
struct Place {
  Node* made;
  cudaGraph_t graph;
  const Node* dependencies;
  size_t count;
};

// A host function, a kernel's handle, or a function of the driver API.
cudaError_t to_driver(const void* function, CUfunction& made) {
  CUkernel kernel = nullptr;
  CUmodule module = nullptr;
  const cudaError_t error = resolve_kernel(function, kernel);
  const auto same = static_cast<CUfunction>(const_cast<void*>(function));
  const bool is_function =
      error == cudaErrorInvalidResourceHandle && cuFuncGetModule(&module, same) == CUDA_SUCCESS;
  made = is_function ? same : reinterpret_cast<CUfunction>(kernel);
  return is_function ? cudaSuccess : error;
}

template <class Kernel>  // cudaKernelNodeParams, or its form in cudaGraphNodeParams
cudaError_t to_driver(const Kernel& from, CUDA_KERNEL_NODE_PARAMS& to) {
  to = {};
  to.gridDimX = from.gridDim.x;
  to.gridDimY = from.gridDim.y;
  to.gridDimZ = from.gridDim.z;
  to.blockDimX = from.blockDim.x;
  to.blockDimY = from.blockDim.y;
  to.blockDimZ = from.blockDim.z;
  to.sharedMemBytes = from.sharedMemBytes;
  to.kernelParams = from.kernelParams;
  to.extra = from.extra;
  return to_driver(from.func, to.func);
}

cudaKernelNodeParams to_runtime(const CUDA_KERNEL_NODE_PARAMS& from) {
  cudaKernelNodeParams to{};
  to.func = const_cast<void*>(host_function_of(from.func));
  to.gridDim = {from.gridDimX, from.gridDimY, from.gridDimZ};
  to.blockDim = {from.blockDimX, from.blockDimY, from.blockDimZ};
  to.sharedMemBytes = from.sharedMemBytes;
  to.kernelParams = from.kernelParams;
  to.extra = from.extra;
  return to;
}

// f(const CUDA_KERNEL_NODE_PARAMS*) → CUresult.
template <class F>
cudaError_t with_kernel_params(const cudaKernelNodeParams* from, F f,
                               const char* name = __builtin_FUNCTION()) {
  return call(
      [&]() -> cudaError_t {
        if (from == nullptr) return cudaErrorInvalidValue;
        CUDA_KERNEL_NODE_PARAMS to{};
        const cudaError_t error = to_driver(*from, to);
        return error != cudaSuccess ? error : code_of(f(&to));
      },
      name);
}

// f(const CUDA_MEMCPY3D*) → CUresult.
template <class F>
cudaError_t with_copy(const cudaMemcpy3DParms* from, F f, const char* name = __builtin_FUNCTION()) {
  return call(
      [&]() -> cudaError_t {
        if (from == nullptr) return cudaErrorInvalidValue;
        CUDA_MEMCPY3D copy{};
        const cudaError_t error = to_driver(*from, copy);
        return error != cudaSuccess ? error : code_of(f(&copy));
      },
      name);
}

struct Row {
  void* to;
  const void* from;
  size_t bytes;
};
template <class F>
cudaError_t with_row(const Row& row, cudaMemcpyKind kind, F f, const char* name) {
  cudaMemcpy3DParms p{};
  p.srcPtr = {const_cast<void*>(row.from), row.bytes, row.bytes, 1};
  p.dstPtr = {row.to, row.bytes, row.bytes, 1};
  p.extent = {row.bytes, 1, 1};
  p.kind = kind;
  return with_copy(&p, f, name);
}

// The same for bytes of a variable: `row` gives the row for its address.
template <class RowOf, class F>
cudaError_t with_symbol_row(const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                            RowOf row_of, F f, const char* name = __builtin_FUNCTION()) {
  DeviceVariable variable;
  const cudaError_t found = call(
      [&]() -> cudaError_t {
        const cudaError_t error = resolve_variable(symbol, variable);
        if (error != cudaSuccess) return error;
        return offset > variable.bytes || bytes > variable.bytes - offset ? cudaErrorInvalidValue
                                                                          : cudaSuccess;
      },
      name);
  if (found != cudaSuccess) return found;
  return with_row(row_of(reinterpret_cast<void*>(variable.address + offset)), kind, f, name);
}

cudaError_t to_driver(const cudaGraphNodeParams& from, CUgraphNodeParams& to) {
  std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof to);
  if (from.type == cudaGraphNodeTypeMemcpy) {
    to.memcpy = {};
    to.memcpy.flags = from.memcpy.flags;
    return to_driver(from.memcpy.copyParams, to.memcpy.copyParams);
  }
  if (from.type != cudaGraphNodeTypeKernel) return cudaSuccess;
  CUDA_KERNEL_NODE_PARAMS kernel{};
  const cudaError_t error = to_driver(from.kernel, kernel);
  static_assert(sizeof kernel == sizeof to.kernel);
  std::memcpy(&to.kernel, &kernel, sizeof kernel);
  return error;
}

// Calls f(CUgraphNodeParams*) → CUresult. An allocation's address is returned in the caller's parameters.
template <class F>
cudaError_t with_params(cudaGraphNodeParams* asked, F f, const char* name = __builtin_FUNCTION()) {
  return call(
      [&]() -> cudaError_t {
        if (asked == nullptr) return cudaErrorInvalidValue;
        CUgraphNodeParams to;
        cudaError_t error = to_driver(*asked, to);
        if (error == cudaSuccess) error = code_of(f(&to));
        if (error == cudaSuccess && asked->type == cudaGraphNodeTypeMemAlloc)
          asked->alloc.dptr = reinterpret_cast<void*>(to.alloc.dptr);
        return error;
      },
      name);
}

cudaError_t add_copy(const Place& p, const Row& row, cudaMemcpyKind kind,
                     const char* name = __builtin_FUNCTION()) {
  return with_row(
      row, kind,
      [&](const CUDA_MEMCPY3D* copy) {
        return cuGraphAddMemcpyNode(p.made, p.graph, p.dependencies, p.count, copy, nullptr);
      },
      name);
}

}  // namespace

extern "C" {

cudaError_t cudaGraphAddKernelNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                   const cudaKernelNodeParams* asked) {
  return with_kernel_params(asked, [&](const CUDA_KERNEL_NODE_PARAMS* p) {
    return cuGraphAddKernelNode(made, graph, dependencies, count, p);
  });
}
cudaError_t cudaGraphKernelNodeGetParams(Node node, cudaKernelNodeParams* to) {
  return call([&]() -> cudaError_t {
    CUDA_KERNEL_NODE_PARAMS told{};
    const CUresult error = to == nullptr ? CUDA_ERROR_INVALID_VALUE : cuGraphKernelNodeGetParams(node, &told);
    if (error == CUDA_SUCCESS) *to = to_runtime(told);
    return code_of(error);
  });
}
cudaError_t cudaGraphKernelNodeSetParams(Node node, const cudaKernelNodeParams* asked) {
  return with_kernel_params(
      asked, [&](const CUDA_KERNEL_NODE_PARAMS* p) { return cuGraphKernelNodeSetParams(node, p); });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, Node node,
                                             const cudaKernelNodeParams* asked) {
  return with_kernel_params(
      asked, [&](const CUDA_KERNEL_NODE_PARAMS* p) { return cuGraphExecKernelNodeSetParams(exec, node, p); });
}
cudaError_t cudaGraphKernelNodeCopyAttributes(Node to, Node from) {
  return call([&] { return cuGraphKernelNodeCopyAttributes(to, from); });
}
cudaError_t cudaGraphKernelNodeGetAttribute(Node node, cudaKernelNodeAttrID which,
                                            cudaKernelNodeAttrValue* value) {
  return call([&] {
    return cuGraphKernelNodeGetAttribute(node, static_cast<CUkernelNodeAttrID>(which),
                                         reinterpret_cast<CUkernelNodeAttrValue*>(value));
  });
}
cudaError_t cudaGraphKernelNodeSetAttribute(Node node, cudaKernelNodeAttrID which,
                                            const cudaKernelNodeAttrValue* value) {
  return call([&] {
    return cuGraphKernelNodeSetAttribute(node, static_cast<CUkernelNodeAttrID>(which),
                                         reinterpret_cast<const CUkernelNodeAttrValue*>(value));
  });
}

cudaError_t cudaGraphAddMemcpyNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                   const cudaMemcpy3DParms* asked) {
  return with_copy(asked, [&](const CUDA_MEMCPY3D* copy) {
    return cuGraphAddMemcpyNode(made, graph, dependencies, count, copy, nullptr);
  });
}
cudaError_t cudaGraphMemcpyNodeGetParams(Node node, cudaMemcpy3DParms* to) {
  return call([&]() -> cudaError_t {
    CUDA_MEMCPY3D told{};
    const CUresult error = to == nullptr ? CUDA_ERROR_INVALID_VALUE : cuGraphMemcpyNodeGetParams(node, &told);
    if (error == CUDA_SUCCESS) *to = to_runtime(told);
    return code_of(error);
  });
}
cudaError_t cudaGraphMemcpyNodeSetParams(Node node, const cudaMemcpy3DParms* asked) {
  return with_copy(asked, [&](const CUDA_MEMCPY3D* copy) { return cuGraphMemcpyNodeSetParams(node, copy); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, Node node,
                                             const cudaMemcpy3DParms* asked) {
  return with_copy(asked, [&](const CUDA_MEMCPY3D* copy) {
    return cuGraphExecMemcpyNodeSetParams(exec, node, copy, nullptr);
  });
}

cudaError_t cudaGraphAddMemcpyNode1D(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                     void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add_copy({made, graph, dependencies, count}, {to, from, bytes}, kind);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(Node node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
  return with_row(
      {to, from, bytes}, kind,
      [&](const CUDA_MEMCPY3D* copy) { return cuGraphMemcpyNodeSetParams(node, copy); }, __func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, Node node, void* to, const void* from,
                                               size_t bytes, cudaMemcpyKind kind) {
  return with_row(
      {to, from, bytes}, kind,
      [&](const CUDA_MEMCPY3D* copy) { return cuGraphExecMemcpyNodeSetParams(exec, node, copy, nullptr); },
      __func__);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(Node* made, cudaGraph_t graph, const Node* dependencies,
                                           size_t count, const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return with_symbol_row(
      symbol, bytes, offset, kind,
      [&](void* address) {
        return Row{address, from, bytes};
      },
      [&](const CUDA_MEMCPY3D* copy) {
        return cuGraphAddMemcpyNode(made, graph, dependencies, count, copy, nullptr);
      });
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(Node node, const void* symbol, const void* from,
                                                 size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return with_symbol_row(
      symbol, bytes, offset, kind,
      [&](void* address) {
        return Row{address, from, bytes};
      },
      [&](const CUDA_MEMCPY3D* copy) { return cuGraphMemcpyNodeSetParams(node, copy); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, Node node, const void* symbol,
                                                     const void* from, size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return with_symbol_row(
      symbol, bytes, offset, kind,
      [&](void* address) {
        return Row{address, from, bytes};
      },
      [&](const CUDA_MEMCPY3D* copy) { return cuGraphExecMemcpyNodeSetParams(exec, node, copy, nullptr); });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(Node* made, cudaGraph_t graph, const Node* dependencies,
                                             size_t count, void* to, const void* symbol, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return with_symbol_row(
      symbol, bytes, offset, kind,
      [&](void* address) {
        return Row{to, address, bytes};
      },
      [&](const CUDA_MEMCPY3D* copy) {
        return cuGraphAddMemcpyNode(made, graph, dependencies, count, copy, nullptr);
      });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(Node node, void* to, const void* symbol, size_t bytes,
                                                   size_t offset, cudaMemcpyKind kind) {
  return with_symbol_row(
      symbol, bytes, offset, kind,
      [&](void* address) {
        return Row{to, address, bytes};
      },
      [&](const CUDA_MEMCPY3D* copy) { return cuGraphMemcpyNodeSetParams(node, copy); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, Node node, void* to,
                                                       const void* symbol, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind) {
  return with_symbol_row(
      symbol, bytes, offset, kind,
      [&](void* address) {
        return Row{to, address, bytes};
      },
      [&](const CUDA_MEMCPY3D* copy) { return cuGraphExecMemcpyNodeSetParams(exec, node, copy, nullptr); });
}

cudaError_t cudaGraphAddMemsetNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                   const cudaMemsetParams* asked) {
  return call([&] {
    return cuGraphAddMemsetNode(made, graph, dependencies, count,
                                reinterpret_cast<const CUDA_MEMSET_NODE_PARAMS*>(asked), nullptr);
  });
}
cudaError_t cudaGraphMemsetNodeGetParams(Node node, cudaMemsetParams* to) {
  return call(
      [&] { return cuGraphMemsetNodeGetParams(node, reinterpret_cast<CUDA_MEMSET_NODE_PARAMS*>(to)); });
}
cudaError_t cudaGraphMemsetNodeSetParams(Node node, const cudaMemsetParams* asked) {
  return call([&] {
    return cuGraphMemsetNodeSetParams(node, reinterpret_cast<const CUDA_MEMSET_NODE_PARAMS*>(asked));
  });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, Node node, const cudaMemsetParams* asked) {
  return call([&] {
    return cuGraphExecMemsetNodeSetParams(exec, node, reinterpret_cast<const CUDA_MEMSET_NODE_PARAMS*>(asked),
                                          nullptr);
  });
}

cudaError_t cudaGraphAddHostNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                 const cudaHostNodeParams* asked) {
  return call([&] {
    return cuGraphAddHostNode(made, graph, dependencies, count,
                              reinterpret_cast<const CUDA_HOST_NODE_PARAMS*>(asked));
  });
}
cudaError_t cudaGraphHostNodeGetParams(Node node, cudaHostNodeParams* to) {
  return call([&] { return cuGraphHostNodeGetParams(node, reinterpret_cast<CUDA_HOST_NODE_PARAMS*>(to)); });
}
cudaError_t cudaGraphHostNodeSetParams(Node node, const cudaHostNodeParams* asked) {
  return call(
      [&] { return cuGraphHostNodeSetParams(node, reinterpret_cast<const CUDA_HOST_NODE_PARAMS*>(asked)); });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, Node node, const cudaHostNodeParams* asked) {
  return call([&] {
    return cuGraphExecHostNodeSetParams(exec, node, reinterpret_cast<const CUDA_HOST_NODE_PARAMS*>(asked));
  });
}

cudaError_t cudaGraphAddChildGraphNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                       cudaGraph_t child) {
  return call([&] { return cuGraphAddChildGraphNode(made, graph, dependencies, count, child); });
}
cudaError_t cudaGraphChildGraphNodeGetGraph(Node node, cudaGraph_t* to) {
  return call([&] { return cuGraphChildGraphNodeGetGraph(node, to); });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, Node node, cudaGraph_t child) {
  return call([&] { return cuGraphExecChildGraphNodeSetParams(exec, node, child); });
}
cudaError_t cudaGraphAddEmptyNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count) {
  return call([&] { return cuGraphAddEmptyNode(made, graph, dependencies, count); });
}

cudaError_t cudaGraphAddEventRecordNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                        cudaEvent_t event) {
  return call([&] { return cuGraphAddEventRecordNode(made, graph, dependencies, count, event); });
}
cudaError_t cudaGraphEventRecordNodeGetEvent(Node node, cudaEvent_t* to) {
  return call([&] { return cuGraphEventRecordNodeGetEvent(node, to); });
}
cudaError_t cudaGraphEventRecordNodeSetEvent(Node node, cudaEvent_t event) {
  return call([&] { return cuGraphEventRecordNodeSetEvent(node, event); });
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, Node node, cudaEvent_t event) {
  return call([&] { return cuGraphExecEventRecordNodeSetEvent(exec, node, event); });
}
cudaError_t cudaGraphAddEventWaitNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                      cudaEvent_t event) {
  return call([&] { return cuGraphAddEventWaitNode(made, graph, dependencies, count, event); });
}
cudaError_t cudaGraphEventWaitNodeGetEvent(Node node, cudaEvent_t* to) {
  return call([&] { return cuGraphEventWaitNodeGetEvent(node, to); });
}
cudaError_t cudaGraphEventWaitNodeSetEvent(Node node, cudaEvent_t event) {
  return call([&] { return cuGraphEventWaitNodeSetEvent(node, event); });
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, Node node, cudaEvent_t event) {
  return call([&] { return cuGraphExecEventWaitNodeSetEvent(exec, node, event); });
}

cudaError_t cudaGraphAddMemAllocNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                     cudaMemAllocNodeParams* asked) {
  return call([&] {
    return cuGraphAddMemAllocNode(made, graph, dependencies, count,
                                  reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS*>(asked));
  });
}
cudaError_t cudaGraphMemAllocNodeGetParams(Node node, cudaMemAllocNodeParams* to) {
  return call(
      [&] { return cuGraphMemAllocNodeGetParams(node, reinterpret_cast<CUDA_MEM_ALLOC_NODE_PARAMS*>(to)); });
}
cudaError_t cudaGraphAddMemFreeNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                                    void* address) {
  return call([&] { return cuGraphAddMemFreeNode(made, graph, dependencies, count, address_of(address)); });
}
cudaError_t cudaGraphMemFreeNodeGetParams(Node node, void* to) {
  return call([&] { return cuGraphMemFreeNodeGetParams(node, static_cast<CUdeviceptr*>(to)); });
}

cudaError_t cudaGraphNodeSetParams(Node node, cudaGraphNodeParams* asked) {
  return with_params(asked, [&](CUgraphNodeParams* p) { return cuGraphNodeSetParams(node, p); });
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, Node node, cudaGraphNodeParams* asked) {
  return with_params(asked, [&](CUgraphNodeParams* p) { return cuGraphExecNodeSetParams(exec, node, p); });
}

// CUDA 13 has the form with edges under the name of the other.
#if WARPLENS_CUDART_MAJOR == 12
cudaError_t cudaGraphAddNode(Node* made, cudaGraph_t graph, const Node* dependencies, size_t count,
                             cudaGraphNodeParams* asked) {
  return with_params(
      asked, [&](CUgraphNodeParams* p) { return cuGraphAddNode(made, graph, dependencies, count, p); });
}
#define ADD_NODE cudaGraphAddNode_v2
#else
cudaError_t warplens_add_node(Node*, cudaGraph_t, const Node*, const cudaGraphEdgeData*, size_t,
                              cudaGraphNodeParams*) __asm__("cudaGraphAddNode");
#define ADD_NODE warplens_add_node
#endif
cudaError_t ADD_NODE(Node* made, cudaGraph_t graph, const Node* dependencies, const cudaGraphEdgeData* edges,
                     size_t count, cudaGraphNodeParams* asked) {
  return with_params(asked, [&](CUgraphNodeParams* p) {
    return cuGraphAddNode_v2(made, graph, dependencies, reinterpret_cast<const CUgraphEdgeData*>(edges),
                             count, p);
  });
}

}  // extern "C"
