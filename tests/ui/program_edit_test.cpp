// A user's program edited in the Program view: by keys and buttons, with its output beside.
#include <imgui_internal.h>
#include <unistd.h>

#include <filesystem>

#include "app/user_program/environment.h"
#include "core/base/system/files.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using Phase = ProgramRun::Phase;

class ProgramEdit : public WindowTest {
 protected:
  ProgramEdit() {
    std::string made = (fs::temp_directory_path() / "warplens-edit-XXXXXX").string();
    EXPECT_NE(mkdtemp(made.data()), nullptr);
    folder = made;
    path = folder / "say.py";
    EXPECT_TRUE(write_text(path, "word = 'first'\nprint(word)\n"));
  }
  ~ProgramEdit() override { fs::remove_all(folder); }
  void SetUp() override {
    if (!program_run::find_driver()) GTEST_SKIP() << "this build has no driver";
  }

  std::string in_file() const { return read_text(path, 1 << 20).value(); }
  static const ProgramRun& run(Driver& d) { return d.state().program.run; }
  static const ProgramSource& source(Driver& d) { return d.state().program.source; }
  static void press(Driver& d, const std::string& button) {
    d.ui->SetRef("//###program");
    d.ui->ItemClick(button.c_str());
    d.ui->Yield(3);
  }
  static bool ends_with(Driver& d, const std::string& line) {
    return d.wait_until([&] { return run(d).phase == Phase::ended && !run(d).output.lines.empty(); }) &&
           d.wait_for_result() && run(d).output.lines.back() == line;
  }
  static ImRect window_of(const char* part) {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && std::string_view(window->Name).find(part) != std::string_view::npos)
        return window->Rect();
    return {};
  }
  void open_editor(Driver& d) const {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenFile{path});
    ASSERT_TRUE(d.wait_until([&] { return run(d).phase == Phase::asking; }));
    d.ui->Yield(3);
    press(d, "run/###edit_program");
    ASSERT_TRUE(d.wait_until([&] { return source(d).is_ready(); }));
    d.ui->Yield(4);
  }
  // Puts a line above the text, as a person does.
  static void type(Driver& d, const char* line) {
    d.ui->MouseMoveToPos(window_of("##program_text").GetCenter());
    d.ui->MouseClick();
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Home);
    d.ui->KeyChars(line);
    d.ui->KeyPress(ImGuiKey_Enter);
    d.ui->Yield(4);
  }
  fs::path folder;
  std::string path;
};

TEST_F(ProgramEdit, IsEditedSavedAndRunWithItsOutputBeside) {
  drive([&](Driver& d) {
    open_editor(d);
    EXPECT_EQ(run(d).phase, Phase::asking) << "nothing runs by itself";
    type(d, "print('new')");
    EXPECT_EQ(source(d).text, "print('new')\nword = 'first'\nprint(word)\n");
    EXPECT_EQ(in_file(), "word = 'first'\nprint(word)\n") << "only Save writes it";
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    ASSERT_TRUE(d.wait_until([&] { return !source(d).dirty(); }));
    EXPECT_EQ(in_file(), source(d).text);
    EXPECT_EQ(run(d).phase, Phase::asking) << "Save runs nothing";
    d.ui->KeyPress(ImGuiKey_F5);
    ASSERT_TRUE(d.wait_until([&] { return run(d).serial == 1; }, 10));
    ASSERT_TRUE(ends_with(d, "first")) << static_cast<int>(run(d).phase) << run(d).problem;
    EXPECT_EQ(run(d).output.lines.front(), "new");
    type(d, "# again");
    press(d, "source/###run_program");
    ASSERT_TRUE(d.wait_until([&] { return run(d).serial == 2; }, 10));
    ASSERT_TRUE(ends_with(d, "first")) << static_cast<int>(run(d).phase) << run(d).problem;
    EXPECT_EQ(in_file(), "# again\nprint('new')\nword = 'first'\nprint(word)\n");
    d.ui->Yield(4);
    const ImRect text = window_of("##program_text"), output = window_of("/output_");
    EXPECT_GT(output.Min.x, text.Max.x) << "beside it";
    EXPECT_GT(output.GetWidth(), 0.25f * text.GetWidth());
    d.screenshots("program_edit");
  });
}

TEST_F(ProgramEdit, AFileThatChangedOnDiskIsAskedAbout) {
  drive([&](Driver& d) {
    open_editor(d);
    type(d, "mine = 1");
    EXPECT_TRUE(write_text(path, "theirs = 1\n"));
    ASSERT_TRUE(d.wait_until([&] { return source(d).changed.has_value(); }, 10)) << "the file is watched";
    d.ui->Yield(4);
    d.screenshots("program_edit_changed");
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    d.ui->Yield(4);
    EXPECT_EQ(in_file(), "theirs = 1\n") << "nothing is written before it is decided";
    press(d, "source/Take the file's");
    EXPECT_EQ(source(d).text, "theirs = 1\n");
    d.ui->MouseMoveToPos(window_of("##program_text").GetCenter());
    d.ui->MouseClick();
    d.ui->Yield(3);
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    d.ui->Yield(4);
    EXPECT_EQ(source(d).text.substr(0, 9), "mine = 1\n") << "Undo brings it back";
    EXPECT_EQ(in_file(), "theirs = 1\n");
  });
}

TEST_F(ProgramEdit, WhatWasTypedIsThereAfterTheWindow) {
  const fs::path config = folder / "config";
  drive(
      [&](Driver& d) {
        open_editor(d);
        type(d, "mine = 1");
      },
      {}, make_worker_calls(), config);
  EXPECT_EQ(in_file(), "word = 'first'\nprint(word)\n");
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(OpenFile{path});
        ASSERT_TRUE(d.wait_until([&] { return source(d).is_ready(); }));
        EXPECT_EQ(source(d).text.substr(0, 9), "mine = 1\n");
        EXPECT_TRUE(source(d).dirty());
      },
      {}, make_worker_calls(), config);
}

}  // namespace THIS_FILE
}  // namespace warplens
