// A run that nothing was to be counted of: what is not known is empty, and never 0.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/report/report.h"
#include "core/job/run_job.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;

RunResult run(const char* name, Observe observe) {
  const auto kernel = find_kernel(name);
  EXPECT_TRUE(kernel) << name;
  RunOptions options;
  options.observe = observe;
  const auto job = make_job(borrowed(**kernel), default_setup(**kernel), *find_device("3060"), options);
  EXPECT_TRUE(job) << (job ? "" : job.error().message);
  const auto backend = make_virtual_gpu();
  auto result = run_job(*job, *backend, {}, nullptr);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : RunResult{};
}

TEST(ObserveNone, CountersAreEmptyAndTheRestIsThere) {
  const RunResult counted = run("chain_on_device", Observe::counters),
                  result = run("chain_on_device", Observe::none);
  ASSERT_TRUE(counted.counters);
  EXPECT_FALSE(result.counters);
  EXPECT_TRUE(result.lines.empty());
  ASSERT_EQ(result.launches.size(), counted.launches.size());
  for (const LaunchRecord& launch : result.launches) EXPECT_FALSE(launch.counters);
  for (const LaunchRecord& launch : counted.launches) EXPECT_TRUE(launch.counters);
  EXPECT_FALSE(result.time.kernel) << "a modelled time needs counts";
  EXPECT_EQ(result.status, RunStatus::ok);
  ASSERT_EQ(result.outputs.size(), counted.outputs.size());
  for (size_t i = 0; i < result.outputs.size(); ++i)
    EXPECT_EQ(*result.outputs[i].bytes, *counted.outputs[i].bytes);
}

TEST(ObserveNone, TheReportsHaveNoCountsAndNoZeros) {
  const RunResult result = run("vector_add", Observe::none);
  const auto json = nlohmann::json::parse(report_json(result));
  ASSERT_FALSE(json["counters"].empty());
  for (const auto& [name, value] : json["counters"].items()) EXPECT_TRUE(value.is_null()) << name;
  EXPECT_TRUE(json["lines"].empty());
  EXPECT_TRUE(json["host"]["execute_ms"].is_number()) << "this machine's time was measured";
  const std::string text = report_text(result);
  EXPECT_THAT(text, HasSubstr("Nothing was counted (--observe none)"));
  EXPECT_THAT(text, HasSubstr("virtual GPU, this machine"));
  EXPECT_THAT(text, Not(HasSubstr("[counted]")));
}

}  // namespace THIS_FILE
}  // namespace warplens
