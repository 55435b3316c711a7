#include "core/system/folder.h"
#include "core/system/paths.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class Folder : public ::testing::Test {
 protected:
  Folder() : m_folder(fs::temp_directory_path() / ("warplens_folder_" + std::to_string(::getpid()))) {
    fs::create_directories(m_folder / "Beta");
    fs::create_directories(m_folder / "alpha");
    for (const char* name : {"b.cu", "A.CU", "notes.txt", ".hidden.cu"})
      std::ofstream(m_folder / name) << "12345";
    fs::create_symlink("nowhere", m_folder / "broken.cu");
  }
  ~Folder() override {
    std::error_code ignored;
    fs::permissions(m_folder / "alpha", fs::perms::owner_all, ignored);
    fs::remove_all(m_folder, ignored);
  }
  std::string at(const char* name = "") const { return (m_folder / name).string(); }
  static std::string names(const std::vector<FolderEntry>& entries) {
    std::string text;
    for (const FolderEntry& entry : entries) text += entry.name + (entry.is_folder ? "/ " : " ");
    return text;
  }

  fs::path m_folder;
};

TEST_F(Folder, ListsFoldersFirstAndThenFilesByName) {
  const auto entries = read_folder(at());
  ASSERT_TRUE(entries) << entries.error().message;
  EXPECT_EQ(names(*entries), "alpha/ Beta/ .hidden.cu A.CU b.cu broken.cu notes.txt ");
  EXPECT_EQ((*entries)[3].bytes, 5u);
  EXPECT_EQ((*entries)[5].bytes, 0u) << "a link that leads nowhere";
}

TEST_F(Folder, ShowsWhatFitsTheTypedTextAndTheKinds) {
  const auto all = read_folder(at());
  ASSERT_TRUE(all);
  constexpr std::array<std::string_view, 2> kinds = {".cu", ".ptx"};
  EXPECT_EQ(names(entries_for(*all, "", kinds)), "alpha/ Beta/ A.CU b.cu broken.cu ");
  EXPECT_EQ(names(entries_for(*all, "", {})), "alpha/ Beta/ A.CU b.cu broken.cu notes.txt ");
  EXPECT_EQ(names(entries_for(*all, "B", kinds)), "Beta/ b.cu broken.cu ");
  EXPECT_EQ(names(entries_for(*all, "b.cu", kinds)), "b.cu ");
  EXPECT_EQ(names(entries_for(*all, "notes.txt", kinds)), "notes.txt ") << "by its whole name";
  EXPECT_EQ(names(entries_for(*all, ".h", kinds)), ".hidden.cu ");
  EXPECT_EQ(names(entries_for(*all, "nothing", kinds)), "");
}

TEST_F(Folder, SaysInWordsWhyItCannotBeRead) {
  EXPECT_NE(read_folder(at("gone")).error().message.find("there is no such folder"), std::string::npos);
  EXPECT_NE(read_folder(at("b.cu")).error().message.find("no folder"), std::string::npos);
  if (::geteuid() == 0) GTEST_SKIP() << "root may look into every folder";
  fs::permissions(m_folder / "alpha", fs::perms::none);
  EXPECT_NE(read_folder(at("alpha")).error().message.find("no permission to read"), std::string::npos);
}

TEST(FolderPaths, AreReadAsPeopleTypeThem) {
  EXPECT_EQ(typed_path("/a/b", "c.cu"), "/a/b/c.cu");
  EXPECT_EQ(typed_path("/a/b", "../c.cu"), "/a/c.cu");
  EXPECT_EQ(typed_path("/a/b", "/x/y"), "/x/y");
  EXPECT_EQ(typed_path("/a", "~/y.cu"), home_folder() + "/y.cu");
  EXPECT_EQ(folder_above("/a/b"), "/a");
  EXPECT_EQ(folder_above("/a/b/"), "/a");
  EXPECT_EQ(folder_above("/"), "/");
  EXPECT_EQ(typed_parts("a/b/c").folder, "a/b/");
  EXPECT_EQ(typed_parts("a/b/c").name, "c");
  EXPECT_EQ(typed_parts("c").folder, "");
  EXPECT_EQ(typed_parts("/").folder, "/");
}

}  // namespace THIS_FILE
}  // namespace warplens
