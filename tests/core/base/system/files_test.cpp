#include "core/base/system/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    m_folder = fs::path(testing::TempDir()) /
               ("files_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(m_folder);
  }
  void TearDown() override { fs::remove_all(m_folder); }
  std::string at(const std::string& name) { return (m_folder / name).string(); }
  size_t entries() { return static_cast<size_t>(std::distance(fs::directory_iterator(m_folder), {})); }
  fs::path m_folder;
};

TEST_F(FilesTest, WritesWholeFilesAndReadsThemBack) {
  ASSERT_TRUE(write_text(at("a.txt"), "first").ok());
  ASSERT_TRUE(write_text(at("a.txt"), "second").ok());
  EXPECT_EQ(*read_text(at("a.txt"), 100), "second");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FilesTest, AFileThatIsWrittenAgainKeepsItsPermissions) {
  ASSERT_TRUE(write_text(at("run.sh"), "first").ok());
  const fs::perms wanted = fs::perms::owner_all | fs::perms::group_read;
  fs::permissions(at("run.sh"), wanted);
  ASSERT_TRUE(write_text(at("run.sh"), "second").ok());
  EXPECT_EQ(fs::status(at("run.sh")).permissions(), wanted);
}

TEST_F(FilesTest, AFailedWriteKeepsTheOldFileAndLeavesNoOther) {
  ASSERT_TRUE(write_text(at("a.txt"), "old").ok());
  const Result<void> written = write_with(at("a.txt"), [](const std::string& temporary) -> Result<void> {
    EXPECT_TRUE(write_text(temporary, "half of").ok());
    EXPECT_EQ(fs::path(temporary).extension(), ".txt");
    return failed("the encoder gave up");
  });
  EXPECT_EQ(written.error().message, "the encoder gave up");
  EXPECT_EQ(*read_text(at("a.txt"), 100), "old");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(FilesTest, FollowsALinkInsteadOfReplacingIt) {
  ASSERT_TRUE(write_text(at("target"), "old").ok());
  fs::create_symlink(at("target"), at("link"));
  ASSERT_TRUE(write_text(at("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(*read_text(at("target"), 100), "new");
}

TEST_F(FilesTest, SaysWhyAPathCannotBeWritten) {
  EXPECT_TRUE(check_writable(at("new.png")).ok());
  EXPECT_EQ(entries(), 0u);
  EXPECT_THAT(check_writable(m_folder.string()).error().message, HasSubstr("this is a folder"));
  EXPECT_THAT(check_writable(at("no/such/x.png")).error().message, HasSubstr("there is no folder"));
  EXPECT_THAT(check_writable("").error().message, HasSubstr("empty"));
  EXPECT_EQ(check_writable("").error().kind, ErrorKind::bad_input);
}

TEST_F(FilesTest, SaysWhyAPathCannotBeRead) {
  EXPECT_THAT(read_text(at("none"), 10).error().message, HasSubstr("there is no such file"));
  EXPECT_THAT(read_text(m_folder.string(), 10).error().message, HasSubstr("this is a folder"));
  ASSERT_TRUE(write_text(at("big"), "0123456789a").ok());
  EXPECT_THAT(read_text(at("big"), 10).error().message, HasSubstr("larger than 10 B"));
  EXPECT_TRUE(read_text(at("big"), 11).ok());
}

}  // namespace THIS_FILE
}  // namespace warplens
