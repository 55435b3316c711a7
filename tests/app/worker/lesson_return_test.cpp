// A lesson's steps are found again as they say, whatever a student did in between: backwards, after code that
// does not compile, by Reset and when the lesson is opened once more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/compile/compiler.h"
#include "tests/app/classroom.h"
#include "tests/app/lesson_moves.h"

namespace warplens {
namespace THIS_FILE {

class Room : public Classroom {
 public:
  bool go(const Action& action) {
    push(action);
    return settle();
  }
};

// What a step sets, as far as it can be compared, in words; `text` in place of the code's, if it is given.
std::string found(const AppState& state, const std::string* text = nullptr) {
  if (state.program.run.given)  // whatever kernel is behind it
    return fmt::format("{}, {}\n{}", state.program.run.path, row_of(state.frame.view).name,
                       text != nullptr ? *text : state.program.source.text);
  const KernelSetup& launch = state.setup.launch;
  const bool its_run = state.runs.result && state.runs.result->request && state.setup.kernel != nullptr &&
                       state.runs.result->request->kernel == state.setup.kernel->name;
  std::string words = fmt::format(
      "{}, {}, {}, {}, blocks of {} {} {}, grid {} {} {}{}", launch.kernel, row_of(state.frame.view).name,
      launch.image_path, its_run ? "its run" : "another run", launch.block.x, launch.block.y, launch.block.z,
      launch.grid.x, launch.grid.y, launch.grid.z, launch.fit_grid ? ", which fits" : "");
  for (const auto& [name, value] : launch.values) words += fmt::format(", {} = {}", name, value);
  return words + "\n" + (text != nullptr ? *text : state.code.own ? state.code.text : "");
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
  std::vector<std::string> first;
  for (size_t at = 0; at < count; ++at) {
    ASSERT_TRUE(at == 0 || room.go(GoToStep{at}));
    first.push_back(found(room.state));
    SCOPED_TRACE(current_step(room.state)->id);
    const lesson::Change* change = allowed_change(room.state, "code");
    if (change == nullptr || !room.state.code.own) continue;
    const std::string before = room.state.code.text, text = broken(before, *change);
    room.push(EditSource{text});
    ASSERT_TRUE(room.go(RunSource{}));
    ASSERT_EQ(room.state.code.text, text) << room.state.lesson.refusal;
    EXPECT_FALSE(room.state.code.diagnostics.empty());
    for (const size_t away : {at + 1, at - 1}) {
      if (away >= count) continue;
      ASSERT_TRUE(room.go(GoToStep{away}));
      if (away + 1 == at) {
        EXPECT_EQ(found(room.state), first[away]) << "the step before it";
      }
      ASSERT_TRUE(room.go(GoToStep{at}));
      EXPECT_EQ(room.state.code.text, text) << "what the student wrote stays";
      EXPECT_FALSE(room.state.code.diagnostics.empty()) << "and what is wrong with it is said";
      EXPECT_EQ(found(room.state, &before), first[at]) << "the picture is that of the step's own code";
    }
    ASSERT_TRUE(room.go(ResetStep{}));
    EXPECT_EQ(found(room.state), first[at]) << "Reset";
    for (const Problem& problem : room.state.problems.all)
      EXPECT_EQ(problem.title.find("cannot be made"), std::string::npos)
          << problem.title << ": " << problem.message;
  }
  for (size_t at = count - 1; at-- > 0;) {
    ASSERT_TRUE(room.go(GoToStep{at}));
    EXPECT_EQ(found(room.state), first[at]) << "backwards, step " << at + 1;
  }
  for (size_t at = 0; at < count; ++at) {
    ASSERT_TRUE(room.go(CloseLesson{}));
    ASSERT_TRUE(room.go(OpenLesson{GetParam(), at}));
    EXPECT_EQ(found(room.state), first[at]) << "opened again at step " << at + 1;
    if (!room.state.code.own) continue;
    ASSERT_TRUE(room.go(ResetStep{}));
    EXPECT_EQ(found(room.state), first[at]) << "and set back";
  }
}

INSTANTIATE_TEST_SUITE_P(Lessons, LessonReturn, testing::ValuesIn(course_names()),
                         [](const auto& lesson) { return lesson.param; });

}  // namespace THIS_FILE
}  // namespace warplens
