// The backend's order of calls, its errors, and that it gives everything back, on a driver of the tests' own.
#include "cuda/device/backend/gpu_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/kernels/catalogue.h"
#include "tests/cuda/device/fake_driver.h"

namespace warplens::cuda {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;

// out = in + 1 on bytes, with PTX that has the right parameters.
class FakeGpu : public testing::Test {
 protected:
  FakeGpu() : m_backend(make_fake(), 0) {
    auto module = std::make_shared<ModuleText>();
    module->ptx =
        ".version 6.0\n.target sm_50\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n{\nret;\n}\n";
    module->ptx_name = "k.ptx";
    request.module = module;
    request.kernel = "k";
    request.device.id = "cuda:0";
    request.device.is_virtual = false;
    request.device.compute_capability = {9, 0};
    BufferSpec in;
    in.name = "in";
    in.bytes = 4;
    in.initial = std::make_shared<const Bytes>(Bytes{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}});
    BufferSpec out;
    out.name = "out";
    out.bytes = 8;
    out.output = true;
    request.buffers = {in, out};
    LaunchStep launch;
    launch.entry = "k";
    launch.grid = {1, 1, 1};
    launch.block = {4, 1, 1};
    launch.arguments = {BufferArgument{0, 0}, BufferArgument{1, 4}, ScalarArgument{DType::u32, 4}};
    request.steps = {launch};
    request.repeat = 3;
    fake().kernel = [](void** arguments) {
      const std::byte* from = nullptr;
      std::byte* to = nullptr;
      uint32_t n = 0;
      std::memcpy(&from, arguments[0], sizeof from);
      std::memcpy(&to, arguments[1], sizeof to);
      std::memcpy(&n, arguments[2], sizeof n);
      for (uint32_t i = 0; i < n; ++i) to[i] = static_cast<std::byte>(static_cast<int>(from[i]) + 1);
      return CUDA_SUCCESS;
    };
  }
  Result<RunResult> run() {
    fake().calls.clear();
    return m_backend.run(std::make_shared<const LaunchRequest>(request), {}, nullptr);
  }
  // All but the context, which stays for the next run.
  static int left() { return fake().total_alive() - fake().alive["contexts"]; }

  GpuBackend m_backend;
  LaunchRequest request;
};

TEST_F(FakeGpu, RunsTheStepsAndMeasures) {
  const auto result = run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::ok);
  ASSERT_EQ(result->outputs.size(), 1u);
  const Bytes& bytes = *result->outputs[0].bytes;
  EXPECT_EQ(bytes[3], std::byte{0});  // cleared
  EXPECT_EQ(bytes[4], std::byte{2});
  EXPECT_EQ(bytes[7], std::byte{5});
  ASSERT_TRUE(result->measured);
  EXPECT_EQ(result->measured->kernel_us->samples.size(), 3u);
  EXPECT_DOUBLE_EQ(result->measured->kernel_us->median, 500);
  EXPECT_EQ(result->time.source, Provenance::measured);
  EXPECT_EQ(result->time.copy_in, 500);
  EXPECT_EQ(result->resources->registers_per_thread, 17u);
  EXPECT_EQ(result->resources->origin, ResourceOrigin::driver);
  EXPECT_EQ(result->measured->max_active_blocks_per_sm, 8u);
  fake().calls.resize(4);
  EXPECT_THAT(fake().calls, ElementsAre("context", "copy in 4", "launch", "copy out 8"));
  EXPECT_EQ(left(), 0);
}

TEST_F(FakeGpu, KeepsItsContext) {
  ASSERT_TRUE(run().ok());
  ASSERT_TRUE(run().ok());
  EXPECT_EQ(fake().calls.front(), "copy in 4");
  EXPECT_EQ(fake().alive["contexts"], 1);
}

TEST_F(FakeGpu, FollowsMemorySteps) {
  const LaunchStep launch = std::get<LaunchStep>(request.steps[0]);
  request.steps = {AllocateStep{0}, AllocateStep{1}, CopyInStep{0}, launch,        CopyOutStep{1},
                   CopyInStep{1},   launch,          FreeStep{0},   CopyOutStep{1}};
  request.repeat = 2;
  const auto result = run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->launches.size(), 2u);
  EXPECT_EQ(result->measured->launches_us.size(), 2u);
  EXPECT_DOUBLE_EQ(result->measured->kernel_us->median, 1000);  // both
  fake().calls.resize(7);
  EXPECT_THAT(fake().calls, ElementsAre("context", "copy in 4", "launch", "copy out 8", "copy in 8", "launch",
                                        "copy out 8"));
  EXPECT_EQ(left(), 0);
}

