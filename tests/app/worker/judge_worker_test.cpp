// The window's judge: answers are judged in a process of their own, and can be cancelled.
#include "app/worker/judge_worker.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/state/parts/judged_answer.h"
#include "app/state/update.h"
#include "app/worker/worker_calls.h"
#include "core/base/system/files.h"
#include "core/compile/compiler.h"
#include "core/system/places.h"

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;

class JudgeInTheWindow : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler_version()) GTEST_SKIP() << "no compiler for answers";
    const auto program = program_path().parent_path() / "warplens";
    if (!std::filesystem::exists(program)) GTEST_SKIP() << "the program is not built, which judges";
    worker.set_program(program.string());
    update(state, OpenChallenge{"bounds_check"});
    ASSERT_TRUE(state.challenge.is_open());
  }
  // Waits until the condition holds; the limit is for tests that hang.
  bool until(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + 120s;
    while (!holds() && std::chrono::steady_clock::now() < end) {
      drive_judge(state, worker);
      std::this_thread::sleep_for(1ms);
    }
    return holds();
  }
  void write_answer(const std::string& body) {
    state.code.text =
        "extern \"C\" __global__ void add(const float* x, const float* y, float* out, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
        body + "}\n";
  }

  AppState state = *initial_state("vector_add", "");
  JudgeWorker worker{nullptr};
};

TEST_F(JudgeInTheWindow, SaysWhatTheCommandSays) {
  write_answer("  if (i < n) out[i] = x[i] + y[i];\n");
  update(state, JudgeAnswer{});
  ASSERT_TRUE(until([&] { return !state.challenge.judging; }));
  ASSERT_TRUE(state.challenge.judged && state.challenge.judged->judged) << state.challenge.judged->error;
  const lesson::Judged& judged = *state.challenge.judged->judged;
  EXPECT_TRUE(judged.right()) << judged.message;
  EXPECT_EQ(judged.stars, 3u);
  EXPECT_TRUE(judged.counters && judged.reference) << "the meters need them";
  EXPECT_NE(state.challenge.judged->specification, nullptr) << "the drawn one stays";
}

TEST_F(JudgeInTheWindow, AWrongAnswerBringsItsCaseAndItsElement) {
  write_answer("  if (i < n && i != 5) out[i] = x[i] + y[i];\n");
  update(state, JudgeAnswer{});
  ASSERT_TRUE(until([&] { return !state.challenge.judging; }));
  ASSERT_TRUE(state.challenge.judged->judged);
  const lesson::Judged& judged = *state.challenge.judged->judged;
  EXPECT_EQ(judged.reason, lesson::Reason::mismatch) << judged.message;
  ASSERT_TRUE(judged.failed && judged.wrong);
  EXPECT_EQ(judged.wrong->index, 5u);
}

// The compiler reads an endless file: only the end of its process ends it.
TEST_F(JudgeInTheWindow, CancelEndsTheProcess) {
  write_answer("  while (true) out[0] += 1;\n");
  state.code.text += "#include \"/dev/zero\"\n";
  update(state, JudgeAnswer{});
  ASSERT_TRUE(until([&] { return worker.submitted != 0; }));
  EXPECT_TRUE(state.challenge.judging);
  update(state, CancelRun{});
  EXPECT_FALSE(state.challenge.judging);
  ASSERT_TRUE(until([&] { return !worker.busy(); }));
  EXPECT_TRUE(!state.challenge.judged || !state.challenge.judged->judged) << "what it still said is dropped";
  write_answer("  if (i < n) out[i] = x[i] + y[i];\n");
  update(state, JudgeAnswer{});
  ASSERT_TRUE(until([&] { return !state.challenge.judging; }));
  ASSERT_TRUE(state.challenge.judged->judged);
  EXPECT_TRUE(state.challenge.judged->judged->right());
}

// Without Numba a sentence says how to get it, and nothing counts as wrong.
TEST_F(JudgeInTheWindow, APythonFileIsJudgedAsItIsOnDisk) {
  const auto path =
      std::filesystem::temp_directory_path() / ("warplens_answer_" + std::to_string(::getpid()) + ".py");
  const lesson::Folder& folder = state.challenge.open->folder;
  ASSERT_TRUE(write_text(path.string(), folder.files.at("right.py")));
  update(state, OpenFile{path.string()});
  EXPECT_TRUE(state.challenge.judging);
  ASSERT_TRUE(until([&] { return !state.challenge.judging; }));
  std::filesystem::remove(path);
  ASSERT_TRUE(state.challenge.judged);
  EXPECT_EQ(state.challenge.judged->file, path.filename().string());
  if (!state.challenge.judged->judged)
    GTEST_SKIP() << state.challenge.judged->error;  // no Numba, or no bubblewrap
  EXPECT_EQ(state.challenge.judged->judged->stars, 3u) << state.challenge.judged->judged->message;
}

}  // namespace THIS_FILE
}  // namespace warplens
