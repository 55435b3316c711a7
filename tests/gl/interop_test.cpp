// Live frames on a real GPU with OpenGL, without a window. Skipped if there is no GPU or no EGL.
#include <algorithm>
#include <cstdio>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/kernels/make_request_again.h"
#include "core/launch/backend.h"
#include "tests/gl/interop.h"

namespace warplens::cuda {
namespace THIS_FILE {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

const std::vector<std::string> image_kernels = {"grayscale",
                                                "invert",
                                                "invert_tiled",
                                                "box_blur",
                                                "box_blur_tiled",
                                                "sobel",
                                                "sobel_tiled",
                                                "mandelbrot",
                                                "convolution_constant",
                                                "histogram_equalisation"};

TEST_F(Interop, GivesTheSamePictureAsTheFallbackAndTheVirtualGpuAndCopiesNothing) {
  std::printf("OpenGL: %s\n", m_gl->renderer().c_str());
  for (const std::string& name : image_kernels) {
    SCOPED_TRACE(name);
    const auto wanted = request(name, 333, 217);
    std::vector<uint8_t> shared, copied;
    {
      const auto live = engine(true);
      frame(*live, 0, wanted);
      frame(*live, 1, wanted);
      ASSERT_TRUE(live->path() && live->path()->shared) << live->path()->why_not;
      EXPECT_EQ(live->traffic().copies, 0u);
      EXPECT_EQ(m_picture->traffic().copies, 0u);
      shared = m_picture->read_back().rgba;
    }
    {
      auto other = LivePicture::open();
      ASSERT_TRUE(other);
      std::swap(m_picture, *other);
      m_fitted = nullptr;
      const auto live = engine(false);
      frame(*live, 0, wanted);
      EXPECT_EQ(live->traffic().copies, 1u);
      copied = m_picture->read_back().rgba;
      std::swap(m_picture, *other);
      m_fitted = nullptr;
    }
    EXPECT_EQ(shared, copied);
    const auto run = make_virtual_gpu()->run(wanted, {}, nullptr);
    ASSERT_TRUE(run);
    const uint32_t output = *live_output(*wanted);
    const auto found = std::ranges::find(run->outputs, output, &OutputBuffer::index);
    ASSERT_NE(found, run->outputs.end());
    const uint32_t channels = wanted->buffers[output].channels;
    size_t different = 0;
    for (size_t pixel = 0; pixel < shared.size() / 4; ++pixel)
      for (uint32_t c = 0; c < 3; ++c)
        different += shared[4 * pixel + c] !=
                     std::to_integer<uint8_t>((*found->bytes)[pixel * channels + (channels == 1 ? 0 : c)]);
    EXPECT_EQ(different, 0u) << "of " << shared.size() / 4 * 3;
  }
}

TEST_F(Interop, AddsHardlyAnythingToKernelAndDrawing) {
  GLuint target = 0, colours = 0;
  glGenFramebuffers(1, &target);
  glGenRenderbuffers(1, &colours);
  glBindRenderbuffer(GL_RENDERBUFFER, colours);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1920, 1080);
  for (const char* name : {"mandelbrot", "box_blur", "histogram_equalisation"}) {
    const KernelDescription& kernel = **find_kernel(name);
    KernelSetup setup = default_setup(kernel);
    setup.image = test_image(1920, 1080);
    if (std::string(name) == "mandelbrot") setup.values = {{"width", 1920}, {"height", 1080}};
    const auto live = engine(true);
    auto previous = request(name, setup);
    frame(*live, 0, previous);
    ASSERT_TRUE(live->path()->shared) << live->path()->why_not;
    const auto draw = [&](size_t slot) {
      m_picture->show(slot);
      glFinish();
    };
    std::vector<double> beyond, kernels, frames, drawings;
    for (int i = 0; i < 300; ++i) {
      const size_t slot = static_cast<size_t>(i) % live_slots;
      const auto begin = Clock::now();
      const Before before{previous.get(), &setup};
      auto made =
          make_request_again(kernel, setup, m_device, &before);  // as a window does, with moving numbers
      ASSERT_TRUE(made);
      previous = std::make_shared<const LaunchRequest>(std::move(*made));
      start(*live, slot, previous);
      const LiveFrame done = wait(*live);
      draw(slot);
      const double whole = ms_since(begin);
      const auto again = Clock::now();
      draw(slot);
      const double drawing = ms_since(again);
      if (i < 20) continue;  // warm-up
      frames.push_back(whole);
      kernels.push_back(done.kernel_ms);
      drawings.push_back(drawing);
      beyond.push_back(whole - drawing - done.kernel_ms);
    }
    std::printf(
        "%s, 1920 x 1080: frame %.3f ms, kernel %.3f ms, drawing %.3f ms, beyond both %.3f ms (medians)\n",
        name, median(frames), median(kernels), median(drawings), median(beyond));
    EXPECT_LE(median(beyond), 0.05 * 16.7) << "5 % of a frame";
    EXPECT_EQ(live->traffic().copies, 0u);
    m_fitted = nullptr;
  }
  glDeleteRenderbuffers(1, &colours);
  glDeleteFramebuffers(1, &target);
}

TEST_F(Interop, LeaksNeitherMemoryNorHandles) {
  const auto live = engine(true);
  const std::vector<std::pair<uint32_t, uint32_t>> sizes = {{640, 480}, {641, 479}, {320, 1}, {1024, 768}};
  const auto other = [&](uint32_t i) {
    const auto [width, height] = sizes[i % sizes.size()];
    return request(i % 2 == 0 ? "mandelbrot" : "grayscale", width, height, i + 1);
  };
  // Everything has been in use once.
  for (uint32_t i = 0; i < 16; ++i) frame(*live, i % live_slots, other(i));
  glFinish();
  const auto before = live->memory();
  const size_t handles = open_handles();
  ASSERT_TRUE(before);
  uint64_t launches = 0;
  for (uint32_t i = 0; i < 1000; ++i) {
    const auto wanted = other(i);
    for (uint32_t again = 0; again < 10; ++again, ++launches) frame(*live, again % live_slots, wanted);
    if (HasFatalFailure() || HasFailure()) return;
  }
  for (uint32_t i = 0; i < 16; ++i) frame(*live, i % live_slots, other(i));  // ends as it began
  glFinish();
  const auto after = live->memory();
  ASSERT_TRUE(after);
  std::printf(
      "1,000 resizes and pictures, %llu launches: free device memory %lld KiB before, %lld KiB after; "
      "handles %zu, %zu\n",
      static_cast<unsigned long long>(launches), static_cast<long long>(before->free / 1024),
      static_cast<long long>(after->free / 1024), handles, open_handles());
  EXPECT_GE(after->free + (8u << 20), before->free) << "within one allocation step of the driver";
  EXPECT_LE(open_handles(), handles);
  EXPECT_EQ(live->traffic().copies, 0u);
}

TEST_F(Interop, ClosesWhileRunning) {
  for (int i = 0; i < 20; ++i) {
    const auto live = engine(i % 2 == 0);
    m_fitted = nullptr;
    start(*live, 0, request("mandelbrot", 1920, 1080));
    if (i % 3 == 0) live->take_back();
  }
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

}  // namespace THIS_FILE
}  // namespace warplens::cuda
