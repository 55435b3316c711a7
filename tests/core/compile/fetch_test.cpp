// The tools that can be fetched, and the download in the background. No network: scripts of one line replace
// tools/fetch.
#include "core/compile/fetch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "core/compile/fetcher.h"
#include "core/system/process.h"

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;

// Fails the test where it takes half a minute, which only a hang does.
bool comes(Fetcher& fetcher, FetchPhase phase) {
  for (int i = 0; i < 3000 && fetcher.status().phase != phase; ++i) std::this_thread::sleep_for(10ms);
  return fetcher.status().phase == phase;
}

FetchTools tools_with(std::vector<FetchPart> parts, std::string script) {
  FetchTools tools;
  tools.missing_parts = [parts = std::move(parts)]() -> Result<std::vector<FetchPart>> { return parts; };
  tools.fetch = [script = std::move(script)](const FetchPart& part, const auto& told, std::stop_token stop) {
    return run_fetch({"/bin/sh", "-c", script, part.name}, told, std::move(stop));
  };
  return tools;
}

FetchPart part(std::string name) {
  FetchPart part;
  part.name = std::move(name);
  part.megabytes = 200;
  return part;
}

TEST(Fetch, EveryPartSaysItsSizeLicenceAndVersion) {
  const auto parts = fetch_parts("/nowhere");
  ASSERT_TRUE(parts) << parts.error().message;
  ASSERT_EQ(parts->size(), 4u);
  for (const FetchPart& part : *parts) {
    EXPECT_GT(part.megabytes, 0u) << part.name;
    EXPECT_FALSE(part.licence.empty() || part.title.empty() || part.gives.empty()) << part.name;
    EXPECT_EQ(part.version.find_first_not_of("0123456789."), part.version.npos) << part.version;
    EXPECT_FALSE(part.here) << part.name;
  }
}

TEST(Fetch, LinesAreToldAndTheLastWordsAreTheError) {
  std::vector<uint64_t> told;
  const auto note = [&](uint64_t megabytes) { told.push_back(megabytes); };
  EXPECT_TRUE(run_fetch({"/bin/sh", "-c", "echo 3 of 9; echo nonsense; printf '9 of 9\n'"}, note, {}));
  EXPECT_EQ(told, (std::vector<uint64_t>{3, 9}));
  const auto failed = run_fetch({"/bin/sh", "-c", "echo first >&2; echo 'no room' >&2; exit 1"}, note, {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "no room");
  const auto silent = run_fetch({"/bin/sh", "-c", "exit 4"}, note, {});
  ASSERT_FALSE(silent);
  EXPECT_NE(silent.error().message.find('4'), std::string::npos);
  const auto none = run_fetch({"/no/such/python3"}, note, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::missing);
}

TEST(Fetch, WhatIsStoppedMayCleanUp) {
  std::stop_source stop;
  std::atomic<bool> started = false;
  std::jthread stopper([&] {
    while (!started) std::this_thread::sleep_for(1ms);
    stop.request_stop();
  });
  std::string lines;
  const auto end = run_told(
      {{"/bin/sh", "-c", "trap 'echo cleaned; exit 1' TERM; echo up; while :; do sleep 0.01; done"}},
      [&](std::string_view line) {
        lines += std::string(line) + ";";
        started = true;
      },
      stop.get_token());
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_TRUE(end->stopped);
  EXPECT_EQ(lines, "up;cleaned;");
}

TEST(Fetcher, WithNothingMissingItRests) {
  Fetcher fetcher(tools_with({}, ""), nullptr);
  fetcher.look();
  EXPECT_TRUE(comes(fetcher, FetchPhase::rest));
  fetcher.fetch();
  EXPECT_EQ(fetcher.status().phase, FetchPhase::rest);
}

TEST(Fetcher, NothingIsFetchedUnasked) {
  std::atomic<int> news = 0;
  Fetcher fetcher(tools_with({part("one"), part("two")}, "echo 200 of 200"), [&] { ++news; });
  fetcher.look();
  ASSERT_TRUE(comes(fetcher, FetchPhase::found));
  EXPECT_EQ(fetcher.status().megabytes, 0u);
  fetcher.fetch();
  ASSERT_TRUE(comes(fetcher, FetchPhase::done));
  EXPECT_GE(news.load(), 3);
}

TEST(Fetcher, AFailureKeepsWhatIsDoneAndGoesOnThere) {
  Fetcher fetcher(tools_with({part("one"), part("two")}, "test $0 = one || { echo offline >&2; exit 1; }"),
                  nullptr);
  fetcher.look();
  ASSERT_TRUE(comes(fetcher, FetchPhase::found));
  fetcher.fetch();
  ASSERT_TRUE(comes(fetcher, FetchPhase::failed));
  EXPECT_EQ(fetcher.status().why, "offline");
  EXPECT_EQ(fetcher.status().at, 1u);
}

TEST(Fetcher, CancellingAndLeavingEndTheChild) {
  Fetcher fetcher(tools_with({part("one")}, "echo 1 of 200; exec sleep 1000"), nullptr);
  fetcher.look();
  ASSERT_TRUE(comes(fetcher, FetchPhase::found));
  fetcher.fetch();
  for (int i = 0; i < 3000 && fetcher.status().megabytes == 0; ++i) std::this_thread::sleep_for(10ms);
  fetcher.cancel();
  ASSERT_TRUE(comes(fetcher, FetchPhase::cancelled));
  fetcher.fetch();  // again; now the window is closed
}

}  // namespace THIS_FILE
}  // namespace warplens
