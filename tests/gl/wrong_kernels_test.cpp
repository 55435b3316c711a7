// Kernels that fault in the process of launches, and that never end among the live ones. Last among the tests
// with OpenGL: whether a driver makes new contexts after a fault is its own matter (docs/limits.md).
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "core/system/places.h"
#include "cuda/device/backend/real_gpus.h"
#include "tests/gl/interop.h"

namespace warplens::cuda {
namespace THIS_FILE {

// One launch of one warp; nothing runs it first.
std::shared_ptr<LaunchRequest> request_of(std::string ptx, const Device& device) {
  auto module = std::make_shared<ModuleText>();
  module->ptx = std::move(ptx);
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = "k";
  request->module = module;
  request->device = device;
  request->preflight = false;
  LaunchStep launch;
  launch.entry = "k";
  launch.block = {32, 1, 1};
  request->steps = {launch};
  return request;
}

class WrongKernels : public Interop {
 protected:
  // Draws for a while, since a driver takes some seconds to see that a context does not come back.
  bool context_is_lost() {
    for (const auto begin = Clock::now(); ms_since(begin) < 12'000;) {
      m_picture->show(0);
      glFinish();
      if (m_gl->lost()) return true;
    }
    return false;
  }
  std::shared_ptr<const LaunchRequest> right_request() const {
    auto again = std::make_shared<LaunchRequest>(*request("grayscale", 333, 217));
    again->preflight = false;
    return again;
  }
};

// Pictures go on, or the driver says that this context is no more, and then the window is opened again.
TEST_F(WrongKernels, OfTheWorkerLeaveLivePicturesAsTheyAreOrTheLossIsTold) {
  const auto wanted = request("grayscale", 333, 217);
  const auto live = engine(true);
  frame(*live, 0, wanted);
  const auto before = m_picture->read_back().rgba;
  ASSERT_TRUE(live->path()->shared) << live->path()->why_not;

  const auto faulting = request_of(
      ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry k()\n{\n.reg .b64 %rd1;\n"
      "mov.u64 %rd1, 4096;\nst.global.u32 [%rd1], 1;\nret;\n}\n",
      m_device);
  const auto folder = program_path().parent_path();
  const auto worker = make_real_gpus((folder / "warplens").string());
  for (int i = 0; i < 3; ++i) {
    const auto run = worker->run(faulting, {}, nullptr);
    ASSERT_TRUE(run.ok()) << run.error().message;
    EXPECT_EQ(run->status, RunStatus::fault);
    if (context_is_lost()) {
      std::printf("The driver gave the OpenGL context up after a fault of another process.\n");
      EXPECT_EQ(worker->run(right_request(), {}, nullptr)->status, RunStatus::ok) << "launches go on";
      return;
    }
    for (size_t slot = 0; slot < live_slots; ++slot) frame(*live, slot, wanted);
    EXPECT_EQ(m_picture->read_back().rgba, before) << "after fault " << i + 1;
  }
}

// Writes no pixel and never ends.
std::shared_ptr<const LaunchRequest> endless_picture(const Device& device) {
  auto request = request_of(
      ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 "
      "%r<3>;\n"
      ".reg .pred %p1;\nagain:\nmov.u32 %r1, %clock;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra again;\n"
      "bra again;\n}\n",
      device);
  BufferSpec picture;
  picture.name = "out";
  picture.dtype = DType::u8;
  picture.width = picture.height = 16;
  picture.channels = 3;
  picture.bytes = 16 * 16 * 3;
  picture.output = true;
  request->buffers = {picture};
  std::get<LaunchStep>(request->steps.front()).arguments = {BufferArgument{0, 0}};
  return request;
}

// In a process of its own, which ends as the program does then: without waiting for the driver.
TEST_F(WrongKernels, ThatNeverEndAreLeftAlone) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto request = endless_picture(m_device);
  EXPECT_EXIT(
      {
        LiveGpu::Options options;
        options.frame_limit = std::chrono::milliseconds(700);
        options.patience = std::chrono::milliseconds(300);
        auto live = std::make_unique<LiveGpu>(m_driver, 0, options);
        start(*live, 0, request);
        const auto begin = Clock::now();
        std::string message;
        while (message.empty() && ms_since(begin) < 5000)
          if (const auto frames = live->finished(); !frames) message = frames.error().message;
        const double waited = ms_since(begin);
        const auto closing = Clock::now();
        live.reset();
        const bool right = message.find("had not ended") != std::string::npos && waited >= 700 &&
                           waited < 2000 && ms_since(closing) < 2000 && live_kernel_left_running();
        std::fprintf(stderr, "gave up after %.0f ms, closed in %.0f ms: %s\n", waited, ms_since(closing),
                     message.c_str());
        std::_Exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "gave up");
}

}  // namespace THIS_FILE
}  // namespace warplens::cuda
