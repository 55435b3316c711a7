// Work of streams in another order than that of the calls (WARPLENS_PROGRAM_ORDER).
#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "tests/cuda/stand_in/driver/library.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::Each;
using testing::ElementsAre;

class StreamOrder : public DriverTest {
 public:
  void SetUp() override {
    set_variable("WARPLENS_PROGRAM_ORDER", order());
    begin();
    for (CUstream& stream : streams)
      ASSERT_EQ(CALL(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuMemHostAlloc)(reinterpret_cast<void**>(&pinned), 64 * sizeof(uint32_t), 0),
              CUDA_SUCCESS);
    std::fill_n(pinned, 64, 0u);
  }
  virtual std::string order() const { return "late"; }
  // Adds one to each element of pinned memory.
  CUresult add(CUstream stream, unsigned n = 64) {
    if (function == nullptr) function = load(kernel("add", add_one), "add");
    auto p = reinterpret_cast<CUdeviceptr>(pinned);
    void* arguments[] = {&p, &n};
    return CALL(cuLaunchKernel)(function, 1, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr);
  }
  // Notes its number when the stream comes to it.
  CUresult note(CUstream stream, int number) {
    notes[number] = {this, number};
    return CALL(cuLaunchHostFunc)(
        stream,
        [](void* data) {
          const auto* one = static_cast<const Note*>(data);
          one->test->done.push_back(one->number);
        },
        &notes[number]);
  }

  struct Note {
    StreamOrder* test = nullptr;
    int number = 0;
  };
  CUstream streams[4]{};
  CUfunction function = nullptr;
  uint32_t* pinned = nullptr;
  Note notes[16];
  std::vector<int> done;
};

TEST_F(StreamOrder, WorkIsDoneWhenTheHostWaits) {
  FINE(add(streams[0]));
  EXPECT_EQ(pinned[5], 0u);
  FINE(CALL(cuStreamSynchronize)(streams[1]));
  EXPECT_EQ(pinned[5], 0u) << "another stream";
  FINE(CALL(cuStreamSynchronize)(streams[0]));
  EXPECT_EQ(pinned[5], 1u);
}

TEST_F(StreamOrder, TheNewestOfWhatNothingOrdersIsFirst) {
  FINE(note(streams[0], 1));
  FINE(note(streams[0], 2));
  FINE(note(streams[1], 3));
  FINE(note(streams[2], 4));
  FINE(CALL(cuCtxSynchronize)());
  EXPECT_THAT(done, ElementsAre(4, 3, 1, 2));
}

TEST_F(StreamOrder, EventsAndTheDefaultStreamOrder) {
  CUevent event = nullptr;
  FINE(CALL(cuEventCreate)(&event, 0));
  CUstream blocking = nullptr;
  FINE(CALL(cuStreamCreate)(&blocking, 0));
  FINE(note(streams[0], 1));
  FINE(CALL(cuEventRecord)(event, streams[0]));
  FINE(note(streams[0], 2));
  FINE(CALL(cuStreamWaitEvent)(streams[1], event, 0));
  FINE(note(streams[1], 3));
  FINE(note(blocking, 4));
  FINE(note(nullptr, 5));
  FINE(CALL(cuEventSynchronize)(event));
  EXPECT_THAT(done, ElementsAre(1));
  FINE(CALL(cuCtxSynchronize)());
  EXPECT_THAT(done, ElementsAre(1, 4, 5, 3, 2));
}

TEST_F(StreamOrder, ElapsedTimeIsThatOfTheWork) {
  CUevent begin = nullptr, end = nullptr;
  FINE(CALL(cuEventCreate)(&begin, 0));
  FINE(CALL(cuEventCreate)(&end, 0));
  FINE(CALL(cuEventRecord)(begin, streams[0]));
  FINE(add(streams[0]));
  FINE(CALL(cuEventRecord)(end, streams[0]));
  float ms = 0;
  FINE(CALL(cuEventElapsedTime)(&ms, begin, end));
  EXPECT_GT(ms, 0);
  EXPECT_EQ(pinned[0], 1u);
}

