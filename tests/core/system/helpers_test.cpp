#include "core/system/helpers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "core/base/system/between_frames.h"
#include "tests/core/sanitized.h"

namespace warplens {
namespace THIS_FILE {

// A thread that never comes ends the test by its time limit.
void wait_until_helped() {
  std::atomic<int> calls{0};
  const Help help(1, [&] { ++calls; });
  while (calls.load() == 0) std::this_thread::yield();
}

TEST(Helpers, Come) {
  wait_until_helped();
  wait_until_helped();
}

TEST(Helpers, AreAwaitedOnceTheyHaveBegun) {
  for (int i = 0; i < 100; ++i) {
    std::atomic<bool> begun{false}, ended{false};
    {
      const Help help(1, [&] {
        begun = true;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        ended = true;
      });
      while (!begun.load()) std::this_thread::yield();
    }
    EXPECT_TRUE(ended.load());
  }
}

// Each caller works alone too, as the callers of launches do.
TEST(Helpers, ServeManyCallersAtATime) {
  constexpr int items = 50, rounds = 100;
  std::atomic<int> wrong{0};
  std::vector<std::jthread> callers;
  for (int i = 0; i < 8; ++i) {
    callers.emplace_back([&wrong] {
      for (int round = 0; round < rounds; ++round) {
        std::atomic<int> next{0}, done{0}, calls{0};
        const auto work = [&] {
          while (next++ < items) ++done;
        };
        {
          const Help help(3, [&] {
            ++calls;
            work();
          });
          work();
        }
        if (done.load() != items || calls.load() > 3) ++wrong;
      }
    });
  }
  callers.clear();
  EXPECT_EQ(wrong.load(), 0);
}

TEST(Helpers, AreMissingWhereNoThreadStarts) {
  std::jthread([] {
    const WithoutThreads without;
    Help(1000, [] {});
  }).join();
}

// Death tests run in a forked process, where the threads of this one are not.
TEST(HelpersDeathTest, AForkedProcessMakesItsOwnAndEndsWhileTheySleep) {
  if (is_sanitized) GTEST_SKIP() << "sanitizers start no threads in a process that was forked beside threads";
  wait_until_helped();
  EXPECT_EXIT(
      {
        wait_until_helped();
        std::exit(3);
      },
      testing::ExitedWithCode(3), "");
  EXPECT_EXIT(
      {
        wait_until_helped();
        std::_Exit(4);
      },
      testing::ExitedWithCode(4), "");
  wait_until_helped();
}

}  // namespace THIS_FILE
}  // namespace warplens
