// The default streams that threads have of their own, by their names and by functions whose names end in
// _ptds and _ptsz.
#include <gmock/gmock.h>

#include <thread>

#include "tests/cuda/stand_in/driver/recorded.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::SizeIs;

class DriverOwnStream : public DriverRecording {
 public:
  void SetUp() override {
    DriverRecording::SetUp();
    begin();
  }
  unsigned long long id_of(CUstream stream) {
    unsigned long long id = 0;
    EXPECT_EQ(CALL(cuStreamGetId)(stream, &id), CUDA_SUCCESS);
    return id;
  }
  // f on a thread of its own, with the context.
  template <class F>
  void elsewhere(F f) {
    std::thread([&] {
      EXPECT_EQ(CALL(cuCtxSetCurrent)(context), CUDA_SUCCESS);
      f();
    }).join();
  }
};

TEST_F(DriverOwnStream, IsAnotherOneInEachThread) {
  const unsigned long long here = id_of(CU_STREAM_PER_THREAD);
  EXPECT_EQ(id_of(CU_STREAM_PER_THREAD), here);
  EXPECT_NE(id_of(CU_STREAM_LEGACY), here);
  EXPECT_EQ(id_of(nullptr), id_of(CU_STREAM_LEGACY));
  unsigned long long by_zero = 0;
  FINE(CALL(cuStreamGetId_ptsz)(nullptr, &by_zero));
  EXPECT_EQ(by_zero, here);
  EXPECT_EQ(id_of(nullptr), id_of(CU_STREAM_LEGACY)) << "the other name is of its call alone";
  unsigned long long there = here;
  elsewhere([&] { there = id_of(CU_STREAM_PER_THREAD); });
  EXPECT_NE(there, here);
  EXPECT_EQ(CALL(cuStreamDestroy_v2)(CU_STREAM_PER_THREAD), CUDA_ERROR_INVALID_HANDLE);
}

// The kernels of two threads overlap on the device's clock, and what the legacy default stream is given then
// waits for both.
TEST_F(DriverOwnStream, OverlapsThoseOfOtherThreads) {
  const CUfunction add = load(kernel("add", add_one), "add");
  const auto work = [&](CUdeviceptr p, bool own) {
    unsigned n = 64;
    void* arguments[] = {&p, &n};
    const auto call = own ? CALL(cuLaunchKernel_ptsz) : CALL(cuLaunchKernel);
    EXPECT_EQ(call(add, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  };
  const std::vector<uint32_t> zeros(64);
  CUdeviceptr p = upload(zeros), q = upload(zeros), r = upload(zeros);
  work(p, true);
  elsewhere([&] { work(q, true); });
  work(r, false);
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(3));
  const auto& first = *made.launches[0];
  const auto& second = *made.launches[1];
  const auto& third = *made.launches[2];
  EXPECT_NE(first.stream, second.stream);
  EXPECT_NE(first.stream, 0u);
  EXPECT_NE(second.stream, 0u);
  EXPECT_EQ(third.stream, 0u);
  if (is_relayed()) return;  // these times are the device's own
  ASSERT_TRUE(first.begin_us && second.begin_us && third.begin_us && first.device_us);
  EXPECT_EQ(*second.begin_us, *first.begin_us);
  EXPECT_GE(*third.begin_us + 1e-6, *first.begin_us + *first.device_us);
}

TEST_F(DriverOwnStream, CopiesByTheOtherNamesGoThere) {
  std::vector<uint32_t> some(64, 7), back(64);
  CUdeviceptr p = 0;
  FINE(CALL(cuMemAlloc_v2)(&p, 256));
  FINE(CALL(cuMemcpyHtoD_v2_ptds)(p, some.data(), 256));
  FINE(CALL(cuMemcpyDtoH_v2_ptds)(back.data(), p, 256));
  FINE(CALL(cuMemcpyDtoH_v2)(back.data(), p, 256));
  EXPECT_EQ(back, some);
  std::vector<uint64_t> streams;
  for (const recording::Event& event : read().events)
    if (event.kind == recording::Event::Kind::copy) streams.push_back(event.stream);
  ASSERT_THAT(streams, SizeIs(3));
  EXPECT_NE(streams[0], 0u);
  EXPECT_EQ(streams[0], streams[1]);
  EXPECT_EQ(streams[2], 0u);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
