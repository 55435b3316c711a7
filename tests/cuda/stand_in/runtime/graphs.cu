// CUDA graphs: captured from streams and built by hand, changed, copied, updated, with memory of their own.
#include <cuda.h>
#include <cuda_runtime.h>

#include <unistd.h>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "expect.h"

constexpr int n = 1024;

__global__ void add(int* to, int count, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += by;
}
__global__ void times(int* to, int count, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] *= by;
}
__device__ int variable[4];

int* device_array() {
  int* made = nullptr;
  EXPECT_OK(cudaMalloc(&made, n * 4));
  EXPECT_OK(cudaMemset(made, 0, n * 4));
  return made;
}
int last_of(const int* array) {
  int value = -1;
  EXPECT_OK(cudaMemcpy(&value, array + n - 1, 4, cudaMemcpyDeviceToHost));
  return value;
}
cudaGraphExec_t ready(cudaGraph_t graph) {
  cudaGraphExec_t made = nullptr;
  EXPECT_OK(cudaGraphInstantiateWithFlags(&made, graph, 0));
  return made;
}
void run(cudaGraphExec_t exec, cudaStream_t stream = nullptr) {
  EXPECT_OK(cudaGraphLaunch(exec, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
}
size_t nodes_in(cudaGraph_t graph) {
  size_t count = 0;
  EXPECT_OK(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}
cudaError_t add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
#else
  return cudaGraphAddDependencies(graph, &from, &to, 1);
#endif
}
cudaError_t remove_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to) {
#if CUDART_VERSION >= 13000
  return cudaGraphRemoveDependencies(graph, &from, &to, nullptr, 1);
#else
  return cudaGraphRemoveDependencies(graph, &from, &to, 1);
#endif
}
cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
#if CUDART_VERSION >= 13000
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
#else
  return cudaGraphGetEdges(graph, from, to, count);
#endif
}
cudaError_t get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
#if CUDART_VERSION >= 13000
  return cudaGraphNodeGetDependencies(node, nodes, nullptr, count);
#else
  return cudaGraphNodeGetDependencies(node, nodes, count);
#endif
}
cudaError_t get_dependents(cudaGraphNode_t node, cudaGraphNode_t* nodes, size_t* count) {
#if CUDART_VERSION >= 13000
  return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count);
#else
  return cudaGraphNodeGetDependentNodes(node, nodes, count);
#endif
}
cudaGraphNode_t kernel_node(cudaGraph_t graph, std::vector<cudaGraphNode_t> after,
                            void (*kernel)(int*, int, int), int* to, int by) {
  int count = n;
  void* arguments[] = {&to, &count, &by};
  cudaKernelNodeParams p{};
  p.func = reinterpret_cast<void*>(kernel);
  p.gridDim = dim3(4);
  p.blockDim = dim3(256);
  p.kernelParams = arguments;
  cudaGraphNode_t made = nullptr;
  EXPECT_OK(cudaGraphAddKernelNode(&made, graph, after.data(), after.size(), &p));
  return made;
}
void fails(cudaError_t code) {
  EXPECT(code != cudaSuccess);
  cudaGetLastError();
}

int calls = 0;
void count_call(void* by) { calls += *static_cast<int*>(by); }

