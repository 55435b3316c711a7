// What streams wait for and what nothing orders, in a recording and in what is written for viewers of time
// lines.
#include "core/recording/trace.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/json/json.h"
#include "core/recording/journal.h"

namespace warplens::recording {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class RecordedWaits : public testing::Test {
 protected:
  void SetUp() override {
    std::string made = (fs::temp_directory_path() / "warplens-waits-XXXXXX").string();
    ASSERT_NE(mkdtemp(made.data()), nullptr);
    m_folder = made;
    fs::create_directories(m_folder / "journals");
    fs::create_directories(m_folder / "launches");
  }
  void TearDown() override { fs::remove_all(m_folder); }

  std::string journals() const { return (m_folder / "journals").string(); }
  Result<Recording> read() const {
    const std::string path = (m_folder / "made.warplens").string();
    const Result<bool> joined = join_recording(journals(), (m_folder / "launches").string(),
                                               {{"main"}, "rtx_3060", 0, 1}, 1 << 20, path);
    if (!joined) return joined.error();
    return read_recording(path);
  }

  // A copy in stream 1; kernels in streams 1, 2 and 3, of which the second waits for the first, and the third
  // does not.
  static void write(Journal& journal) {
    journal.copy({.direction = Direction::to_device,
                  .bytes = 400,
                  .stream = 1,
                  .begin_us = 0,
                  .device_us = 4,
                  .at_us = 10});
    journal.launch({.kernel = "fill",
                    .grid = {2, 1, 1},
                    .block = {64, 1, 1},
                    .stream = 1,
                    .begin_us = 4,
                    .device_us = 6,
                    .at_us = 20,
                    .host_us = 3});
    journal.wait(2, 2);
    journal.launch({.kernel = "twice",
                    .grid = {2, 1, 1},
                    .block = {64, 1, 1},
                    .stream = 2,
                    .begin_us = 10,
                    .device_us = 5,
                    .at_us = 30,
                    .host_us = 3});
    journal.launch({.kernel = "add",
                    .grid = {2, 1, 1},
                    .block = {64, 1, 1},
                    .stream = 3,
                    .begin_us = 4,
                    .device_us = 5,
                    .at_us = 40,
                    .host_us = 3});
    journal.finding({.kind = "missing_wait", .message = "Nothing orders the two.", .first = 2, .second = 4});
  }

  fs::path m_folder;
};

TEST_F(RecordedWaits, AreOfTheNextWorkOfTheStream) {
  {
    Journal journal(journals(), "rtx_3060", "", "modelled");
    EXPECT_EQ(journal.next_work(), 1u);
    write(journal);
    EXPECT_EQ(journal.next_work(), 5u);
  }
  const Result<Recording> made = read();
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_THAT(made->events, SizeIs(5));
  EXPECT_EQ(made->events[1].work, 2u);
  EXPECT_THAT(made->events[1].after, IsEmpty());
  EXPECT_THAT(made->events[2].after, ElementsAre(2));
  EXPECT_THAT(made->events[3].after, IsEmpty());
  EXPECT_THAT(made->events[4].after, ElementsAre(2, 4));
}

// A part has a file of its own, in which the numbers go on: what is behind it is not known there.
TEST_F(RecordedWaits, ForWorkOfAnEarlierPartAreLeftOut) {
  fs::create_directories(m_folder / "before");
  {
    Journal journal((m_folder / "before").string(), "rtx_3060", "", "modelled");
    write(journal);
    journal.move_to(journals(), 0);
    EXPECT_EQ(journal.next_work(), 5u);
    journal.launch({.kernel = "fill",
                    .grid = {2, 1, 1},
                    .block = {64, 1, 1},
                    .stream = 1,
                    .begin_us = 0,
                    .device_us = 6,
                    .at_us = 20});
    journal.wait(2, 2);
    journal.wait(5, 2);
    journal.wait(77, 2);
    journal.launch({.kernel = "twice",
                    .grid = {2, 1, 1},
                    .block = {64, 1, 1},
                    .stream = 2,
                    .begin_us = 6,
                    .device_us = 5,
                    .at_us = 30});
  }
  const Result<Recording> made = read();
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_THAT(made->events, SizeIs(2));
  EXPECT_EQ(made->events[0].work, 1u);
  EXPECT_THAT(made->events[1].after, ElementsAre(1));
}

TEST_F(RecordedWaits, AreFlowsOfTheTrace) {
  {
    Journal journal(journals(), "rtx_3060", "", "modelled");
    write(journal);
  }
  const Result<Recording> made = read();
  ASSERT_TRUE(made) << made.error().message;
  const Result<Json> trace = parse_json(trace_text(*made), "trace");
  ASSERT_TRUE(trace) << trace.error().message;
  std::map<std::string, std::vector<Json>> by_phase;
  for (const Json& line : (*trace)["traceEvents"]) by_phase[line["ph"].get<std::string>()].push_back(line);
  ASSERT_THAT(by_phase["X"], SizeIs(7)) << "four of the device, three calls";
  EXPECT_EQ(by_phase["X"][0]["name"], "host to device");
  EXPECT_EQ(by_phase["X"][0]["dur"], 4.0);
  ASSERT_THAT(by_phase["s"], SizeIs(1));
  ASSERT_THAT(by_phase["f"], SizeIs(1));
  EXPECT_EQ(by_phase["s"][0]["id"], by_phase["f"][0]["id"]);
  EXPECT_NE(by_phase["s"][0]["tid"], by_phase["f"][0]["tid"]);
  EXPECT_EQ(by_phase["f"][0]["ts"], 10.0);
  ASSERT_THAT(by_phase["i"], SizeIs(1));
  EXPECT_EQ(by_phase["i"][0]["args"]["message"], "Nothing orders the two.");
  // Two processes, since the device has a clock of its own; tracks for copies, three streams and the calls.
  EXPECT_THAT(by_phase["M"], SizeIs(2 + 2 * 5));
}

TEST_F(RecordedWaits, ATraceOfNothingIsATrace) {
  const Result<Json> trace = parse_json(trace_text(Recording()), "trace");
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_TRUE((*trace)["traceEvents"].empty());
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
