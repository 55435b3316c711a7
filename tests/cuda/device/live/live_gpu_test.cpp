// Live frames on a driver of the tests' own: sharing with OpenGL, its failures, and that everything is given
// back.
#include "cuda/device/live/live_gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/cuda/device/fake_gpu.h"

namespace warplens::cuda {
namespace THIS_FILE {

using testing::HasSubstr;

class LiveFrames : public ::testing::Test {
 protected:
  // The window's buffers, as the fake OpenGL knows them.
  OpenGlBuffers buffers(uint64_t bytes, unsigned first = 1,
                        const std::string& vendor = "NVIDIA Corporation") {
    OpenGlBuffers lent{vendor, "NVIDIA GPU", {}, bytes};
    for (unsigned i = 0; i < live_slots; ++i) {
      gpu.gl_buffers[first + i] = std::vector<std::byte>(bytes);
      lent.names.push_back(first + i);
    }
    return lent;
  }
  std::unique_ptr<LiveGpu> engine(bool share = true) {
    return std::make_unique<LiveGpu>(gpu.driver(), 0, LiveGpu::Options{share, {}});
  }
  static std::shared_ptr<const LaunchRequest> request(uint32_t value, uint32_t width = 4,
                                                      uint32_t height = 3) {
    return std::make_shared<const LaunchRequest>(fake_request(width, height, value));
  }
  // Asks until the kernel has been made ready.
  static Result<bool> start(LiveGpu& live, size_t slot, const std::shared_ptr<const LaunchRequest>& request) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < end) {
      const Result<bool> started = live.start(slot, request);
      if (!started || *started) return started;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return failed("it was never ready");
  }
  static std::vector<std::byte> filled(size_t bytes, int value) {
    return std::vector<std::byte>(bytes, static_cast<std::byte>(value));
  }
  static std::vector<std::byte> copy(std::span<const std::byte> bytes) {
    return {bytes.begin(), bytes.end()};
  }

