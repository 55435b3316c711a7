// What panels build in the background: a frame neither waits for it nor sees its exceptions.
#include "app/widgets/built.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <new>
#include <stdexcept>

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Asks for it as frames do, until it is there or cannot be.
template <class Make>
std::shared_ptr<const int> get_until_settled(Built<int, int>& built, int key, Make make) {
  const auto end = Clock::now() + 20s;
  std::shared_ptr<const int> value = built.get(key, false, make);
  while (built.busy() && Clock::now() < end) {
    std::this_thread::sleep_for(1ms);
    value = built.get(key, false, make);
  }
  return value;
}

TEST(Built, MakesBesideTheFrameAndKeepsWhatItMade) {
  Built<int, int> built;
  int made = 0;
  const auto make = [&made] { return ++made; };
  ASSERT_NE(get_until_settled(built, 7, make), nullptr);
  EXPECT_EQ(*built.get(7, false, make), 1);
  EXPECT_EQ(*built.get(8, true, make), 2);
  EXPECT_EQ(made, 2);
}

// As in a web page.
TEST(Built, WithoutThreadsTheValueIsMadeBetweenFrames) {
  const WithoutThreads without;
  Built<int, int> built;
  const auto make = [] { return 3; };
  EXPECT_EQ(built.get(7, false, make), nullptr);
  EXPECT_TRUE(built.busy());
  EXPECT_TRUE(work_between_frames());
  EXPECT_FALSE(work_between_frames());
  const auto value = built.get(7, false, make);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(*value, 3);
  EXPECT_FALSE(built.busy());
  const auto fail = []() -> int { throw std::bad_alloc(); };
  built.get(8, false, fail);
  EXPECT_TRUE(work_between_frames());
  EXPECT_EQ(built.get(8, false, fail), nullptr);
  EXPECT_EQ(built.why_not("It"), "It could not be made: out of memory");
}

// A frame may have its turn while the value is made, and need it no more.
TEST(Built, WithoutThreadsItMayEndWhileTheValueIsMade) {
  const WithoutThreads without;
  auto built = std::make_unique<Built<int, int>>();
  bool made = false;
  const TurnsForFrames turns([&] {
    EXPECT_FALSE(work_between_frames());
    built.reset();
  });
  built->get(1, false, [&made] {
    give_way();
    made = true;
    return 1;
  });
  EXPECT_TRUE(work_between_frames());
  EXPECT_TRUE(made);
  EXPECT_FALSE(work_between_frames());
}

// Else a window could fall asleep between the answers of two questions in the same frame.
TEST(Built, IsBusyUntilAFrameHasWhatWasMadeHoweverOftenItIsAsked) {
  Built<int, int> built;
  std::promise<void> begin, made;
  built.get(1, false, [&made, go = begin.get_future().share()] {
    go.wait();
    made.set_value();
    return 1;
  });
  begin.set_value();
  made.get_future().wait();
  std::this_thread::sleep_for(100ms);  // it is ready, or about to be
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(built.busy());
  const auto end = Clock::now() + 20s;
  while (built.busy() && Clock::now() < end) built.collect();  // its panel is hidden
  EXPECT_FALSE(built.busy());
  EXPECT_EQ(*built.get(1, false, [] { return 2; }), 1);
}

TEST(Built, WhatThrowsBesideTheFrameIsAStateAndNotAnException) {
  Built<int, int> built;
  std::shared_ptr<const int> value;
  ASSERT_NO_THROW(value = get_until_settled(built, 1, []() -> int { throw std::bad_alloc(); }));
  EXPECT_EQ(value, nullptr);
  EXPECT_EQ(built.why_not("The map"), "The map could not be made: out of memory");
  EXPECT_FALSE(built.busy());
}

TEST(Built, WhatThrowsWithinTheFrameIsAStateToo) {
  Built<int, int> built;
  ASSERT_NO_THROW(built.get(1, true, []() -> int { throw std::runtime_error("no such block"); }));
  EXPECT_EQ(built.why_not("The map"), "The map could not be made: no such block");
  EXPECT_EQ(*built.get(2, true, [] { return 5; }), 5);
  EXPECT_EQ(built.why_not("The map"), "");
}

TEST(Built, TriesAgainAfterAPauseAndAtOnceForAnotherKey) {
  Built<int, int> built;
  int tries = 0;
  const auto fails_once = [&tries]() -> int {
    if (++tries == 1) throw std::bad_alloc();
    return 40 + tries;
  };
  built.pause = 1h;
  get_until_settled(built, 1, fails_once);
  EXPECT_EQ(get_until_settled(built, 1, fails_once), nullptr);
  EXPECT_EQ(tries, 1);
  built.pause = 0ms;
  const auto value = get_until_settled(built, 1, fails_once);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(*value, 42);
  EXPECT_EQ(built.why_not("The map"), "");

  built.pause = 1h;
  tries = 0;
  get_until_settled(built, 2, fails_once);
  EXPECT_NE(get_until_settled(built, 3, fails_once), nullptr);
}

// A large result gives way to a small one while its picture is being drawn.
TEST(Built, AFrameDoesNotWaitForWhatIsSuperseded) {
  std::promise<void> let_go;
  std::atomic<bool> was_waited_for = false;
  {
    Built<int, int> built;
    built.get(1, false, [&was_waited_for, wait = let_go.get_future().share()] {
      was_waited_for = wait.wait_for(20s) == std::future_status::timeout;
      return 1;
    });
    const auto soon = built.get(2, true, [] { return 2; });
    EXPECT_FALSE(was_waited_for);
    ASSERT_NE(soon, nullptr);
    EXPECT_EQ(*soon, 2);
    EXPECT_FALSE(built.busy());
    // The next one waits its turn, and the frames go on with what there is.
    EXPECT_EQ(*built.get(3, false, [] { return 3; }), 2);
    EXPECT_TRUE(built.busy());
    let_go.set_value();
    const auto end = Clock::now() + 20s;
    while (*built.get(3, false, [] { return 3; }) != 3 && Clock::now() < end)
      std::this_thread::sleep_for(1ms);
    EXPECT_EQ(*built.get(3, false, [] { return 3; }), 3);  // and never the superseded one's
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