void captured() {
  cudaStream_t stream = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  int *on_device = device_array(), *pinned = nullptr, by = 3;
  EXPECT_OK(cudaMallocHost(&pinned, n * 4));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusInvalidated;
  EXPECT_OK(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  EXPECT_OK(cudaMemcpyAsync(on_device, pinned, n * 4, cudaMemcpyHostToDevice, stream));
  add<<<4, 256, 0, stream>>>(on_device, n, by);
  EXPECT_OK(cudaGetLastError());
  by = 100;  // arguments are copied when the launch is captured
  times<<<4, 256, 0, stream>>>(on_device, n, 2);
  EXPECT_OK(cudaMemcpyAsync(pinned, on_device, n * 4, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaLaunchHostFunc(stream, count_call, &by));
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT(pinned[n - 1] == n - 1 && calls == 0);  // nothing has run
  EXPECT(nodes_in(graph) == 5);
  cudaGraphExec_t exec = ready(graph);
  EXPECT_OK(cudaGraphDestroy(graph));  // the executable graph is a copy
  run(exec, stream);
  EXPECT(pinned[0] == 6 && pinned[n - 1] == 2 * (n + 2) && calls == 100);
  for (int i = 0; i < n; ++i) pinned[i] = 1;
  run(exec, stream);
  EXPECT(pinned[0] == 8 && pinned[n - 1] == 8 && calls == 200);
  EXPECT_OK(cudaGraphUpload(exec, stream));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaFreeHost(pinned));
  EXPECT_OK(cudaFree(on_device));
  EXPECT_OK(cudaStreamDestroy(stream));
}

// Another stream joins by an event, and is joined back.
void forked() {
  cudaStream_t one = nullptr, other = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  EXPECT_OK(cudaStreamCreate(&one));
  EXPECT_OK(cudaStreamCreate(&other));
  EXPECT_OK(cudaEventCreate(&fork));
  EXPECT_OK(cudaEventCreate(&join));
  int *a = device_array(), *b = device_array();
  EXPECT_OK(cudaStreamBeginCapture(one, cudaStreamCaptureModeThreadLocal));
  EXPECT_OK(cudaMemsetAsync(a, 0, n * 4, one));
  EXPECT_OK(cudaEventRecord(fork, one));
  EXPECT_OK(cudaStreamWaitEvent(other, fork, 0));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_OK(cudaStreamIsCapturing(other, &status));
  EXPECT(status == cudaStreamCaptureStatusActive);
  add<<<4, 256, 0, one>>>(a, n, 5);
  add<<<4, 256, 0, other>>>(b, n, 7);
  EXPECT_OK(cudaEventRecord(join, other));
  EXPECT_OK(cudaStreamWaitEvent(one, join, 0));
  EXPECT_OK(cudaMemcpyAsync(a + n / 2, b, n * 2, cudaMemcpyDeviceToDevice, one));
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaStreamEndCapture(one, &graph));
  EXPECT_OK(cudaStreamIsCapturing(other, &status));
  EXPECT(status == cudaStreamCaptureStatusNone);
  size_t count = 0;
  EXPECT_OK(get_edges(graph, nullptr, nullptr, &count));
  EXPECT(nodes_in(graph) == 4 && count == 4);
  EXPECT_OK(cudaGraphGetRootNodes(graph, nullptr, &count));
  EXPECT(count == 1);
  cudaGraphExec_t exec = ready(graph);
  run(exec, other);
  EXPECT(last_of(a) == 7 && last_of(b) == 7);
  run(exec, one);
  EXPECT(last_of(a) == 14);
  // It stays joined: the end fails, and both streams are free again.
  EXPECT_OK(cudaStreamBeginCapture(one, cudaStreamCaptureModeThreadLocal));
  EXPECT_OK(cudaEventRecord(fork, one));
  EXPECT_OK(cudaStreamWaitEvent(other, fork, 0));
  add<<<4, 256, 0, other>>>(b, n, 1);
  cudaGraph_t none = nullptr;
  EXPECT_CODE(cudaStreamEndCapture(one, &none), cudaErrorStreamCaptureUnjoined);
  EXPECT(none == nullptr);
  cudaGetLastError();
  EXPECT_OK(cudaStreamSynchronize(one));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  for (cudaEvent_t event : {fork, join}) EXPECT_OK(cudaEventDestroy(event));
  for (cudaStream_t stream : {one, other}) EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_OK(cudaFree(a));
  EXPECT_OK(cudaFree(b));
}

