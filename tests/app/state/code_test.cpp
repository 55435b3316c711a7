// Own kernels in the state: opened, edited, saved, changed on disk, left and undone. No worker, no compiler.
#include <gtest/gtest.h>

#include "app/state/update.h"
#include "core/base/system/embedded.h"
#include "core/job/files/own_kernel_file.h"
#include "core/kernels/own/own_kernel.h"

namespace warplens {
namespace THIS_FILE {

class OwnKernelState : public testing::Test {
 protected:
  OwnKernelState() : state(*initial_state("vector_add", "")) {}

  // The worker's answer: the built-in's PTX belongs to any text that begins with its signature.
  void answer(const std::string& source, const std::string& name, const std::string& path) {
    auto compiled = std::make_shared<CompiledKernel>();
    compiled->source = source;
    compiled->name = name;
    compiled->path = path;
    if (source.find("error") != std::string::npos) {
      compiled->own.diagnostics = {{Severity::error, name, 3, 0, "identifier \"q\" is undefined"}};
    } else {
      compiled->own =
          describe_own_kernel({source, name, path, std::string(find_embedded("kernels/vector_add.ptx")), ""});
    }
    update(state, SourceCompiled{state.code.wanted, compiled, ""});
  }
  void open() {
    update(state, OpenFile{"/tmp/add.cu"});
    answer(text, "add.cu", "/tmp/add.cu");
  }

