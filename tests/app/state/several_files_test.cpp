#include "app/state/files/several_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warplens {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string& path_of(const Action& action) { return as<OpenFile>(action)->path; }

TEST(SeveralFiles, AKernelAndAPictureAreOpenedTogetherWhateverTheirOrder) {
  const auto actions = to_open({"/a/photo.png", "/a/add.cu"});
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(path_of(actions[0]), "/a/add.cu") << "the picture is for the kernel";
  EXPECT_EQ(path_of(actions[1]), "/a/photo.png");
}

TEST(SeveralFiles, EachThatIsNotOpenedIsNamedWithTheReason) {
  const auto actions = to_open({"/a/notes.xyz", "/a/add.cu", "/a/photo.png", "/a/mul.ptx", "/a/other.jpg"});
  ASSERT_EQ(actions.size(), 3u);
  EXPECT_EQ(path_of(actions[0]), "/a/add.cu");
  EXPECT_EQ(path_of(actions[1]), "/a/photo.png");
  const std::string said = as<Notify>(actions[2])->message;
  EXPECT_THAT(said, HasSubstr("notes.xyz (no file that opens here)"));
  EXPECT_THAT(said, HasSubstr("mul.ptx (one kernel, session or recording at a time)"));
  EXPECT_THAT(said, HasSubstr("other.jpg (one picture at a time)"));
  EXPECT_THAT(said, Not(HasSubstr("add.cu")));
}

TEST(SeveralFiles, OneAloneIsOpenedAsEver) {
  const auto actions = to_open({"/a/notes.xyz"});
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_EQ(path_of(actions[0]), "/a/notes.xyz");
  EXPECT_TRUE(to_open({}).empty());
}

}  // namespace
}  // namespace warplens