// What a capture forbids, and that it ends as invalid then.
void forbidden() {
  cudaStream_t stream = nullptr, other = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  EXPECT_OK(cudaEventCreate(&event));
  int *memory = device_array(), *more = nullptr;
  const auto ends_invalid = [&] {
    cudaGetLastError();
    EXPECT_CODE(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT(graph == nullptr);
    cudaGetLastError();
  };
  EXPECT_CODE(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal),
              cudaErrorStreamCaptureUnsupported);
  cudaGetLastError();
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_CODE(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_OK(cudaStreamIsCapturing(stream, &status));
  EXPECT(status == cudaStreamCaptureStatusInvalidated);
  ends_invalid();
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_CODE(cudaMalloc(&more, 64), cudaErrorStreamCaptureUnsupported);
  ends_invalid();
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<4, 256>>>(memory, n, 1);  // the legacy default stream
  EXPECT_CODE(cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  ends_invalid();
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaEventRecord(event, other));
  EXPECT_CODE(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureIsolation);
  ends_invalid();
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  EXPECT_OK(cudaMalloc(&more, 64));
  EXPECT_OK(cudaEventRecord(event, stream));
  EXPECT_CODE(cudaEventQuery(event), cudaErrorCapturedEvent);
  cudaGetLastError();
  cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
  if (graph != nullptr) EXPECT_OK(cudaGraphDestroy(graph));
  graph = nullptr;
  // Another thread than the one that began.
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  cudaError_t code = cudaSuccess;
  std::thread([&] { code = cudaStreamEndCapture(stream, &graph); }).join();
  EXPECT(code == cudaErrorStreamCaptureWrongThread);
  cudaStreamEndCapture(stream, &graph);
  if (graph != nullptr) cudaGraphDestroy(graph);
  cudaGetLastError();
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT(mode == cudaStreamCaptureModeGlobal);
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaFree(more));  // this thread is relaxed now
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT(nodes_in(graph) == 0);
  EXPECT_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaFree(memory));
  EXPECT_OK(cudaEventDestroy(event));
  EXPECT_OK(cudaStreamDestroy(other));
  EXPECT_OK(cudaStreamDestroy(stream));
}

void by_hand() {
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  int *a = device_array(), *b = device_array(), host[n] = {}, by = 1;
  cudaMemsetParams set{};
  set.dst = a;
  set.value = 2;
  set.elementSize = 4;
  set.width = n;
  set.height = 1;
  cudaGraphNode_t set_node = nullptr, copy_node = nullptr, host_node = nullptr, empty = nullptr;
  EXPECT_OK(cudaGraphAddMemsetNode(&set_node, graph, nullptr, 0, &set));
  const cudaGraphNode_t first = kernel_node(graph, {set_node}, add, a, 3);
  const cudaGraphNode_t second = kernel_node(graph, {set_node}, add, b, 4);
  const cudaGraphNode_t both[] = {first, second};
  EXPECT_OK(cudaGraphAddEmptyNode(&empty, graph, both, 2));
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&copy_node, graph, &empty, 1, host, a, n * 4, cudaMemcpyDeviceToHost));
  const cudaHostNodeParams call{count_call, &by};
  EXPECT_OK(cudaGraphAddHostNode(&host_node, graph, &copy_node, 1, &call));
  calls = 0;
  cudaGraphExec_t exec = ready(graph);
  run(exec);
  EXPECT(host[0] == 5 && host[n - 1] == 5 && last_of(b) == 4 && calls == 1);

  cudaGraphNodeType type = cudaGraphNodeTypeKernel;
  EXPECT_OK(cudaGraphNodeGetType(empty, &type));
  EXPECT(type == cudaGraphNodeTypeEmpty);
  EXPECT_OK(cudaGraphNodeGetType(first, &type));
  EXPECT(type == cudaGraphNodeTypeKernel);
  size_t count = 9;
  cudaGraphNode_t found[9] = {};
  EXPECT_OK(cudaGraphGetNodes(graph, found, &count));
  EXPECT(count == 6 && found[6] == nullptr);
  count = 9;
  EXPECT_OK(cudaGraphGetRootNodes(graph, found, &count));
  EXPECT(count == 1 && found[0] == set_node);
  count = 9;
  EXPECT_OK(get_dependencies(empty, found, &count));
  EXPECT(count == 2 &&
         ((found[0] == first && found[1] == second) || (found[0] == second && found[1] == first)));
  count = 9;
  EXPECT_OK(get_dependents(copy_node, found, &count));
  EXPECT(count == 1 && found[0] == host_node);

  // What nodes are made of.
  cudaKernelNodeParams kernel{};
  EXPECT_OK(cudaGraphKernelNodeGetParams(first, &kernel));
  EXPECT(kernel.func == reinterpret_cast<void*>(add) && kernel.gridDim.x == 4 && kernel.blockDim.x == 256);
  EXPECT(*static_cast<int**>(kernel.kernelParams[0]) == a && *static_cast<int*>(kernel.kernelParams[2]) == 3);
  cudaMemsetParams set_again{};
  EXPECT_OK(cudaGraphMemsetNodeGetParams(set_node, &set_again));
  EXPECT(set_again.dst == a && set_again.value == 2 && set_again.elementSize == 4 && set_again.width == n);
  cudaHostNodeParams call_again{};
  EXPECT_OK(cudaGraphHostNodeGetParams(host_node, &call_again));
  EXPECT(call_again.fn == count_call && call_again.userData == &by);
  cudaMemcpy3DParms copy{};
  EXPECT_OK(cudaGraphMemcpyNodeGetParams(copy_node, &copy));
  EXPECT(copy.dstPtr.ptr == host && copy.srcPtr.ptr == a && copy.extent.width == n * 4 &&
         copy.extent.height == 1);
  fails(cudaGraphMemsetNodeGetParams(first, &set_again));

  // Changes of the graph do not reach what was made of it.
  set.value = 10;
  EXPECT_OK(cudaGraphMemsetNodeSetParams(set_node, &set));
  run(exec);
  EXPECT(host[0] == 5);
  EXPECT_OK(cudaGraphExecMemsetNodeSetParams(exec, set_node, &set));
  run(exec);
  EXPECT(host[0] == 13);
  int count_of = n, more = 20;
  void* arguments[] = {&a, &count_of, &more};
  kernel.func = reinterpret_cast<void*>(times);
  kernel.kernelParams = arguments;
  EXPECT_OK(cudaGraphExecKernelNodeSetParams(exec, first, &kernel));
  more = 1;
  run(exec);
  EXPECT(host[0] == 200);
  EXPECT_OK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy_node, host, b, n * 4, cudaMemcpyDeviceToHost));
  int five = 5;
  const cudaHostNodeParams by_five{count_call, &five};
  EXPECT_OK(cudaGraphExecHostNodeSetParams(exec, host_node, &by_five));
  calls = 0;
  run(exec);
  EXPECT(host[0] == last_of(b) && calls == 5);
  fails(cudaGraphExecKernelNodeSetParams(exec, set_node, &kernel));

  // Nodes that are left out.
  unsigned enabled = 9;
  EXPECT_OK(cudaGraphNodeGetEnabled(exec, second, &enabled));
  EXPECT(enabled == 1);
  EXPECT_OK(cudaGraphNodeSetEnabled(exec, second, 0));
  EXPECT_OK(cudaGraphNodeGetEnabled(exec, second, &enabled));
  EXPECT(enabled == 0);
  const int before = last_of(b);
  run(exec);
  EXPECT(last_of(b) == before);
  fails(cudaGraphNodeSetEnabled(exec, host_node, 0));
  unsigned long long flags = 9;
  EXPECT_OK(cudaGraphExecGetFlags(exec, &flags));
  EXPECT(flags == 0);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaFree(a));
  EXPECT_OK(cudaFree(b));
}

