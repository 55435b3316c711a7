// Kernels that launch kernels, as compilers write it. Programs are
// tests/cuda/stand_in/runtime/device_launches.cu.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/core/gpu/engine/support.h"

namespace warplens::test {
namespace THIS_FILE {

using testing::HasSubstr;

const char* const declared =
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2 (.param .b64 f, .param .align 4 .b8 g[12], "
    ".param .align 4 .b8 b[12], .param .b32 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b64 b, .param .b64 s);\n"
    ".extern .func (.param .b32 r) __cudaCDP2GetLastError ();\n"
    ".extern .func (.param .b32 r) __cudaCDP2MemsetAsync (.param .b64 a, .param .b32 v, .param .b64 n, "
    ".param .b64 s);\n";

// Launches NAME<<<blocks, threads, 0, stream>>>(%p0). The error is in %r9.
std::string launch(const std::string& name, uint32_t blocks, uint32_t threads, uint32_t stream = 0) {
  return fmt::format(
      "{{ .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b64 r; .param .b32 "
      "e;\n"
      "mov.u64 %d8, {}; st.param.b64 [f], %d8; st.param.b32 [g], {}; st.param.b32 [g+4], 1; st.param.b32 "
      "[g+8], 1;\n"
      "st.param.b32 [b], {}; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; mov.u32 %r9, 0;\n"
      "call (r), __cudaCDP2GetParameterBufferV2, (f, g, b, %r9); ld.param.b64 %d9, [r];\n"
      "setp.eq.u64 %q7, %d9, 0; @%q7 bra NONE; st.u64 [%d9], %p0;\n"
      "call (e), __cudaCDP2LaunchDeviceV2, (%d9, {});\n"
      "NONE: call (e), __cudaCDP2GetLastError, (); ld.param.b32 %r9, [e]; }}\n",
      name, blocks, threads, stream);
}

// Makes the first word ten times as large and adds a digit.
std::string append(const std::string& name, uint32_t digit) {
  return kernel(
      name, 1,
      fmt::format("ld.global.u32 %r1, [%p0]; mad.lo.u32 %r1, %r1, 10, {}; st.global.u32 [%p0], %r1; ret;",
                  digit));
}

RunResult run(const std::string& text, uint32_t words = 64, uint32_t grid = 1, uint32_t block = 1,
              Sanitize sanitize = Sanitize::off) {
  Request request(declared + text);
  request.buffer("out", zeros(words)).launch("k", {grid, 1, 1}, {block, 1, 1});
  request.value.sanitize = sanitize;
  request.value.workers = 3;
  const auto result = request.run();
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : RunResult{};
}

TEST(DeviceLaunch, RunsAfterTheGridAndATailLast) {
  const RunResult result = run(append("one", 1) + append("two", 2) + append("tail", 3) +
                               kernel("k", 1,
                                      launch("tail", 1, 1, 3) + launch("one", 1, 1) + launch("two", 1, 1, 4) +
                                          "st.global.u32 [%p0], 9; ret;"));
  ASSERT_EQ(result.status, RunStatus::ok) << result.message;
  EXPECT_EQ(output<uint32_t>(result, 0)[0], 9123u);
}

TEST(DeviceLaunch, CountsWhatTheLaunchedKernelsDo) {
  const std::string child = kernel(
      "child", 1, "mov.u32 %r0, %tid.x; mad.wide.u32 %d0, %r0, 4, %p0; red.global.add.u32 [%d0], 1; ret;");
  const RunResult result = run(child + kernel("k", 1, launch("child", 2, 32) + "ret;"), 64, 4, 8);
  ASSERT_EQ(result.status, RunStatus::ok) << result.message;
  EXPECT_EQ(output<uint32_t>(result, 0)[31], 64u);  // of 32 threads that launched, two blocks each
  ASSERT_EQ(result.launches.size(), 1u);
  EXPECT_EQ(result.counters->atomic_requests, 64u);
  EXPECT_EQ(result.launches[0].counters->atomic_requests, 64u);
}

TEST(DeviceLaunch, LaunchesItselfUntil2048Wait) {
  const RunResult result =
      run(kernel("k", 1,
                 "ld.global.u32 %r1, [%p0]; add.u32 %r1, %r1, 1; st.global.u32 [%p0], %r1;\n" +
                     launch("k", 1, 1) + "setp.eq.u32 %q0, %r9, 0; @!%q0 st.global.u32 [%p0+4], %r9; ret;"));
  EXPECT_EQ(output<uint32_t>(result, 0)[0], 2049u);
  EXPECT_EQ(output<uint32_t>(result, 0)[1], 69u);  // cudaErrorLaunchPendingCountExceeded
}

TEST(DeviceLaunch, SaysWhatCannotBeLaunched) {
  const auto error = [](const std::string& how) {
    const RunResult result = run(append("one", 1) + kernel("k", 1, how + "st.global.u32 [%p0+4], %r9; ret;"));
    EXPECT_EQ(result.status, RunStatus::ok) << result.message;
    EXPECT_EQ(output<uint32_t>(result, 0)[0], 0u);
    return output<uint32_t>(result, 0)[1];
  };
  EXPECT_EQ(error(launch("one", 1, 1025)), 9u);  // cudaErrorInvalidConfiguration
  EXPECT_EQ(error(launch("one", 0, 1)), 9u);
  EXPECT_EQ(error(launch("one", 1, 1, 77)), 400u);  // no stream: cudaErrorInvalidResourceHandle
  EXPECT_EQ(error(launch("4096", 1, 1)), 98u);      // no kernel: cudaErrorInvalidDeviceFunction
}

TEST(DeviceLaunch, AtMost2048LaunchesWait) {
  const RunResult result =
      run(kernel("add", 1, "red.global.add.u32 [%p0], 1; ret;") +
              kernel("k", 1,
                     launch("add", 1, 1) +
                         "setp.eq.u32 %q0, %r9, 0; @%q0 bra END; red.global.add.u32 [%p0+4], 1;\n"
                         "st.global.u32 [%p0+8], %r9; END: ret;"),
          64, 9, 256);
  const auto out = output<uint32_t>(result, 0);
  EXPECT_EQ(out[0], 2048u);
  EXPECT_EQ(out[1], 256u);
  EXPECT_EQ(out[2], 69u);  // cudaErrorLaunchPendingCountExceeded
}

TEST(DeviceLaunch, AFaultOfALaunchedKernelEndsTheLaunch) {
  const RunResult result =
      run(append("one", 1) + kernel("wrong", 1, "mov.u32 %r1, 1; st.global.u32 [%p0+4096], %r1; ret;") +
          kernel("k", 1, launch("one", 1, 1) + launch("wrong", 1, 1) + launch("one", 1, 1) + "ret;"));
  ASSERT_EQ(result.status, RunStatus::fault);
  EXPECT_EQ(result.faults.at(0).kind, IncidentKind::out_of_bounds);
  EXPECT_EQ(output<uint32_t>(result, 0)[0], 1u);
}

TEST(DeviceLaunch, AFillOutsideOfMemoryIsAFaultOfItsLine) {
  const auto fill = [](uint32_t bytes) {
    return run(kernel(
        "k", 1,
        fmt::format("{{ .param .b32 e; call (e), __cudaCDP2MemsetAsync, (%p0, 1, {}, 0); }} ret;", bytes)));
  };
  EXPECT_EQ(output<uint32_t>(fill(8), 0)[1], 0x01010101u);
  EXPECT_EQ(output<uint32_t>(fill(8), 0)[2], 0u);
  const RunResult outside = fill(257);
  ASSERT_EQ(outside.status, RunStatus::fault);
  EXPECT_EQ(outside.faults.at(0).kind, IncidentKind::out_of_bounds);
}

// What a parent wrote, and what a fill wrote, is written for the child; kernels in turn do not race.
TEST(DeviceLaunch, ChecksFindNothingInARightProgram) {
  const RunResult result =
      run(append("one", 1) + append("two", 2) +
              kernel("k", 1, "st.global.u32 [%p0], 5;" + launch("one", 1, 1) + launch("two", 1, 1) + "ret;"),
          64, 1, 1, Sanitize::all);
  ASSERT_EQ(result.status, RunStatus::ok) << result.message;
  EXPECT_TRUE(result.findings.empty()) << result.findings.front().message;
  EXPECT_EQ(output<uint32_t>(result, 0)[0], 512u);
}

TEST(DeviceLaunch, FindsARaceInALaunchedKernel) {
  const RunResult result = run(kernel("race", 1, "mov.u32 %r0, %tid.x; st.global.u32 [%p0], %r0; ret;") +
                                   kernel("k", 1, launch("race", 1, 64) + "ret;"),
                               64, 1, 1, Sanitize::all);
  ASSERT_FALSE(result.findings.empty());
}

TEST(DeviceLaunch, WaitingForChildrenIsRefused) {
  Request request(".extern .func (.param .b32 r) cudaDeviceSynchronize ();\n" +
                  kernel("k", 1, "{ .param .b32 e; call (e), cudaDeviceSynchronize, (); } ret;"));
  request.buffer("out", zeros(1)).launch("k", {1, 1, 1}, {1, 1, 1});
  const auto result = request.run();
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("cudaStreamTailLaunch"));
}

}  // namespace THIS_FILE
}  // namespace warplens::test
