// CUDA graphs of the driver API: made by hand, changed, launched, and what a recording has of their launches.
#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/cuda/stand_in/driver/recorded.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class DriverGraphs : public DriverRecording {
 public:
  void SetUp() override {
    DriverRecording::SetUp();
    begin();
    add = load(kernel("add", add_one), "add");
    FINE(CALL(cuGraphCreate)(&graph, 0));
  }
  void TearDown() override {
    CALL(cuGraphDestroy)(graph);
    DriverRecording::TearDown();
  }
  static CUgraphNodeParams parameters(CUgraphNodeType type) {
    CUgraphNodeParams made;
    std::memset(&made, 0, sizeof made);
    made.type = type;
    return made;
  }
  CUDA_KERNEL_NODE_PARAMS on(CUdeviceptr& to, unsigned& n) {
    pointers[0] = &to;
    pointers[1] = &n;
    CUDA_KERNEL_NODE_PARAMS p{};
    p.func = add;
    p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimY = p.blockDimZ = 1;
    p.blockDimX = 64;
    p.kernelParams = pointers;
    return p;
  }
  CUgraphNode add_kernel(std::vector<CUgraphNode> after, CUdeviceptr to) {
    unsigned n = 64;
    const CUDA_KERNEL_NODE_PARAMS p = on(to, n);
    CUgraphNode made = nullptr;
    EXPECT_EQ(CALL(cuGraphAddKernelNode_v2)(&made, graph, after.data(), after.size(), &p), CUDA_SUCCESS);
    return made;
  }
  CUgraphNode add_empty(std::vector<CUgraphNode> after, CUresult code = CUDA_SUCCESS) {
    CUgraphNode made = nullptr;
    EXPECT_EQ(CALL(cuGraphAddEmptyNode)(&made, graph, after.data(), after.size()), code);
    return made;
  }
  CUgraphExec ready(unsigned long long flags = 0) {
    CUgraphExec made = nullptr;
    EXPECT_EQ(CALL(cuGraphInstantiateWithFlags)(&made, graph, flags), CUDA_SUCCESS);
    return made;
  }
  CUdeviceptr zeros() { return upload(std::vector<uint32_t>(64)); }
  void all_are(CUdeviceptr p, uint32_t value) { EXPECT_THAT(download<uint32_t>(p, 64), Each(value)); }

  CUfunction add = nullptr;
  CUgraph graph = nullptr;
  void* pointers[2] = {};
};

TEST_F(DriverGraphs, ALaunchRunsEachNodeAsTheCallThatDoesTheSame) {
  CUdeviceptr p = zeros();
  const CUgraphNode first = add_kernel({}, p), second = add_kernel({first}, p);
  std::vector<uint32_t> back(64);
  CUgraphNodeParams copy = parameters(CU_GRAPH_NODE_TYPE_MEMCPY);
  copy.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.memcpy.copyParams.srcDevice = p;
  copy.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.memcpy.copyParams.dstHost = back.data();
  copy.memcpy.copyParams.WidthInBytes = 256;
  copy.memcpy.copyParams.Height = copy.memcpy.copyParams.Depth = 1;
  CUgraphNode third = nullptr;
  FINE(CALL(cuGraphAddNode)(&third, graph, &second, 1, &copy));
  const CUgraphExec exec = ready();
  all_are(p, 0);
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  EXPECT_THAT(back, Each(2u));
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  EXPECT_THAT(back, Each(4u));
  FINE(CALL(cuGraphExecDestroy)(exec));
  EXPECT_EQ(CALL(cuGraphLaunch)(exec, nullptr), CUDA_ERROR_INVALID_VALUE);
  if (is_relayed()) return;
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(4));
  ASSERT_NE(made.launches[1]->launch, nullptr);
  EXPECT_THAT(made.launches[1]->launch->lacking, testing::IsEmpty());
  EXPECT_EQ(words(made, made.launches[1]->launch->memory.at(0).before, 64)[63], 1u);
  for (const auto& launch : made.launches)
    EXPECT_EQ(launch->stream, 0u) << "one branch is the launch's own stream";
}

