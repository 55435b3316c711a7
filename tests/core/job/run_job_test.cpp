#include "core/job/run_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

// Returns the answers that the test prepared, and records the requests.
class ScriptedBackend : public Backend {
 public:
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress*) override {
    ++runs;
    asked = request;
    if (error) return *error;
    RunResult result = answer;
    result.request = request;
    if (stop.stop_requested()) result.status = RunStatus::cancelled;
    return result;
  }
  RunResult answer;
  std::optional<Error> error;
  std::shared_ptr<const LaunchRequest> asked;
  int runs = 0;
};

std::shared_ptr<const Bytes> floats(std::vector<float> values) {
  Bytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return std::make_shared<const Bytes>(std::move(bytes));
}

// One launch of 40 × 256 threads over one buffer. Its resources are known, so no linker is used.
Job sample_job(Dim3 block = {256, 1, 1}) {
  auto module = std::make_shared<ModuleText>();
  module->ptx = "// nothing that is read";
  LaunchRequest request;
  request.kernel = "sample";
  request.module = module;
  request.device = *find_device("3060");
  request.buffers.push_back({"out", 12, DType::f32, nullptr, true, 3, 1, 1});
  request.steps.emplace_back(LaunchStep{"add", {40, 1, 1}, block, 0, false, {}});
  request.resources = Resources{22, 0, 0, 0, 0, 0, 0, ResourceOrigin::ptxas};
  request.resources_known = true;
  Job job;
  job.request = std::make_shared<const LaunchRequest>(std::move(request));
  return job;
}

Result<RunResult> run(const Job& job, Backend& backend) { return run_job(job, backend, {}, nullptr); }

TEST(RunJob, DescribesTheLaunchAndItsOccupancy) {
  ScriptedBackend backend;
  const Result<RunResult> result = run(sample_job(), backend);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->status, RunStatus::ok);
  EXPECT_EQ(result->entry, "add");
  EXPECT_EQ(result->shape.grid, (Dim3{40, 1, 1}));
  EXPECT_EQ(result->resources->registers_per_thread, 22u);
  EXPECT_EQ(result->occupancy->active_blocks_per_sm, 6u);  // 48 warps an SM, 8 in a block
  EXPECT_NEAR(result->occupancy->waves, 40.0 / (28 * 6), 1e-12);
  EXPECT_TRUE(backend.asked->resources_known);
}

TEST(RunJob, ALaunchThatCudaRefusesIsNotRun) {
  ScriptedBackend backend;
  const Result<RunResult> result = run(sample_job({32, 33, 1}), backend);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(backend.runs, 0);
  EXPECT_EQ(result->status, RunStatus::refused);
  EXPECT_EQ(result->cuda_error, "cudaErrorInvalidConfiguration");
  EXPECT_FALSE(result->consequence.empty());
  EXPECT_EQ(result->shape.block, (Dim3{32, 33, 1}));
  EXPECT_EQ(result->request->kernel, "sample");
  EXPECT_FALSE(result->counters.has_value());
}

TEST(RunJob, ZeroAndHugeGridsAreRefused) {
  ScriptedBackend backend;
  for (const Dim3 grid :
       {Dim3{0, 1, 1}, Dim3{1, 0, 1}, Dim3{4000000000u, 4000000000u, 4000000000u}, Dim3{1, 65536, 1}}) {
    Job job = sample_job();
    auto request = std::make_shared<LaunchRequest>(*job.request);
    std::get<LaunchStep>(request->steps[0]).grid = grid;
    job.request = request;
    EXPECT_EQ(run(job, backend)->status, RunStatus::refused) << grid.x << " " << grid.y;
  }
  EXPECT_EQ(backend.runs, 0);
}

TEST(RunJob, ALaterLaunchMayNotBeRefusedEither) {
  ScriptedBackend backend;
  Job job = sample_job();
  auto request = std::make_shared<LaunchRequest>(*job.request);
  request->steps.emplace_back(LaunchStep{"second", {1, 1, 1}, {2048, 1, 1}, 0, false, {}});
  job.request = request;
  const Result<RunResult> result = run(job, backend);
  EXPECT_EQ(result->status, RunStatus::refused);
  EXPECT_THAT(result->message, HasSubstr("The launch of second"));
}

