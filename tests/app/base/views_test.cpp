#include "app/base/views.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warplens {
namespace THIS_FILE {

TEST(Views, NamesAndKeysAreEachViewSOwn) {
  std::set<std::string> names, keys;
  for (const ViewRow& row : all_views()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row_of(row.view).name, row.name);
    EXPECT_NE(*row.title, '\0') << row.name;
    if (row.is_tab()) {
      EXPECT_TRUE(keys.insert(row.key).second) << row.name;
    }
    EXPECT_EQ(row.is_tab(), *row.key != '\0')
        << "tabs, and only they, come to the front by key: " << row.name;
  }
}

TEST(Views, OnlyATabIsFoundByTheNameInASession) {
  EXPECT_EQ(tab_from("memory"), View::memory);
  EXPECT_EQ(tab_from("launch"), std::nullopt);
  EXPECT_EQ(tab_from(""), std::nullopt);
}

}  // namespace THIS_FILE
}  // namespace warplens