TEST_F(DriverGraphs, BranchesThatDoNotWaitForEachOtherOverlap) {
  CUdeviceptr p = zeros(), q = zeros(), r = zeros();
  const CUgraphNode first = add_kernel({}, p);
  add_kernel({first}, q);
  add_kernel({first}, r);
  const CUgraphExec exec = ready();
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  CUdeviceptr s = zeros();
  unsigned n = 64;
  FINE(launch(add, 1, 64, {&s, &n}));
  if (is_relayed()) return;
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(4));
  const auto end = [&](size_t i) { return *made.launches[i]->begin_us + *made.launches[i]->device_us; };
  constexpr double rounding_us = 0.001;
  EXPECT_GE(*made.launches[1]->begin_us, end(0) - rounding_us);
  EXPECT_EQ(made.launches[2]->begin_us, made.launches[1]->begin_us);
  EXPECT_NE(made.launches[2]->stream, made.launches[1]->stream);
  EXPECT_GE(*made.launches[3]->begin_us, std::max(end(1), end(2)) - rounding_us)
      << "the stream waits for all of the graph";
}

TEST_F(DriverGraphs, ArgumentsAreCopiedWhenANodeIsMadeAndTold) {
  CUdeviceptr p = zeros(), q = zeros();
  unsigned n = 64;
  CUDA_KERNEL_NODE_PARAMS asked = on(p, n);
  CUgraphNode node = nullptr;
  FINE(CALL(cuGraphAddKernelNode_v2)(&node, graph, nullptr, 0, &asked));
  n = 1;
  CUDA_KERNEL_NODE_PARAMS told{};
  FINE(CALL(cuGraphKernelNodeGetParams_v2)(node, &told));
  EXPECT_EQ(told.func, add);
  EXPECT_EQ(told.blockDimX, 64u);
  EXPECT_EQ(*static_cast<CUdeviceptr*>(told.kernelParams[0]), p);
  EXPECT_EQ(*static_cast<unsigned*>(told.kernelParams[1]), 64u);
  const CUgraphExec exec = ready();
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  all_are(p, 1);
  n = 64;
  asked = on(q, n);
  FINE(CALL(cuGraphExecKernelNodeSetParams_v2)(exec, node, &asked));
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  all_are(p, 1);
  all_are(q, 1);
  FINE(CALL(cuGraphKernelNodeGetParams_v2)(node, &told));
  EXPECT_EQ(*static_cast<CUdeviceptr*>(told.kernelParams[0]), p) << "the node itself stays";
  asked.blockDimX = 5000;
  EXPECT_EQ(CALL(cuGraphKernelNodeSetParams_v2)(node, &asked), CUDA_ERROR_INVALID_VALUE);
  CUDA_KERNEL_NODE_PARAMS_v1 old{};
  FINE(CALL(cuGraphKernelNodeGetParams)(node, &old));
  EXPECT_EQ(old.blockDimX, 64u);
  // All in one buffer.
  struct {
    CUdeviceptr p;
    unsigned n;
  } buffer{p, 64};
  size_t bytes = 12;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  asked = on(p, n);
  asked.kernelParams = nullptr;
  asked.extra = extra;
  FINE(CALL(cuGraphExecKernelNodeSetParams_v2)(exec, node, &asked));
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  all_are(p, 2);
}