  FakeGpu gpu;
};

TEST_F(LiveFrames, ShareTheWindowsBuffersAndNothingCrossesTheBus) {
  const auto live = engine();
  live->lend(buffers(36));
  EXPECT_FALSE(live->path());
  ASSERT_TRUE(start(*live, 1, request(5)));
  ASSERT_TRUE(live->path());
  EXPECT_TRUE(live->path()->shared);
  EXPECT_TRUE(live->busy());
  EXPECT_TRUE(live->finished()->empty()) << "the kernel still runs";
  gpu.finish();
  const auto frames = live->finished();
  ASSERT_TRUE(frames);
  ASSERT_EQ(frames->size(), 1u);
  EXPECT_EQ(frames->front().slot, 1u);
  EXPECT_TRUE(frames->front().host.empty());
  EXPECT_DOUBLE_EQ(frames->front().kernel_ms, 0.25);
  EXPECT_EQ(gpu.gl_buffers.at(2), filled(36, 15));
  EXPECT_EQ(live->traffic().copies, 0u);
  EXPECT_EQ(gpu.device_to_host, 0);
  EXPECT_EQ(gpu.host_to_device, 1) << "the picture, once";
  EXPECT_FALSE(live->busy());
}

TEST_F(LiveFrames, StartEachFrameFromTheFirstContents) {
  const auto live = engine();
  live->lend(buffers(36));
  for (uint32_t value = 0; value < 6; ++value) {
    ASSERT_TRUE(start(*live, value % live_slots, request(value)));
    gpu.finish();
    ASSERT_EQ(live->finished()->size(), 1u);
    EXPECT_EQ(gpu.gl_buffers.at(1 + value % live_slots), filled(36, int(10 + value)));
  }
  EXPECT_EQ(gpu.wrong_maps, 0);
}

TEST_F(LiveFrames, ComeInOrderWithTwoUnderWay) {
  const auto live = engine();
  live->lend(buffers(36));
  ASSERT_TRUE(start(*live, 0, request(1)));
  ASSERT_TRUE(start(*live, 2, request(2)));
  gpu.finish();
  const auto frames = live->finished();
  ASSERT_EQ(frames->size(), 2u);
  EXPECT_EQ((*frames)[0].slot, 0u);
  EXPECT_EQ((*frames)[1].slot, 2u);
  EXPECT_EQ(gpu.gl_buffers.at(1), filled(36, 11));
  EXPECT_EQ(gpu.gl_buffers.at(3), filled(36, 12));
}

TEST_F(LiveFrames, GoThroughHostMemoryWithTheSamePicture) {
  const auto live = engine(false);
  live->lend(buffers(36));
  ASSERT_TRUE(start(*live, 0, request(7)));
  EXPECT_FALSE(live->path()->shared);
  EXPECT_THAT(live->path()->why_not, HasSubstr("switched off"));
  gpu.finish();
  const auto frames = live->finished();
  ASSERT_EQ(frames->size(), 1u);
  EXPECT_EQ(copy(frames->front().host), filled(36, 17));
  EXPECT_EQ(live->traffic().copies, 1u);
  EXPECT_EQ(live->traffic().bytes, 36u);
  EXPECT_EQ(gpu.registered, 0);
}

struct Failure {
  const char* name;
  std::function<void(FakeGpu&)> make;
  const char* words;
};

TEST_F(LiveFrames, FallBackWhateverOfSharingFails) {
  const std::vector<Failure> failures = {
      {"no entries", [](FakeGpu& g) { g.without_gl = true; }, "no entries"},
      {"no context", [](FakeGpu& g) { g.get_devices = CUDA_ERROR_INVALID_GRAPHICS_CONTEXT; },
       "cudaErrorInvalidGraphicsContext"},
      {"another device", [](FakeGpu& g) { g.gl_devices = {1}; }, "cuda:0 is not among them"},
      {"no device", [](FakeGpu& g) { g.gl_devices = {}; }, "0 CUDA devices"},
      {"first registration", [](FakeGpu& g) { g.registers = 0; }, "Registering"},
      {"third registration", [](FakeGpu& g) { g.registers = 2; }, "Registering"},
      {"mapping", [](FakeGpu& g) { g.map = CUDA_ERROR_MAP_FAILED; }, "Mapping"},
  };
  for (const Failure& failure : failures) {
    SCOPED_TRACE(failure.name);
    gpu.get_devices = gpu.map = CUDA_SUCCESS;
    gpu.gl_devices = {0};
    gpu.registers = 1000;
    gpu.without_gl = false;
    failure.make(gpu);
    {
      const auto live = engine();
      live->lend(buffers(36));
      ASSERT_TRUE(start(*live, 0, request(3)));
      ASSERT_TRUE(live->path());
      EXPECT_FALSE(live->path()->shared);
      EXPECT_THAT(live->path()->why_not, HasSubstr(failure.words));
      EXPECT_TRUE(gpu.resources.empty()) << "nothing stays registered";
      gpu.finish();
      const auto frames = live->finished();
      ASSERT_EQ(frames->size(), 1u);
      EXPECT_EQ(copy(frames->front().host), filled(36, 13));
    }
    EXPECT_EQ(gpu.handed_out(), 0u);
  }
}

TEST_F(LiveFrames, FallBackWhereTheBufferIsTooSmallForCuda) {
  const auto live = engine();
  OpenGlBuffers lent = buffers(36);
  gpu.gl_buffers.at(1).resize(8);
  live->lend(lent);
  ASSERT_TRUE(start(*live, 0, request(3)));
  EXPECT_FALSE(live->path()->shared);
  EXPECT_EQ(gpu.wrong_maps, 0);
}

TEST_F(LiveFrames, GoOnThroughHostMemoryWhenMappingFailsLater) {
  const auto live = engine();
  live->lend(buffers(36));
  ASSERT_TRUE(start(*live, 0, request(1)));
  gpu.map = CUDA_ERROR_MAP_FAILED;
  EXPECT_FALSE(*live->start(1, request(2))) << "the one under way comes first";
  gpu.finish();
  ASSERT_EQ(live->finished()->size(), 1u);
  EXPECT_EQ(gpu.gl_buffers.at(1), filled(36, 11));
  ASSERT_TRUE(start(*live, 1, request(2)));
  EXPECT_FALSE(live->path()->shared);
  gpu.finish();
  const auto frames = live->finished();
  ASSERT_EQ(frames->size(), 1u);
  EXPECT_EQ(copy(frames->front().host), filled(36, 12));
  EXPECT_TRUE(gpu.resources.empty());
}

TEST_F(LiveFrames, GiveTheBuffersBackForOthersWhileRunning) {
  const auto live = engine();
  live->lend(buffers(36));
  ASSERT_TRUE(start(*live, 0, request(1)));
  ASSERT_TRUE(start(*live, 1, request(2)));
  live->take_back();
  EXPECT_TRUE(gpu.resources.empty());
  EXPECT_FALSE(live->busy());
  EXPECT_TRUE(live->finished()->empty()) << "they are dropped";
  live->lend(buffers(3 * 8 * 8, 11));
  ASSERT_TRUE(start(*live, 0, request(4, 8, 8)));
  gpu.finish();
  ASSERT_EQ(live->finished()->size(), 1u);
  EXPECT_EQ(gpu.gl_buffers.at(11), filled(192, 14));
  EXPECT_EQ(gpu.wrong_maps, 0);
}

TEST_F(LiveFrames, RefuseAPictureThatTheBuffersAreTooSmallFor) {
  const auto live = engine();
  live->lend(buffers(36));
  const auto started = start(*live, 0, request(1, 8, 8));
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("too small"));
}

