#include "app/worker/drive.h"

#include <gtest/gtest.h>

#include <atomic>

#include "app/state/update.h"
#include "core/lesson/format/lesson.h"
#include "tests/app/example_lesson.h"

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;

// Answers each request at once.
WorkerCalls quick_engine(std::atomic<int>& runs, std::atomic<uint32_t>& workers) {
  WorkerCalls engine;
  engine.run = [&](const RunOrder& order, std::stop_token, Progress*) -> Result<RunResult> {
    workers = order.workers;
    ++runs;
    RunResult result;
    LaunchRequest request;
    request.kernel = order.kernel->name;
    request.device = order.device;
    LaunchStep launch;
    launch.grid = order.setup.grid;
    launch.block = order.setup.block;
    request.steps.push_back(launch);
    BufferSpec buffer;
    buffer.name = "out";
    buffer.width = 2;
    buffer.height = 2;
    buffer.channels = 1;
    buffer.bytes = 4;
    request.buffers.push_back(buffer);
    result.request = std::make_shared<const LaunchRequest>(request);
    result.shape = {order.setup.grid, order.setup.block, 0, false};
    OutputBuffer output;
    output.bytes = std::make_shared<const Bytes>(Bytes(4, std::byte{7}));
    result.outputs.push_back(output);
    return result;
  };
  engine.replay = [](const ReplayOrder& order, std::stop_token) -> Result<BlockFootprint> {
    BlockFootprint footprint;
    footprint.block = order.block;
    return footprint;
  };
  engine.load_picture = [](const std::string& name) -> Result<Image> {
    if (name == "broken") return bad_input("broken is no picture.");
    Image image;
    image.width = image.height = 8;
    image.pixels.resize(192);
    return image;
  };
  engine.save_picture = [](const Image& image, const std::string& path) -> Result<void> {
    if (image.pixels != std::vector<uint8_t>(4, 7) || path != "a.png") return failed("wrong picture");
    return {};
  };
  return engine;
}

class Drive : public ::testing::Test {
 protected:
  bool until(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < end) {
      drive(state, actions, environment, memory);
      if (holds()) return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }

  std::atomic<int> runs = 0;
  std::atomic<uint32_t> workers = 0;  // of the last run
  AppState state = *initial_state("grayscale", "");
  Actions actions;
  DriveMemory memory;
  RunQueue queue{quick_engine(runs, workers), nullptr};
  FileWorker files{nullptr};
  Environment environment{queue, files};
};

TEST_F(Drive, LoadsThePictureRunsAndReplaysTheSelectedBlock) {
  ASSERT_TRUE(until([&] { return state.runs.result != nullptr; }));
  EXPECT_EQ(state.setup.launch.image->width, 8u);
  EXPECT_EQ(runs, 1);
  actions.push(Hover{{Dim3{0, 0, 0}, {}, {}}});
  ASSERT_TRUE(until([&] { return state.footprint.replayed != nullptr; }));
  actions.push(SetBlock{{8, 8, 1}});
  ASSERT_TRUE(until([&] { return runs == 2 && state.runs.now.wanted == 0; }));
  EXPECT_EQ(state.runs.result->shape.block, (Dim3{8, 8, 1}));
  ASSERT_TRUE(until([&] { return state.footprint.replayed != nullptr; }))
      << "the new run's block is replayed as well";
}

// A lesson asks for the result of a race. Two workers could give another one now and then.
TEST_F(Drive, RunsOfALessonUseOneCore) {
  ASSERT_TRUE(until([&] { return state.runs.result != nullptr; }));
  EXPECT_EQ(workers, 0u) << "all cores";
  lesson::Folder folder;
  folder.files["lesson.md"] = example_lesson_text();
  const lesson::LoadedLesson read = lesson::load_lesson(folder);
  ASSERT_TRUE(read.ok());
  actions.push(LessonLoaded{
      std::make_shared<const LoadedLesson>(LoadedLesson{folder, read.lesson, read.diagnostics})});
  ASSERT_TRUE(until([&] { return runs == 2; }));
  EXPECT_EQ(workers, 1u);
}

TEST_F(Drive, SaysWhatIsWrongWithAPictureAndSavesTheResult) {
  ASSERT_TRUE(until([&] { return state.runs.result != nullptr; }));
  actions.push(ChoosePicture{"broken"});
  ASSERT_TRUE(until([&] { return !state.problems.notices.empty(); }));
  EXPECT_EQ(state.problems.notices[0].message, "broken is no picture.");
  EXPECT_NE(state.setup.launch.image, nullptr);
  actions.push(SaveResultAs{"a.png"});
  ASSERT_TRUE(until([&] { return state.problems.notices.size() == 2; }));
  EXPECT_EQ(state.problems.notices[0].title, "Saved");
}

}  // namespace THIS_FILE
}  // namespace warplens
