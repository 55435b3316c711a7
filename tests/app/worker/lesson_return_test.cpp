// A lesson's steps are found again as they say, whatever a student did in between: backwards, after code that
// does not compile, by Reset and when the lesson is opened once more.
#include <gtest/gtest.h>

#include <tuple>

#include "app/state/course.h"
#include "core/compile/compiler.h"
#include "tests/app/driven_state.h"
#include "tests/app/lesson_moves.h"

namespace warplens {
namespace THIS_FILE {

class Room : public DrivenState {
 public:
  Room() { state.files.samples = sample_photos(); }
  bool go(const Action& action) {
    push(action);
    int quiet = 0;
    return until(
        [&] {
          const bool waits = state.runs.now.wanted != 0 || state.code.wanted != 0 || queue_is_busy() ||
                             state.lesson.phase != ShowPhase::step || state.step.moving;
          quiet = waits ? 0 : quiet + 1;
          return quiet > 3;
        },
        std::chrono::seconds(120));
  }
};

// What a step sets, as far as it can be compared.
struct Found {
  std::string kernel, text, view, picture;
  Dim3 block, grid;
  bool fit_grid = false, runs = false;
  std::map<std::string, double> values;

  bool operator==(const Found&) const = default;
};

Found found(const AppState& state) {
  const KernelSetup& launch = state.setup.launch;
  const bool shown = state.runs.result && state.runs.result->request && state.setup.kernel != nullptr &&
                     state.runs.result->request->kernel == state.setup.kernel->name;
  return {launch.kernel,
          state.code.own ? state.code.text : "",
          row_of(state.frame.view).name,
          launch.image_path,
          launch.block,
          launch.grid,
          launch.fit_grid,
          shown,
          {launch.values.begin(), launch.values.end()}};
}

std::string in_words(const Found& one) {
  std::string words =
      one.kernel + ", " + one.view + ", " + one.picture + (one.runs ? ", its run" : ", another run");
  for (const auto& [name, value] : one.values) words += ", " + name + " = " + std::to_string(value);
  return words + "\n" + one.text;
}

std::string broken(const std::string& text, const lesson::Change& change) {
  const uint32_t line = change.range ? static_cast<uint32_t>(change.range->first) : 1;
  return lesson_moves::edited(text, {{line, "  this is not a line of C++ ("}});
}

class LessonReturn : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!compiler_version()) GTEST_SKIP() << "no compiler for the lessons' own kernels";
    if (sample_photos().empty()) GTEST_SKIP() << "no photographs: tools/setup brings them";
  }
};

TEST_P(LessonReturn, FindsEachStepAsItSays) {
  Room room;
  ASSERT_TRUE(room.go(OpenLesson{GetParam(), 0}));
  const size_t count = room.state.lesson.player.steps.size();
  std::vector<Found> first;
  for (size_t at = 0; at < count; ++at) {
    ASSERT_TRUE(at == 0 || room.go(GoToStep{at}));
    first.push_back(found(room.state));
    SCOPED_TRACE(current_step(room.state)->id);
    const lesson::Change* change = allowed_change(room.state, "code");
    if (change == nullptr || !room.state.code.own) continue;
    const std::string text = broken(room.state.code.text, *change);
    room.push(EditSource{text});
    ASSERT_TRUE(room.go(RunSource{}));
    ASSERT_EQ(room.state.code.text, text) << room.state.lesson.refusal;
    EXPECT_FALSE(room.state.code.diagnostics.empty());
    for (const size_t away : {at + 1, at - 1}) {
      if (away >= count) continue;
      ASSERT_TRUE(room.go(GoToStep{away}));
      if (away + 1 == at) {
        EXPECT_EQ(in_words(found(room.state)), in_words(first[away])) << "the step before it";
      }
      ASSERT_TRUE(room.go(GoToStep{at}));
      Found now = found(room.state);
      EXPECT_EQ(now.text, text) << "what the student wrote stays";
      EXPECT_FALSE(room.state.code.diagnostics.empty()) << "and what is wrong with it is said";
      now.text = first[at].text;
      EXPECT_EQ(in_words(now), in_words(first[at])) << "the picture is that of the step's own code";
    }
    ASSERT_TRUE(room.go(ResetStep{}));
    EXPECT_EQ(in_words(found(room.state)), in_words(first[at])) << "Reset";
    for (const Problem& problem : room.state.problems.all)
      EXPECT_EQ(problem.title.find("cannot be made"), std::string::npos)
          << problem.title << ": " << problem.message;
  }
  for (size_t at = count - 1; at-- > 0;) {
    ASSERT_TRUE(room.go(GoToStep{at}));
    EXPECT_EQ(in_words(found(room.state)), in_words(first[at])) << "backwards, step " << at + 1;
  }
  for (size_t at = 0; at < count; ++at) {
    ASSERT_TRUE(room.go(CloseLesson{}));
    ASSERT_TRUE(room.go(OpenLesson{GetParam(), at}));
    EXPECT_EQ(in_words(found(room.state)), in_words(first[at])) << "opened again at step " << at + 1;
    ASSERT_TRUE(room.go(ResetStep{}));
    EXPECT_EQ(in_words(found(room.state)), in_words(first[at])) << "and set back";
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const CourseLesson& lesson : course_lessons()) all.push_back(lesson.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Lessons, LessonReturn, testing::ValuesIn(names()),
                         [](const auto& lesson) { return lesson.param; });

}  // namespace THIS_FILE
}  // namespace warplens
