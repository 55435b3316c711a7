#include "core/base/system/embedded.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warplens {
namespace THIS_FILE {

TEST(Embedded, FilesAreSortedByPath) {
  EXPECT_TRUE(std::ranges::is_sorted(embedded_files(), {}, &EmbeddedFile::path));
}

TEST(Embedded, FindsEveryFileAndNoOther) {
  for (const auto& file : embedded_files()) EXPECT_EQ(find_embedded(file.path), file.bytes);
  EXPECT_TRUE(find_embedded("no/such/file").empty());
}

}  // namespace THIS_FILE
}  // namespace warplens