void edges() {
  cudaGraph_t graph = nullptr, other = nullptr;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  EXPECT_OK(cudaGraphCreate(&other, 0));
  cudaGraphNode_t node[3] = {}, stranger = nullptr;
  for (cudaGraphNode_t& one : node) EXPECT_OK(cudaGraphAddEmptyNode(&one, graph, nullptr, 0));
  EXPECT_OK(cudaGraphAddEmptyNode(&stranger, other, nullptr, 0));
  EXPECT_OK(add_edge(graph, node[0], node[1]));
  EXPECT_OK(add_edge(graph, node[1], node[2]));
  fails(add_edge(graph, node[0], node[1]));  // it is there
  fails(add_edge(graph, node[0], stranger));
  fails(cudaGraphAddEmptyNode(&node[0], graph, &stranger, 1));
  fails(cudaGraphAddEmptyNode(nullptr, graph, nullptr, 0));
  fails(cudaGraphCreate(&graph, 1));
  cudaGraphNode_t from[4] = {}, to[4] = {};
  size_t count = 4;
  EXPECT_OK(get_edges(graph, from, to, &count));
  const int of_first = from[0] == node[0] ? 0 : 1;
  EXPECT(count == 2 && from[of_first] == node[0] && to[of_first] == node[1]);
  EXPECT(from[1 - of_first] == node[1] && to[1 - of_first] == node[2]);
  EXPECT_OK(remove_edge(graph, node[0], node[1]));
  fails(remove_edge(graph, node[0], node[1]));
  EXPECT_OK(cudaGraphDestroyNode(node[1]));
  EXPECT(nodes_in(graph) == 2);
  EXPECT_OK(get_edges(graph, nullptr, nullptr, &count));
  EXPECT(count == 0);
  cudaGraphExec_t exec = ready(graph);
  run(exec);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(other));
  EXPECT_OK(cudaGraphDestroy(graph));
}

