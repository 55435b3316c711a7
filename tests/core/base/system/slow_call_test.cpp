// Calls that may never return: the caller does not have to wait for them.
#include "core/base/system/slow_call.h"

#include <gtest/gtest.h>

#include <future>

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(SlowCall, GivesWhatTheCallGave) {
  SlowCall<int> call([] { return 42; });
  ASSERT_TRUE(call.wait(20s));
  EXPECT_EQ(call.take(), 42);
}

TEST(SlowCall, IsLeftBehindAndCounted) {
  std::promise<void> let_go;
  {
    SlowCall<int> call([wait = let_go.get_future().share()] {
      wait.wait();
      return 1;
    });
    EXPECT_FALSE(call.wait(1ms));
    EXPECT_FALSE(slow_calls_left());
  }
  EXPECT_TRUE(slow_calls_left());
  let_go.set_value();
  for (const auto end = Clock::now() + 20s; slow_calls_left() && Clock::now() < end;)
    std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(slow_calls_left());
}

TEST(SlowCall, AWaitEndsWhenItIsToldTo) {
  std::promise<void> let_go;
  SlowCall<int> call([wait = let_go.get_future().share()] {
    wait.wait();
    return 1;
  });
  std::stop_source stop;
  std::jthread soon([&stop] { stop.request_stop(); });
  const auto before = Clock::now();
  EXPECT_FALSE(call.wait(1h, stop.get_token()));
  EXPECT_LT(Clock::now() - before, 20s);
  let_go.set_value();
  EXPECT_TRUE(call.wait(20s));
}

}  // namespace THIS_FILE
}  // namespace warplens