  AppState state;
  std::string text = "// warplens: n=100\n" + std::string(find_embedded("kernels/vector_add.cu"));
};

TEST_F(OwnKernelState, OpensCompilesAndRuns) {
  update(state, OpenFile{"/tmp/add.cu"});
  EXPECT_EQ(state.code.opening, "/tmp/add.cu");
  EXPECT_NE(state.code.wanted, 0u);
  EXPECT_EQ(state.runs.now.wanted, 0u) << "nothing runs while it is compiled";
  EXPECT_EQ(state.setup.kernel->name, "vector_add");
  answer(text, "add.cu", "/tmp/add.cu");
  EXPECT_EQ(state.setup.kernel->name, "add.cu");
  EXPECT_EQ(state.setup.kernel, state.setup.own_kernel.get());
  EXPECT_EQ(state.setup.launch.kernel, "add.cu");
  EXPECT_NE(state.runs.now.wanted, 0u);
  EXPECT_EQ(state.setup.outlook.shape.grid.x, 1u);
  EXPECT_EQ(state.frame.view, View::code);
  EXPECT_FALSE(state.code.dirty());
}

TEST_F(OwnKernelState, KeepsTheKernelThatRanWhileTheTextHasErrors) {
  open();
  const auto before = state.setup.own_kernel;
  update(state, EditSource{text + "error"});
  EXPECT_TRUE(state.code.dirty());
  update(state, RunSource{});
  ASSERT_TRUE(state.effects.newest<effect::SaveSource>());
  EXPECT_EQ(state.effects.newest<effect::SaveSource>()->path, "/tmp/add.cu");
  answer(text + "error", "add.cu", "/tmp/add.cu");
  EXPECT_EQ(state.setup.own_kernel, before);
  EXPECT_EQ(state.runs.now.wanted, 0u);
  ASSERT_FALSE(state.problems.all.empty());
  EXPECT_EQ(state.problems.all[0].id, "compile_error");
  EXPECT_EQ(state.problems.all[0].line, 3u);
  update(state, SelectProblem{0});
  EXPECT_EQ(state.selection.pinned.line, 3u);
}

TEST_F(OwnKernelState, KeepsValuesOverEdits) {
  open();
  update(state, SetValue{"n", 64});
  update(state, SetBlock{{32, 1, 1}});
  update(state, EditSource{text + "\n// edited"});
  update(state, RunSource{});
  answer(text + "\n// edited", "add.cu", "/tmp/add.cu");
  EXPECT_EQ(state.setup.launch.values.at("n"), 64);
  EXPECT_EQ(state.setup.launch.block, (Dim3{32, 1, 1}));
  EXPECT_EQ(state.setup.outlook.shape.grid.x, 2u);
}

TEST_F(OwnKernelState, FollowsItsFileUnlessItWasEditedHere) {
  open();
  update(state, ReloadSource{"/tmp/add.cu", text});
  EXPECT_EQ(state.code.wanted, 0u) << "its own words are no news";
  update(state, ReloadSource{"/tmp/add.cu", text + "\n"});
  EXPECT_NE(state.code.wanted, 0u);
  EXPECT_EQ(state.code.text, text + "\n");
  answer(text + "\n", "add.cu", "/tmp/add.cu");
  update(state, EditSource{"mine"});
  update(state, ReloadSource{"/tmp/add.cu", "theirs"});
  EXPECT_EQ(state.code.text, "mine") << "nothing is lost";
  ASSERT_FALSE(state.problems.notices.empty());
}

TEST_F(OwnKernelState, AFailedSaveLeavesTheTextUnsaved) {
  open();
  update(state, EditSource{"mine"});
  update(state, RunSource{});
  update(state, SourceSaved{"/tmp/add.cu", "mine", "the disk is full"});
  EXPECT_TRUE(state.code.dirty());
  EXPECT_EQ(state.problems.notices.at(0).message, "the disk is full");
  update(state, SourceSaved{"/tmp/add.cu", "mine", ""});
  EXPECT_FALSE(state.code.dirty());
}

TEST_F(OwnKernelState, LeavingAndComingBackLosesNothing) {
  open();
  update(state, EditSource{text + "// unsaved"});
  update(state, ChooseKernel{"grayscale"});
  EXPECT_EQ(state.setup.kernel->name, "grayscale");
  EXPECT_FALSE(state.code.own);
  EXPECT_EQ(state.setup.own_kernel, nullptr);
  update(state, Undo{});
  EXPECT_EQ(state.setup.kernel->name, "add.cu");
  EXPECT_EQ(state.code.text, text + "// unsaved");
  EXPECT_TRUE(state.code.dirty());
}

TEST_F(OwnKernelState, ACopyOfABuiltInKernelTakesItsValuesAlong) {
  update(state, SetValue{"n", 77});
  update(state, EditCopy{});
  EXPECT_TRUE(state.code.own);
  EXPECT_EQ(state.code.copy_of, "vector_add");
  answer(state.code.text, state.code.name, "");
  EXPECT_TRUE(state.setup.kernel->own);
  EXPECT_EQ(state.setup.launch.values.at("n"), 77);
  update(state, SaveSourceAs{"/tmp/copy.cu"});
  ASSERT_TRUE(state.effects.newest<effect::SaveSource>());
  EXPECT_NE(state.effects.newest<effect::SaveSource>()->text.find("// warplens: "), std::string::npos)
      << "the file must say what data it takes";
  update(state, ChooseKernel{"vector_add"});
  EXPECT_FALSE(state.code.own);
  EXPECT_EQ(state.setup.kernel->name, "vector_add");
}

TEST_F(OwnKernelState, AnotherDeviceCompilesAnew) {
  open();
  const std::string other = built_in_devices().back().id;
  update(state, ChooseDevice{other});
  EXPECT_NE(state.code.wanted, 0u);
  EXPECT_EQ(state.runs.now.wanted, 0u);
  update(state, CancelRun{});
  EXPECT_EQ(state.code.wanted, 0u);
  EXPECT_EQ(state.setup.kernel->name, "add.cu");
}

TEST_F(OwnKernelState, IsCompiledAgainByAnotherCompiler) {
  update(state, CompileAgain{});
  EXPECT_EQ(state.code.wanted, 0u) << "a built-in kernel is compiled already";
  open();
  update(state, SetCompiler{CompilerKind::clang});
  EXPECT_EQ(state.frame.preferences.compiler, CompilerKind::clang);
  EXPECT_EQ(state.code.wanted, 0u) << "the process does not know of it yet";
  update(state, CompileAgain{});
  EXPECT_NE(state.code.wanted, 0u);
}

TEST_F(OwnKernelState, AFileThatCannotBeReadChangesNothing) {
  const auto kernel = state.setup.kernel;
  update(state, OpenFile{"/none/x.cu"});
  update(state, SourceCompiled{state.code.wanted, nullptr, "/none/x.cu: there is no such file"});
  EXPECT_EQ(state.setup.kernel, kernel);
  EXPECT_FALSE(state.code.own);
  EXPECT_EQ(state.problems.notices.at(0).message, "/none/x.cu: there is no such file");
  EXPECT_NE(state.runs.now.wanted, 0u) << "the run that it stopped goes on";
}

}  // namespace THIS_FILE
}  // namespace warplens