void copies_and_updates() {
  int* a = device_array();
  cudaGraph_t graph = nullptr, clone = nullptr, parent = nullptr, child = nullptr;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t first = kernel_node(graph, {}, add, a, 1);
  const cudaGraphNode_t second = kernel_node(graph, {first}, times, a, 2);
  EXPECT_OK(cudaGraphClone(&clone, graph));
  cudaGraphNode_t copy = nullptr;
  EXPECT_OK(cudaGraphNodeFindInClone(&copy, second, clone));
  EXPECT(copy != nullptr && copy != second);
  fails(cudaGraphNodeFindInClone(&copy, copy, graph));
  EXPECT_OK(cudaGraphDestroyNode(second));
  EXPECT(nodes_in(graph) == 1 && nodes_in(clone) == 2);
  cudaGraphExec_t exec = ready(clone);
  run(exec);
  EXPECT(last_of(a) == 2);

  // The same form, with other numbers and another kernel.
  cudaGraph_t next = nullptr;
  EXPECT_OK(cudaGraphCreate(&next, 0));
  const cudaGraphNode_t next_first = kernel_node(next, {}, add, a, 10);
  kernel_node(next, {next_first}, add, a, 20);
  cudaGraphExecUpdateResultInfo info{};
  EXPECT_OK(cudaGraphExecUpdate(exec, next, &info));
  EXPECT(info.result == cudaGraphExecUpdateSuccess);
  run(exec);
  EXPECT(last_of(a) == 32);
  cudaGraphNode_t extra = nullptr;
  EXPECT_OK(cudaGraphAddEmptyNode(&extra, next, nullptr, 0));
  EXPECT_CODE(cudaGraphExecUpdate(exec, next, &info), cudaErrorGraphExecUpdateFailure);
  cudaGetLastError();
  EXPECT(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  cudaGraph_t kinds = nullptr;
  EXPECT_OK(cudaGraphCreate(&kinds, 0));
  cudaGraphNode_t empty = nullptr;
  EXPECT_OK(cudaGraphAddEmptyNode(&empty, kinds, nullptr, 0));
  kernel_node(kinds, {empty}, add, a, 1);
  EXPECT_CODE(cudaGraphExecUpdate(exec, kinds, &info), cudaErrorGraphExecUpdateFailure);
  cudaGetLastError();
  EXPECT(info.result == cudaGraphExecUpdateErrorNodeTypeChanged && info.errorNode == empty);
  run(exec);
  EXPECT(last_of(a) == 62);  // as it was
  EXPECT_OK(cudaGraphExecDestroy(exec));

  // A graph in a graph is a copy.
  EXPECT_OK(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t child_node = nullptr;
  const cudaGraphNode_t begin = kernel_node(parent, {}, times, a, 0);
  EXPECT_OK(cudaGraphAddChildGraphNode(&child_node, parent, &begin, 1, clone));
  EXPECT_OK(cudaGraphChildGraphNodeGetGraph(child_node, &child));
  EXPECT(child != clone && nodes_in(child) == 2);
  kernel_node(parent, {child_node}, add, a, 5);
  EXPECT_OK(cudaGraphDestroy(clone));
  exec = ready(parent);
  run(exec);
  EXPECT(last_of(a) == 7);  // (0 + 1) * 2 + 5
  EXPECT_OK(cudaGraphExecDestroy(exec));
  for (cudaGraph_t one : {graph, next, kinds, parent}) EXPECT_OK(cudaGraphDestroy(one));
  EXPECT_OK(cudaFree(a));
}

void symbols_and_boxes() {
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  int in[4] = {1, 2, 3, 4}, out[4] = {};
  cudaGraphNode_t to = nullptr, from = nullptr, box = nullptr;
  EXPECT_OK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, in, sizeof in, 0,
                                           cudaMemcpyHostToDevice));
  EXPECT_OK(
      cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, out, variable, 8, 8, cudaMemcpyDeviceToHost));
  int* rows = device_array();
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(in, 8, 8, 2);
  p.dstPtr = make_cudaPitchedPtr(rows, 16, 8, 2);
  p.extent = make_cudaExtent(8, 2, 1);
  p.kind = cudaMemcpyHostToDevice;
  EXPECT_OK(cudaGraphAddMemcpyNode(&box, graph, nullptr, 0, &p));
  cudaGraphExec_t exec = ready(graph);
  run(exec);
  EXPECT(out[0] == 3 && out[1] == 4 && out[2] == 0);
  int back[8] = {};
  EXPECT_OK(cudaMemcpy(back, rows, sizeof back, cudaMemcpyDeviceToHost));
  EXPECT(back[0] == 1 && back[1] == 2 && back[2] == 0 && back[4] == 3 && back[5] == 4);
  EXPECT_OK(
      cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, out, variable, 4, 0, cudaMemcpyDeviceToHost));
  run(exec);
  EXPECT(out[0] == 1);
  fails(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, nullptr, 0, out, variable, 8, 12,
                                         cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaFree(rows));
}