TEST_F(FakeGpu, NamesAStepThatCannotBe) {
  request.steps.insert(request.steps.begin(), {AllocateStep{0}, AllocateStep{0}});
  const auto twice = run();
  ASSERT_FALSE(twice.ok());
  EXPECT_EQ(twice.error().message, "The buffer in is allocated twice.");
  EXPECT_EQ(left(), 0);
  request.steps.erase(request.steps.begin());
  const auto missing = run();
  ASSERT_FALSE(missing.ok());
  EXPECT_THAT(missing.error().message, HasSubstr("the buffer out is not allocated"));
  EXPECT_EQ(left(), 0);
}

TEST_F(FakeGpu, GivesTheLaunchItsSharedMemory) {
  std::get<LaunchStep>(request.steps[0]).shared_dynamic_bytes = 100'000;
  ASSERT_TRUE(run().ok());
  EXPECT_THAT(fake().calls, testing::Contains("shared 100000"));
}

TEST_F(FakeGpu, CountsTheArguments) {
  fake().arguments = 2;
  const auto result = run();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "k takes 2 arguments; 3 were given.");
  EXPECT_EQ(left(), 0);
}

TEST_F(FakeGpu, AFaultEndsTheContextAndNothingElse) {
  const auto good = fake().kernel;
  fake().kernel = [](void**) { return CUDA_ERROR_ILLEGAL_ADDRESS; };
  const auto result = run();
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::fault);
  EXPECT_EQ(result->cuda_error, "cudaErrorIllegalAddress");
  ASSERT_EQ(result->faults.size(), 1u);
  EXPECT_EQ(result->faults[0].kind, IncidentKind::out_of_bounds);
  EXPECT_FALSE(result->measured);
  EXPECT_EQ(fake().total_alive(), 0);
  fake().kernel = good;
  const auto next = run();
  ASSERT_TRUE(next.ok()) << next.error().message;
  EXPECT_EQ(next->status, RunStatus::ok);
}

TEST_F(FakeGpu, ARefusedLaunchIsNoError) {
  fake().failures["cuLaunchKernel"] = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  const auto result = run();
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->status, RunStatus::refused);
  EXPECT_EQ(result->cuda_error, "cudaErrorLaunchOutOfResources");
  EXPECT_EQ(left(), 0);
}

// If any call fails, the result is an error in CUDA's words, and no resource is left allocated.
TEST_F(FakeGpu, EveryFailureIsAnErrorThatLeavesNothing) {
  for (const char* entry :
       {"cuDeviceGet", "cuCtxCreate", "cuModuleLoadDataEx", "cuModuleGetFunction", "cuMemHostAlloc",
        "cuStreamCreate", "cuEventCreate", "cuEventRecord", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync",
        "cuStreamSynchronize", "cuEventElapsedTime"}) {
    GpuBackend backend(make_fake(), 0);
    fake().failures[entry] = CUDA_ERROR_OUT_OF_MEMORY;
    const auto result = backend.run(std::make_shared<const LaunchRequest>(request), {}, nullptr);
    ASSERT_FALSE(result.ok()) << entry;
    EXPECT_THAT(result.error().message, HasSubstr("cudaErrorMemoryAllocation")) << entry;
    EXPECT_EQ(left(), 0) << entry;
  }
}

// Memory for the arrays is refused, not that for clearing the cache.
TEST_F(FakeGpu, SaysWhichArrayDoesNotFit) {
  fake().failures["cuMemAlloc"] = CUDA_ERROR_OUT_OF_MEMORY;
  const auto result = run();
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("Allocating in on the device, 4 bytes"));
  EXPECT_EQ(left(), 0);
}

TEST_F(FakeGpu, RefusesWhatItCannotBind) {
  request.textures.push_back({"t", {0, {}}});
  const auto result = run();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind, ErrorKind::missing);
}

}  // namespace THIS_FILE
}  // namespace warplens::cuda
