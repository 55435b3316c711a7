// Nothing is left on the device.
#include "cuda/device/backend/gpu_backend.h"
#include "fixture.h"

namespace warplens {
namespace THIS_FILE {

using GpuMemory = Gpu;

TEST_F(GpuMemory, IsAsBeforeAfterTenThousandLaunches) {
  cuda::GpuBackend backend(driver, 0);
  const auto kernel = find_kernel("vector_add");
  RunOptions options;
  options.repeat = 1000;
  const auto job = make_job(borrowed(**kernel), default_setup(**kernel), device, options);
  ASSERT_TRUE(job.ok());
  // What the driver keeps from its first launch on is not counted.
  const auto first = backend.run(job->request, {}, nullptr);
  ASSERT_TRUE(first.ok()) << first.error().message;
  const auto context = backend.context();
  ASSERT_TRUE(context.ok());
  const auto before = (*context)->memory();
  for (int i = 0; i < 10; ++i) {
    const auto result = backend.run(job->request, {}, nullptr);
    ASSERT_TRUE(result.ok()) << result.error().message;
    ASSERT_EQ(result->status, RunStatus::ok);
  }
  const auto after = (*context)->memory();
  ASSERT_TRUE(before.ok() && after.ok());
  EXPECT_EQ(before->free, after->free);
}

}  // namespace THIS_FILE
}  // namespace warplens
