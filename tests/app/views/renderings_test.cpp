#include "app/views/renderings.h"

#include <gtest/gtest.h>

#include <set>

namespace warplens {
namespace THIS_FILE {

TEST(Renderings, EachIsFoundByItsNameAndCanBeMade) {
  std::set<std::string_view> names;
  for (const Rendering& rendering : all_renderings()) {
    EXPECT_TRUE(names.insert(rendering.name).second) << rendering.name;
    EXPECT_EQ(rendering_of(rendering.name), &rendering);
    EXPECT_NE(rendering.make, nullptr) << rendering.name;
    EXPECT_EQ(rendering.pick != nullptr, rendering.needs == RenderNeeds::run) << rendering.name;
  }
  EXPECT_TRUE(names.contains("grid") && names.contains("roofline"));
  EXPECT_EQ(rendering_of("launch"), nullptr);
}

}  // namespace THIS_FILE
}  // namespace warplens