TEST(RunJob, ExpectationsDecideTheStatus) {
  ScriptedBackend backend;
  backend.answer.outputs.push_back({0, floats({1, 2, 3}), nullptr});
  Job job = sample_job();
  job.expectations = {{"out", floats({1, 2, 3}), DType::f32, 0}};
  EXPECT_EQ(run(job, backend)->status, RunStatus::ok);
  job.expectations = {{"out", floats({1, 2, 4}), DType::f32, 0}};
  const Result<RunResult> wrong = run(job, backend);
  EXPECT_EQ(wrong->status, RunStatus::check_failed);
  ASSERT_EQ(wrong->checks.size(), 1u);
  EXPECT_EQ(wrong->checks[0].first_mismatch, 2u);
  EXPECT_FALSE(wrong->message.empty());
  job.check = false;
  EXPECT_EQ(run(job, backend)->status, RunStatus::ok);
  EXPECT_TRUE(run(job, backend)->checks.empty());
}

TEST(RunJob, AnExpectedBufferThatDidNotComeBackIsNoSuccess) {
  ScriptedBackend backend;
  Job job = sample_job();
  job.expectations = {{"out", floats({1, 2, 3}), DType::f32, 0}};
  EXPECT_EQ(run(job, backend)->status, RunStatus::check_failed);
}

TEST(RunJob, AFaultIsNotChecked) {
  ScriptedBackend backend;
  backend.answer.status = RunStatus::fault;
  Job job = sample_job();
  job.expectations = {{"out", floats({1, 2, 3}), DType::f32, 0}};
  const Result<RunResult> result = run(job, backend);
  EXPECT_EQ(result->status, RunStatus::fault);
  EXPECT_TRUE(result->checks.empty());
}

TEST(RunJob, ErrorsOfTheBackendAreErrorsButRefusalsAndCancellationsAreResults) {
  ScriptedBackend backend;
  backend.error = bad_input("kernel.ptx:3: no such instruction");
  EXPECT_EQ(run(sample_job(), backend).error().kind, ErrorKind::bad_input);
  backend.error = Error{ErrorKind::refused, "PTX 9.0 is newer than the device takes"};
  EXPECT_EQ(run(sample_job(), backend)->status, RunStatus::refused);
  backend.error = Error{ErrorKind::cancelled, "Cancelled"};
  EXPECT_EQ(run(sample_job(), backend)->status, RunStatus::cancelled);
}

TEST(RunJob, CompileTimeIsMeasuredWhereNoTimeIsModelled) {
  ScriptedBackend backend;
  Job job = sample_job();
  job.compile_ms = 2.5;
  Result<RunResult> result = run(job, backend);
  EXPECT_EQ(result->time.compile, 2500);
  EXPECT_EQ(result->time.source, Provenance::measured);
  backend.answer.time.kernel = 3;
  result = run(job, backend);
  EXPECT_EQ(result->time.source, Provenance::modelled);
}

TEST(RunJob, UnknownResourcesAreLeftOutAndSaid) {
  ScriptedBackend backend;
  Job job = sample_job();
  auto request = std::make_shared<LaunchRequest>(*job.request);
  request->resources_known = false;  // and the text is no PTX, so no linker can know them
  job.request = request;
  const Result<RunResult> result = run(job, backend);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->status, RunStatus::ok);
  EXPECT_FALSE(result->resources.has_value());
  EXPECT_FALSE(result->occupancy.has_value());
  EXPECT_TRUE(std::ranges::any_of(result->warnings,
                                  [](const Warning& w) { return w.id == WarningId::resources_unknown; }));
  EXPECT_FALSE(backend.asked->resources_known);
}

TEST(RunJob, NothingToRunIsAnError) {
  ScriptedBackend backend;
  Job job = sample_job();
  auto request = std::make_shared<LaunchRequest>(*job.request);
  request->steps.clear();
  job.request = request;
  EXPECT_EQ(run(job, backend).error().kind, ErrorKind::bad_input);
}

}  // namespace THIS_FILE
}  // namespace warplens
