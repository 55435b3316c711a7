// What copies and kernels would win by going on at the same time.
#include "core/recording/overlap.h"

#include <gmock/gmock.h>

namespace warplens::recording {
namespace THIS_FILE {

using testing::SizeIs;

Event work(Event::Kind kind, const char* name, double begin, double us, uint64_t process = 1) {
  Event event;
  event.kind = kind;
  event.name = name;
  event.begin_us = begin;
  event.device_us = us;
  event.process = process;
  return event;
}

// Rounds of a copy in, a kernel and a copy out, one after the other.
Recording rounds(int count, double in, double kernel, double out) {
  Recording made;
  double at = 0;
  const auto add = [&](Event::Kind kind, const char* name, double us) {
    if (us <= 0) return;
    made.events.push_back(work(kind, name, at, us));
    at += us;
  };
  for (int round = 0; round < count; ++round) {
    add(Event::Kind::copy, "host to device", in);
    add(Event::Kind::launch, "blur", kernel);
    add(Event::Kind::copy, "device to host", out);
  }
  return made;
}

TEST(Overlap, OfOneRoundIsThatOfFourParts) {
  const auto overlap = overlap_of(rounds(1, 100, 100, 100));
  ASSERT_TRUE(overlap);
  EXPECT_EQ(overlap->parts, 4u);
  EXPECT_FALSE(overlap->has_rounds);
  EXPECT_DOUBLE_EQ(overlap->now_us, 300);
  EXPECT_DOUBLE_EQ(overlap->then_us, 150) << "three engines, 25 µs a part: 3 + 3 steps";
  ASSERT_THAT(overlap->then, SizeIs(12));
  EXPECT_EQ(overlap_text(*overlap),
            "If the data can be cut in 4 parts: in several streams, with pinned memory, copies and kernels "
            "would overlap: 300 µs → 150 µs.");
}

// The longest engine is never idle, so no order of the parts is faster.
TEST(Overlap, IsAsLongAsTheLongestEngineAndTheEndsOfTheOthers) {
  const auto overlap = overlap_of(rounds(1, 100, 400, 200));
  ASSERT_TRUE(overlap);
  EXPECT_DOUBLE_EQ(overlap->then_us, 25 + 400 + 50);
}

TEST(Overlap, OfRoundsTakesThemAsTheyAre) {
  const auto overlap = overlap_of(rounds(8, 100, 100, 0));
  ASSERT_TRUE(overlap);
  EXPECT_TRUE(overlap->has_rounds);
  EXPECT_EQ(overlap->parts, 8u);
  EXPECT_DOUBLE_EQ(overlap->now_us, 1600);
  EXPECT_DOUBLE_EQ(overlap->then_us, 900);
}

TEST(Overlap, OfPartsNeverMeetsItselfOnAnEngine) {
  const auto overlap = overlap_of(rounds(5, 130, 70, 300));
  ASSERT_TRUE(overlap);
  double free[engine_count] = {};
  for (const OverlapPart& part : overlap->then) {
    const auto engine = static_cast<size_t>(part.engine);
    EXPECT_GE(part.begin_us, free[engine]);
    free[engine] = part.end_us;
  }
}

TEST(Overlap, IsNotOfferedWhereItWinsNothingOrIsNotKnown) {
  EXPECT_FALSE(overlap_of(Recording()));
  EXPECT_FALSE(overlap_of(rounds(1, 0, 500, 0))) << "no copies";
  EXPECT_FALSE(overlap_of(rounds(1, 500, 0, 500))) << "no kernel";
  EXPECT_FALSE(overlap_of(rounds(1, 10, 1000, 10))) << "hardly anything";
  EXPECT_FALSE(overlap_of(rounds(1, 10, 10, 10))) << "30 µs in all";
  Recording overlapping;
  overlapping.events = {work(Event::Kind::copy, "host to device", 0, 100),
                        work(Event::Kind::launch, "blur", 50, 100)};
  EXPECT_FALSE(overlap_of(overlapping)) << "it overlaps, and would win 25 µs";
  Recording apart = rounds(1, 100, 100, 100);
  apart.events.back().begin_us = 1000;
  EXPECT_FALSE(overlap_of(apart)) << "the device is idle, so the program itself is what takes time";
  Recording again = rounds(2, 100, 100, 100);
  again.events[2].content = again.events[3].content = 7;
  EXPECT_FALSE(overlap_of(again)) << "the second round begins with what the first has made";
  Recording two = rounds(1, 100, 100, 100);
  two.events.push_back(work(Event::Kind::launch, "blur", 0, 100, 2));
  EXPECT_FALSE(overlap_of(two)) << "two processes";
  Recording unknown = rounds(1, 100, 100, 100);
  unknown.events[1].device_us.reset();
  EXPECT_FALSE(overlap_of(unknown));
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