void events() {
  cudaGraph_t graph = nullptr;
  cudaEvent_t one = nullptr, other = nullptr, told = nullptr;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  EXPECT_OK(cudaEventCreate(&one));
  EXPECT_OK(cudaEventCreate(&other));
  cudaGraphNode_t record = nullptr, wait = nullptr;
  EXPECT_OK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, one));
  EXPECT_OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, one));
  EXPECT_OK(cudaGraphEventRecordNodeGetEvent(record, &told));
  EXPECT(told == one);
  EXPECT_OK(cudaGraphEventWaitNodeSetEvent(wait, other));
  EXPECT_OK(cudaGraphEventWaitNodeGetEvent(wait, &told));
  EXPECT(told == other);
  EXPECT_OK(cudaGraphEventWaitNodeSetEvent(wait, one));
  cudaGraphExec_t exec = ready(graph);
  run(exec);
  EXPECT_OK(cudaEventQuery(one));
  EXPECT_OK(cudaGraphExecEventRecordNodeSetEvent(exec, record, other));
  run(exec);
  float ms = -1;
  EXPECT_OK(cudaEventElapsedTime(&ms, one, other));
  EXPECT(ms >= 0);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaEventDestroy(one));
  EXPECT_OK(cudaEventDestroy(other));
}

uint64_t graph_memory(cudaGraphMemAttributeType which) {
  uint64_t value = 0;
  EXPECT_OK(cudaDeviceGetGraphMemAttribute(0, which, &value));
  return value;
}

void memory() {
  constexpr size_t bytes = size_t{4} << 20;
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams p{};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = bytes;
  cudaGraphNode_t alloc = nullptr, free = nullptr, copy = nullptr;
  EXPECT_OK(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &p));
  EXPECT(p.dptr != nullptr);
  auto* inside = static_cast<int*>(p.dptr);
  cudaMemsetParams set{};
  set.dst = inside;
  set.value = 0;
  set.elementSize = 4;
  set.width = n;
  set.height = 1;
  cudaGraphNode_t set_node = nullptr;
  EXPECT_OK(cudaGraphAddMemsetNode(&set_node, graph, &alloc, 1, &set));
  const cudaGraphNode_t work = kernel_node(graph, {set_node}, add, inside, 6);
  int host[n] = {};
  EXPECT_OK(cudaGraphAddMemcpyNode1D(&copy, graph, &work, 1, host, inside, n * 4, cudaMemcpyDeviceToHost));
  EXPECT_OK(cudaGraphAddMemFreeNode(&free, graph, &copy, 1, inside));
  void* told = nullptr;
  EXPECT_OK(cudaGraphMemFreeNodeGetParams(free, &told));
  EXPECT(told == inside);
  cudaMemAllocNodeParams again{};
  EXPECT_OK(cudaGraphMemAllocNodeGetParams(alloc, &again));
  EXPECT(again.dptr == inside && again.bytesize == bytes);
  EXPECT_CODE(cudaGraphAddMemFreeNode(&free, graph, &copy, 1, inside), cudaErrorInvalidValue);  // twice
  cudaGetLastError();
  cudaGraph_t clone = nullptr;
  fails(cudaGraphClone(&clone, graph));
  fails(cudaGraphDestroyNode(alloc));
  cudaGraphExec_t exec = ready(graph), second = nullptr;
  fails(cudaGraphInstantiateWithFlags(&second, graph, 0));  // one at a time
  run(exec);
  run(exec);
  EXPECT(host[0] == 6 && host[n - 1] == 6);
  EXPECT(graph_memory(cudaGraphMemAttrUsedMemHigh) >= bytes);
  EXPECT(graph_memory(cudaGraphMemAttrReservedMemCurrent) >= bytes);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaDeviceGraphMemTrim(0));
  EXPECT(graph_memory(cudaGraphMemAttrReservedMemCurrent) == 0);
  uint64_t zero = 0;
  EXPECT_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));

  // What the graph does not free stays, until the program frees it.
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  EXPECT_OK(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &p));
  inside = static_cast<int*>(p.dptr);
  set.dst = inside;
  set.value = 9;
  EXPECT_OK(cudaGraphAddMemsetNode(&set_node, graph, &alloc, 1, &set));
  exec = ready(graph);
  run(exec);
  EXPECT(last_of(inside) == 9);
  fails(cudaGraphLaunch(exec, nullptr));  // it is not freed
  EXPECT_OK(cudaFree(inside));
  run(exec);
  EXPECT_OK(cudaFree(inside));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  run(exec);
  run(exec);
  EXPECT(last_of(inside) == 9);
  EXPECT_OK(cudaFree(inside));
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaDeviceGraphMemTrim(0));
}