TEST_F(StreamOrder, CopiesWaitAsTheyDoInCuda) {
  std::vector<uint32_t> twos(64, 2);
  CUdeviceptr p = 0;
  FINE(CALL(cuMemAlloc_v2)(&p, 256));
  FINE(CALL(cuMemsetD32Async)(p, 7, 64, streams[0]));
  EXPECT_THAT(download<uint32_t>(p, 64), Each(0u)) << "the default stream does not wait for this one";
  FINE(CALL(cuMemcpyHtoDAsync_v2)(p, twos.data(), 256, streams[0]));
  twos.assign(64, 9);  // pageable memory is staged
  FINE(CALL(cuStreamSynchronize)(streams[0]));
  EXPECT_THAT(download<uint32_t>(p, 64), Each(2u));
  FINE(CALL(cuMemcpyDtoHAsync_v2)(pinned, p, 256, streams[0]));
  EXPECT_EQ(pinned[0], 0u);
  FINE(CALL(cuMemFree_v2)(p));
  EXPECT_EQ(pinned[0], 2u) << "freeing waits";
}

TEST_F(StreamOrder, AFaultIsTheErrorOfTheCallThatWaits) {
  FINE(add(streams[0], 64));
  auto p = CUdeviceptr{64};
  unsigned n = 64;
  void* arguments[] = {&p, &n};
  FINE(CALL(cuLaunchKernel)(function, 1, 1, 1, 64, 1, 1, 0, streams[1], arguments, nullptr));
  EXPECT_EQ(CALL(cuStreamSynchronize)(streams[1]), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(CALL(cuStreamSynchronize)(streams[0]), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(pinned[0], 0u);
}

TEST_F(StreamOrder, AGraphAndAStreamThatIsDestroyed) {
  FINE(CALL(cuStreamBeginCapture_v2)(streams[0], CU_STREAM_CAPTURE_MODE_GLOBAL));
  FINE(add(streams[0]));
  FINE(note(streams[0], 1));
  CUgraph graph = nullptr;
  FINE(CALL(cuStreamEndCapture)(streams[0], &graph));
  CUgraphExec exec = nullptr;
  FINE(CALL(cuGraphInstantiateWithFlags)(&exec, graph, 0));
  FINE(CALL(cuGraphLaunch)(exec, streams[0]));
  FINE(CALL(cuGraphLaunch)(exec, streams[0]));
  FINE(CALL(cuGraphExecDestroy)(exec));
  FINE(CALL(cuStreamDestroy_v2)(streams[0]));
  EXPECT_EQ(pinned[0], 0u);
  FINE(CALL(cuCtxSynchronize)());
  EXPECT_EQ(pinned[0], 2u);
  EXPECT_THAT(done, ElementsAre(1, 1));
}

// Orders of four streams with three notes each.
class StreamOrderBySeed : public StreamOrder, public testing::WithParamInterface<int> {
 public:
  std::string order() const override { return std::to_string(GetParam()); }
};

TEST_P(StreamOrderBySeed, KeepsTheOrderOfEachStream) {
  for (int number = 0; number < 12; ++number) FINE(note(streams[number % 4], number));
  FINE(CALL(cuCtxSynchronize)());
  ASSERT_EQ(std::set<int>(done.begin(), done.end()).size(), 12u);
  for (int number = 4; number < 12; ++number)
    EXPECT_LT(std::ranges::find(done, number - 4), std::ranges::find(done, number));
  EXPECT_FALSE(std::ranges::is_sorted(done)) << "the seeds below give other orders than that of the calls";
}
INSTANTIATE_TEST_SUITE_P(Seeds, StreamOrderBySeed, testing::Values(0, 1, 2, 12345));

}  // namespace THIS_FILE
}  // namespace warplens::test
