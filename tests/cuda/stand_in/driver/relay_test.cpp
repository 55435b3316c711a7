// The relay library (relay/), with the virtual GPU's driver in the place of NVIDIA's. All other tests of the
// driver run on it too: its answers are those of the driver that it calls.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "tests/cuda/stand_in/driver/recorded.h"

// CUDA's header calls them deprecated, and that is what is tested.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace warplens::test {
namespace THIS_FILE {

using recording::Event;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Relay : public DriverRecording {
 public:
  void SetUp() override {
    if (!is_relayed()) GTEST_SKIP() << "needs WARPLENS_TEST_DRIVER=relay";
    DriverRecording::SetUp();
  }
  static std::vector<Event::Kind> kinds_of(const recording::Recording& made) {
    std::vector<Event::Kind> kinds;
    for (const Event& event : made.events) kinds.push_back(event.kind);
    return kinds;
  }
};

TEST_F(Relay, KeepsTheOrderOfCallsAndMeasuresWhatTheDeviceDoes) {
  begin();
  std::vector<uint32_t> words(64, 41);
  CUdeviceptr p = upload(words);
  unsigned n = 64;
  const CUfunction add = load(kernel("add", add_one), "add");
  FINE(launch(add, 1, 64, {&p, &n}));
  FINE(launch(add, 1, 64, {&p, &n}));
  FINE(CALL(cuMemcpyDtoHAsync_v2)(words.data(), p, 256, nullptr));
  FINE(CALL(cuMemFree_v2)(p));
  FINE(CALL(cuCtxSynchronize)());
  EXPECT_EQ(words[63], 43u);
  const recording::Recording made = read();
  using Kind = Event::Kind;
  EXPECT_THAT(kinds_of(made), ElementsAre(Kind::allocate, Kind::copy, Kind::module, Kind::launch,
                                          Kind::launch, Kind::copy, Kind::release));
  double last_us = 0;
  for (const Event& event : made.events) {
    if (event.kind != Kind::copy && event.kind != Kind::launch) continue;
    ASSERT_TRUE(event.begin_us && event.device_us) << event.name;
    EXPECT_GE(*event.begin_us, last_us);
    EXPECT_GT(*event.device_us, 0);
    last_us = *event.begin_us;
  }
  const recording::ProgramSummary summary = summary_of(made, {});
  EXPECT_EQ(summary.clock, "measured");
  EXPECT_THAT(summary_text(summary), HasSubstr("NVIDIA GeForce RTX 3060; times measured on it by events"));
}

TEST_F(Relay, GivesItsOwnFunctionsByAddress) {
  begin();
  for (const auto& [name, version, is_symbol] : {std::tuple{"cuMemAlloc", 12000, "cuMemAlloc_v2"},
                                                 std::tuple{"cuLaunchKernel", 4000, "cuLaunchKernel"},
                                                 std::tuple{"cuDeviceGetCount", 2000, "cuDeviceGetCount"}}) {
    void* address = nullptr;
    FINE(CALL(cuGetProcAddress_v2)(name, &address, version, 0, nullptr));
    EXPECT_EQ(address, symbol(is_symbol)) << name;
  }
  void* address = nullptr;
  FINE(CALL(cuGetProcAddress_v2)("cuLaunchKernel", &address, 12000,
                                 CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr));
  EXPECT_EQ(address, symbol("cuLaunchKernel_ptsz"));
  EXPECT_EQ(CALL(cuGetProcAddress)("cuNothing", &address, 12000, 0), CUDA_ERROR_NOT_FOUND);
}

TEST_F(Relay, AFaultIsToldBehindItsLaunch) {
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(64)), none = 0;
  unsigned n = 64;
  const CUfunction add = load(kernel("add", add_one), "add");
  FINE(launch(add, 1, 64, {&p, &n}));
  EXPECT_EQ(launch(add, 1, 2000, {&p, &n}), CUDA_ERROR_INVALID_VALUE);
  FINE(launch(add, 1, 64, {&none, &n}));
  EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(CALL(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(2));
  EXPECT_TRUE(made.launches[1]->launch->fault);
  EXPECT_FALSE(made.launches[1]->device_us);
  ASSERT_EQ(made.events.back().kind, Event::Kind::finding);
  EXPECT_EQ(made.events.back().finding, "out_of_bounds");
  EXPECT_THAT(made.events.back().name, HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  const recording::ProgramSummary summary = summary_of(made, {});
  ASSERT_THAT(summary.findings, SizeIs(2));
  EXPECT_EQ(summary.findings[0].code, 700) << "before the launch that was refused";
  EXPECT_EQ(summary.findings[1].kind, "refused");
}

TEST_F(Relay, SaysWhichLaunchesCannotBeRunAgain) {
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(64));
  unsigned n = 64;
  // Its variable holds the address of another variable.
  const CUfunction points =
      load(kernel("points", add_one, ".global .u32 there = 5;\n.global .u64 at = there;"), "points");
  FINE(launch(points, 1, 64, {&p, &n}));
  const CUfunction heap =
      load(kernel("heap", add_one, ".extern .func (.param .b64 r) malloc (.param .b64 size);"), "heap");
  FINE(launch(heap, 1, 64, {&p, &n}));
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(2));
  EXPECT_THAT(made.launches[0]->launch->lacking, HasSubstr("address of a variable"));
  EXPECT_THAT(made.launches[1]->launch->lacking, HasSubstr("malloc"));
}

