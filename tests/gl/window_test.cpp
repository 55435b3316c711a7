// The window on a real GPU's OpenGL: live pictures in it, and the frame time of the Grid view with a million
// blocks. Skipped where there is no GPU or no display, or where OpenGL is drawn by something else.
#include <glad/glad.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

#include "app/window/shell.h"
#include "core/image/image.h"
#include "cuda/device/devices/live_devices.h"
#include "cuda/device/driver/driver.h"
#include "cuda/device/live/make_live.h"
#include "tests/gl/gl_context.h"

namespace warplens {
namespace THIS_FILE {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class GpuWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto driver = cuda::load_driver();
    if (!driver) GTEST_SKIP() << driver.error().message;
    if (!has_display()) GTEST_SKIP() << "There is no display.";
    auto device = cuda::describe_device(*driver, 0);
    ASSERT_TRUE(device) << device.error().message;
    m_device = *device;
  }
  void open(const std::string& kernel) {
    WindowOptions options;
    options.kernel = kernel;
    options.width = 1600;
    options.height = 900;
    options.make_live = cuda::make_live;
    auto opened = Shell::open(options, make_worker_calls(), true, {});
    ASSERT_TRUE(opened) << opened.error().message;
    m_shell = std::move(*opened);
    const std::string renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    if (reinterpret_cast<const char*>(glGetString(GL_VENDOR)) != std::string("NVIDIA Corporation"))
      GTEST_SKIP() << "The window is drawn by " << renderer << ".";
    std::printf("OpenGL: %s\n", renderer.c_str());
  }
  bool until(const std::function<bool()>& holds, double seconds = 60) {
    for (const auto begin = Clock::now(); !holds();) {
      if (ms_since(begin) > 1000 * seconds) return false;
      m_shell->window().wait_for_events(0);
      m_shell->frame();
    }
    return true;
  }
  void save(const std::string& name) {
    const char* folder = std::getenv("OUT");
    if (folder == nullptr) return;
    m_shell->window().capture_next(
        [&](Image image) { EXPECT_TRUE(save_image(image, std::string(folder) + "/" + name + ".png")); });
    m_shell->frame();
  }
  AppState& state() { return m_shell->state(); }
  Actions& actions() { return m_shell->actions(); }

  Device m_device;
  std::unique_ptr<Shell> m_shell;
};

TEST_F(GpuWindow, ShowsTheLiveMandelbrotFromTheGpusMemory) {
  open("mandelbrot");
  if (IsSkipped()) return;
  ASSERT_TRUE(until([&] { return m_shell->settled(); }));
  state().setup.device = m_device;
  for (const auto& [name, value] : {std::pair{"width", 1600.0},
                                    {"height", 900.0},
                                    {"max_iterations", 1000.0},
                                    {"center_x", -0.743644},
                                    {"center_y", 0.131826}})
    actions().push(SetValue{name, value});
  actions().push(SetLive{true});
  actions().push(PlayLive{true});
  ASSERT_TRUE(until([&] { return m_shell->live().frames_shown() > 10; }))
      << (state().problems.notices.empty() ? "" : state().problems.notices.front().message);
  std::vector<double> frames;
  const uint64_t shown = m_shell->live().frames_shown();
  for (int i = 0; i < 600; ++i) {
    const auto begin = Clock::now();
    m_shell->window().wait_for_events(0);
    m_shell->frame();
    glFinish();
    frames.push_back(ms_since(begin));
  }
  std::ranges::sort(frames);
  std::printf(
      "live mandelbrot 1600 x 900, 1,000 steps: window frame %.2f ms median, %.2f ms p99, kernel %.3f ms, "
      "%llu live pictures in 600 frames\n",
      frames[300], frames[594], state().live.report.kernel_ms,
      static_cast<unsigned long long>(m_shell->live().frames_shown() - shown));
  EXPECT_TRUE(state().live.report.shared) << state().live.report.why_not;
  EXPECT_EQ(m_shell->live().traffic().copies, 0u);
  EXPECT_EQ(state().live.report.bytes_a_frame, 0);
  save("live_mandelbrot_gpu");
  for (int i = 0; i < 50; ++i) {
    m_shell->window().resize(800 + 17 * i, 600 + 7 * i);
    actions().push(SetValue{"width", 400.0 + 20 * i});
    m_shell->window().wait_for_events(0);
    m_shell->frame();
  }
  EXPECT_TRUE(state().live.on);
  actions().push(ChooseKernel{"box_blur"});
  const uint64_t before = m_shell->live().frames_shown();
  ASSERT_TRUE(until([&] { return m_shell->live().frames_shown() > before + 30; }));
  EXPECT_TRUE(state().live.report.shared) << state().live.report.why_not;
  save("live_blur_gpu");
  m_shell.reset();  // while it runs
}

TEST_F(GpuWindow, DrawsAGridOfAMillionBlocks) {
  open("vector_add");
  if (IsSkipped()) return;
  ASSERT_TRUE(until([&] { return m_shell->settled(); }));
  actions().push(SetValue{"n", 32.0 * 1024 * 1024});
  actions().push(SetBlock{{32, 1, 1}});
  actions().push(ShowView{View::grid});
  const auto runs_a_million = [&] { return state().runs.result->shape.grid.count() >= 1'000'000; };
  ASSERT_TRUE(until([&] { return runs_a_million() && m_shell->settled(); }, 120));
  std::printf("grid of %llu blocks\n",
              static_cast<unsigned long long>(state().runs.result->shape.grid.count()));
  std::vector<double> frames;
  ImGuiIO& io = ImGui::GetIO();
  for (int i = 0; i < 400; ++i) {
    io.AddMousePosEvent(500.0f + static_cast<float>(i % 300), 400.0f + static_cast<float>(i % 90));
    if (i % 8 == 0) io.AddMouseWheelEvent(0, i % 160 < 80 ? 1.0f : -1.0f);
    const auto begin = Clock::now();
    m_shell->window().wait_for_events(0);
    m_shell->frame();
    glFinish();
    frames.push_back(ms_since(begin));
  }
  std::ranges::sort(frames);
  std::printf("grid view, pointing and zooming: %.2f ms median, %.2f ms p95, %.2f ms p99, %.2f ms worst\n",
              frames[200], frames[380], frames[396], frames[399]);
  EXPECT_LE(frames[380], 16.7);
  save("grid_million_gpu");
}

}  // namespace THIS_FILE
}  // namespace warplens
