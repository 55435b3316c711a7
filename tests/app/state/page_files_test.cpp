#include "app/state/code/page_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "app/state/update.h"
#include "core/base/system/files.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

// The last notice, and that the view did not change.
std::string said_of(const std::string& path, bool in_a_page) {
  AppState state = *initial_state("vector_add", "");
  state.frame.in_a_page = in_a_page;
  const View before = state.frame.view;
  update(state, OpenFile{path});
  if (in_a_page) {
    EXPECT_EQ(state.frame.view, before) << path;
  }
  return state.problems.notices.empty() ? "" : state.problems.notices.back().title;
}

TEST(PageFiles, AProgramIsNotOpenedAndTheNoticeSaysWhereItRuns) {
  const auto program =
      std::filesystem::temp_directory_path() / ("warplens_page_" + std::to_string(::getpid()) + ".cu");
  ASSERT_TRUE(write_text(program.string(), "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n"));
  for (const std::string& path : {std::string("/tmp/numbers.py"), program.string()}) {
    EXPECT_THAT(said_of(path, true), HasSubstr("is a program, and programs run where WarpLens is installed"));
    EXPECT_THAT(said_of(path, false), testing::Not(HasSubstr("is a program")));
  }
  std::filesystem::remove(program);
}

TEST(PageFiles, AKernelWithoutACompilerSaysWhyAndWhatToDo) {
  AppState state = *initial_state("vector_add", "");
  state.frame.in_a_page = true;
  update(state, OpenFile{"/tmp/blur.cu"});
  ASSERT_NE(state.code.wanted, 0u);
  update(state, SourceCompiled{state.code.wanted, nullptr, "This program has no compiler."});
  ASSERT_FALSE(state.problems.notices.empty());
  const Problem& said = state.problems.notices.back();
  EXPECT_EQ(said.title, "blur.cu was not opened, since this page has no compiler");
  EXPECT_THAT(said.message, HasSubstr("where WarpLens is installed"));
  EXPECT_THAT(said.message, HasSubstr("PTX (.ptx)"));
}

}  // namespace THIS_FILE
}  // namespace warplens