// As PyCUDA puts launches together.
TEST_F(Relay, LaunchesOfTheOldKindAreSeenWithTheirParts) {
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(64, 41));
  const CUfunction add = load(kernel("add", add_one), "add");
  FINE(CALL(cuFuncSetBlockShape)(add, 32, 1, 1));
  FINE(CALL(cuFuncSetSharedSize)(add, 64));
  FINE(CALL(cuParamSetSize)(add, 12));
  FINE(CALL(cuParamSetv)(add, 0, &p, sizeof p));
  FINE(CALL(cuParamSeti)(add, 8, 64));
  FINE(CALL(cuLaunchGrid)(add, 2, 1));
  FINE(CALL(cuLaunch)(add));
  FINE(CALL(cuLaunchGridAsync)(add, 1, 1, nullptr));
  EXPECT_EQ(download<uint32_t>(p, 64)[0], 44u);
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(3));
  EXPECT_EQ(made.launches[0]->grid, (Dim3{2, 1, 1}));
  EXPECT_EQ(made.launches[1]->grid, (Dim3{1, 1, 1}));
  for (const Event* launch : made.launches) {
    EXPECT_EQ(launch->block, (Dim3{32, 1, 1}));
    EXPECT_EQ(launch->shared_bytes, 64u);
    EXPECT_TRUE(launch->device_us);
    ASSERT_NE(launch->launch, nullptr);
    EXPECT_THAT(launch->launch->lacking, IsEmpty());
    EXPECT_THAT(launch->launch->memory, SizeIs(1));
  }
}

TEST_F(Relay, ALinkedModuleHasTheTextsItWasLinkedFrom) {
  begin();
  CUdeviceptr p = upload(std::vector<uint32_t>(64, 41));
  unsigned n = 64;
  std::string text = kernel("add", add_one);
  CUlinkState link = nullptr;
  FINE(CALL(cuLinkCreate_v2)(0, nullptr, nullptr, &link));
  FINE(
      CALL(cuLinkAddData_v2)(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "a", 0, nullptr, nullptr));
  void* image = nullptr;
  size_t bytes = 0;
  FINE(CALL(cuLinkComplete)(link, &image, &bytes));
  CUmodule module = nullptr;
  CUfunction add = nullptr;
  FINE(CALL(cuModuleLoadData)(&module, image));
  FINE(CALL(cuLinkDestroy)(link));
  FINE(CALL(cuModuleGetFunction)(&add, module, "add"));
  FINE(launch(add, 1, 64, {&p, &n}));
  FINE(CALL(cuModuleUnload)(module));
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(1));
  EXPECT_THAT(made.launches[0]->launch->lacking, IsEmpty());
  EXPECT_EQ(made.modules.size(), 1u);
}

TEST_F(Relay, AContextThatEndsTakesItsMemoryAlong) {
  FINE(CALL(cuInit)(0));
  unsigned n = 64;
  for (int i = 0; i < 2; ++i) {
    CUcontext made = nullptr;
    FINE(CALL(cuCtxCreate_v2)(&made, 0, 0));
    CUdeviceptr p = upload(std::vector<uint32_t>(64));
    FINE(launch(load(kernel("add", add_one), "add"), 1, 64, {&p, &n}));
    FINE(CALL(cuCtxDestroy_v2)(made));
  }
  const recording::Recording made = read();
  ASSERT_THAT(made.launches, SizeIs(2));
  for (const Event* launch : made.launches) {
    EXPECT_TRUE(launch->device_us);
    EXPECT_THAT(launch->launch->memory, SizeIs(1)) << "that of its own context";
  }
  EXPECT_GT(*made.launches[1]->begin_us, *made.launches[0]->begin_us);
}

// Nothing waits for the device before the process ends.
TEST_F(Relay, WhatIsUnderWayAtTheEndIsWritten) {
  const pid_t child = fork();
  if (child == 0) {
    begin();
    CUdeviceptr p = upload(std::vector<uint32_t>(64));
    unsigned n = 64;
    const CUfunction add = load(kernel("add", add_one), "add");
    for (int i = 0; i < 100; ++i) launch(add, 1, 64, {&p, &n});
    exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(read().launches, SizeIs(100));
}

TEST_F(Relay, ThreadsLoseNothing) {
  begin();
  unsigned n = 64;
  const CUfunction add = load(kernel("add", add_one), "add");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      CALL(cuCtxSetCurrent)(context);
      for (int i = 0; i < 50; ++i) {
        CUdeviceptr own = 0;
        EXPECT_EQ(CALL(cuMemAlloc_v2)(&own, 256), CUDA_SUCCESS);
        EXPECT_EQ(launch(add, 1, 64, {&own, &n}), CUDA_SUCCESS);
        EXPECT_EQ(CALL(cuMemFree_v2)(own), CUDA_SUCCESS);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  FINE(CALL(cuCtxSynchronize)());
  const recording::Recording made = read();
  EXPECT_THAT(made.launches, SizeIs(400));
  EXPECT_EQ(std::count_if(made.events.begin(), made.events.end(),
                          [](const Event& event) { return event.kind == Event::Kind::release; }),
            400);
}

TEST_F(Relay, WithoutADriverEachCallSaysSo) {
  const pid_t child = fork();
  if (child == 0) {
    set_variable("WARPLENS_PROGRAM_NEXT", (folder / "nothing.so").string());
    void* library = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
    using Init = decltype(&cuInit);
    const auto init = library == nullptr ? nullptr : reinterpret_cast<Init>(dlsym(library, "cuInit"));
    exit(init == nullptr ? 1 : init(0) == CUDA_ERROR_NOT_SUPPORTED ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
