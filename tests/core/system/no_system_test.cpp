// A build without an operating system (core/system/none): what needs one says that it is missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "core/system/attached.h"
#include "core/system/capabilities.h"
#include "core/system/channel.h"
#include "core/system/files.h"
#include "core/system/library.h"
#include "core/system/other_user.h"
#include "core/system/pages.h"
#include "core/system/paths.h"
#include "core/system/picture_clipboard.h"
#include "core/system/process.h"
#include "core/system/run_program.h"

namespace warplens {
namespace THIS_FILE {

template <class T>
void expect_missing(const Result<T>& result) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::missing);
  EXPECT_NE(result.error().message, "");
}

TEST(NoSystem, SaysWhatIsMissing) {
  if (has_programs()) GTEST_SKIP() << "this build has a system";
  expect_missing(run_program("/bin/true", {}, std::chrono::seconds(1)));
  expect_missing(run_limited({"/bin/true"}, "", {}));
  expect_missing(run_told({{"/bin/true"}}, [](std::string_view) {}));
  expect_missing(run_attached({"/bin/true"}, {}));
  expect_missing(Channel::make());
  expect_missing(JoinedProcess::start("/bin/true", {}, Channel::of_input()));
  expect_missing(DynamicLibrary::open("libc.so.6"));
  expect_missing(find_other_user("nobody"));
  expect_missing(make_folder_in(std::filesystem::temp_directory_path(), "x"));
  expect_missing(file_in_memory("x", "y"));
  expect_missing(copy_png("x.png"));
  EXPECT_EQ(append_to("/dev/null"), no_file);
  EXPECT_EQ(make_code_pages({}), nullptr);
  EXPECT_EQ(program_path(), "");
}

}  // namespace THIS_FILE
}  // namespace warplens
