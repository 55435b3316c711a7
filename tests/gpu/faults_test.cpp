// Kernels that fault, trap and never end, on the device itself: each ends with a report, and the next launch
// is right.
#include <gmock/gmock.h>

#include <thread>

#include "cuda/device/backend/gpu_backend.h"
#include "fixture.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

constexpr const char* head = ".version 6.0\n.target sm_50\n.address_size 64\n";

std::string kernel_of(const std::string& body) {
  return std::string(head) +
         ".visible .entry k()\n{\n.reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n" + body +
         "ret;\n}\n";
}
const std::string out_of_bounds = "mov.u64 %rd1, 4096;\nst.global.u32 [%rd1], 1;\n";
const std::string trapping = "trap;\n";
const std::string endless =
    "mov.u32 %r1, %clock;\nagain:\nadd.u32 %r1, %r1, 1;\nmov.u32 %r2, %clock;\nsetp.ne.u32 %p1, %r2, 0;\n"
    "@%p1 bra again;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra again;\n";

class GpuFaults : public Gpu {
 protected:
  void expect_a_right_launch(Backend& backend) {
    const auto kernel = find_kernel("vector_add");
    const auto job = make_job(borrowed(**kernel), default_setup(**kernel), device, {});
    const auto result = run_job(*job, backend, {}, nullptr);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->status, RunStatus::ok) << result->message;
    ASSERT_EQ(result->checks.size(), 1u);
    EXPECT_TRUE(result->checks[0].equal);
    EXPECT_TRUE(result->measured.has_value());
  }
  std::shared_ptr<LaunchRequest> blind(const std::string& body) {
    auto request = request_for(kernel_of(body), "k");
    request->preflight = false;
    request->time_limit_ms = 1500;
    return request;
  }
};

TEST_F(GpuFaults, AreFoundBeforeTheLaunch) {
  const auto backend = both();
  const auto result = backend->run(request_for(kernel_of(out_of_bounds), "k"), {}, nullptr);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::fault);
  ASSERT_FALSE(result->faults.empty());
  EXPECT_NE(result->faults[0].ptx_line, 0u);
  EXPECT_FALSE(result->measured.has_value());
  EXPECT_THAT(result->message, HasSubstr("spared"));
  expect_a_right_launch(*backend);
}

TEST_F(GpuFaults, OnTheDeviceAreReported) {
  const auto backend = both();
  const auto out = backend->run(blind(out_of_bounds), {}, nullptr);
  ASSERT_TRUE(out.ok()) << out.error().message;
  EXPECT_EQ(out->status, RunStatus::fault);
  EXPECT_EQ(out->cuda_error, "cudaErrorIllegalAddress");
  EXPECT_EQ(out->faults.at(0).kind, IncidentKind::out_of_bounds);
  expect_a_right_launch(*backend);
}

TEST_F(GpuFaults, TrapsOnTheDeviceAreReported) {
  const auto backend = both();
  const auto trap = backend->run(blind(trapping), {}, nullptr);
  ASSERT_TRUE(trap.ok()) << trap.error().message;
  EXPECT_EQ(trap->status, RunStatus::fault);
  EXPECT_TRUE(trap->cuda_error.has_value());
  expect_a_right_launch(*backend);
}

TEST_F(GpuFaults, WhatNeverEndsIsStopped) {
  const auto backend = both();
  const auto result = backend->run(blind(endless), {}, nullptr);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::fault);
  EXPECT_EQ(result->faults.at(0).kind, IncidentKind::time_limit);
  EXPECT_THAT(result->message, HasSubstr("1.5 s"));
  expect_a_right_launch(*backend);
}

TEST_F(GpuFaults, AStopEndsWhatNeverEnds) {
  const auto backend = both();
  auto request = blind(endless);
  request->time_limit_ms = 60'000;
  std::stop_source stop;
  const std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::seconds(2));
    stop.request_stop();
  });
  const auto result = backend->run(request, stop.get_token(), nullptr);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::cancelled);
  expect_a_right_launch(*backend);
}

// In this process there may be no way back, which is why launches have one of their own; the reason is told.
// ctest runs each case in its own process, so that no other one sees this fault.
TEST_F(GpuFaults, InThisProcessTheNextLaunchIsRightOrSaysWhyNot) {
  cuda::GpuBackend backend(driver, 0);
  const auto result = backend.run(blind(out_of_bounds), {}, nullptr);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::fault);
  const auto next = backend.run(blind(""), {}, nullptr);
  if (next)
    EXPECT_EQ(next->status, RunStatus::ok);
  else
    EXPECT_THAT(next.error().message, HasSubstr("another process gets one"));
}

}  // namespace THIS_FILE
}  // namespace warplens
