// A watched file: what is told, and that nothing is done while nothing changes.
#include "app/worker/file_watch.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/system/file_events.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct WatchedFolder {
  fs::path folder = fs::temp_directory_path() / ("warplens_watch_" + std::to_string(::getpid()));
  fs::path file = folder / "a.cu";
  WatchedFolder() {
    fs::create_directories(folder);
    write("one");
  }
  ~WatchedFolder() { fs::remove_all(folder); }
  void write(const std::string& text) const { std::ofstream(file) << text; }
};

std::optional<std::string> told(FileWatch& watch, milliseconds longest = std::chrono::seconds(10)) {
  for (const auto end = Clock::now() + longest; Clock::now() < end;
       std::this_thread::sleep_for(milliseconds(1)))
    if (auto changed = watch.take()) return changed->second;
  return std::nullopt;
}

TEST(FileWatch, TellsOfASavedAndOfAReplacedFile) {
  const WatchedFolder at;
  FileWatch watch(nullptr);
  watch.watch(at.file.string());
  EXPECT_FALSE(told(watch, milliseconds(100))) << "the contents at first are known";
  at.write("two");
  EXPECT_EQ(told(watch), "two");
  std::ofstream(at.folder / "b.cu") << "three";
  fs::rename(at.folder / "b.cu", at.file);
  EXPECT_EQ(told(watch), "three");
  fs::remove(at.file);
  EXPECT_FALSE(told(watch, milliseconds(100)));
  at.write("four");
  EXPECT_EQ(told(watch), "four");
  watch.watch("");
  at.write("five");
  EXPECT_FALSE(told(watch, milliseconds(100)));
}

TEST(FileWatch, AChangeRightAfterTheCallIsTold) {
  for (int i = 0; i < 20; ++i) {
    const WatchedFolder at;
    FileWatch watch(nullptr);
    watch.watch(at.file.string());
    at.write("other");
    EXPECT_EQ(told(watch), "other");
  }
}

TEST(FileWatch, AProgramIsToldOnceItRests) {
  const WatchedFolder at;
  FileWatch watch(nullptr, FileWatch::Tells::that_it_rests);
  watch.watch(at.file.string());
  std::this_thread::sleep_for(milliseconds(50));
  const auto start = Clock::now();
  for (int i = 0; i < 10; ++i, std::this_thread::sleep_for(milliseconds(30)))
    at.write(std::string(i + 1, 'x'));
  EXPECT_EQ(told(watch), "");
  EXPECT_GT(Clock::now() - start, milliseconds(10 * 30 + 200));
  EXPECT_FALSE(told(watch, milliseconds(500))) << "told once";
}

TEST(FileEvents, ASleeperWakesForTheFolderAndForACallOnly) {
  const WatchedFolder at;
  FileEvents events;
  ASSERT_TRUE(events.watch(at.file.string()));
  const auto slept = [&](milliseconds longest) {
    const auto start = Clock::now();
    events.sleep(longest);
    return std::chrono::duration_cast<milliseconds>(Clock::now() - start);
  };
  EXPECT_GE(slept(milliseconds(200)), milliseconds(195)) << "nothing happened";
  at.write("two");
  EXPECT_LT(slept(std::chrono::seconds(20)), std::chrono::seconds(5));
  std::jthread other([&] {
    std::this_thread::sleep_for(milliseconds(30));
    events.wake();
  });
  EXPECT_LT(slept(std::chrono::seconds(20)), std::chrono::seconds(5));
  other.join();
  events.wake();
  EXPECT_LT(slept(std::chrono::seconds(20)), std::chrono::seconds(5)) << "a call before the sleep counts";
  EXPECT_GE(slept(milliseconds(100)), milliseconds(95)) << "and counts once";
  EXPECT_FALSE(events.watch((at.folder / "none" / "a.cu").string()));
  EXPECT_GE(slept(milliseconds(100)), milliseconds(95));
}

}  // namespace THIS_FILE
}  // namespace warplens
