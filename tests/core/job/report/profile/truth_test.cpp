// Every exact metric of the profile against what Nsight Compute counted on an H200 under its name.
#include <map>

#include "core/job/report/ncu_names.h"
#include "core/job/report/profile/facts.h"
#include "core/job/report/profile/profile.h"
#include "tests/core/gpu/engine/counters_truth.h"

namespace warplens::profile {
namespace THIS_FILE {

// The key of the recorded counter by its metric. Each is the profiler's own figure, so loads hold copies.
std::map<std::string, std::string> recorded_keys() {
  std::map<std::string, std::string> keys;
  for (const NcuName& name : ncu_names())
    if (name.compared != 0) keys[name.metric] = name.counter;
  return keys;
}

struct Compared {
  uint64_t figures = 0, equal_optimised = 0;
  std::map<std::string, uint64_t> by_metric;
};

void compare(const LaunchProfile& profile, const nlohmann::json& test,
             const std::map<std::string, std::string>& keys, Compared& compared) {
  const auto kernel = test["kernel"].get<std::string>();
  for (const Figure& figure : profile.figures) {
    const auto key = keys.find(figure.metric->name);
    if (figure.mark != Mark::exact || key == keys.end()) continue;
    if (test::counts_otherwise(kernel, test.value("pattern", ""), key->second)) continue;
    EXPECT_EQ(static_cast<uint64_t>(*figure.value), test::truth_of(test, key->second))
        << kernel << " " << figure.metric->name << ", grid " << test["grid"].dump() << ", block "
        << test["block"].dump() << " " << test.value("pattern", "");
    ++compared.figures;
    ++compared.by_metric[figure.metric->name];
    compared.equal_optimised += *figure.value == test["counters"][key->second].get<double>();
  }
}

TEST(ProfileTruth, ExactMetricsEqualNsightComputesOnAnH200) {
  const auto backend = make_virtual_gpu();
  const std::map<std::string, std::string> keys = recorded_keys();
  Compared compared;
  uint64_t launches = 0;
  for (const nlohmann::json& test : test::counted_launches()) {
    LaunchRequest request = test::counted_request(test);
    request.device = *find_device("H200");
    const auto result = backend->run(std::make_shared<LaunchRequest>(request), {}, nullptr);
    ASSERT_TRUE(result.ok()) << result.error().message;
    const std::vector<LaunchProfile> profiles = profiles_of(*result, 0, {});
    ASSERT_EQ(profiles.size(), 1u);
    compare(profiles.front(), test, keys, compared);
    ++launches;
  }
  EXPECT_EQ(launches, 692u);
  // Launches that the profiler counts differently are left out: at most 40 for one metric. So are launches
  // whose machine code may make fewer loads (core/job/report/profile/marks.h).
  EXPECT_EQ(compared.by_metric.size(), 19u);
  for (const auto& [metric, count] : compared.by_metric)
    EXPECT_GE(count, metric.find("global_op_ld") != metric.npos ? 450u : 645u) << metric;
  EXPECT_EQ(compared.figures, 12'162u);
  // As programs are built, ptxas makes other instructions of a few (docs/counters.md).
  EXPECT_GE(compared.equal_optimised + 20, compared.figures);
  RecordProperty("launches", std::to_string(launches));
  RecordProperty("figures", std::to_string(compared.figures));
  RecordProperty("equal_at_O3", std::to_string(compared.equal_optimised));
}

TEST(ProfileTruth, EveryExactCounterWasCompared) {
  const std::map<std::string, std::string> keys = recorded_keys();
  for (const Metric& metric : metric_table().metrics) {
    if (mark_of(metric) != Mark::exact || metric.section != "MemoryWorkloadAnalysis_Tables") continue;
    // Ratios and bytes are made of figures that were; where there are no atomics, both of their kinds are 0.
    const bool derived = metric.formula.find_first_of("/*") != std::string::npos;
    const bool zero = metric.formula == "zero_if_no_atomics";
    EXPECT_TRUE(derived || zero || keys.contains(metric.name)) << metric.name;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::profile
