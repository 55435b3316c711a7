#include "core/job/findings_pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/report/report.h"

namespace warplens {
namespace THIS_FILE {

// sum[0] += x[i], by all threads.
constexpr const char* lost_sums = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry sum(.param .u64 x, .param .u64 out)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r2, [%rd4];
  ld.global.u32 %r3, [%rd2];
  add.s32 %r4, %r3, %r2;
  st.global.u32 [%rd2], %r4;
  ret;
})";

Job job_of_sums(uint32_t blocks) {
  auto request = std::make_shared<LaunchRequest>();
  auto text = std::make_shared<ModuleText>();
  text->ptx = lost_sums;
  text->ptx_name = "sum.ptx";
  request->module = text;
  request->kernel = "sum";
  request->device = *find_device("3060");
  BufferSpec x;
  x.name = "x";
  x.bytes = 256;
  BufferSpec out = x;
  out.name = "out";
  out.output = true;
  request->buffers = {x, out};
  LaunchStep launch;
  launch.entry = "sum";
  launch.grid = {blocks, 1, 1};
  launch.block = {64, 1, 1};
  launch.arguments = {BufferArgument{0, 0}, BufferArgument{1, 0}};
  request->steps = {launch};
  Job job;
  job.request = request;
  job.findings = true;
  return job;
}

RunResult run(const Job& job) {
  const auto backend = make_virtual_gpu();
  auto result = run_job(job, *backend, {}, nullptr);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : RunResult{};
}

TEST(FindingsPass, FindsTheRacesOfASmallRunAndLeavesItsCounts) {
  Job job = job_of_sums(4);
  const RunResult looked = run(job);
  job.findings = false;
  const RunResult plain = run(job);
  EXPECT_TRUE(plain.findings.empty());
  EXPECT_EQ(plain.looked_for, Sanitize::memory);
  EXPECT_EQ(looked.status, RunStatus::ok) << "a finding stops nothing";
  EXPECT_EQ(looked.looked_for, Sanitize::all);
  EXPECT_EQ(looked.not_looked_for, "");
  EXPECT_EQ(looked.counters, plain.counters);
  ASSERT_FALSE(looked.findings.empty());
  EXPECT_EQ(looked.findings.front().kind, IncidentKind::race);
  EXPECT_THAT(looked.findings.front().message,
              testing::AllOf(testing::HasSubstr("atomicAdd()"), testing::Not(testing::HasSubstr("__sync"))));
  EXPECT_THAT(report_json(looked), testing::HasSubstr("\"sanitize\": \"all\""));
}

TEST(FindingsPass, LargerRunsSayThatTheyDidNotLook) {
  const auto most = static_cast<uint32_t>(affordable_findings_accesses / 6);
  const RunResult small = run(job_of_sums(most - 1)), large = run(job_of_sums(most + 1));
  EXPECT_EQ(small.looked_for, Sanitize::all);
  EXPECT_EQ(large.looked_for, Sanitize::memory);
  EXPECT_TRUE(large.findings.empty());
  EXPECT_THAT(large.not_looked_for, testing::HasSubstr("memory requests"));
  EXPECT_THAT(report_text(large), testing::HasSubstr("--sanitize all"));
  EXPECT_THAT(report_json(large), testing::HasSubstr("\"sanitize_left_out\": \"the run has"));
}

TEST(FindingsPass, LooksAtAnySizeIfItIsToldTo) {
  Job job = job_of_sums(static_cast<uint32_t>(affordable_findings_accesses / 6 + 1));
  job.findings_of_any_size = true;
  EXPECT_FALSE(run(job).findings.empty());
}

TEST(FindingsPass, TheUsersChoiceWins) {
  for (const Sanitize chosen : {Sanitize::off, Sanitize::all}) {
    Job job = job_of_sums(2);
    auto request = std::make_shared<LaunchRequest>(*job.request);
    request->sanitize = chosen;
    job.request = request;
    const RunResult result = run(job);
    EXPECT_EQ(result.looked_for, chosen);
    EXPECT_EQ(result.findings.empty(), chosen == Sanitize::off);
    EXPECT_EQ(result.not_looked_for, "");
  }
}

TEST(FindingsPass, AStoppedPassIsAnErrorAndLeavesTheRun) {
  Job job = job_of_sums(4);
  job.findings = false;
  const RunResult plain = run(job);
  std::stop_source stop;
  stop.request_stop();
  const auto backend = make_virtual_gpu();
  const auto stopped = with_findings(job, plain, *backend, stop.get_token());
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::cancelled);
}

}  // namespace THIS_FILE
}  // namespace warplens
