// Many of everything, threads, processes, and what a call may cost.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/cuda/stand_in/driver/library.h"
#include "tests/processor_time.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::Each;
using testing::HasSubstr;

class DriverEndurance : public DriverTest {};

TEST_F(DriverEndurance, TenThousandLaunches) {
  CUdeviceptr p = upload(std::vector<uint32_t>(32));
  unsigned n = 32;
  const CUfunction add = load(kernel("add", add_one), "add");
  for (int i = 0; i < 10'000; ++i) FINE(launch(add, 1, 32, {&p, &n}));
  EXPECT_THAT(download<uint32_t>(p, 32), Each(10'000u));
}

TEST_F(DriverEndurance, AThousandModules) {
  const std::string text =
      kernel("add", add_one, ".const .u32 weight[1024];\n.visible .global .u32 counter;");
  std::vector<CUmodule> modules(1000);
  for (CUmodule& module : modules) FINE(CALL(cuModuleLoadData)(&module, text.c_str()));
  std::vector<CUdeviceptr> counters(1000);
  for (size_t m = 0; m < 1000; ++m)
    FINE(CALL(cuModuleGetGlobal_v2)(&counters[m], nullptr, modules[m], "counter"));
  std::sort(counters.begin(), counters.end());
  EXPECT_EQ(std::unique(counters.begin(), counters.end()), counters.end());
  for (CUmodule module : modules) FINE(CALL(cuModuleUnload)(module));
  EXPECT_EQ(CALL(cuModuleUnload)(modules[0]), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(DriverEndurance, AHundredThreads) {
  const CUfunction add = load(kernel("add", add_one), "add");
  std::vector<CUdeviceptr> arrays;
  for (int t = 0; t < 100; ++t) arrays.push_back(upload(std::vector<uint32_t>(256)));
  std::vector<int> wrong(100);
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < 100; ++t) {
      threads.emplace_back([&, t] {
        wrong[t] += CALL(cuCtxSetCurrent)(context) != CUDA_SUCCESS;
        unsigned n = 256;
        for (int i = 0; i < 50; ++i) {
          wrong[t] += launch(add, 1, 256, {&arrays[t], &n}) != CUDA_SUCCESS;
          CUdeviceptr more = 0;
          wrong[t] += CALL(cuMemAlloc_v2)(&more, 1024) != CUDA_SUCCESS;
          wrong[t] += CALL(cuMemFree_v2)(more) != CUDA_SUCCESS;
        }
      });
    }
  }
  EXPECT_THAT(wrong, Each(0));
  for (CUdeviceptr array : arrays) EXPECT_THAT(download<uint32_t>(array, 256), Each(50u));
}

TEST_F(DriverEndurance, AForkedProcessIsToldSo) {
  const pid_t child = fork();
  if (child == 0) {
    size_t bytes = 0;
    const bool right = CALL(cuMemGetInfo_v2)(&bytes, &bytes) == CUDA_ERROR_NOT_INITIALIZED &&
                       CALL(cuInit)(0) == CUDA_ERROR_NOT_INITIALIZED;
    _exit(right ? 7 : 8);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(DriverEndurance, ExitInTheMiddleOfALaunch) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // Runs as a separate process, so that the driver starts again: the parent's is not usable after a fork.
    execl("/proc/self/exe", "driver_tests", "--gtest_also_run_disabled_tests",
          "--gtest_filter=DriverChild.DISABLED_LeavesWhileAThreadLaunches", static_cast<char*>(nullptr));
    _exit(9);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

class DriverChild : public DriverTest {};

TEST_F(DriverChild, DISABLED_LeavesWhileAThreadLaunches) {
  const CUfunction endless = load(kernel("endless", "again: bra again;"), "endless");
  std::thread([&] {
    CALL(cuCtxSetCurrent)(context);
    CUdeviceptr p = 0;
    unsigned n = 0;
    launch(endless, 1, 1, {&p, &n});
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::exit(3);
}

TEST(DriverJournal, IsWrittenAtOnce) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("warplens_driver_journal_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  set_variable("WARPLENS_PROGRAM_JOURNAL", folder.string());
  struct Case : DriverTest {
    void TestBody() override {}
  } test;
  test.begin();
  CUdeviceptr p = test.upload(std::vector<uint32_t>(32));
  unsigned n = 32;
  FINE(test.launch(test.load(kernel("add", add_one), "add"), 1, 32, {&p, &n}));
  FINE(CALL(cuMemsetD32_v2)(p, 7, 31));
  std::ifstream file(folder / (std::to_string(getpid()) + ".journal"));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr(R"("event":"start")"));
  EXPECT_THAT(text, HasSubstr(R"("event":"copy","direction":"host to device","bytes":128)"));
  EXPECT_THAT(text, HasSubstr(R"("event":"copy","direction":"memset","bytes":124)"));
  EXPECT_THAT(text, HasSubstr(R"("event":"launch","kernel":"add","grid":[1,1,1],"block":[32,1,1])"));
  std::filesystem::remove_all(folder);
}

// Measured on two cores: 5 ns and 3 µs (docs/benchmarks.md). The speed of the machine does not matter here:
// asking for the context must cost nearly nothing compared with a launch, since Numba asks before each call.
TEST_F(DriverEndurance, CallsCostLittle) {
  CUcontext current = nullptr;
  auto* get = CALL(cuCtxGetCurrent);
  double best_ns = 1e9, best_launch_us = 1e9;
  for (int round = 0; round < 20; ++round) {
    const double begin = processor_seconds();
    for (int i = 0; i < 1000; ++i) get(&current);
    best_ns = std::min(best_ns, 1e9 * (processor_seconds() - begin) / 1000);
  }
  CUdeviceptr p = upload(std::vector<uint32_t>(32));
  unsigned n = 32;
  const CUfunction add = load(kernel("add", add_one), "add");
  for (int round = 0; round < 20; ++round) {
    const double begin = processor_seconds();
    for (int i = 0; i < 100; ++i) launch(add, 1, 32, {&p, &n});
    best_launch_us = std::min(best_launch_us, 1e6 * (processor_seconds() - begin) / 100);
  }
  RecordProperty("get_current_ns", std::to_string(best_ns));
  RecordProperty("launch_us", std::to_string(best_launch_us));
  EXPECT_LT(best_ns, 1000 * best_launch_us / 10);
  std::printf("cuCtxGetCurrent %.1f ns, a launch of a warp %.1f us\n", best_ns, best_launch_us);
}

}  // namespace THIS_FILE
}  // namespace warplens::test
