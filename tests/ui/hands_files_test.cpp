// Saving and opening with keyboard and mouse, as a person does: what came of it is said at the place of the
// click.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/system/files.h"
#include "tests/ui/hands.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class HandsFiles : public WindowTest {
 protected:
  HandsFiles() : folder(fs::temp_directory_path() / ("warplens_hands_" + std::to_string(::getpid()))) {
    fs::create_directories(folder / "inner");
    (void)write_text((folder / "inner/one.cu").string(),
                     "extern \"C\" __global__ void one(float* out) { out[0] = 1; }\n");
  }
  ~HandsFiles() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_F(HandsFiles, ASavedPictureSaysWhereItIsAndASecondOneAsks) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.resize(1280, 720);
    d.shell.actions().push(ShowView{View::code});
    d.ui->Yield(8);
    Hands hands(d);
    const std::string path = (folder / "code.svg").string();
    const ImVec2 button = hands.middle_of("//###code/**/###save_code");
    const auto open = [&] {
      hands.click(button);
      d.ui->Yield(4);
      EXPECT_THAT(letters_in_sight(d), HasSubstr("SAVETHISPICTURE"));
      hands.press({"ctrl+a"});
      hands.type(path);
      d.ui->Yield(2);
      EXPECT_THAT(letters_in_sight(d), HasSubstr(letters_of("In the folder " + folder.string())));
    };
    open();
    hands.type("\n");
    ASSERT_TRUE(d.wait_until([&] { return fs::exists(path); }, 10));
    d.ui->Yield(4);
    const std::string said = letters_in_sight(d);
    EXPECT_THAT(said, HasSubstr(letters_of("SAVED code.svg in " + folder.string())));
    EXPECT_THAT(said, HasSubstr("Openfolder"));
    hands.press({"Escape"});
    d.ui->Yield(4);
    EXPECT_THAT(letters_in_sight(d), Not(HasSubstr("Openfolder")));
    // Twice: nothing is lost without a question.
    ASSERT_TRUE(write_text(path, "mine"));
    open();
    hands.type("\n");
    d.ui->Yield(4);
    EXPECT_THAT(letters_in_sight(d), HasSubstr("Thereisafileofthisnamealready"));
    EXPECT_EQ(*read_text(path, 100), "mine");
    hands.type("\n");
    d.ui->Yield(4);
    EXPECT_EQ(*read_text(path, 100), "mine") << "Return pressed twice replaces nothing";
    // A folder that is not there is told, and what was typed stays.
    hands.press({"ctrl+a"});
    hands.type((folder / "gone/x.svg").string() + "\n");
    d.ui->Yield(4);
    EXPECT_THAT(letters_in_sight(d), HasSubstr("gonexsvg"));
    EXPECT_FALSE(fs::exists(folder / "gone"));
    hands.press({"Escape"});
    d.ui->Yield(4);
  });
}

TEST_F(HandsFiles, ATypedFolderOpensTheFolderAndALitRowCanBeOpened) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.resize(1280, 720);
    d.shell.actions().push(ShowDialog{Dialog::open_file});
    d.ui->Yield(4);
    ASSERT_TRUE(d.wait_for_work());
    Hands hands(d);
    hands.type((folder / "inner").string());
    d.ui->Yield(2);
    hands.type("\n");
    ASSERT_TRUE(d.wait_for_work());
    d.ui->Yield(4);
    EXPECT_EQ(d.state().frame.dialog, Dialog::open_file) << "a folder was entered";
    EXPECT_THAT(letters_in_sight(d), HasSubstr("onecu"));
    d.screenshot("folder_1280x720");
    hands.press({"Down"});
    d.ui->Yield(2);
    hands.press({"Return"});
    ASSERT_TRUE(d.wait_until([&] { return d.state().code.own; }, 10));
    EXPECT_EQ(d.state().code.path, (folder / "inner/one.cu").string());
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
