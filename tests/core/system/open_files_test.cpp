// Open files, locks and rights.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/base/system/files.h"
#include "core/system/files.h"
#include "core/system/paths.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::StartsWith;

class OpenFiles : public testing::Test {
 protected:
  void SetUp() override {
    const Result<std::string> made = make_folder_in(testing::TempDir(), "warplens-open-");
    ASSERT_TRUE(made) << made.error().message;
    m_folder = *made;
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }
  std::string path(const char* name) const { return m_folder + "/" + name; }
  std::string m_folder;
};

TEST_F(OpenFiles, AreWrittenBehindWhatIsThere) {
  ASSERT_TRUE(write_text(path("a"), "one\n"));
  const int file = append_to(path("a"));
  ASSERT_NE(file, no_file);
  EXPECT_EQ(size_of(file), 4u);
  EXPECT_TRUE(write_at_once(file, "two\n"));
  const std::string large(size_t{3} << 20, 'x');
  EXPECT_TRUE(write_all(file, std::as_bytes(std::span(large))));
  EXPECT_EQ(size_of(file), 8u + large.size());
  close_file(file);
  EXPECT_THAT(*read_text(path("a"), 1 << 23), StartsWith("one\ntwo\nxxx"));
  EXPECT_FALSE(write_at_once(file, "closed"));
  EXPECT_EQ(append_to(m_folder), no_file) << "a folder is no file";
}

TEST_F(OpenFiles, AreForThisUserAlone) {
  close_file(append_to(path("a")));
  close_file(make_new(path("b")));
  using std::filesystem::perms;
  for (const char* name : {"a", "b"})
    EXPECT_EQ(std::filesystem::status(path(name)).permissions() & (perms::group_all | perms::others_all),
              perms::none);
  EXPECT_EQ(std::filesystem::status(m_folder).permissions() & (perms::group_all | perms::others_all),
            perms::none);
}

TEST_F(OpenFiles, AreMadeNewOnce) {
  const int file = make_new(path("a"));
  EXPECT_NE(file, no_file);
  close_file(file);
  EXPECT_EQ(make_new(path("a")), no_file);
}

TEST_F(OpenFiles, AreLockedByOne) {
  EXPECT_EQ(lock_file(path("a")), no_file) << "there is no such file";
  ASSERT_TRUE(write_text(path("a"), ""));
  const int lock = lock_file(path("a"));
  ASSERT_NE(lock, no_file);
  EXPECT_EQ(lock_file(path("a")), no_file);
  close_file(lock);
  const int again = lock_file(path("a"));
  EXPECT_NE(again, no_file);
  close_file(again);
  std::filesystem::create_symlink(path("a"), path("link"));
  EXPECT_EQ(lock_file(path("link")), no_file) << "another user may have made the link";
}

TEST_F(OpenFiles, SayWhoseTheyAreAndWhoMayRunThem) {
  EXPECT_TRUE(is_own_folder(m_folder));
  std::filesystem::create_directory_symlink(m_folder, path("link"));
  EXPECT_FALSE(is_own_folder(path("link")));
  ASSERT_TRUE(write_text(path("a"), ""));
  EXPECT_FALSE(is_own_folder(path("a")));
  EXPECT_FALSE(may_execute(path("a")));
  std::filesystem::permissions(path("a"), std::filesystem::perms::owner_all);
  EXPECT_TRUE(may_execute(path("a")));
}

TEST_F(OpenFiles, LieInMemoryUnderAPath) {
  const Result<std::string> file = file_in_memory("letters", "abc");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(*read_text(*file, 100), "abc");
}

TEST_F(OpenFiles, AFolderThatCannotBeMadeIsASentence) {
  const Result<std::string> made = make_folder_in(path("not/there"), "x");
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().message, HasSubstr("No such file"));
}

}  // namespace THIS_FILE
}  // namespace warplens
