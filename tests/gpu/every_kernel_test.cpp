// Every built-in kernel on both engines, at several sizes and block shapes: the same bits.
#include <algorithm>
#include <set>

#include "core/job/compare_engines.h"
#include "core/job/sweep.h"
#include "fixture.h"

namespace warplens {
namespace THIS_FILE {

class GpuKernels : public Gpu, public testing::WithParamInterface<std::string> {};

std::vector<KernelSetup> setups_of(const KernelDescription& kernel, const Device& device) {
  const KernelSetup usual = default_setup(kernel);
  std::vector<KernelSetup> setups{usual};
  for (const uint64_t size : {33, 100}) {
    const auto sized = sized_setup(kernel, usual, size);
    if (sized) setups.push_back(*sized);
  }
  for (const Dim3& block : usual_blocks(kernel, device)) {
    setups.push_back(setups[std::min<size_t>(1, setups.size() - 1)]);
    setups.back().block = block;
  }
  return setups;
}

TEST_P(GpuKernels, GivesTheSameBitsOnBoth) {
  const auto kernel = find_kernel(GetParam());
  ASSERT_TRUE(kernel.ok());
  const auto backend = both();
  for (const KernelSetup& setup : setups_of(**kernel, device)) {
    const std::string what = testing::PrintToString(std::vector{setup.block.x, setup.block.y, setup.block.z});
    const auto job = make_job(borrowed(**kernel), setup, device, {});
    ASSERT_TRUE(job.ok()) << what << job.error().message;
    const auto result = run_on_both(*job, *backend, {}, nullptr);
    ASSERT_TRUE(result.ok()) << what << result.error().message;
    if ((*kernel)->intentionally_broken && result->status == RunStatus::fault) continue;
    if (result->status == RunStatus::refused) continue;  // a block that this kernel cannot have
    EXPECT_EQ(result->status, RunStatus::ok) << what << result->message;
    for (const Comparison& comparison : result->comparisons) EXPECT_EQ(comparison.different, 0u) << what;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const KernelDescription& kernel : built_in_kernels()) list.push_back(kernel.name);
  return list;
}

INSTANTIATE_TEST_SUITE_P(All, GpuKernels, testing::ValuesIn(names()),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace THIS_FILE
}  // namespace warplens
