// How long work continues between two frames of a page.
#include "app/host/work_time.h"

#include <gtest/gtest.h>

namespace warplens::host {

namespace THIS_FILE {

TEST(WorkTime, LeavesTheFrameItsDrawing) {
  const WorkTime time;
  EXPECT_DOUBLE_EQ(time.seconds(0, false), WorkTime::still_seconds);
  EXPECT_DOUBLE_EQ(time.seconds(0, true), WorkTime::heard_seconds);
  EXPECT_DOUBLE_EQ(time.seconds(0.030, false), WorkTime::frame_seconds - 0.030);
  EXPECT_DOUBLE_EQ(time.seconds(1, false), WorkTime::least_seconds);
}

TEST(WorkTime, IsShorterWhilePiecesAreLate) {
  WorkTime time;
  time.stopped(0.030);
  EXPECT_DOUBLE_EQ(time.seconds(0, false), WorkTime::frame_seconds - 0.030);
  time.stopped(0.035);
  EXPECT_DOUBLE_EQ(time.seconds(0, false), WorkTime::frame_seconds - 0.035);
  time.stopped(0);
  EXPECT_LT(time.seconds(0, false), WorkTime::still_seconds);
  for (int piece = 0; piece < 10; ++piece) time.stopped(0.001);
  EXPECT_DOUBLE_EQ(time.seconds(0, false), WorkTime::still_seconds);
}

}  // namespace THIS_FILE

}  // namespace warplens::host