TEST_F(LiveFrames, EndWithAFaultThatTheContextDoesNotSurvive) {
  {
    const auto live = engine();
    live->lend(buffers(36));
    ASSERT_TRUE(start(*live, 0, request(1)));
    gpu.query = CUDA_ERROR_ILLEGAL_ADDRESS;
    const auto frames = live->finished();
    ASSERT_FALSE(frames);
    EXPECT_THAT(frames.error().message, HasSubstr("cudaErrorIllegalAddress"));
    const auto again = live->start(1, request(1));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().message, frames.error().message);
  }
  EXPECT_EQ(gpu.handed_out(), 0u);
}

TEST_F(LiveFrames, SayThatALaunchWasRefusedAndStayWhole) {
  const auto live = engine();
  live->lend(buffers(36));
  gpu.launch = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  const auto refused = start(*live, 0, request(1));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("cudaErrorLaunchOutOfResources"));
  gpu.launch = CUDA_SUCCESS;
  EXPECT_TRUE(start(*live, 0, request(1)));
  EXPECT_EQ(gpu.wrong_maps, 0);
}

TEST_F(LiveFrames, RefuseWhatIsNoPictureOrGoesBackAndForth) {
  const auto live = engine();
  live->lend(buffers(36));
  LaunchRequest numbers = fake_request(4, 3, 1);
  numbers.buffers[0].dtype = DType::f32;
  EXPECT_FALSE(start(*live, 0, std::make_shared<const LaunchRequest>(numbers)));
  LaunchRequest copies = fake_request(4, 3, 1);
  const Step launch = copies.steps.front();
  copies.steps = {AllocateStep{0}, AllocateStep{1}, CopyInStep{1}, launch,
                  CopyOutStep{1},  CopyInStep{1},   launch};
  const auto refused = start(*live, 0, std::make_shared<const LaunchRequest>(copies));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("from is copied out and in again"));
}

TEST_F(LiveFrames, GiveEverythingBackWhenClosedWhileRunning) {
  for (const bool share : {true, false}) {
    {
      const auto live = engine(share);
      live->lend(buffers(36));
      ASSERT_TRUE(start(*live, 0, request(1)));
      ASSERT_TRUE(start(*live, 1, request(2)));
    }
    EXPECT_EQ(gpu.handed_out(), 0u);
    {
      const auto live = engine(share);  // closed while the kernel is being made ready
      live->lend(buffers(36));
      EXPECT_FALSE(*live->start(0, request(1)));
    }
    EXPECT_EQ(gpu.handed_out(), 0u);
  }
}

TEST_F(LiveFrames, LeakNothingOverManySizesAndPictures) {
  const auto live = engine();
  size_t settled = 0;
  for (uint32_t i = 0; i < 60; ++i) {
    const uint32_t width = 2 + i % 3;
    live->take_back();
    gpu.gl_buffers.clear();
    live->lend(buffers(uint64_t{3} * width * 3, 100 + 10 * i));
    const auto other =
        std::make_shared<const LaunchRequest>(fake_request(width, 3, i, std::byte{static_cast<uint8_t>(i)}));
    for (uint32_t frame = 0; frame < 5; ++frame) {
      ASSERT_TRUE(start(*live, frame % live_slots, other));
      gpu.finish();
      ASSERT_EQ(live->finished()->size(), 1u);
    }
    EXPECT_EQ(gpu.gl_buffers.at(100 + 10 * i), filled(size_t{9} * width, int(2 * i)));
    if (i == 0) settled = gpu.handed_out();
    EXPECT_EQ(gpu.handed_out(), settled);
  }
  EXPECT_EQ(gpu.wrong_maps, 0);
}

