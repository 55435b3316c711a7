#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/state/live/live_motion.h"
#include "app/views/image/live_words.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;

double moved_to(const MovedValues& values, const std::string& name) {
  for (const auto& [moved, value] : values)
    if (moved == name) return value;
  ADD_FAILURE() << name << " did not move";
  return 0;
}

TEST(LiveMotion, ReadsItFromTheNamesOfTheNumbers) {
  EXPECT_TRUE(motion_of(**find_kernel("mandelbrot")).plane());
  EXPECT_NE(motion_of(**find_kernel("box_blur")).swing, nullptr);
  EXPECT_NE(motion_of(**find_kernel("ripple")).time, nullptr);
  EXPECT_FALSE(motion_of(**find_kernel("histogram_equalisation")).any());
}

TEST(LiveMotion, ZoomsAtThePointAndDragsWithThePointer) {
  const KernelDescription& kernel = **find_kernel("mandelbrot");
  const LiveMotion motion = motion_of(kernel);
  KernelSetup setup = default_setup(kernel);
  const auto place = [&](const KernelSetup& s, double x, double y) {
    const auto value = [&](const char* name) {
      const auto found = s.values.find(name);
      if (found != s.values.end()) return found->second;
      for (const KernelArgument& a : kernel.arguments)
        if (a.name == name) return a.value;
      return 0.0;
    };
    return std::pair(value("center_x") + value("scale") * (x - 480),
                     value("center_y") + value("scale") * (320 - y));
  };
  const auto before = place(setup, 700, 100);
  for (const auto& [name, value] : zoomed_at(motion, setup, 960, 640, {700, 100}, 2))
    setup.values[name] = value;
  EXPECT_DOUBLE_EQ(setup.values["scale"], 0.002);
  const auto after = place(setup, 700, 100);
  EXPECT_NEAR(before.first, after.first, 1e-12);
  EXPECT_NEAR(before.second, after.second, 1e-12);
  for (const auto& [name, value] : dragged(motion, setup, {10, -20})) setup.values[name] = value;
  const auto under = place(setup, 710, 80);
  EXPECT_NEAR(before.first, under.first, 1e-12) << "what was under the pointer still is";
  EXPECT_NEAR(before.second, under.second, 1e-12);
}

TEST(LiveMotion, StaysWithinTheRange) {
  const LiveMotion motion = motion_of(**find_kernel("mandelbrot"));
  KernelSetup setup = default_setup(**find_kernel("mandelbrot"));
  EXPECT_DOUBLE_EQ(moved_to(zoomed_at(motion, setup, 960, 640, {0, 0}, 1e-9), "scale"), 0.1);
  EXPECT_DOUBLE_EQ(moved_to(dragged(motion, setup, {1e9f, 0}), "center_x"), -2);
  EXPECT_TRUE(zoomed_at(motion, setup, 960, 640, {0, 0}, 0).empty());
}

TEST(LiveMotion, SwingsThereAndBackFromWhereItIs) {
  const LiveMotion motion = motion_of(**find_kernel("box_blur"));
  KernelSetup setup = default_setup(**find_kernel("box_blur"));
  double phase = phase_of(motion, setup);
  EXPECT_DOUBLE_EQ(phase, 0.25) << "2 of 0 to 8";
  double most = 0, least = 8;
  for (int i = 0; i < 90; ++i) {
    const double radius = moved_to(played(motion, setup, 0.1, phase), "radius");
    EXPECT_EQ(radius, std::round(radius));
    most = std::max(most, radius);
    least = std::min(least, radius);
  }
  EXPECT_EQ(most, 8);
  EXPECT_EQ(least, 0);
}

TEST(LiveMotion, LetsAClockRunAndBegin) {
  KernelDescription kernel;
  KernelArgument time;
  time.name = "time";
  time.dtype = DType::f32;
  time.maximum = 10;
  kernel.arguments = {time};
  const LiveMotion motion = motion_of(kernel);
  KernelSetup setup;
  double phase = 0;
  EXPECT_DOUBLE_EQ(moved_to(played(motion, setup, 0.5, phase), "time"), 0.5);
  setup.values["time"] = 9.9;
  EXPECT_DOUBLE_EQ(moved_to(played(motion, setup, 0.5, phase), "time"), 0);
}

TEST(LiveMotion, MovesTheRipplesBySecondsAndBeginsAgainUnseen) {
  const KernelDescription& kernel = **find_kernel("ripple");
  const LiveMotion motion = motion_of(kernel);
  ASSERT_NE(motion.time, nullptr);
  KernelSetup setup = default_setup(kernel);
  double phase = 0;
  EXPECT_DOUBLE_EQ(moved_to(played(motion, setup, 0.25, phase), "time"), 0.25);
  EXPECT_EQ(motion.time->maximum, std::round(motion.time->maximum))
      << "a wave takes a second: after whole seconds the picture is the first one";
}

TEST(LiveWords, SayWhatCrossesTheBus) {
  LiveState live;
  EXPECT_EQ(live_status(live), "");
  live.on = true;
  EXPECT_THAT(live_status(live), HasSubstr("getting ready"));
  live.report.shown = live.report.on_gpu = live.report.shared = true;
  live.report.kernel_ms = 0.213;
  live.report.frames_per_second = 60;
  EXPECT_THAT(live_note(live),
              HasSubstr("kernel 213 µs (measured) · 60 pictures/s · 0 B over the bus a frame"));
  EXPECT_THAT(live_status(live), HasSubstr("drawn from the GPU's memory, 0 B over the bus"));
  live.report.shared = false;
  live.report.bytes_a_frame = 2048;
  live.report.why_not = "The window is drawn by another GPU.";
  live.report.advice = "Start it otherwise.";
  EXPECT_THAT(live_note(live), HasSubstr("2 KiB over the bus a frame: The window is drawn by another GPU."));
  EXPECT_THAT(live_status(live), HasSubstr("through host memory"));
  EXPECT_THAT(live_status_hint(live), HasSubstr("\nStart it otherwise."));
  live.report.on_gpu = false;
  EXPECT_THAT(live_note(live), HasSubstr("on this machine's processor"));
  EXPECT_THAT(live_status(live), Not(HasSubstr("bus")));
}

}  // namespace THIS_FILE
}  // namespace warplens