void captured_memory() {
  cudaStream_t stream = nullptr;
  EXPECT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int *inside = nullptr, host[n] = {};
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaMallocAsync(&inside, n * 4, stream));
  EXPECT_OK(cudaMemsetAsync(inside, 0, n * 4, stream));
  add<<<4, 256, 0, stream>>>(inside, n, 8);
  EXPECT_OK(cudaMemcpyAsync(host, inside, n * 4, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaFreeAsync(inside, stream));
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT(nodes_in(graph) == 5);
  cudaGraphExec_t exec = ready(graph);
  run(exec, stream);
  EXPECT(host[n - 1] == 8);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaStreamDestroy(stream));
}

int objects_gone = 0;
void count_gone(void*) { ++objects_gone; }

void user_objects() {
  cudaGraph_t graph = nullptr;
  cudaUserObject_t object = nullptr;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  EXPECT_OK(cudaUserObjectCreate(&object, &objects_gone, count_gone, 1, cudaUserObjectNoDestructorSync));
  fails(cudaUserObjectCreate(&object, nullptr, count_gone, 1, 0));
  EXPECT_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  cudaGraphNode_t empty = nullptr;
  EXPECT_OK(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  cudaGraphExec_t exec = ready(graph);
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT(objects_gone == 0);  // the executable graph holds it
  run(exec);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  for (int i = 0; i < 2000 && objects_gone == 0; ++i) usleep(1000);  // the driver tells it when it likes
  EXPECT(objects_gone == 1);
  EXPECT_OK(cudaUserObjectCreate(&object, &objects_gone, count_gone, 2, cudaUserObjectNoDestructorSync));
  EXPECT_OK(cudaUserObjectRetain(object, 1));
  EXPECT_OK(cudaUserObjectRelease(object, 3));
  for (int i = 0; i < 2000 && objects_gone == 1; ++i) usleep(1000);
  EXPECT(objects_gone == 2);
}

// Nodes of any kind by one call, and attributes of kernels.
void any_kind() {
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  int* a = device_array();
  int count = n, by = 4;
  void* arguments[] = {&a, &count, &by};
  cudaGraphNodeParams p = {cudaGraphNodeTypeKernel};
  p.kernel.func = reinterpret_cast<void*>(add);
  p.kernel.gridDim = dim3(4);
  p.kernel.blockDim = dim3(256);
  p.kernel.kernelParams = arguments;
  cudaGraphNode_t node = nullptr, other = nullptr;
#if CUDART_VERSION >= 13000
  EXPECT_OK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p));
#else
  EXPECT_OK(cudaGraphAddNode(&node, graph, nullptr, 0, &p));
#endif
  other = kernel_node(graph, {node}, add, a, 1);
  cudaKernelNodeAttrValue value{}, told{};
  value.priority = 0;
  EXPECT_OK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
  EXPECT_OK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &told));
  EXPECT(told.priority == 0);
  EXPECT_OK(cudaGraphKernelNodeCopyAttributes(other, node));
  by = 5;
  EXPECT_OK(cudaGraphNodeSetParams(node, &p));
  cudaGraphInstantiateParams with{};
  cudaGraphExec_t exec = nullptr;
  EXPECT_OK(cudaGraphInstantiateWithParams(&exec, graph, &with));
  EXPECT(with.result_out == cudaGraphInstantiateSuccess && with.errNode_out == nullptr);
  run(exec);
  EXPECT(last_of(a) == 6);
  by = 7;
  EXPECT_OK(cudaGraphExecNodeSetParams(exec, node, &p));
  run(exec);
  EXPECT(last_of(a) == 14);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  const std::string path = "/tmp/graph-" + std::to_string(getpid()) + ".dot";
  EXPECT_OK(cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsVerbose));
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT(text.find("digraph") != text.npos && text.find("->") != text.npos);
  std::remove(path.c_str());
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaFree(a));
}