TEST_F(DriverGraphs, ACircleIsFoundWhenItIsMadeReady) {
  const CUgraphNode a = add_empty({}), b = add_empty({a}), c = add_empty({b});
  CUgraphNode from = c, to = b;
  FINE(CALL(cuGraphAddDependencies)(graph, &from, &to, 1));
  CUgraphExec exec = nullptr;
  CUDA_GRAPH_INSTANTIATE_PARAMS with{};
  EXPECT_EQ(CALL(cuGraphInstantiateWithParams)(&exec, graph, &with), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(with.result_out, CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE);
  EXPECT_THAT((std::vector<CUgraphNode>{b, c}), testing::Contains(with.hErrNode_out));
  CUgraphNode error = nullptr;
  EXPECT_EQ(CALL(cuGraphInstantiate_v2)(&exec, graph, &error, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(error, nullptr);
  FINE(CALL(cuGraphRemoveDependencies)(graph, &from, &to, 1));
  FINE(CALL(cuGraphExecDestroy)(ready()));
}

TEST_F(DriverGraphs, EdgesAreTold) {
  CUdeviceptr p = zeros();
  const CUgraphNode a = add_kernel({}, p), b = add_kernel({a}, p);
  const CUgraphNode c = add_empty({});
  CUgraphEdgeData early{};
  early.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
  early.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
  EXPECT_EQ(CALL(cuGraphAddDependencies_v2)(graph, &a, &c, &early, 1), CUDA_ERROR_INVALID_VALUE)
      << "not to an empty node";
  FINE(CALL(cuGraphAddDependencies_v2)(graph, &a, &b, &early, 1));
  size_t count = 0;
  FINE(CALL(cuGraphGetEdges_v2)(graph, nullptr, nullptr, nullptr, &count));
  EXPECT_EQ(count, 2u);
  CUgraphNode from[3], to[3];
  CUgraphEdgeData data[3];
  count = 3;
  EXPECT_EQ(CALL(cuGraphGetEdges)(graph, from, to, &count), CUDA_ERROR_LOSSY_QUERY);
  FINE(CALL(cuGraphGetEdges_v2)(graph, from, to, data, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(data[1].from_port, CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC);
  EXPECT_EQ(from[2], nullptr);
  FINE(CALL(cuGraphRemoveDependencies_v2)(graph, &a, &b, &early, 1));
  count = 3;
  FINE(CALL(cuGraphNodeGetDependencies)(b, from, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(from[0], a);
  count = 3;
  FINE(CALL(cuGraphNodeGetDependencies_v2)(b, from, data, &count));
  EXPECT_EQ(count, 1u);
  count = 3;
  FINE(CALL(cuGraphNodeGetDependentNodes)(a, to, &count));
  EXPECT_EQ(to[0], b);
  count = 3;
  FINE(CALL(cuGraphNodeGetDependentNodes_v2)(a, to, data, &count));
  EXPECT_EQ(count, 1u);
  count = 3;
  FINE(CALL(cuGraphGetRootNodes)(graph, from, &count));
  EXPECT_EQ(count, 2u);
  count = 3;
  FINE(CALL(cuGraphGetNodes)(graph, from, &count));
  EXPECT_THAT((std::vector<CUgraphNode>(from, from + 3)), ElementsAre(a, b, c));
}

TEST_F(DriverGraphs, WhatIsNoneIsRefused) {
  CUgraph other = nullptr;
  FINE(CALL(cuGraphCreate)(&other, 0));
  CUgraphNode stranger = nullptr, made = nullptr;
  FINE(CALL(cuGraphAddEmptyNode)(&stranger, other, nullptr, 0));
  const CUgraphNode own = add_empty({});
  add_empty({stranger}, CUDA_ERROR_INVALID_VALUE);
  add_empty({own, own}, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuGraphAddDependencies)(graph, &own, &own, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuGraphAddEmptyNode)(&made, nullptr, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuGraphAddKernelNode_v2)(&made, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuGraphAddHostNode)(&made, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuGraphAddChildGraphNode)(&made, graph, nullptr, 0, graph), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuGraphAddEventRecordNode)(&made, graph, nullptr, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  CUgraphNodeParams conditional = parameters(CU_GRAPH_NODE_TYPE_CONDITIONAL);
  EXPECT_EQ(CALL(cuGraphAddNode)(&made, graph, nullptr, 0, &conditional), CUDA_ERROR_NOT_SUPPORTED);
  CUgraphExec exec = nullptr;
  EXPECT_EQ(CALL(cuGraphInstantiateWithFlags)(&exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH),
            CUDA_ERROR_NOT_SUPPORTED);
  FINE(CALL(cuGraphDestroy)(other));
  EXPECT_EQ(CALL(cuGraphDestroy)(other), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CALL(cuGraphDestroyNode)(stranger), CUDA_ERROR_INVALID_VALUE);
  CUgraphNodeType type{};
  EXPECT_EQ(CALL(cuGraphNodeGetType)(stranger, &type), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverGraphs, AnUpdateSaysWhatHindersIt) {
  CUdeviceptr p = zeros();
  const CUgraphNode a = add_kernel({}, p);
  add_kernel({a}, p);
  const CUgraphExec exec = ready();
  const CUgraph first = graph;
  FINE(CALL(cuGraphCreate)(&graph, 0));
  const CUgraphNode b = add_kernel({}, p), c = add_kernel({}, p);
  CUgraphExecUpdateResultInfo info{};
  EXPECT_EQ(CALL(cuGraphExecUpdate_v2)(exec, graph, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_EQ(info.errorNode, c);
  FINE(CALL(cuGraphAddDependencies)(graph, &b, &c, 1));
  FINE(CALL(cuGraphExecUpdate_v2)(exec, graph, &info));
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CUlaunchAttributeValue cooperative{};
  cooperative.cooperative = 1;
  FINE(CALL(cuGraphKernelNodeSetAttribute)(c, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &cooperative));
  CUgraphNode node = nullptr;
  CUgraphExecUpdateResult result{};
  EXPECT_EQ(CALL(cuGraphExecUpdate)(exec, graph, &node, &result), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(result, CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED);
  EXPECT_EQ(node, c);
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  all_are(p, 2);
  FINE(CALL(cuGraphDestroy)(first));
  FINE(CALL(cuGraphExecDestroy)(exec));
}

// A function that is gone does not run, even where another one has its place.
TEST_F(DriverGraphs, AnUnloadedKernelIsNotLaunched) {
  CUmodule module = nullptr;
  CUdeviceptr p = zeros();
  FINE(CALL(cuModuleLoadData)(&module, kernel("gone", add_one).c_str()));
  FINE(CALL(cuModuleGetFunction)(&add, module, "gone"));
  add_kernel({}, p);
  const CUgraphExec exec = ready();
  FINE(CALL(cuModuleUnload)(module));
  EXPECT_NE(CALL(cuGraphLaunch)(exec, nullptr), CUDA_SUCCESS);
  load(kernel("gone", add_one), "gone");
  EXPECT_NE(CALL(cuGraphLaunch)(exec, nullptr), CUDA_SUCCESS);
  all_are(p, 0);
}

TEST_F(DriverGraphs, AFaultEndsTheLaunch) {
  CUdeviceptr p = zeros();
  const CUgraphNode bad = add_kernel({}, 0);
  add_kernel({bad}, p);
  FINE(CALL(cuGraphLaunch)(ready(), nullptr));
  EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  if (is_relayed()) return;
  EXPECT_THAT(read().launches, SizeIs(1));
}

TEST_F(DriverGraphs, MemoryHasOneAddressAndIsReserved) {
  CUDA_MEM_ALLOC_NODE_PARAMS asked{};
  asked.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  asked.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  asked.bytesize = 1 << 20;
  CUgraphNode alloc = nullptr, free = nullptr, again = nullptr, last = nullptr;
  FINE(CALL(cuGraphAddMemAllocNode)(&alloc, graph, nullptr, 0, &asked));
  const CUdeviceptr p = asked.dptr;
  const CUgraphNode work = add_kernel({alloc}, p);
  FINE(CALL(cuGraphAddMemFreeNode)(&free, graph, &work, 1, p));
  EXPECT_EQ(CALL(cuGraphAddMemFreeNode)(&last, graph, &work, 1, p), CUDA_ERROR_INVALID_VALUE) << "twice";
  EXPECT_EQ(CALL(cuGraphAddMemFreeNode)(&last, graph, &work, 1, p + 64), CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuGraphAddMemAllocNode)(&again, graph, &free, 1, &asked));
  EXPECT_EQ(asked.dptr, p) << "freed before";
  FINE(CALL(cuGraphAddMemAllocNode)(&last, graph, nullptr, 0, &asked));
  EXPECT_NE(asked.dptr, p) << "nothing orders it behind";
  CUDA_MEM_ALLOC_NODE_PARAMS told{};
  FINE(CALL(cuGraphMemAllocNodeGetParams)(last, &told));
  EXPECT_EQ(told.dptr, asked.dptr);
  CUdeviceptr freed = 0;
  FINE(CALL(cuGraphMemFreeNodeGetParams)(free, &freed));
  EXPECT_EQ(freed, p);
  size_t before = 0, now = 0, total = 0;
  FINE(CALL(cuMemGetInfo_v2)(&before, &total));
  CUgraphExec exec = ready();
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  uint64_t figure = 0;
  FINE(CALL(cuDeviceGetGraphMemAttribute)(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &figure));
  EXPECT_EQ(figure, 2u << 20);
  FINE(CALL(cuMemGetInfo_v2)(&now, &total));
  EXPECT_EQ(before - now, 2u << 20);
  EXPECT_EQ(CALL(cuGraphLaunch)(exec, nullptr), CUDA_ERROR_INVALID_VALUE) << "what it left is not freed";
  FINE(CALL(cuMemFree_v2)(p));
  FINE(CALL(cuMemFree_v2)(asked.dptr));
  FINE(CALL(cuGraphExecDestroy)(exec));
  exec = ready(CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  cuuint64_t flags = 0;
  FINE(CALL(cuGraphExecGetFlags)(exec, &flags));
  EXPECT_EQ(flags, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
  for (int i = 0; i < 3; ++i) FINE(CALL(cuGraphLaunch)(exec, nullptr));
  FINE(CALL(cuMemFree_v2)(p));
  FINE(CALL(cuMemFree_v2)(asked.dptr));
  FINE(CALL(cuDeviceGetGraphMemAttribute)(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &figure));
  EXPECT_EQ(figure, 2u << 20);
  FINE(CALL(cuDeviceGraphMemTrim)(0));
  FINE(CALL(cuDeviceGetGraphMemAttribute)(0, CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT, &figure));
  EXPECT_EQ(figure, 0u);
  FINE(CALL(cuMemGetInfo_v2)(&now, &total));
  EXPECT_EQ(now, before);
  FINE(CALL(cuDeviceSetGraphMemAttribute)(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &figure));
  EXPECT_EQ(CALL(cuDeviceSetGraphMemAttribute)(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &figure),
            CUDA_ERROR_INVALID_VALUE);
  CUgraph clone = nullptr;
  EXPECT_EQ(CALL(cuGraphClone)(&clone, graph), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(CALL(cuGraphDestroyNode)(alloc), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(DriverGraphs, AChildGraphIsACopyOrIsMoved) {
  CUdeviceptr p = zeros();
  add_kernel({}, p);
  CUgraph outer = nullptr, inner = nullptr;
  FINE(CALL(cuGraphCreate)(&outer, 0));
  CUgraphNode child = nullptr, moved = nullptr;
  FINE(CALL(cuGraphAddChildGraphNode)(&child, outer, nullptr, 0, graph));
  FINE(CALL(cuGraphChildGraphNodeGetGraph)(child, &inner));
  EXPECT_NE(inner, graph);
  EXPECT_EQ(CALL(cuGraphDestroy)(inner), CUDA_ERROR_INVALID_VALUE);
  CUgraphNodeParams move = parameters(CU_GRAPH_NODE_TYPE_GRAPH);
  move.graph.graph = graph;
  move.graph.ownership = CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE;
  FINE(CALL(cuGraphAddNode_v2)(&moved, outer, &child, nullptr, 1, &move));
  EXPECT_EQ(CALL(cuGraphDestroy)(graph), CUDA_ERROR_INVALID_VALUE);
  CUgraphExec exec = nullptr;
  EXPECT_EQ(CALL(cuGraphInstantiateWithFlags)(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuGraphInstantiateWithFlags)(&exec, outer, 0));
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  all_are(p, 2);
  // The nodes of the inner graph are named by that graph's.
  CUgraphNode node = nullptr;
  size_t count = 1;
  FINE(CALL(cuGraphGetNodes)(inner, &node, &count));
  FINE(CALL(cuGraphNodeSetEnabled)(exec, node, 0));
  unsigned enabled = 1;
  FINE(CALL(cuGraphNodeGetEnabled)(exec, node, &enabled));
  EXPECT_EQ(enabled, 0u);
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  all_are(p, 3);
  FINE(CALL(cuGraphExecChildGraphNodeSetParams)(exec, child, inner));
  FINE(CALL(cuGraphDestroy)(outer));
  FINE(CALL(cuGraphUpload)(exec, nullptr));
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  all_are(p, 4);
  FINE(CALL(cuGraphExecDestroy)(exec));
}

TEST_F(DriverGraphs, OtherKindsAreToldAndChanged) {
  CUdeviceptr p = zeros(), q = zeros();
  CUevent event = nullptr, other = nullptr, told = nullptr;
  FINE(CALL(cuEventCreate)(&event, 0));
  FINE(CALL(cuEventCreate)(&other, 0));
  CUgraphNode set = nullptr, copy = nullptr, record = nullptr, wait = nullptr, host = nullptr;
  CUDA_MEMSET_NODE_PARAMS fill{p, 0, 7, 4, 64, 1}, fill_told{};
  FINE(CALL(cuGraphAddMemsetNode)(&set, graph, nullptr, 0, &fill, context));
  FINE(CALL(cuGraphMemsetNodeGetParams)(set, &fill_told));
  EXPECT_EQ(fill_told.value, 7u);
  CUDA_MEMCPY3D row{}, row_told{};
  row.srcMemoryType = row.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  row.srcDevice = p;
  row.dstDevice = q;
  row.WidthInBytes = 256;
  row.Height = row.Depth = 1;
  FINE(CALL(cuGraphAddMemcpyNode)(&copy, graph, &set, 1, &row, context));
  FINE(CALL(cuGraphMemcpyNodeGetParams)(copy, &row_told));
  EXPECT_EQ(row_told.dstDevice, q);
  FINE(CALL(cuGraphAddEventRecordNode)(&record, graph, &copy, 1, event));
  FINE(CALL(cuGraphAddEventWaitNode)(&wait, graph, &record, 1, event));
  int called = 0;
  CUDA_HOST_NODE_PARAMS call{[](void*by) { ++*static_cast<int*>(by); }, &called}, call_told{};
  FINE(CALL(cuGraphAddHostNode)(&host, graph, &wait, 1, &call));
  FINE(CALL(cuGraphHostNodeGetParams)(host, &call_told));
  EXPECT_EQ(call_told.userData, &called);
  const CUgraphExec exec = ready();
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  all_are(q, 7);
  EXPECT_EQ(called, 1);
  FINE(CALL(cuGraphEventRecordNodeGetEvent)(record, &told));
  EXPECT_EQ(told, event);
  FINE(CALL(cuGraphEventRecordNodeSetEvent)(record, other));
  FINE(CALL(cuGraphEventWaitNodeSetEvent)(wait, other));
  FINE(CALL(cuGraphEventWaitNodeGetEvent)(wait, &told));
  EXPECT_EQ(told, other);
  FINE(CALL(cuGraphExecEventRecordNodeSetEvent)(exec, record, other));
  FINE(CALL(cuGraphExecEventWaitNodeSetEvent)(exec, wait, other));
  fill.value = 8;
  FINE(CALL(cuGraphMemsetNodeSetParams)(set, &fill));
  FINE(CALL(cuGraphExecMemsetNodeSetParams)(exec, set, &fill, context));
  fill.height = 2;
  fill.pitch = 256;
  EXPECT_EQ(CALL(cuGraphExecMemsetNodeSetParams)(exec, set, &fill, context), CUDA_ERROR_INVALID_VALUE);
  fill.elementSize = 3;
  EXPECT_EQ(CALL(cuGraphMemsetNodeSetParams)(set, &fill), CUDA_ERROR_INVALID_VALUE);
  row.WidthInBytes = 128;
  FINE(CALL(cuGraphMemcpyNodeSetParams)(copy, &row));
  FINE(CALL(cuGraphExecMemcpyNodeSetParams)(exec, copy, &row, context));
  row.Height = 2;
  EXPECT_EQ(CALL(cuGraphExecMemcpyNodeSetParams)(exec, copy, &row, context), CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuGraphHostNodeSetParams)(host, &call));
  FINE(CALL(cuGraphExecHostNodeSetParams)(exec, host, &call));
  FINE(CALL(cuGraphLaunch)(exec, nullptr));
  const std::vector<uint32_t> now = download<uint32_t>(q, 64);
  EXPECT_EQ(now[31], 8u);
  EXPECT_EQ(now[32], 7u);
  EXPECT_EQ(called, 2);
  float ms = -1;
  FINE(CALL(cuEventElapsedTime)(&ms, event, other));
  EXPECT_GE(ms, 0);
  EXPECT_EQ(CALL(cuGraphNodeSetEnabled)(exec, host, 0), CUDA_ERROR_INVALID_VALUE);
  CUgraphNodeParams any = parameters(CU_GRAPH_NODE_TYPE_HOST);
  any.host = {call.fn, call.userData};
  FINE(CALL(cuGraphNodeSetParams)(host, &any));
  FINE(CALL(cuGraphExecNodeSetParams)(exec, host, &any));
  EXPECT_EQ(CALL(cuGraphNodeSetParams)(set, &any), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverGraphs, AttributesOfKernels) {
  CUdeviceptr p = zeros();
  const CUgraphNode a = add_kernel({}, p), b = add_kernel({a}, p);
  CUlaunchAttributeValue value{}, told{};
  value.priority = -2;
  FINE(CALL(cuGraphKernelNodeSetAttribute)(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
  FINE(CALL(cuGraphKernelNodeGetAttribute)(b, CU_LAUNCH_ATTRIBUTE_PRIORITY, &told));
  EXPECT_EQ(told.priority, 0);
  FINE(CALL(cuGraphKernelNodeCopyAttributes)(b, a));
  FINE(CALL(cuGraphKernelNodeGetAttribute)(b, CU_LAUNCH_ATTRIBUTE_PRIORITY, &told));
  EXPECT_EQ(told.priority, -2);
  value.clusterDim = {2, 1, 1};
  EXPECT_EQ(CALL(cuGraphKernelNodeSetAttribute)(a, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(CALL(cuGraphKernelNodeSetAttribute)(a, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value),
            CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuGraphLaunch)(ready(), nullptr));
  all_are(p, 2);
}

TEST_F(DriverGraphs, AFileForGraphviz) {
  CUdeviceptr p = zeros();
  const CUgraphNode a = add_kernel({}, p);
  add_empty({a});
  CUgraphNode child = nullptr;
  CUgraph inner = nullptr;
  FINE(CALL(cuGraphCreate)(&inner, 0));
  FINE(CALL(cuGraphAddChildGraphNode)(&child, graph, &a, 1, inner));
  const std::string path = (folder / "graph.dot").string();
  FINE(CALL(cuGraphDebugDotPrint)(graph, path.c_str(), CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("digraph dot {"));
  EXPECT_THAT(text, HasSubstr("KERNEL\\nadd\\n1 x 1 x 1 blocks of 64 x 1 x 1"));
  EXPECT_THAT(text, HasSubstr("EMPTY"));
  EXPECT_THAT(text, HasSubstr("cluster_1"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
  EXPECT_EQ(CALL(cuGraphDebugDotPrint)(graph, "/nobody/is/here.dot", 0), CUDA_ERROR_OPERATING_SYSTEM);
}

int objects_gone = 0;

TEST_F(DriverGraphs, ObjectsLiveAsLongAsAGraphHoldsThem) {
  objects_gone = 0;
  CUuserObject object = nullptr;
  const CUhostFn gone = [](void*) { ++objects_gone; };
  EXPECT_EQ(CALL(cuUserObjectCreate)(&object, nullptr, gone, 1, 0), CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuUserObjectCreate)(&object, nullptr, gone, 2, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  FINE(CALL(cuUserObjectRetain)(object, 1));
  FINE(CALL(cuGraphRetainUserObject)(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  FINE(CALL(cuGraphRetainUserObject)(graph, object, 2, 0));
  EXPECT_EQ(CALL(cuUserObjectRelease)(object, 3), CUDA_ERROR_INVALID_VALUE) << "only two are the program's";
  FINE(CALL(cuUserObjectRelease)(object, 2));
  EXPECT_EQ(CALL(cuGraphReleaseUserObject)(graph, object, 4), CUDA_ERROR_INVALID_VALUE);
  FINE(CALL(cuGraphReleaseUserObject)(graph, object, 1));
  CUgraph clone = nullptr;
  FINE(CALL(cuGraphClone)(&clone, graph));
  const CUgraphExec exec = ready();
  FINE(CALL(cuGraphDestroy)(graph));
  FINE(CALL(cuGraphDestroy)(clone));
  EXPECT_EQ(objects_gone, 0);
  FINE(CALL(cuGraphExecDestroy)(exec));
  EXPECT_EQ(objects_gone, 1);
  EXPECT_EQ(CALL(cuUserObjectRetain)(object, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverGraphs, AreLaunchedByManyThreads) {
  CUdeviceptr p = zeros();
  CUgraphNode last = add_kernel({}, p);
  for (int i = 0; i < 9; ++i) last = add_kernel({last}, p);
  const CUgraphExec exec = ready();
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        EXPECT_EQ(CALL(cuCtxSetCurrent)(context), CUDA_SUCCESS);
        for (int i = 0; i < 10; ++i) EXPECT_EQ(CALL(cuGraphLaunch)(exec, nullptr), CUDA_SUCCESS);
      });
  }
  all_are(p, 400);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
