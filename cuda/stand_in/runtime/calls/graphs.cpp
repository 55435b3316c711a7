// CUDA graphs as such, executable graphs, and the capture of streams. Handles and the edges' data are the
// driver's.
#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/state/own_stream.h"

using namespace warplens::runtime;

static_assert(sizeof(cudaGraphEdgeData) == sizeof(CUgraphEdgeData));
static_assert(sizeof(cudaGraphInstantiateParams) == sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS));
static_assert(sizeof(cudaGraphExecUpdateResultInfo) == sizeof(CUgraphExecUpdateResultInfo));
static_assert(int{cudaGraphInstantiateFlagUseNodePriority} ==
              int{CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY});

namespace {

using Node = cudaGraphNode_t;
using Edge = cudaGraphEdgeData;

CUgraphEdgeData* driver_edges(Edge* edges) { return reinterpret_cast<CUgraphEdgeData*>(edges); }
const CUgraphEdgeData* driver_edges(const Edge* edges) {
  return reinterpret_cast<const CUgraphEdgeData*>(edges);
}
CUstreamCaptureStatus* driver_status(cudaStreamCaptureStatus* status) {
  return reinterpret_cast<CUstreamCaptureStatus*>(status);
}

cudaError_t update_capture(cudaStream_t stream, Node* nodes, const Edge* edges, size_t count, unsigned flags,
                           const char* name = __builtin_FUNCTION()) {
  return call(
      [&] { return cuStreamUpdateCaptureDependencies_v2(stream, nodes, driver_edges(edges), count, flags); },
      name);
}
cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                         cudaGraph_t* graph, const Node** nodes, const Edge** edges, size_t* count,
                         const char* name = __builtin_FUNCTION()) {
  static_assert(sizeof(unsigned long long) == sizeof(cuuint64_t));
  return call(
      [&] {
        return cuStreamGetCaptureInfo_v3(stream, driver_status(status), reinterpret_cast<cuuint64_t*>(id),
                                         graph, nodes, reinterpret_cast<const CUgraphEdgeData**>(edges),
                                         count);
      },
      name);
}

}  // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* made, unsigned flags) {
  return call([&] { return cuGraphCreate(made, flags); });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return call([&] { return cuGraphDestroy(graph); });
}
cudaError_t cudaGraphClone(cudaGraph_t* made, cudaGraph_t graph) {
  return call([&] { return cuGraphClone(made, graph); });
}
cudaError_t cudaGraphNodeFindInClone(Node* found, Node original, cudaGraph_t clone) {
  return call([&] { return cuGraphNodeFindInClone(found, original, clone); });
}
cudaError_t cudaGraphNodeGetType(Node node, cudaGraphNodeType* type) {
  return call([&] { return cuGraphNodeGetType(node, reinterpret_cast<CUgraphNodeType*>(type)); });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, Node* nodes, size_t* count) {
  return call([&] { return cuGraphGetNodes(graph, nodes, count); });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, Node* nodes, size_t* count) {
  return call([&] { return cuGraphGetRootNodes(graph, nodes, count); });
}
cudaError_t cudaGraphDestroyNode(Node node) {
  return call([&] { return cuGraphDestroyNode(node); });
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned flags) {
  return call([&] { return cuGraphDebugDotPrint(graph, path, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* made, cudaGraph_t graph,
                                          unsigned long long flags) {
  return call([&] { return cuGraphInstantiateWithFlags(made, graph, flags); });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(made, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* made, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* p) {
  if (p != nullptr) p->uploadStream = named(p->uploadStream);
  return call([&] {
    return cuGraphInstantiateWithParams(made, graph, reinterpret_cast<CUDA_GRAPH_INSTANTIATE_PARAMS*>(p));
  });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return call(
      [&] { return cuGraphExecUpdate(exec, graph, reinterpret_cast<CUgraphExecUpdateResultInfo*>(info)); });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return call([&] { return cuGraphExecDestroy(exec); });
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return call([&] { return cuGraphExecGetFlags(exec, reinterpret_cast<cuuint64_t*>(flags)); });
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, Node node, unsigned enabled) {
  return call([&] { return cuGraphNodeSetEnabled(exec, node, enabled); });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, Node node, unsigned* enabled) {
  return call([&] { return cuGraphNodeGetEnabled(exec, node, enabled); });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return call([&] { return cuGraphUpload(exec, stream); });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return call([&] { return cuGraphLaunch(exec, stream); });
}

cudaError_t cudaDeviceGraphMemTrim(int device) {
  return call([&] { return cuDeviceGraphMemTrim(device); });
}
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType which, void* value) {
  return call(
      [&] { return cuDeviceGetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(which), value); });
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType which, void* value) {
  return call(
      [&] { return cuDeviceSetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(which), value); });
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* made, void* object, cudaHostFn_t destroy, unsigned count,
                                 unsigned flags) {
  return call([&] { return cuUserObjectCreate(made, object, destroy, count, flags); });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return call([&] { return cuUserObjectRetain(object, count); });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return call([&] { return cuUserObjectRelease(object, count); });
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count,
                                      unsigned flags) {
  return call([&] { return cuGraphRetainUserObject(graph, object, count, flags); });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return call([&] { return cuGraphReleaseUserObject(graph, object, count); });
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return call([&] { return cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(mode)); });
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const Node* dependencies,
                                          const Edge* edges, size_t count, cudaStreamCaptureMode mode) {
  return call([&] {
    return cuStreamBeginCaptureToGraph(stream, graph, dependencies, driver_edges(edges), count,
                                       static_cast<CUstreamCaptureMode>(mode));
  });
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* made) {
  return call([&] { return cuStreamEndCapture(stream, made); });
}

