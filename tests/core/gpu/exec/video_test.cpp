// The pseudo-code of the PTX ISA manual, 9.7.18, where the code of today's ptxas differs from it: saturated
// parts, .h1 of a result, and intermediate results of more than 32 bits. The rest is compared with hardware
// in tests/data/ptx.
#include "core/gpu/exec/video.h"

#include <gtest/gtest.h>

namespace warplens::exec {
namespace THIS_FILE {

VideoPlan plan_of(VideoOperation operation, bool d_signed, bool a_signed, bool b_signed) {
  VideoPlan plan;
  plan.operation = operation;
  plan.d_signed = d_signed;
  plan.a_signed = a_signed;
  plan.b_signed = b_signed;
  return plan;
}

TEST(Video, PlanSurvivesPacking) {
  VideoPlan plan = plan_of(VideoOperation::set, true, false, true);
  plan.compare = VideoCompare::ge;
  plan.second = VideoSecond::max;
  plan.lanes = 4;
  plan.saturate = plan.plus_one = plan.negate_c = true;
  plan.shift = 15;
  plan.d_part = VideoPart::byte;
  plan.b_part = VideoPart::half;
  plan.a_index = 0x7654;
  plan.b_index = 0x0123;
  plan.d_index = 13;
  const VideoPlan back = video_plan(packed(plan));
  EXPECT_EQ(packed(back), packed(plan));
  EXPECT_EQ(back.operation, VideoOperation::set);
  EXPECT_EQ(back.compare, VideoCompare::ge);
  EXPECT_EQ(back.second, VideoSecond::max);
  EXPECT_EQ(back.lanes, 4);
  EXPECT_TRUE(back.d_signed && !back.a_signed && back.b_signed);
  EXPECT_TRUE(back.saturate && back.plus_one && back.negate_c && !back.wrap && !back.negate_product);
  EXPECT_EQ(back.shift, 15);
  EXPECT_EQ(back.a_index, 0x7654);
  EXPECT_EQ(back.b_index, 0x0123);
  EXPECT_EQ(back.d_index, 13);
}

// vadd.s32.u32.s32.sat: the sum has 34 bits before it is clamped.
TEST(Video, SaturatesTheWholeSum) {
  VideoPlan plan = plan_of(VideoOperation::add, true, false, true);
  plan.saturate = true;
  EXPECT_EQ(run_video_lane(plan, 0xffffffff, 1, 0), 0x7fffffffu);
  EXPECT_EQ(run_video_lane(plan, 0, 0x80000000, 0), 0x80000000u);
  plan.d_signed = plan.b_signed = false;
  EXPECT_EQ(run_video_lane(plan, 0xffffffff, 0xffffffff, 0), 0xffffffffu);
  plan.operation = VideoOperation::sub;
  EXPECT_EQ(run_video_lane(plan, 1, 2, 0), 0u);
}

// vsub.u32.u32.s32.sat r.b2, a.h1, b.b0, c
TEST(Video, SaturatesAPartToItsOwnRange) {
  VideoPlan plan = plan_of(VideoOperation::sub, false, false, true);
  plan.saturate = true;
  plan.d_part = VideoPart::byte;
  plan.d_index = 2;
  plan.a_part = VideoPart::half;
  plan.a_index = 1;
  plan.b_part = VideoPart::byte;
  EXPECT_EQ(run_video_lane(plan, 0x00000000, 0x02, 0x11223344), 0x11003344u);
  EXPECT_EQ(run_video_lane(plan, 0x01000000, 0xff, 0x11223344), 0x11ff3344u);
  plan.d_signed = true;
  EXPECT_EQ(run_video_lane(plan, 0x00030000, 0x83, 0x11223344), 0x117f3344u);
  EXPECT_EQ(run_video_lane(plan, 0x00000000, 0x7f, 0x11223344), 0x11813344u);
}

// vset.u32.u32.ne r.h1, a, b, c
TEST(Video, WritesTheUpperHalf) {
  VideoPlan plan = plan_of(VideoOperation::set, false, false, false);
  plan.compare = VideoCompare::ne;
  plan.d_part = VideoPart::half;
  plan.d_index = 1;
  EXPECT_EQ(run_video_lane(plan, 1, 2, 0xaaaabbbb), 0x0001bbbbu);
  EXPECT_EQ(run_video_lane(plan, 2, 2, 0xaaaabbbb), 0x0000bbbbu);
}

// vmad: the product has 64 bits, and more with c.
TEST(Video, MultipliesWithoutLoss) {
  VideoPlan plan = plan_of(VideoOperation::mad, false, false, false);
  plan.shift = 15;
  EXPECT_EQ(run_video_lane(plan, 0x80000000, 0x00010000, 0), 0u);  // 2^47 >> 15 = 2^32
  plan.saturate = true;
  EXPECT_EQ(run_video_lane(plan, 0x80000000, 0x00010000, 0), 0xffffffffu);
  plan.shift = 7;
  EXPECT_EQ(run_video_lane(plan, 0x1000, 0x1000, 0x7f), 0x20000u);
  plan.plus_one = true;  // (a·b + c + 1) >> 7
  EXPECT_EQ(run_video_lane(plan, 0x1000, 0x1000, 0x7f), 0x20001u);
  plan.plus_one = false;
  plan.negate_product = true;  // then the result is signed
  plan.shift = 0;
  EXPECT_EQ(run_video_lane(plan, 0xffffffff, 0xffffffff, 0), 0x80000000u);
  EXPECT_EQ(run_video_lane(plan, 3, 5, 7), 0xfffffff8u);
}

}  // namespace THIS_FILE
}  // namespace warplens::exec
