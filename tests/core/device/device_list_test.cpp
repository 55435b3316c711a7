#include "core/device/device_list.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(DeviceList, NamesHaveCommasBetweenThem) {
  const auto devices = find_devices("h100,3060,t4");
  ASSERT_TRUE(devices);
  ASSERT_EQ(devices->size(), 3u);
  EXPECT_EQ((*devices)[1].id, "rtx_3060");
  EXPECT_EQ(capability_of_all(*devices), 75u);
  ASSERT_TRUE(find_devices("t4"));
  EXPECT_EQ(find_devices("t4")->size(), 1u);
}

TEST(DeviceList, EachNameIsThatOfADevice) {
  for (const char* names : {"", ",", "h100,", ",h100", "h100,,t4", "h100,nobody", "rtx"})
    EXPECT_FALSE(find_devices(names)) << names;
}

}  // namespace THIS_FILE
}  // namespace warplens
