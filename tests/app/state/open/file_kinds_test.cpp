// How the kind of a file is recognised, by its ending and by its contents.
#include "app/state/open/file_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "app/state/files/file_dialogs.h"
#include "app/state/state.h"

namespace warplens {
namespace THIS_FILE {

using ::testing::ElementsAre;
namespace fs = std::filesystem;

class FileKinds : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text, bool may_run = false) const {
    const fs::path path = folder / name;
    std::ofstream(path) << text;
    if (may_run) fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  const fs::path folder = fs::temp_directory_path() / ("warplens_file_kinds_" + std::to_string(::getpid()));
};

TEST_F(FileKinds, EveryEndingIsOfItsRowInAnyLetters) {
  for (const FileKindRow& row : file_kinds())
    for (const std::string_view ending : row.endings) {
      const std::string small = "no such folder/a" + std::string(ending);
      std::string large = small;
      for (char& letter : large) letter = static_cast<char>(std::toupper(letter));
      EXPECT_EQ(kind_of_file(small), row.kind) << small;
      EXPECT_EQ(kind_of_file(large), row.kind) << large;
      EXPECT_TRUE(has_ending_of(row.kind, large)) << large;
      EXPECT_EQ(&row_of(row.kind), &row);
    }
}

TEST_F(FileKinds, WhatIsInAFileDecidesWhereItsNameDoesNot) {
  EXPECT_EQ(kind_of_file(folder), FileKind::lesson);
  EXPECT_EQ(kind_of_file(file("kernel.cu", "__global__ void k() {}")), FileKind::kernel);
  EXPECT_EQ(kind_of_file(file("program.cu", "__global__ void k() {}\nint main() { return 0; }")),
            FileKind::program);
  EXPECT_EQ(kind_of_file(file("tool", "#!/bin/sh\n", true)), FileKind::program);
  EXPECT_EQ(kind_of_file(file("text", "#!/bin/sh\n")), FileKind::picture) << "it may not run";
  EXPECT_EQ(kind_of_file(""), FileKind::picture);
  EXPECT_EQ(kind_of_file("astronaut"), FileKind::picture) << "a sample by its name";
}

TEST_F(FileKinds, WordsNameEachKindWithItsEndings) {
  EXPECT_EQ(words_of(std::array{FileKind::kernel, FileKind::program, FileKind::session}),
            "Kernels (.cu, .ptx), Python programs (.py), sessions (.json)");
  EXPECT_THAT(endings_of(std::array{FileKind::session, FileKind::kernel}),
              ElementsAre(".json", ".cu", ".ptx"));
}

TEST_F(FileKinds, EachDialogThatAsksForAFileHasItsAnswer) {
  AppState state;
  size_t dialogs = 0;
  for (auto i = static_cast<int>(Dialog::none); i <= static_cast<int>(Dialog::save_hand_in); ++i) {
    const FileDialog* asked = find_file_dialog(static_cast<Dialog>(i));
    if (asked == nullptr) continue;
    ++dialogs;
    const std::string name = proposed_name(state, asked->dialog);
    EXPECT_EQ(name.empty(), !asked->saves()) << asked->title;
    if (asked->saves()) {
      const bool offered =
          std::ranges::any_of(asked->endings, [&](auto ending) { return name.ends_with(ending); });
      EXPECT_TRUE(offered) << name;
    }
    EXPECT_FALSE(asked->words().empty());
    Actions actions;
    actions.push(asked->answer(asked->saves() ? (folder / name).string() : folder.string()));
    EXPECT_EQ(actions.take().size(), 1u);
  }
  EXPECT_EQ(dialogs, 9u);
}

}  // namespace THIS_FILE
}  // namespace warplens
