#include "app/state/frame/typed_setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

using ::testing::HasSubstr;

TEST(TypedSetting, SetsBlockOrGridAsTheirSlidersDo) {
  AppState state = *initial_state("grayscale", "");
  const std::pair<const char*, Dim3> blocks[] = {
      {"block 32x8", {32, 8, 1}},  {"Block 32 × 8", {32, 8, 1}},   {"32 × 8", {32, 8, 1}},
      {"block 256", {256, 1, 1}},  {"block 1,024", {1024, 1, 1}},  {"8*8*2", {8, 8, 2}},
      {"  block 4 4 ", {4, 4, 1}}, {"BLOCK 16 X 16", {16, 16, 1}},
  };
  for (const auto& [typed, block] : blocks) {
    const auto setting = typed_setting(state, typed);
    ASSERT_TRUE(setting) << typed;
    EXPECT_TRUE(setting->enabled) << typed << setting->title;
    const auto* set = as<SetBlock>(setting->action);
    ASSERT_NE(set, nullptr) << typed;
    EXPECT_EQ(set->block, block) << typed;
  }
  const auto grid = typed_setting(state, "grid 4x4");
  ASSERT_TRUE(grid && as<SetGrid>(grid->action));
  EXPECT_EQ(as<SetGrid>(grid->action)->grid, (Dim3{4, 4, 1}));
  EXPECT_EQ(grid->title, "Grid 4 × 4 · 16 blocks");
  update(state, grid->action);
  EXPECT_EQ(state.setup.launch.grid, (Dim3{4, 4, 1}));
}

TEST(TypedSetting, SaysTheLimitsAndWhatIsBeyondThem) {
  const AppState state = *initial_state("grayscale", "");
  EXPECT_EQ(typed_setting(state, "block 32x8")->title, "Block 32 × 8 · 256 threads of at most 1,024");
  // Each axis is within its limit: as with the sliders, it can be tried what CUDA says.
  EXPECT_TRUE(typed_setting(state, "block 64x32")->enabled);
  for (const char* typed : {"block 2048", "block 0", "block 8x8x65", "block 99999999999"}) {
    const auto setting = typed_setting(state, typed);
    ASSERT_TRUE(setting) << typed;
    EXPECT_FALSE(setting->enabled) << typed;
  }
  EXPECT_EQ(typed_setting(state, "block 2048")->title, "Block 2,048 · x is from 1 to 1,024 on this device");
  EXPECT_THAT(typed_setting(state, "block 8 8 65")->title, HasSubstr("z is from 1 to 64"));
}

TEST(TypedSetting, IsNoOtherWord) {
  const AppState state = *initial_state("grayscale", "");
  for (const char* typed : {"", "block", "grid", "256", "3060", "blocks 4", "block x", "block 4x4x4x4",
                            "block 4 light theme", "grid fits the problem", "kernel 4x4"})

    EXPECT_FALSE(typed_setting(state, typed)) << typed;
}

TEST(TypedSetting, AStepThatKeepsTheBlockSaysSo) {
  AppState state = *initial_state("grayscale", "");
  update(state, OpenLesson{"who_am_i", 0});
  ASSERT_TRUE(state.lesson.is_open());
  const auto setting = typed_setting(state, "block 64");
  ASSERT_TRUE(setting);
  EXPECT_FALSE(setting->enabled);
  EXPECT_THAT(setting->title, HasSubstr("This step keeps the block as it is."));
}

}  // namespace THIS_FILE
}  // namespace warplens
