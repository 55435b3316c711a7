// Which operations are ordered, and which accesses conflict.
#include "core/streams/order.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "core/streams/accesses.h"

namespace warplens::streams {
namespace THIS_FILE {

struct Program {
  Order order;
  Accesses accesses;

  OperationPointer begin(Line stream, Line caller = host_line) {
    Operation made;
    made.stamp = order.begin(stream, caller);
    return std::make_shared<const Operation>(made);
  }
  std::optional<Conflict> touch(Line stream, Range range, Access access) {
    return accesses.add(range, access, begin(stream), order);
  }
  bool write(Line stream, Range range = {0, 100}) { return touch(stream, range, Access::write).has_value(); }
  bool read(Line stream, Range range = {0, 100}) { return touch(stream, range, Access::read).has_value(); }
  bool host(Access access, Range range = {0, 100}) const {
    const auto operation = std::make_shared<const Operation>(Operation{.stamp = {host_line, 0}, .name = {}});
    return accesses.find(range, access, operation, order).has_value();
  }
};

TEST(StreamOrder, WorkOfOneStreamIsOrdered) {
  Program program;
  const Line a = program.order.add_stream(true);
  EXPECT_FALSE(program.write(a));
  EXPECT_FALSE(program.read(a));
  EXPECT_FALSE(program.write(a));
}

TEST(StreamOrder, TwoStreamsAreNotWithoutAnEvent) {
  Program program;
  const Line a = program.order.add_stream(true), b = program.order.add_stream(true);
  program.write(a);
  EXPECT_TRUE(program.read(b));

  Program mended;
  const Line c = mended.order.add_stream(true), d = mended.order.add_stream(true);
  mended.write(c);
  mended.order.wait(d, mended.order.record(c));
  EXPECT_FALSE(mended.read(d));
  EXPECT_TRUE(mended.write(c)) << "the other way round nothing waits";
}

TEST(StreamOrder, AnEventOrdersWhatWasGivenBeforeIt) {
  Program program;
  const Line a = program.order.add_stream(true), b = program.order.add_stream(true);
  const VectorClock early = program.order.record(a);
  program.write(a);
  program.order.wait(b, early);
  EXPECT_TRUE(program.read(b));
}

TEST(StreamOrder, TheDefaultStreamOfADeviceIsOneOfItsOwn) {
  Program program;
  const Line second = program.order.add_default();
  const Line of_first = program.order.add_stream(true), of_second = program.order.add_stream(true, second);
  program.write(default_line);
  EXPECT_TRUE(program.read(second));
  program.write(of_second, {200, 300});
  EXPECT_FALSE(program.read(second, {200, 300}));
  EXPECT_TRUE(program.read(default_line, {200, 300}));
  program.write(of_first, {400, 500});
  program.order.call_waits_for_device(second);
  EXPECT_TRUE(program.host(Access::read, {400, 500}));
  program.order.call_waits_for_device(default_line);
  EXPECT_FALSE(program.host(Access::read, {400, 500}));
}

TEST(StreamOrder, TwoDevicesThatMeetAreOrdered) {
  Program program;
  const Line second = program.order.add_default(), third = program.order.add_default();
  program.write(default_line);
  program.order.meet({default_line, second});
  EXPECT_FALSE(program.write(second));
  EXPECT_TRUE(program.read(third));
}

TEST(StreamOrder, ThroughAThirdStream) {
  Program program;
  const Line a = program.order.add_stream(false), b = program.order.add_stream(false),
             c = program.order.add_stream(false);
  program.write(a);
  program.order.wait(b, program.order.record(a));
  program.order.wait(c, program.order.record(b));
  EXPECT_FALSE(program.write(c));
}

TEST(StreamOrder, TheDefaultStreamWaitsForBlockingStreamsAndTheyForIt) {
  Program program;
  const Line blocking = program.order.add_stream(true), free = program.order.add_stream(false);
  program.write(blocking);
  EXPECT_FALSE(program.read(default_line));
  program.write(default_line);
  EXPECT_FALSE(program.read(blocking));
  EXPECT_TRUE(program.read(free));
  program.write(free, {200, 300});
  EXPECT_TRUE(program.read(default_line, {200, 300}));
  EXPECT_TRUE(program.read(blocking, {200, 300})) << "also through the default stream";
}

TEST(StreamOrder, TheHostWaitsForAStreamAnEventOrAll) {
  for (int how = 0; how < 4; ++how) {
    Program program;
    const Line a = program.order.add_stream(false), b = program.order.add_stream(false);
    program.write(a);
    EXPECT_TRUE(program.host(Access::read));
    EXPECT_FALSE(program.host(Access::read, {100, 200}));
    if (how == 0) program.order.call_waits(a);
    if (how == 1) program.order.call_waits(program.order.record(a));
    if (how == 2) program.order.call_waits_for_all();
    if (how == 3) program.order.call_waits(b);
    EXPECT_EQ(program.host(Access::read), how == 3) << how;
    EXPECT_EQ(program.read(b), how == 3) << "what the host then gives comes after it";
  }
}

TEST(StreamOrder, AReaderMayReadBesideAReader) {
  Program program;
  const Line a = program.order.add_stream(false), b = program.order.add_stream(false);
  program.read(a);
  EXPECT_FALSE(program.read(b));
  EXPECT_FALSE(program.host(Access::read));
  EXPECT_TRUE(program.host(Access::write));
  program.order.call_waits(b);
  EXPECT_TRUE(program.host(Access::write)) << "the other still reads";
  EXPECT_TRUE(program.write(b));
}

TEST(StreamOrder, AtomicsConflictOnlyWithOthers) {
  Program program;
  const Line a = program.order.add_stream(false), b = program.order.add_stream(false);
  EXPECT_FALSE(program.touch(a, {0, 4}, Access::atomic));
  EXPECT_FALSE(program.touch(b, {0, 4}, Access::atomic));
  EXPECT_TRUE(program.touch(b, {0, 4}, Access::read));
}

TEST(StreamOrder, OnlyBytesThatBothTouch) {
  Program program;
  const Line a = program.order.add_stream(false), b = program.order.add_stream(false);
  program.write(a, {0, 100});
  EXPECT_FALSE(program.write(b, {100, 200}));
  const auto found = program.touch(b, {99, 150}, Access::write);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->bytes.begin, 99u);
  EXPECT_EQ(found->first->stamp.line, a);
}

TEST(StreamOrder, AFunctionOfTheHostIsInItsStream) {
  Program program;
  const Line a = program.order.add_stream(false), b = program.order.add_stream(false);
  program.write(a);
  program.order.begin(a);  // the function
  program.accesses.add({300, 400}, Access::write, program.begin(b, a), program.order);
  EXPECT_FALSE(program.read(b)) << "what it gives comes after its stream's work";
  program.order.call_waits(b, a);
  EXPECT_FALSE(program.read(a, {300, 400})) << "it has waited";
  EXPECT_TRUE(program.host(Access::read, {300, 400})) << "the host has not";
}

// The host may hear from a function of the host without a call: it has waited then. Other streams have not.
TEST(StreamOrder, TheHostMayHearFromAFunction) {
  Program program;
  const Line a = program.order.add_stream(false), b = program.order.add_stream(false);
  program.write(a);
  program.order.begin(a);  // the function
  EXPECT_TRUE(program.host(Access::write));
  program.order.may_be_heard(a);
  EXPECT_FALSE(program.host(Access::write));
  EXPECT_TRUE(program.read(b)) << "work that the host gives now is not known to come after";
  program.write(a);
  EXPECT_TRUE(program.host(Access::read)) << "what comes after the function is not over";
}

TEST(StreamOrder, AStreamThatGoesGivesItsPlace) {
  Program program;
  for (int i = 0; i < 1000; ++i) {
    const Line stream = program.order.add_stream(i % 2 == 0);
    EXPECT_EQ(stream, 2u);
    program.write(stream, {0, 4});
    program.order.remove_stream(stream);
  }
}

TEST(StreamOrder, FreedMemoryIsForgotten) {
  Program program;
  const Line a = program.order.add_stream(false), b = program.order.add_stream(false);
  program.write(a);
  program.accesses.forget({40, 60});
  EXPECT_FALSE(program.write(b, {40, 60}));
  EXPECT_TRUE(program.write(b, {60, 61}));
  EXPECT_TRUE(program.write(b, {39, 40}));
}

TEST(StreamOrder, WhatIsInUse) {
  Program program;
  const Line a = program.order.add_stream(false);
  program.write(a, {0, 10});
  program.read(a, {10, 30});
  const auto uses = program.accesses.uses({5, 100}, program.order);
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_TRUE(uses[0].written);
  EXPECT_EQ(uses[0].range.begin, 5u);
  EXPECT_FALSE(uses[1].written);
  EXPECT_EQ(uses[1].range.end, 30u);
  program.order.call_waits_for_all();
  EXPECT_TRUE(program.accesses.uses({0, 100}, program.order).empty());
}

// Random programs on few bytes, against a relation that is computed edge by edge.
TEST(StreamOrder, AgreesWithTheRelationEdgeByEdge) {
  constexpr int streams = 4, bytes = 6, steps = 60;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Program program;
    std::vector<Line> lines{default_line};
    std::vector<bool> blocking{true};
    for (int i = 1; i < streams; ++i) {
      blocking.push_back(random() % 2 == 0);
      lines.push_back(program.order.add_stream(blocking.back()));
    }
    // Of each operation: its stream, what it touches, and which operations are before it.
    struct Done {
      int stream;
      Range range;
      Access access;
      std::vector<bool> before;
    };
    std::vector<Done> done;
    std::vector<std::vector<bool>> last(streams,
                                        std::vector<bool>(steps));  // of each stream, what it comes after
    std::vector<bool> host(steps);
    const auto join = [](std::vector<bool>& into, const std::vector<bool>& from) {
      for (size_t i = 0; i < into.size(); ++i) into[i] = into[i] || from[i];
    };
    std::vector<std::pair<VectorClock, std::vector<bool>>> events;
    const auto meet = [&](int s) {
      for (int other = 0; other < streams; ++other)
        if (other != s && blocking[s] && blocking[other] && (s == 0 || other == 0))
          join(last[s], last[other]);
    };
    for (int step = 0; step < steps; ++step) {
      const int s = static_cast<int>(random() % streams);
      switch (random() % 6) {
        case 0:
          meet(s);
          events.emplace_back(program.order.record(lines[s]), last[s]);
          break;
        case 1:
          if (events.empty()) break;
          {
            const auto& [clock, before] = events[random() % events.size()];
            program.order.wait(lines[s], clock);
            join(last[s], before);
          }
          break;
        case 2:
          if (random() % 3 != 0) break;
          meet(s);
          program.order.call_waits(lines[s]);
          join(host, last[s]);
          break;
        default: {
          const uint64_t begin = random() % bytes, end = begin + 1 + random() % (bytes - begin);
          const auto access = static_cast<Access>(random() % 3);
          join(last[s], host);
          meet(s);
          bool expected = false;
          for (size_t i = 0; i < done.size(); ++i) {
            const Done& one = done[i];
            const bool overlap = one.range.begin < end && begin < one.range.end;
            const bool both_read = one.access == Access::read && access == Access::read;
            const bool both_atomic = one.access == Access::atomic && access == Access::atomic;
            expected = expected || (overlap && !both_read && !both_atomic && !last[s][i]);
          }
          // A conflict that was found is not looked at twice, so a run ends with its first one.
          const bool found = program.touch(lines[s], {begin, end}, access).has_value();
          ASSERT_EQ(found, expected) << "seed " << seed << " step " << step;
          if (found) step = steps;
          last[s].resize(steps);
          if (done.size() < static_cast<size_t>(steps)) last[s][done.size()] = true;
          done.push_back({s, {begin, end}, access, last[s]});
        }
      }
    }
  }
}

TEST(StreamOrder, ManyOperationsCostLittle) {
  constexpr int operations = 100'000, streams = 64;
  Program program;
  std::vector<Line> lines(streams);
  for (Line& line : lines) line = program.order.add_stream(false);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < operations; ++i) {
    const Line line = lines[i % streams];
    program.touch(line, {1000u * (i % streams), 1000u * (i % streams) + 1000}, Access::write);
    program.touch(line, {1'000'000, 1'001'000}, Access::read);
    if (i % 7 == 0) program.order.wait(lines[(i + 1) % streams], program.order.record(line));
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count() / operations, 10 * 5)
      << "µs for each; five times what is promised, for slow machines";
  EXPECT_LT(program.accesses.pieces(), 1000u);
  RecordProperty("ns_each", static_cast<int>(took.count() * 1000 / operations));
}

}  // namespace THIS_FILE
}  // namespace warplens::streams
