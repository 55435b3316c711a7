#include "app/views/launch/model.h"

#include <gtest/gtest.h>

#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

AppState grayscale(uint32_t width, uint32_t height, Dim3 block) {
  AppState state = *initial_state("grayscale", "");
  auto image = std::make_shared<Image>();
  image->width = width;
  image->height = height;
  image->name = "photo.png";
  image->pixels.resize(size_t{3} * width * height);
  update(state, PictureLoaded{"photo.png", image});
  update(state, SetBlock{block});
  return state;
}

std::string value_of(const LaunchView& view, const std::string& label) {
  for (const LaunchFigure& figure : view.figures) {
    if (figure.figure.label == label) return figure.figure.value;
  }
  return "none";
}

TEST(LaunchView, ShowsTheFiguresOfTheLaunch) {
  const LaunchView view = launch_view(grayscale(512, 512, {16, 16, 1}));
  EXPECT_EQ(view.subject, "photo.png, 512 × 512");
  EXPECT_EQ(view.fit_formula, "⌈512 / 16⌉ × ⌈512 / 16⌉");
  EXPECT_EQ(value_of(view, "blocks"), "1,024");
  EXPECT_EQ(value_of(view, "threads"), "262,144");
  EXPECT_EQ(value_of(view, "warps"), "8,192");
  EXPECT_EQ(value_of(view, "lanes without work"), "0");
  EXPECT_EQ(view.axes, 2);
}

TEST(LaunchView, LargeFiguresHaveAShortForm) {
  EXPECT_EQ(brief_of("262,144"), "262,144");
  EXPECT_EQ(brief_of("16,777,216"), "16.8 M");
  EXPECT_EQ(brief_of("1,073,741,824"), "1.07 G");
  EXPECT_EQ(brief_of("100 %"), "100 %");
  EXPECT_EQ(brief_of("–"), "–");
}

TEST(LaunchView, EveryFigureSaysWhereItComesFrom) {
  const LaunchView view = launch_view(grayscale(100, 50, {7, 13, 1}));
  ASSERT_EQ(view.figures.size(), 6u);
  for (const LaunchFigure& figure : view.figures) {
    EXPECT_EQ(figure.figure.source, Provenance::derived);
    EXPECT_FALSE(figure.figure.formula.empty());
  }
  EXPECT_NE(view.figures[0].figure.formula.find("15 × 4 × 1 = 60"), std::string::npos)
      << view.figures[0].figure.formula;
}

TEST(LaunchView, CountsIdleLanes) {
  // 60 blocks of 3 warps are 5,760 lanes; 100 × 50 pixels have a thread.
  EXPECT_EQ(idle_lanes({{15, 4, 1}, {7, 13, 1}, 0, false}, Dim3{100, 50, 1}), 5760u - 5000u);
  // A grid that is too small covers only its part.
  EXPECT_EQ(idle_lanes({{1, 1, 1}, {32, 1, 1}, 0, false}, Dim3{100, 1, 1}), 0u);
  // The problem not known: only unfilled warps count.
  EXPECT_EQ(idle_lanes({{2, 1, 1}, {48, 1, 1}, 0, false}, std::nullopt), 32u);
  // The largest grid that CUDA takes, and one that no 64 bits hold.
  EXPECT_EQ(idle_lanes({{2147483647, 65535, 65535}, {1024, 1, 1}, 0, false}, std::nullopt), 0u);
  EXPECT_EQ(idle_lanes({{4294967295u, 4294967295u, 4294967295u}, {33, 1, 1}, 0, false}, std::nullopt), 0u);
}

TEST(LaunchView, MarksTheChosenPreset) {
  const LaunchView view = launch_view(grayscale(64, 64, {32, 8, 1}));
  size_t chosen = 0;
  for (const PresetChip& chip : view.presets) {
    chosen += chip.chosen;
    EXPECT_EQ(chip.chosen, chip.label == "32×8") << chip.label;
  }
  EXPECT_EQ(chosen, 1u);
}

TEST(LaunchView, AGhostShowsWhatTheLastRunHad) {
  AppState state = grayscale(64, 64, {16, 16, 1});
  auto result = std::make_shared<RunResult>();
  LaunchRequest request;
  request.kernel = "grayscale";
  request.device = state.setup.device;
  result->request = std::make_shared<const LaunchRequest>(request);
  result->shape = state.setup.outlook.shape;
  update(state, RunFinished{state.runs.now.wanted, state.setup.launch, result, ""});
  EXPECT_EQ(launch_view(state).figures[0].ghost, "") << "nothing before it";
  update(state, SetBlock{{8, 8, 1}});
  const LaunchView view = launch_view(state);
  EXPECT_EQ(view.figures[0].figure.value, "64");
  EXPECT_EQ(view.figures[0].ghost, "was 16");
  EXPECT_EQ(view.figures[0].difference, "+48");
  EXPECT_EQ(view.figures[1].ghost, "") << "as many threads as before";
  update(state, PinBaseline{state.runs.now.shown});
  const LaunchView held = launch_view(state);
  EXPECT_EQ(held.figures[0].ghost, "4 × A");
  EXPECT_EQ(held.figures[1].ghost, "= A");
  update(state, PinBaseline{0});
  EXPECT_EQ(launch_view(state).figures[0].ghost, "was 16");
}

TEST(LaunchView, FiguresOfAnUnlinkedKernelSaySo) {
  AppState state = grayscale(64, 64, {16, 16, 1});
  EXPECT_EQ(value_of(launch_view(state), "occupancy"), "–");
  Resources resources;
  resources.registers_per_thread = 24;
  update(state, ResourcesKnown{"grayscale", state.setup.device.compute_capability.number(), resources});
  EXPECT_EQ(value_of(launch_view(state), "occupancy"), "100 %");
}

TEST(LaunchView, OneSeedAndOneControlForEachArgument) {
  for (const KernelDescription& kernel : built_in_kernels()) {
    const AppState state = *initial_state(kernel.name, "");
    size_t seeds = 0, pictures = 0;
    for (const ArgumentRow& row : launch_view(state).arguments) {
      EXPECT_NE(row.control, Control::none);
      EXPECT_FALSE(row.title.empty());
      seeds += row.control == Control::seed;
      pictures += row.control == Control::image;
      const bool ranged = row.control == Control::slider || row.control == Control::log_slider;
      EXPECT_TRUE(!ranged || row.minimum < row.maximum) << kernel.name << " " << row.name;
      EXPECT_TRUE(row.control != Control::log_slider || row.minimum >= 0) << kernel.name << " " << row.name;
    }
    EXPECT_LE(seeds, 1u);
    EXPECT_LE(pictures, 1u);
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
