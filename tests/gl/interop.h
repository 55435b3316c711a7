// Live frames into an OpenGL picture, without a window. Skipped if there is no GPU or no EGL.
#pragma once

#include <glad/glad.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/widgets/live_picture.h"
#include "core/kernels/catalogue.h"
#include "cuda/device/devices/live_devices.h"
#include "cuda/device/live/live_gpu.h"
#include "tests/gl/gl_context.h"

namespace warplens::cuda {

using Clock = std::chrono::steady_clock;

inline double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// A picture whose pixels all differ.
inline std::shared_ptr<const Image> test_image(uint32_t width, uint32_t height, uint32_t seed = 1) {
  Image image;
  image.width = width;
  image.height = height;
  image.channels = 3;
  image.name = "test";
  image.pixels.resize(size_t{3} * width * height);
  for (uint8_t& byte : image.pixels)
    byte = static_cast<uint8_t>((seed = seed * 1664525u + 1013904223u) >> 24);
  return std::make_shared<const Image>(std::move(image));
}

class Interop : public ::testing::Test {
 protected:
  void SetUp() override {
    auto driver = load_driver();
    if (!driver) GTEST_SKIP() << driver.error().message;
    m_driver = *driver;
    auto described = describe_device(m_driver, 0);
    ASSERT_TRUE(described) << described.error().message;
    m_device = *described;
    auto context = GlContext::open();
    if (!context) GTEST_SKIP() << context.error().message;
    m_gl = std::move(*context);
    auto picture = LivePicture::open();
    ASSERT_TRUE(picture) << picture.error().message;
    m_picture = std::move(*picture);
  }

  std::unique_ptr<LiveGpu> engine(bool share) {
    return std::make_unique<LiveGpu>(m_driver, 0, LiveGpu::Options{share, {}});
  }

  std::shared_ptr<const LaunchRequest> request(const std::string& name, KernelSetup setup) const {
    auto made = make_request(**find_kernel(name), setup, m_device);
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return std::make_shared<const LaunchRequest>(std::move(*made));
  }
  std::shared_ptr<const LaunchRequest> request(const std::string& name, uint32_t width, uint32_t height,
                                               uint32_t seed = 1) const {
    KernelSetup setup = default_setup(**find_kernel(name));
    setup.image = test_image(width, height, seed);
    setup.values = name == "mandelbrot" ? std::map<std::string, double>{{"width", width}, {"height", height}}
                                        : std::map<std::string, double>{};
    return request(name, setup);
  }

  void fit(LiveEngine& live, const LaunchRequest& request) {
    const BufferSpec& spec = request.buffers[*live_output(request)];
    const PictureShape shape{spec.width, spec.height, spec.channels};
    if (m_picture->shape() == shape && m_fitted == &live) return;
    live.take_back();
    ASSERT_TRUE(m_picture->reshape(shape));
    live.lend(m_picture->buffers());
    m_fitted = &live;
  }
  // Repeats until it has started, since a kernel may have to be compiled first.
  void start(LiveEngine& live, size_t slot, const std::shared_ptr<const LaunchRequest>& request) {
    fit(live, *request);
    for (const auto begin = Clock::now(); ms_since(begin) < 60000;) {
      const auto started = live.start(slot, request);
      ASSERT_TRUE(started) << started.error().message;
      if (*started) return;
      std::this_thread::yield();
    }
    FAIL() << "the kernel was never ready";
  }
  LiveFrame wait(LiveEngine& live) {
    for (const auto begin = Clock::now(); ms_since(begin) < 60000;) {
      const auto frames = live.finished();
      EXPECT_TRUE(frames) << frames.error().message;
      if (!frames) return {};
      if (!frames->empty()) return frames->back();
    }
    ADD_FAILURE() << "no frame came";
    return {};
  }
  LiveFrame frame(LiveEngine& live, size_t slot, const std::shared_ptr<const LaunchRequest>& request) {
    start(live, slot, request);
    const LiveFrame done = wait(live);
    if (!done.host.empty()) m_picture->upload(slot, done.host);
    m_picture->show(slot);
    return done;
  }

  Driver m_driver;
  Device m_device;
  std::unique_ptr<GlContext> m_gl;
  std::unique_ptr<LivePicture> m_picture;
  const LiveEngine* m_fitted = nullptr;
};

}  // namespace warplens::cuda
