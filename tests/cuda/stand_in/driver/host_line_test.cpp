// Calls report the line of the program that makes them. Only this file has debug information
// (cmake/tests.cmake).
#include <gmock/gmock.h>

#include "tests/cuda/stand_in/driver/recorded.h"

namespace warplens::test {
namespace THIS_FILE {

using recording::Event;
using testing::EndsWith;

class HostLine : public DriverRecording {};

const Event* first(const recording::Recording& made, Event::Kind kind) {
  for (const Event& event : made.events)
    if (event.kind == kind) return &event;
  return nullptr;
}

TEST_F(HostLine, OfLaunchesCopiesAllocationsAndRefusals) {
  begin();
  std::vector<uint32_t> words(64, 41);
  CUdeviceptr p = 0;
  unsigned n = 64, lines[4] = {};
  void* parameters[] = {&p, &n};
  const CUfunction add = load(kernel("add", add_one), "add");
  lines[0] = __LINE__ + 1;
  FINE(CALL(cuMemAlloc_v2)(&p, 256));
  lines[1] = __LINE__ + 1;
  FINE(CALL(cuMemcpyHtoD_v2)(p, words.data(), 256));
  lines[2] = __LINE__ + 1;
  FINE(CALL(cuLaunchKernel)(add, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  FINE(CALL(cuCtxSynchronize)());
  lines[3] = __LINE__ + 1;
  ASSERT_NE(CALL(cuLaunchKernel)(add, 1, 1, 1, 2000, 1, 1, 0, nullptr, parameters, nullptr), CUDA_SUCCESS);
  const recording::Recording made = read();
  const Event::Kind kinds[] = {Event::Kind::allocate, Event::Kind::copy, Event::Kind::launch,
                               Event::Kind::finding};
  for (size_t i = 0; i < std::size(kinds); ++i) {
    const Event* event = first(made, kinds[i]);
    ASSERT_NE(event, nullptr) << i;
#if WARPLENS_READS_LINES
    ASSERT_NE(event->place, nullptr) << i;
    EXPECT_THAT(event->place->file, EndsWith("tests/cuda/stand_in/driver/host_line_test.cpp")) << i;
    EXPECT_EQ(event->place->line, lines[i]) << i;
#else
    EXPECT_EQ(event->place, nullptr) << i;
#endif
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::test