// Nodes that the capture has so far, and others in their place.
void capture_dependencies() {
  cudaStream_t stream = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  int* a = device_array();
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  add<<<4, 256, 0, stream>>>(a, n, 1);
  cudaStreamCaptureStatus status{};
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr, ended = nullptr;
  const cudaGraphNode_t* nodes = nullptr;
  size_t count = 0;
#if CUDART_VERSION >= 13000
  const cudaGraphEdgeData* edges = nullptr;
  EXPECT_OK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &edges, &count));
#else
  EXPECT_OK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &nodes, &count));
#endif
  EXPECT(status == cudaStreamCaptureStatusActive && id != 0 && graph != nullptr && count == 1);
  cudaGraphNode_t mine = kernel_node(graph, {nodes[0]}, times, a, 3);
#if CUDART_VERSION >= 13000
  EXPECT_OK(cudaStreamUpdateCaptureDependencies(stream, &mine, nullptr, 1, cudaStreamSetCaptureDependencies));
#else
  EXPECT_OK(cudaStreamUpdateCaptureDependencies(stream, &mine, 1, cudaStreamSetCaptureDependencies));
#endif
  add<<<4, 256, 0, stream>>>(a, n, 2);
  EXPECT_OK(cudaStreamEndCapture(stream, &ended));
  EXPECT(nodes_in(ended) == 3);
  cudaGraphExec_t exec = ready(ended);
  EXPECT_OK(cudaGraphDestroy(ended));
  run(exec, stream);
  EXPECT(last_of(a) == 5);
  // A graph is not launched into a stream that is being captured.
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  EXPECT_CODE(cudaGraphLaunch(exec, stream), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t outer = nullptr;
  EXPECT_CODE(cudaStreamEndCapture(stream, &outer), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
  EXPECT_OK(cudaGraphExecDestroy(exec));
  // Into a graph that is there.
  EXPECT_OK(cudaGraphCreate(&outer, 0));
  kernel_node(outer, {}, times, a, 3);
  EXPECT_OK(cudaStreamBeginCaptureToGraph(stream, outer, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  EXPECT_OK(cudaMemsetAsync(a, 0, 4, stream));
  EXPECT_OK(cudaStreamEndCapture(stream, &ended));
  EXPECT(ended == outer && nodes_in(outer) == 2);
  EXPECT_OK(cudaGraphDestroy(outer));
  EXPECT_OK(cudaFree(a));
  EXPECT_OK(cudaStreamDestroy(stream));
}

// The same graphs with the driver API.
void mixed() {
  int* a = device_array();
  cudaGraph_t graph = nullptr;
  EXPECT_OK(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t node = kernel_node(graph, {}, add, a, 2);
  size_t count = 0;
  EXPECT(cuGraphGetNodes(graph, nullptr, &count) == CUDA_SUCCESS && count == 1);
  CUgraphNodeType type{};
  EXPECT(cuGraphNodeGetType(node, &type) == CUDA_SUCCESS && type == CU_GRAPH_NODE_TYPE_KERNEL);
  CUgraphNode empty = nullptr;
  EXPECT(cuGraphAddEmptyNode(&empty, graph, &node, 1) == CUDA_SUCCESS);
  CUgraphExec exec = nullptr;
  EXPECT(cuGraphInstantiateWithFlags(&exec, graph, 0) == CUDA_SUCCESS);
  EXPECT(cuGraphLaunch(exec, nullptr) == CUDA_SUCCESS);
  EXPECT(last_of(a) == 2);
  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT(cuGraphDestroy(graph) == CUDA_SUCCESS);
  EXPECT_OK(cudaFree(a));
}

int main() {
  captured();
  forked();
  forbidden();
  by_hand();
  edges();
  copies_and_updates();
  symbols_and_boxes();
  events();
  memory();
  captured_memory();
  user_objects();
  any_kind();
  capture_dependencies();
  mixed();
  return result();
}