// CUDA 13 has the calls with edges under the names of those without.
#if WARPLENS_CUDART_MAJOR == 12

#define WITH_EDGES(name) name##_v2

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const Node* from, const Node* to, size_t count) {
  return call([&] { return cuGraphAddDependencies(graph, from, to, count); });
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const Node* from, const Node* to, size_t count) {
  return call([&] { return cuGraphRemoveDependencies(graph, from, to, count); });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, Node* from, Node* to, size_t* count) {
  return call([&] { return cuGraphGetEdges(graph, from, to, count); });
}
cudaError_t cudaGraphNodeGetDependencies(Node node, Node* nodes, size_t* count) {
  return call([&] { return cuGraphNodeGetDependencies(node, nodes, count); });
}
cudaError_t cudaGraphNodeGetDependentNodes(Node node, Node* nodes, size_t* count) {
  return call([&] { return cuGraphNodeGetDependentNodes(node, nodes, count); });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id) {
  return capture_info(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph, const Node** nodes,
                                        size_t* count) {
  return capture_info(stream, status, id, graph, nodes, nullptr, count);
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph, const Node** nodes,
                                        const Edge** edges, size_t* count) {
  return capture_info(stream, status, id, graph, nodes, edges, count);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, Node* nodes, size_t count,
                                                unsigned flags) {
  return update_capture(stream, nodes, nullptr, count, flags);
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, Node* nodes, const Edge* edges,
                                                   size_t count, unsigned flags) {
  return update_capture(stream, nodes, edges, count, flags);
}

#else

#define WITH_EDGES(name) warplens_##name
cudaError_t warplens_cudaGraphAddDependencies(cudaGraph_t, const Node*, const Node*, const Edge*,
                                              size_t) __asm__("cudaGraphAddDependencies");
cudaError_t warplens_cudaGraphRemoveDependencies(cudaGraph_t, const Node*, const Node*, const Edge*,
                                                 size_t) __asm__("cudaGraphRemoveDependencies");
cudaError_t warplens_cudaGraphGetEdges(cudaGraph_t, Node*, Node*, Edge*,
                                       size_t*) __asm__("cudaGraphGetEdges");
cudaError_t warplens_cudaGraphNodeGetDependencies(Node, Node*, Edge*,
                                                  size_t*) __asm__("cudaGraphNodeGetDependencies");
cudaError_t warplens_cudaGraphNodeGetDependentNodes(Node, Node*, Edge*,
                                                    size_t*) __asm__("cudaGraphNodeGetDependentNodes");

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph, const Node** nodes,
                                     const Edge** edges, size_t* count) {
  return capture_info(stream, status, id, graph, nodes, edges, count);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, Node* nodes, const Edge* edges,
                                                size_t count, unsigned flags) {
  return update_capture(stream, nodes, edges, count, flags);
}

#endif

cudaError_t WITH_EDGES(cudaGraphAddDependencies)(cudaGraph_t graph, const Node* from, const Node* to,
                                                 const Edge* edges, size_t count) {
  return call([&] { return cuGraphAddDependencies_v2(graph, from, to, driver_edges(edges), count); });
}
cudaError_t WITH_EDGES(cudaGraphRemoveDependencies)(cudaGraph_t graph, const Node* from, const Node* to,
                                                    const Edge* edges, size_t count) {
  return call([&] { return cuGraphRemoveDependencies_v2(graph, from, to, driver_edges(edges), count); });
}
cudaError_t WITH_EDGES(cudaGraphGetEdges)(cudaGraph_t graph, Node* from, Node* to, Edge* edges,
                                          size_t* count) {
  return call([&] { return cuGraphGetEdges_v2(graph, from, to, driver_edges(edges), count); });
}
cudaError_t WITH_EDGES(cudaGraphNodeGetDependencies)(Node node, Node* nodes, Edge* edges, size_t* count) {
  return call([&] { return cuGraphNodeGetDependencies_v2(node, nodes, driver_edges(edges), count); });
}
cudaError_t WITH_EDGES(cudaGraphNodeGetDependentNodes)(Node node, Node* nodes, Edge* edges, size_t* count) {
  return call([&] { return cuGraphNodeGetDependentNodes_v2(node, nodes, driver_edges(edges), count); });
}

}  // extern "C"