TEST(NotShared, SaysWhyAndWhatHelps) {
  const auto path = [](const std::string& vendor, const std::string& renderer) {
    return not_shared({vendor, renderer, {}, 0}, "cudaErrorUnknown");
  };
  EXPECT_THAT(path("Microsoft Corporation", "D3D12 (NVIDIA GeForce RTX 3060)").why_not, HasSubstr("WSL"));
  EXPECT_THAT(path("Mesa", "llvmpipe (LLVM 15.0.7, 256 bits)").why_not, HasSubstr("drawn by the processor"));
  const FramePath hybrid = path("Intel", "Mesa Intel(R) UHD Graphics 630");
  EXPECT_THAT(hybrid.why_not, HasSubstr("another GPU (Mesa Intel(R) UHD Graphics 630)"));
  EXPECT_THAT(hybrid.advice, HasSubstr("__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia"));
  const FramePath own = path("NVIDIA Corporation", "NVIDIA GeForce RTX 3060/PCIe/SSE2");
  EXPECT_THAT(own.why_not, HasSubstr("cudaErrorUnknown"));
  EXPECT_TRUE(own.advice.empty());
}

// A kernel that never ends cannot be stopped from its own process. Its resources are not freed, and the
// window stays usable and can be closed.
TEST_F(LiveFrames, DoNotWaitForAKernelThatNeverEnds) {
  LiveGpu::Options options{true, {}};
  options.patience = std::chrono::milliseconds(30);
  auto live = std::make_unique<LiveGpu>(gpu.driver(), 0, options);
  live->lend(buffers(36));
  ASSERT_TRUE(start(*live, 0, request(5)));
  gpu.endless = true;
  const auto begin = std::chrono::steady_clock::now();
  live.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_TRUE(live_kernel_left_running()) << "nobody waited for its end";
  EXPECT_EQ(gpu.contexts, 1) << "destroying it would wait";
  EXPECT_FALSE(gpu.memory.empty()) << "the kernel may still write there";
  gpu.finish();
}

// Nor for a driver that makes no context, as after a fault of another program's kernel.
TEST_F(LiveFrames, DoNotWaitForADriverThatIsStuck) {
  LiveGpu::Options options{true, {}};
  options.patience = std::chrono::milliseconds(30);
  std::atomic<int> told = 0;
  options.on_event = [&told] { ++told; };
  auto live = std::make_unique<LiveGpu>(gpu.driver(), 0, options);
  live->lend(buffers(36));
  gpu.stuck = true;
  const auto begin = std::chrono::steady_clock::now();
  const Result<bool> started = live->start(0, request(5));
  ASSERT_TRUE(started);
  EXPECT_FALSE(*started);
  live.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_TRUE(slow_calls_left()) << "nobody waited for its answer";
  gpu.stuck = false;
  while (slow_calls_left()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(gpu.handed_out(), 0u) << "what came too late is given back";
  EXPECT_EQ(told, 0) << "nobody is there to be told";
}

TEST_F(LiveFrames, EndWithASentenceWhereAFrameTakesTooLong) {
  LiveGpu::Options options{true, {}};
  options.frame_limit = std::chrono::seconds(1);
  options.patience = std::chrono::milliseconds(30);
  const auto live = std::make_unique<LiveGpu>(gpu.driver(), 0, options);
  live->lend(buffers(36));
  ASSERT_TRUE(start(*live, 0, request(5)));
  EXPECT_TRUE(live->finished()) << "it has time yet";
  gpu.endless = true;
  Result<std::vector<LiveFrame>> frames = live->finished();
  for (int i = 0; i < 60'000 && frames; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    frames = live->finished();
  }
  ASSERT_FALSE(frames);
  EXPECT_THAT(frames.error().message, HasSubstr("cannot be stopped"));
  EXPECT_FALSE(live->start(1, request(6))) << "and it stays so";
  EXPECT_FALSE(live->busy());
  EXPECT_FALSE(live->memory());
  live->take_back();
  gpu.finish();
}

}  // namespace THIS_FILE
}  // namespace warplens::cuda
