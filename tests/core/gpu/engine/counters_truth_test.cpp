// The counters against Nsight Compute's on an H200: tests/data/truth/counters_h200.json.
#include "tests/core/gpu/engine/counters_truth.h"

namespace warplens::test {
namespace THIS_FILE {

using Json = nlohmann::json;

const std::vector<std::pair<std::string, uint64_t Counters::*>> compared = {
    {"global_load_requests", &Counters::global_load_requests},
    {"global_load_sectors", &Counters::global_load_sectors},
    {"global_store_requests", &Counters::global_store_requests},
    {"global_store_sectors", &Counters::global_store_sectors},
    {"local_load_sectors", &Counters::local_load_sectors},
    {"local_store_sectors", &Counters::local_store_sectors},
    {"shared_load_requests", &Counters::shared_load_requests},
    {"shared_load_wavefronts", &Counters::shared_load_wavefronts},
    {"shared_load_bank_conflicts", &Counters::shared_load_bank_conflicts},
    {"shared_store_requests", &Counters::shared_store_requests},
    {"shared_store_wavefronts", &Counters::shared_store_wavefronts},
    {"shared_store_bank_conflicts", &Counters::shared_store_bank_conflicts},
    {"shared_atomic_requests", &Counters::shared_atomic_requests},
    {"shared_atomic_wavefronts", &Counters::shared_atomic_wavefronts},
    {"shared_atomic_bank_conflicts", &Counters::shared_atomic_bank_conflicts},
    {"async_copy_requests", &Counters::async_copy_requests},
    {"async_copy_global_sectors", &Counters::async_copy_global_sectors},
    {"async_copy_shared_wavefronts", &Counters::async_copy_shared_wavefronts},
    {"async_copy_bank_conflicts", &Counters::async_copy_bank_conflicts},
    {"atomic_requests", &Counters::atomic_requests},
    {"atomic_sectors", &Counters::atomic_sectors},
    {"divergent_branches", &Counters::divergent_branches}};

TEST(CountersTruth, EqualNsightComputesOnAnH200) {
  const auto backend = make_virtual_gpu();
  const Json tests = counted_launches();
  ASSERT_GT(tests.size(), 600u);
  for (const Json& test : tests) {
    const auto result = backend->run(std::make_shared<LaunchRequest>(counted_request(test)), {}, nullptr);
    ASSERT_TRUE(result.ok()) << result.error().message;
    ASSERT_EQ(result->status, RunStatus::ok) << result->message;
    const auto kernel = test["kernel"].get<std::string>();
    for (const auto& [name, member] : compared) {
      if (counts_otherwise(kernel, test.value("pattern", ""), name)) continue;
      uint64_t truth = truth_of(test, name);
      // l1tex counts copies among its loads.
      if (name == "global_load_requests") truth -= truth_of(test, "async_copy_requests");
      if (name == "global_load_sectors") truth -= truth_of(test, "async_copy_global_sectors");
      EXPECT_EQ((*result->counters).*member, truth)
          << kernel << " " << name << ", grid " << test["grid"].dump() << ", block " << test["block"].dump()
          << " " << test.value("pattern", "");
    }
  }
}

}  // namespace THIS_FILE
}  // namespace warplens::test
