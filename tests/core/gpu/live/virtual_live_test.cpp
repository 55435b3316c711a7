#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/live/virtual_live.h"
#include "core/kernels/make_request_again.h"
#include "core/launch/backend.h"
#include "core/launch/steps.h"

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;

std::shared_ptr<const LaunchRequest> mandelbrot(int iterations, int width = 32) {
  const KernelDescription& kernel = **find_kernel("mandelbrot");
  KernelSetup setup = default_setup(kernel);
  setup.values = {{"width", width}, {"height", 16}, {"max_iterations", iterations}, {"scale", 0.1}};
  const auto request = make_request(kernel, setup, built_in_devices().front());
  EXPECT_TRUE(request);
  return std::make_shared<const LaunchRequest>(*request);
}

Result<std::vector<LiveFrame>> wait_for_one(LiveEngine& live) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (std::chrono::steady_clock::now() < end) {
    auto frames = live.finished();
    if (!frames || !frames->empty()) return frames;
    std::this_thread::sleep_for(1ms);
  }
  return failed("no frame came");
}

TEST(VirtualLive, GivesThePictureOfARunAndWakesTheWindow) {
  std::atomic<int> woken = 0;
  const auto live = make_virtual_live([&] { ++woken; });
  const auto request = mandelbrot(20);
  ASSERT_TRUE(*live->start(1, request));
  EXPECT_TRUE(live->busy());
  EXPECT_FALSE(*live->start(2, request)) << "one at a time: ask again with what is then wanted";
  const auto frames = wait_for_one(*live);
  ASSERT_TRUE(frames);
  EXPECT_EQ(frames->front().slot, 1u);
  EXPECT_GE(woken, 1);
  const auto run = make_virtual_gpu()->run(request, {}, nullptr);
  ASSERT_TRUE(run);
  const Bytes& bytes = *run->outputs.front().bytes;
  EXPECT_EQ(std::vector(frames->front().host.begin(), frames->front().host.end()), bytes);
  EXPECT_FALSE(live->path()->shared);
  EXPECT_FALSE(live->busy());
}

TEST(VirtualLive, StopsWhatIsUnderWayWhenItIsTakenBackOrClosed) {
  const auto live = make_virtual_live(nullptr);
  const auto endless = mandelbrot(10000, 4096);
  ASSERT_TRUE(*live->start(0, endless));
  live->take_back();
  EXPECT_FALSE(live->busy());
  EXPECT_TRUE(live->finished()->empty());
  ASSERT_TRUE(*live->start(0, mandelbrot(5))) << "it goes on";
  EXPECT_TRUE(wait_for_one(*live));
  ASSERT_TRUE(*live->start(0, endless));
}

TEST(VirtualLive, SaysWhatWentWrongAndRefusesWhatIsNoPicture) {
  const auto live = make_virtual_live(nullptr);
  LaunchRequest broken = *mandelbrot(5);
  auto module = std::make_shared<ModuleText>(*broken.module);
  module->ptx = "this is no PTX";
  broken.module = module;
  ASSERT_TRUE(*live->start(0, std::make_shared<const LaunchRequest>(broken)));
  EXPECT_FALSE(wait_for_one(*live));
  LaunchRequest numbers = *mandelbrot(5);
  numbers.buffers[0].dtype = DType::i8;
  EXPECT_FALSE(live->start(0, std::make_shared<const LaunchRequest>(numbers)));
  EXPECT_FALSE(live->start(live_slots, mandelbrot(5)));
}

TEST(MakeRequestAgain, SharesWhatCannotHaveChanged) {
  const KernelDescription& kernel = **find_kernel("box_blur");
  KernelSetup setup = default_setup(kernel);
  Image image;
  image.width = 8;
  image.height = 4;
  image.channels = 3;
  image.pixels.assign(96, 7);
  setup.image = std::make_shared<const Image>(image);
  const Device& device = built_in_devices().front();
  const auto first = make_request(kernel, setup, device);
  ASSERT_TRUE(first);
  KernelSetup moved = setup;
  moved.values["radius"] = 3;
  const Before before{&*first, &setup};
  const auto second = make_request_again(kernel, moved, device, &before);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->module, first->module);
  EXPECT_EQ(second->buffers[0].initial, first->buffers[0].initial);
  const auto alone = make_request(kernel, moved, device);
  EXPECT_EQ(std::get<ScalarArgument>(first_launch(*second)->arguments[4]).bits, 3u);
  EXPECT_EQ(*second->buffers[0].initial, *alone->buffers[0].initial);
  image.pixels.assign(96, 8);
  moved.image = std::make_shared<const Image>(image);
  const auto other = make_request_again(kernel, moved, device, &before);
  ASSERT_TRUE(other);
  EXPECT_EQ((*other->buffers[0].initial)[0], std::byte{8});
  const auto elsewhere =
      make_request_again(**find_kernel("invert"), default_setup(**find_kernel("invert")), device, &before);
  ASSERT_TRUE(elsewhere);
  EXPECT_EQ(elsewhere->kernel, "invert");
  EXPECT_NE(elsewhere->module, first->module);
}

TEST(MakeRequestAgain, KeepsTheDataOfAFormulaWhileItsNamesAndItsTextAreTheSame) {
  KernelDescription kernel = **find_kernel("vector_add");
  KernelArgument* array = nullptr;
  for (KernelArgument& argument : kernel.arguments)
    if (argument.is_buffer && array == nullptr) array = &argument;
  ASSERT_NE(array, nullptr);
  array->fill = Fill::formula;
  array->formula = "i + n";
  KernelSetup setup = default_setup(kernel);
  setup.values["n"] = 64;
  const Device& device = built_in_devices().front();
  const auto first = make_request(kernel, setup, device);
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_NE(first->buffers[0].initial, nullptr);
  const Before before{&*first, &setup};
  const auto again = [&](const KernelDescription& of, const KernelSetup& with) {
    const auto request = make_request_again(of, with, device, &before);
    EXPECT_TRUE(request);
    return request->buffers[0].initial;
  };
  KernelSetup other = setup;
  other.block = {32, 1, 1};
  EXPECT_EQ(again(kernel, other), first->buffers[0].initial) << "another block";
  other.values["n"] = 63;
  EXPECT_NE(again(kernel, other), first->buffers[0].initial) << "another number in it";
  KernelDescription edited = kernel;
  edited.source += "// ";
  EXPECT_NE(again(edited, setup), first->buffers[0].initial) << "another text may have another formula";
}

}  // namespace THIS_FILE
}  // namespace warplens
