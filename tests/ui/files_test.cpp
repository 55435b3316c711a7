// The list of files, which opens and saves where the desktop has no dialog of its own.
#include <filesystem>

#include <unistd.h>

#include "core/base/system/files.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

constexpr const char* kernel_text = "extern \"C\" __global__ void one(float* out) { out[0] = 1; }\n";

class Files : public WindowTest {
 protected:
  Files() : folder(fs::temp_directory_path() / ("warplens_files_" + std::to_string(::getpid()))) {
    fs::create_directories(folder / "inner");
    for (const char* name : {"outer.cu", "inner/one.cu", "inner/other.cu", "inner/notes.txt"})
      (void)write_text((folder / name).string(), kernel_text);
  }
  ~Files() override { fs::remove_all(folder); }

  // Begins where the newest file is.
  void open(Driver& d, Dialog dialog) {
    d.state().files.recent = {(folder / "outer.cu").string()};
    d.shell.actions().push(ShowDialog{dialog});
    wait(d);
  }
  // A folder is read in the background.
  static void wait(Driver& d) {
    d.ui->Yield(4);
    EXPECT_TRUE(d.wait_for_work());
  }

  fs::path folder;
};

TEST_F(Files, AKernelIsFoundAndOpenedWithTheKeyboard) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, Dialog::open_file);
    d.screenshot("files_open_1920x1080");
    d.ui->KeyChars("inn");
    wait(d);
    d.ui->KeyPress(ImGuiKey_Enter);
    wait(d);
    EXPECT_EQ(d.state().frame.dialog, Dialog::open_file) << "a folder was entered";
    d.ui->KeyPress(ImGuiKey_DownArrow);
    d.ui->Yield(2);
    d.screenshot("files_inner_1920x1080");
    d.ui->KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(d.wait_until([&] { return d.state().code.own; }));
    EXPECT_EQ(d.state().code.path, (folder / "inner/other.cu").string()) << "the second kernel, not the text";
    EXPECT_EQ(d.state().frame.dialog, Dialog::none);
  });
}

TEST_F(Files, BackspaceGoesUpAndAPathCanBeTyped) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, Dialog::open_file);
    d.ui->KeyChars("inner/nothing.cu");
    wait(d);
    d.ui->KeyPress(ImGuiKey_Enter);
    wait(d);
    EXPECT_EQ(d.state().frame.dialog, Dialog::open_file) << "there is no such file";
    d.screenshot("files_missing_1920x1080");
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    d.ui->KeyChars("inner");
    wait(d);
    d.ui->KeyPress(ImGuiKey_Enter);
    wait(d);
    d.ui->KeyPress(ImGuiKey_Backspace);
    wait(d);
    d.ui->KeyChars("outer");
    wait(d);
    d.ui->KeyPress(ImGuiKey_Enter);
    ASSERT_TRUE(d.wait_until([&] { return d.state().code.own; }));
    EXPECT_EQ(d.state().code.path, (folder / "outer.cu").string());
  });
}

TEST_F(Files, SavingAsksBeforeItReplaces) {
  const std::string path = (folder / "session.json").string();
  ASSERT_TRUE(write_text(path, "old"));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    open(d, Dialog::save_session);
    d.ui->KeyPress(ImGuiKey_Enter);  // the proposed name
    wait(d);
    EXPECT_EQ(d.state().frame.dialog, Dialog::save_session);
    EXPECT_EQ(*read_text(path, 100), "old") << "nothing is lost yet";
    d.screenshot("files_replace_1920x1080");
    d.ui->KeyPress(ImGuiKey_LeftArrow);  // Cancel has the focus
    d.ui->KeyPress(ImGuiKey_Space);
    ASSERT_TRUE(d.wait_until([&] { return read_text(path, 100000)->size() > 3; }, 5));
    EXPECT_EQ(d.state().frame.dialog, Dialog::none);
    open(d, Dialog::save_session);
    d.ui->KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
    d.ui->KeyChars("gone/x.json");
    wait(d);
    d.ui->KeyPress(ImGuiKey_Enter);
    wait(d);
    EXPECT_EQ(d.state().frame.dialog, Dialog::save_session) << "there is no such folder";
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(4);
    EXPECT_EQ(d.state().frame.dialog, Dialog::none);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
