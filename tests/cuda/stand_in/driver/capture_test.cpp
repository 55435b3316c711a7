// Streams that are being captured: what becomes a node, what is forbidden, and how a capture ends.
#include <gmock/gmock.h>

#include <thread>

#include "tests/cuda/stand_in/driver/library.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::Each;
using testing::ElementsAre;

class DriverCapture : public DriverTest {
 public:
  void SetUp() override {
    begin();
    add = load(kernel("add", add_one), "add");
    FINE(CALL(cuStreamCreate)(&stream, 0));
    FINE(CALL(cuStreamCreate)(&free_stream, CU_STREAM_NON_BLOCKING));
    p = upload(std::vector<uint32_t>(64));
  }
  CUresult launch_on(CUstream on) {
    unsigned n = 64;
    void* arguments[] = {&p, &n};
    return CALL(cuLaunchKernel)(add, 1, 1, 1, 64, 1, 1, 0, on, arguments, nullptr);
  }
  void capture(CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL) {
    EXPECT_EQ(CALL(cuStreamBeginCapture_v2)(stream, mode), CUDA_SUCCESS);
  }
  CUgraph end(CUresult code = CUDA_SUCCESS) {
    CUgraph made = reinterpret_cast<CUgraph>(this);
    EXPECT_EQ(CALL(cuStreamEndCapture)(stream, &made), code);
    EXPECT_EQ(made == nullptr, code != CUDA_SUCCESS);
    return made;
  }
  CUstreamCaptureStatus status_of(CUstream of) {
    CUstreamCaptureStatus status{};
    EXPECT_EQ(CALL(cuStreamIsCapturing)(of, &status), CUDA_SUCCESS);
    return status;
  }
  static std::vector<CUgraphNodeType> types_of(CUgraph graph) {
    size_t count = 0;
    EXPECT_EQ(CALL(cuGraphGetNodes)(graph, nullptr, &count), CUDA_SUCCESS);
    std::vector<CUgraphNode> nodes(count);
    EXPECT_EQ(CALL(cuGraphGetNodes)(graph, nodes.data(), &count), CUDA_SUCCESS);
    std::vector<CUgraphNodeType> types(count);
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(CALL(cuGraphNodeGetType)(nodes[i], &types[i]), CUDA_SUCCESS);
    return types;
  }
  void run(CUgraph graph) {
    CUgraphExec exec = nullptr;
    FINE(CALL(cuGraphInstantiateWithFlags)(&exec, graph, 0));
    FINE(CALL(cuGraphLaunch)(exec, stream));
    FINE(CALL(cuGraphExecDestroy)(exec));
    FINE(CALL(cuGraphDestroy)(graph));
  }
  // The call is forbidden and ends the capture as invalid.
  template <class F>
  void invalidates(CUresult code, F call) {
    capture();
    EXPECT_EQ(call(), code);
    EXPECT_EQ(status_of(stream), CU_STREAM_CAPTURE_STATUS_INVALIDATED);
    EXPECT_EQ(launch_on(stream), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    EXPECT_EQ(status_of(stream), CU_STREAM_CAPTURE_STATUS_NONE);
  }

  CUfunction add = nullptr;
  CUstream stream = nullptr, free_stream = nullptr;
  CUdeviceptr p = 0;
};

TEST_F(DriverCapture, EachCallOnAStreamBecomesANode) {
  std::vector<uint32_t> in(64, 40), out(64);
  CUdeviceptr q = upload(std::vector<uint32_t>(64)), made = 0;
  CUevent event = nullptr;
  FINE(CALL(cuEventCreate)(&event, 0));
  int called = 0;
  capture();
  EXPECT_EQ(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  FINE(CALL(cuMemcpyHtoDAsync_v2)(p, in.data(), 256, stream));
  FINE(launch_on(stream));
  FINE(CALL(cuMemcpyDtoDAsync_v2)(q, p, 256, stream));
  FINE(CALL(cuMemsetD32Async)(q, 5, 1, stream));
  FINE(CALL(cuMemsetD2D8Async)(q + 8, 8, 1, 4, 2, stream));
  FINE(CALL(cuMemAllocAsync)(&made, 256, stream));
  FINE(CALL(cuMemcpyAsync)(made, q, 256, stream));
  FINE(CALL(cuMemcpyDtoHAsync_v2)(out.data(), made, 256, stream));
  FINE(CALL(cuMemFreeAsync)(made, stream));
  FINE(CALL(cuLaunchHostFunc)(
      stream, [](void* by) { ++*static_cast<int*>(by); }, &called));
  FINE(CALL(cuEventRecordWithFlags)(event, stream, CU_EVENT_RECORD_EXTERNAL));
  FINE(CALL(cuStreamWaitEvent)(stream, event, CU_EVENT_WAIT_EXTERNAL));
  CUDA_MEMCPY2D rows{};
  rows.srcMemoryType = rows.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  rows.srcDevice = p;
  rows.dstDevice = q;
  rows.srcPitch = rows.dstPitch = 16;
  rows.WidthInBytes = 4;
  rows.Height = 2;
  FINE(CALL(cuMemcpy2DAsync_v2)(&rows, stream));
  const CUgraph graph = end();
  EXPECT_THAT(types_of(graph),
              ElementsAre(CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_MEMCPY,
                          CU_GRAPH_NODE_TYPE_MEMSET, CU_GRAPH_NODE_TYPE_MEMSET, CU_GRAPH_NODE_TYPE_MEM_ALLOC,
                          CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_MEMCPY, CU_GRAPH_NODE_TYPE_MEM_FREE,
                          CU_GRAPH_NODE_TYPE_HOST, CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                          CU_GRAPH_NODE_TYPE_WAIT_EVENT, CU_GRAPH_NODE_TYPE_MEMCPY));
  EXPECT_EQ(called, 0);
  EXPECT_THAT(download<uint32_t>(p, 64), Each(0u));
  run(graph);
  EXPECT_EQ(called, 1);
  EXPECT_EQ(out[0], 5u);
  EXPECT_EQ(out[1], 41u);
  EXPECT_EQ(out[2], 0x01010101u);
  EXPECT_EQ(out[4], 0x01010101u);
  EXPECT_EQ(download<uint32_t>(q, 64)[0], 41u);
  FINE(CALL(cuEventQuery)(event));
}

TEST_F(DriverCapture, AnotherStreamJoinsByAnEventAndBack) {
  CUevent fork = nullptr, join = nullptr;
  FINE(CALL(cuEventCreate)(&fork, 0));
  FINE(CALL(cuEventCreate)(&join, 0));
  capture();
  FINE(launch_on(stream));
  FINE(CALL(cuEventRecord)(fork, stream));
  FINE(CALL(cuStreamWaitEvent)(free_stream, fork, 0));
  EXPECT_EQ(status_of(free_stream), CU_STREAM_CAPTURE_STATUS_ACTIVE);
  FINE(launch_on(free_stream));
  FINE(launch_on(stream));
  FINE(CALL(cuEventRecord)(join, free_stream));
  FINE(CALL(cuStreamWaitEvent)(stream, join, 0));
  FINE(launch_on(stream));
  CUgraph graph = end();
  size_t edges = 0;
  FINE(CALL(cuGraphGetEdges)(graph, nullptr, nullptr, &edges));
  EXPECT_EQ(edges, 4u);
  EXPECT_EQ(status_of(free_stream), CU_STREAM_CAPTURE_STATUS_NONE);
  run(graph);
  EXPECT_THAT(download<uint32_t>(p, 64), Each(4u));
  EXPECT_EQ(CALL(cuStreamWaitEvent)(free_stream, join, 0), CUDA_ERROR_CAPTURED_EVENT)
      << "its capture is over";
  // A stream that joined may go before the end.
  CUstream other = nullptr;
  FINE(CALL(cuStreamCreate)(&other, 0));
  capture();
  FINE(CALL(cuEventRecord)(fork, stream));
  FINE(CALL(cuStreamWaitEvent)(other, fork, 0));
  FINE(launch_on(other));
  FINE(CALL(cuEventRecord)(join, other));
  FINE(CALL(cuStreamWaitEvent)(stream, join, 0));
  FINE(CALL(cuStreamDestroy_v2)(other));
  FINE(CALL(cuGraphDestroy)(end()));
  FINE(CALL(cuStreamCreate)(&other, 0));
  capture();
  FINE(CALL(cuEventRecord)(fork, stream));
  FINE(CALL(cuStreamWaitEvent)(other, fork, 0));
  FINE(launch_on(other));
  FINE(CALL(cuStreamDestroy_v2)(other));
  end(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  // Unjoined work.
  capture();
  FINE(CALL(cuEventRecord)(fork, stream));
  FINE(CALL(cuStreamWaitEvent)(free_stream, fork, 0));
  FINE(launch_on(free_stream));
  end(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  EXPECT_EQ(status_of(free_stream), CU_STREAM_CAPTURE_STATUS_NONE);
  // A fork that was given nothing is no such.
  capture();
  FINE(launch_on(stream));
  FINE(CALL(cuEventRecord)(fork, stream));
  FINE(CALL(cuStreamWaitEvent)(free_stream, fork, 0));
  graph = end();
  EXPECT_THAT(types_of(graph), ElementsAre(CU_GRAPH_NODE_TYPE_KERNEL));
  FINE(CALL(cuGraphDestroy)(graph));
  // Not in the stream in which it began.
  capture();
  FINE(CALL(cuEventRecord)(fork, stream));
  FINE(CALL(cuStreamWaitEvent)(free_stream, fork, 0));
  EXPECT_EQ(CALL(cuStreamEndCapture)(free_stream, &graph), CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(DriverCapture, WhatIsForbiddenInvalidates) {
  CUevent event = nullptr;
  FINE(CALL(cuEventCreate)(&event, 0));
  FINE(CALL(cuEventRecord)(event, free_stream));
  CUdeviceptr q = 0;
  void* host = nullptr;
  uint32_t word = 0;
  const CUresult unsupported = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                 implicit = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  invalidates(unsupported, [&] { return CALL(cuStreamSynchronize)(stream); });
  invalidates(unsupported, [&] { return CALL(cuStreamQuery)(stream); });
  invalidates(unsupported, [&] { return CALL(cuCtxSynchronize)(); });
  invalidates(unsupported, [&] { return CALL(cuMemAlloc_v2)(&q, 64); });
  invalidates(unsupported, [&] { return CALL(cuMemFree_v2)(p); });
  invalidates(unsupported, [&] { return CALL(cuMemAllocHost_v2)(&host, 64); });
  invalidates(unsupported, [&] { return CALL(cuMemAllocManaged)(&q, 64, CU_MEM_ATTACH_GLOBAL); });
  invalidates(unsupported, [&] { return CALL(cuEventQuery)(event); });
  invalidates(unsupported, [&] { return CALL(cuStreamWriteValue32_v2)(stream, p, 1, 0); });
  invalidates(unsupported, [&] {
    return CALL(cuStreamAddCallback)(
        stream, [](CUstream, CUresult, void*) {}, nullptr, 0);
  });
  invalidates(implicit, [&] { return launch_on(nullptr); });
  invalidates(implicit, [&] { return CALL(cuMemcpyDtoH_v2)(&word, p, 4); });
  invalidates(implicit, [&] { return CALL(cuMemsetD8_v2)(p, 0, 4); });
  invalidates(implicit, [&] { return CALL(cuEventRecord)(event, nullptr); });
  invalidates(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, [&] { return CALL(cuStreamWaitEvent)(stream, event, 0); });
  invalidates(CUDA_ERROR_INVALID_VALUE, [&] { return CALL(cuMemFreeAsync)(p, stream); });
  FINE(launch_on(nullptr));
  EXPECT_THAT(download<uint32_t>(p, 64), Each(1u));
}

TEST_F(DriverCapture, AStreamThatTheLegacyOneDoesNotWaitForLeavesItFree) {
  FINE(CALL(cuStreamBeginCapture_v2)(free_stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  FINE(launch_on(nullptr));
  EXPECT_THAT(download<uint32_t>(p, 64), Each(1u));
  FINE(launch_on(free_stream));
  CUgraph graph = nullptr;
  FINE(CALL(cuStreamEndCapture)(free_stream, &graph));
  run(graph);
  EXPECT_THAT(download<uint32_t>(p, 64), Each(2u));
}

TEST_F(DriverCapture, TwoCapturesDoNotBecomeOne) {
  CUevent event = nullptr;
  FINE(CALL(cuEventCreate)(&event, 0));
  capture();
  FINE(CALL(cuStreamBeginCapture_v2)(free_stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  FINE(CALL(cuEventRecord)(event, free_stream));
  EXPECT_EQ(CALL(cuStreamWaitEvent)(stream, event, 0), CUDA_ERROR_STREAM_CAPTURE_MERGE);
  end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  CUgraph graph = nullptr;
  EXPECT_EQ(CALL(cuStreamEndCapture)(free_stream, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

TEST_F(DriverCapture, ModesSayWhatOtherThreadsMayDo) {
  const auto elsewhere = [&](auto f) {
    CUresult code = CUDA_ERROR_UNKNOWN;
    std::thread([&] {
      CALL(cuCtxSetCurrent)(context);
      code = f();
    }).join();
    return code;
  };
  CUdeviceptr q = 0;
  const auto allocate = [&] { return CALL(cuMemAlloc_v2)(&q, 64); };
  capture(CU_STREAM_CAPTURE_MODE_GLOBAL);
  EXPECT_EQ(elsewhere(allocate), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  end(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  capture(CU_STREAM_CAPTURE_MODE_GLOBAL);
  EXPECT_EQ(elsewhere([&] {
              CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
              CALL(cuThreadExchangeStreamCaptureMode)(&mode);
              return allocate();
            }),
            CUDA_SUCCESS);
  FINE(CALL(cuGraphDestroy)(end()));
  capture(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  EXPECT_EQ(elsewhere(allocate), CUDA_SUCCESS);
  EXPECT_EQ(elsewhere([&] {
              CUgraph graph = nullptr;
              return CALL(cuStreamEndCapture)(stream, &graph);
            }),
            CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  FINE(CALL(cuGraphDestroy)(end()));
  capture(CU_STREAM_CAPTURE_MODE_RELAXED);
  FINE(allocate());
  CUgraph graph = nullptr;
  EXPECT_EQ(elsewhere([&] { return CALL(cuStreamEndCapture)(stream, &graph); }), CUDA_SUCCESS);
  FINE(CALL(cuGraphDestroy)(graph));
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  FINE(CALL(cuThreadExchangeStreamCaptureMode)(&mode));
  EXPECT_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
  capture(CU_STREAM_CAPTURE_MODE_GLOBAL);
  FINE(allocate());
  FINE(CALL(cuGraphDestroy)(end()));
  FINE(CALL(cuThreadExchangeStreamCaptureMode)(&mode));
}

TEST_F(DriverCapture, BeginsAndEndsOnce) {
  EXPECT_EQ(CALL(cuStreamBeginCapture_v2)(nullptr, CU_STREAM_CAPTURE_MODE_GLOBAL),
            CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(CALL(cuStreamBeginCapture_v2)(stream, static_cast<CUstreamCaptureMode>(7)),
            CUDA_ERROR_INVALID_VALUE);
  CUgraph graph = nullptr;
  EXPECT_EQ(CALL(cuStreamEndCapture)(stream, &graph), CUDA_ERROR_ILLEGAL_STATE);
  FINE(CALL(cuStreamBeginCapture)(stream));
  EXPECT_EQ(CALL(cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_ERROR_ILLEGAL_STATE);
  CUstreamCaptureStatus status{};
  EXPECT_EQ(CALL(cuStreamIsCapturing)(nullptr, &status), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  EXPECT_EQ(status_of(stream), CU_STREAM_CAPTURE_STATUS_ACTIVE) << "the question harms nothing";
  FINE(CALL(cuGraphDestroy)(end()));
  // The thread's own default stream, by both of its names.
  FINE(CALL(cuStreamBeginCapture_v2_ptsz)(nullptr, CU_STREAM_CAPTURE_MODE_RELAXED));
  FINE(launch_on(CU_STREAM_PER_THREAD));
  FINE(CALL(cuStreamEndCapture)(CU_STREAM_PER_THREAD, &graph));
  EXPECT_THAT(types_of(graph), ElementsAre(CU_GRAPH_NODE_TYPE_KERNEL));
  CUgraphExec exec = nullptr;
  FINE(CALL(cuGraphInstantiateWithFlags)(&exec, graph, 0));
  FINE(CALL(cuGraphLaunch_ptsz)(exec, nullptr));
  EXPECT_THAT(download<uint32_t>(p, 64), Each(1u));
  FINE(CALL(cuGraphExecDestroy)(exec));
  FINE(CALL(cuGraphDestroy)(graph));
  // Destroying a stream ends its capture.
  capture();
  FINE(launch_on(stream));
  FINE(CALL(cuStreamDestroy_v2)(stream));
  FINE(launch_on(nullptr));
}

TEST_F(DriverCapture, TellsItsNodesAndTakesOthers) {
  CUgraph graph = nullptr;
  cuuint64_t id = 0;
  const CUgraphNode* nodes = nullptr;
  const CUgraphEdgeData* edges = nullptr;
  CUstreamCaptureStatus status{};
  size_t count = 9;
  CUgraphNode own = nullptr;
  EXPECT_EQ(CALL(cuStreamUpdateCaptureDependencies)(stream, &own, 0, 0), CUDA_ERROR_ILLEGAL_STATE);
  FINE(CALL(cuStreamGetCaptureInfo_v2)(stream, &status, &id, &graph, &nodes, &count));
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
  capture();
  FINE(launch_on(stream));
  FINE(CALL(cuStreamGetCaptureInfo_v3)(stream, &status, &id, &graph, &nodes, &edges, &count));
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(edges[0].type, CU_GRAPH_DEPENDENCY_TYPE_DEFAULT);
  cuuint64_t same_id = 0;
  FINE(CALL(cuStreamGetCaptureInfo)(stream, &status, &same_id));
  EXPECT_EQ(same_id, id);
  EXPECT_EQ(CALL(cuGraphDestroyNode)(nodes[0]), CUDA_ERROR_ILLEGAL_STATE) << "the capture goes on from it";
  EXPECT_EQ(CALL(cuGraphDestroy)(graph), CUDA_ERROR_ILLEGAL_STATE);
  FINE(CALL(cuGraphAddEmptyNode)(&own, graph, nodes, 1));
  FINE(CALL(cuStreamUpdateCaptureDependencies)(stream, &own, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
  FINE(CALL(cuStreamGetCaptureInfo_v2)(stream, &status, nullptr, nullptr, &nodes, &count));
  EXPECT_EQ(count, 2u);
  FINE(CALL(cuStreamUpdateCaptureDependencies_v2)(stream, &own, nullptr, 1,
                                                  CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  FINE(CALL(cuStreamGetCaptureInfo_v2)(stream, &status, nullptr, nullptr, &nodes, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(nodes[0], own);
  EXPECT_EQ(CALL(cuStreamUpdateCaptureDependencies)(stream, &own, 1, 7), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(end(), graph);
  // On with a graph that is there.
  FINE(CALL(cuStreamBeginCaptureToGraph)(stream, graph, &own, nullptr, 1, CU_STREAM_CAPTURE_MODE_GLOBAL));
  FINE(launch_on(stream));
  EXPECT_EQ(end(), graph);
  EXPECT_THAT(types_of(graph),
              ElementsAre(CU_GRAPH_NODE_TYPE_KERNEL, CU_GRAPH_NODE_TYPE_EMPTY, CU_GRAPH_NODE_TYPE_KERNEL));
  size_t of_own = 0;
  FINE(CALL(cuGraphNodeGetDependentNodes)(own, nullptr, &of_own));
  EXPECT_EQ(of_own, 1u);
  run(graph);
  EXPECT_THAT(download<uint32_t>(p, 64), Each(2u));
}

TEST_F(DriverCapture, TakesNoLaunchOfAGraph) {
  capture();
  FINE(launch_on(stream));
  const CUgraph inner = end();
  CUgraphExec exec = nullptr;
  FINE(CALL(cuGraphInstantiateWithFlags)(&exec, inner, 0));
  capture();
  EXPECT_EQ(CALL(cuGraphLaunch)(exec, stream), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  CUgraph outer = nullptr;
  EXPECT_EQ(CALL(cuStreamEndCapture)(stream, &outer), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(outer, nullptr);
}

TEST_F(DriverCapture, TheContextsEndEndsIt) {
  capture();
  FINE(launch_on(stream));
  FINE(CALL(cuDevicePrimaryCtxReset_v2)(0));
  CUstream again = nullptr;
  FINE(CALL(cuStreamCreate)(&again, 0));
  EXPECT_EQ(status_of(again), CU_STREAM_CAPTURE_STATUS_NONE);
  CUdeviceptr q = 0;
  FINE(CALL(cuMemAlloc_v2)(&q, 64));
}

}  // namespace THIS_FILE
}  // namespace warplens::test
