#include "core/gpu/live/frame_ring.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(FrameRing, NeverHasTheKernelWriteWhatIsBeingDrawn) {
  FrameRing ring;
  ASSERT_EQ(ring.next(), 0u);
  ring.started(0);
  ASSERT_EQ(ring.next(), 1u);
  ring.started(1);
  EXPECT_FALSE(ring.next()) << "two wait already";
  ring.drawn(0);
  ASSERT_EQ(ring.next(), 2u);
  ring.started(2);
  ring.drawn(1);
  EXPECT_FALSE(ring.next()) << "all are in use";
  ring.release(0);
  EXPECT_EQ(ring.next(), 0u);
  EXPECT_EQ(ring.running(), 1u);
  ring.clear();
  EXPECT_EQ(ring.running(), 0u);
}

TEST(LiveOutput, IsTheFirstPictureThatIsWritten) {
  LaunchRequest request;
  request.buffers = {{"in", 12, DType::u8, nullptr, false, 2, 2, 3},
                     {"sums", 16, DType::f32, nullptr, true, 4, 1, 1},
                     {"out", 12, DType::u8, nullptr, true, 2, 2, 3}};
  EXPECT_EQ(live_output(request), 2u);
  request.buffers[2].channels = 2;
  EXPECT_FALSE(live_output(request));
  request.buffers[2].channels = 4;
  EXPECT_FALSE(live_output(request)) << "16 bytes are needed, it has 12";
}

}  // namespace THIS_FILE
}  // namespace warplens
