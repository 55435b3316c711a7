// A teacher writes a lesson in the window: the file next to its step, mistakes, saving, recording.
#include <imgui_internal.h>

#include "core/base/system/files.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

class Author : public WindowTest {
 protected:
  static std::string file_of(const Driver& d) {
    const auto text = read_text(const_cast<Driver&>(d).state().author.folder + "/lesson.md", 1 << 20);
    return text ? *text : "";
  }
  static void open(Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(ShowAuthor{true});
    d.shell.actions().push(OpenFile{folder_on_disk(example_lesson())});
    ASSERT_TRUE(d.wait_until([&] { return d.state().lesson.is_open(); }, 5));
    ASSERT_TRUE(d.wait_for_result());
  }
};

TEST_F(Author, RecordsWhatTheWindowShowsAndSavesIt) {
  drive([](Driver& d) {
    open(d);
    d.screenshots("author");
    d.shell.actions().push(SetBlock{{6, 1, 1}});
    ASSERT_TRUE(d.wait_for_result());
    d.ui->SetRef("###author");
    d.ui->ItemClick("Record this state");
    d.ui->ItemClick("Save##lesson");
    ASSERT_TRUE(d.wait_until([&] { return file_of(d).find("block: 6\n") != std::string::npos; }, 10));
    ASSERT_TRUE(
        d.wait_until([&] { return d.state().author.text.find("block: 6\n") != std::string::npos; }, 10));
    EXPECT_TRUE(d.state().lesson.mistakes.empty()) << to_text(d.state().lesson.mistakes);
    EXPECT_EQ(d.state().lesson.player.at, 0u);
    EXPECT_EQ(d.state().setup.launch.block, (Dim3{6, 1, 1}));
  });
}

TEST_F(Author, AMistakeStandsAtItsLineAndIsMendedThere) {
  drive([](Driver& d) {
    open(d);
    const std::string path = d.state().author.folder + "/lesson.md", good = file_of(d);
    std::string bad = good;
    bad.replace(bad.find("kernel: index_map_1d"), 20, "kernel: index_map");
    ASSERT_TRUE(write_text(path, bad));
    ASSERT_TRUE(d.wait_until([&] { return !d.state().lesson.mistakes.empty(); }, 10));
    d.ui->Yield(3);
    d.screenshot("author_mistake");
    EXPECT_TRUE(d.state().lesson.is_open()) << "what was read before stays";
    ASSERT_TRUE(write_text(path, good));
    ASSERT_TRUE(d.wait_until([&] { return d.state().lesson.mistakes.empty(); }, 10));
  });
}

TEST_F(Author, AnotherEditorsSaveIsFollowedToItsStep) {
  drive([](Driver& d) {
    open(d);
    std::string text = file_of(d);
    text.insert(text.find('\n', text.rfind("\n## ") + 1) + 1, "\nMore words.\n");
    ASSERT_TRUE(write_text(d.state().author.folder + "/lesson.md", text));
    EXPECT_TRUE(d.wait_until([&] { return d.state().lesson.player.at == 2; }, 10));
    d.ui->SetRef("###author");
    d.ui->ItemClick("×##close_author");
    d.ui->Yield(2);
    EXPECT_FALSE(d.state().author.on);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
