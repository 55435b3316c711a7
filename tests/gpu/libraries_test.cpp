// cuBLAS, cuSOLVER and cuRAND on a real GPU, where they are installed (WARPLENS_CUDA_LIBRARIES names
// folders).
#include "core/job/libraries.h"

#include <gmock/gmock.h>

#include "cuda/device/libraries/libraries.h"
#include "fixture.h"

namespace warplens {
namespace THIS_FILE {

class GpuLibraries : public Gpu {
 protected:
  // Every row has a time and a right answer, but those whose library is not there, which skip the test.
  void expect_right(const std::vector<LibraryRow>& rows, const std::string& library) {
    ASSERT_FALSE(rows.empty());
    for (const LibraryRow& row : rows) {
      if (row.who == library && row.missing.find("is not on this machine") != std::string::npos)
        GTEST_SKIP() << row.missing;
      EXPECT_EQ(row.missing, "") << row.who;
      EXPECT_TRUE(row.right) << row.who << " " << row.how << ": " << row.check;
      ASSERT_TRUE(row.time_us) << row.who;
      EXPECT_GT(row.time_us->median, 0) << row.who;
      RecordProperty(row.who + " " + row.how, std::to_string(row.time_us->median) + " us, " + row.check);
    }
  }
  std::vector<LibraryRow> beside(const std::string& name, const std::map<std::string, double>& values) {
    const KernelDescription& kernel = **find_kernel(name);
    KernelSetup setup = default_setup(kernel);
    setup.values = values;
    RunOptions options;
    options.libraries = true;
    const auto backend = both();
    const auto job = make_job(borrowed(kernel), setup, device, options);
    EXPECT_TRUE(job.ok());
    const auto result = run_job(*job, *backend, {}, nullptr);
    EXPECT_TRUE(result.ok()) << (result ? "" : result.error().message);
    if (!result) return {};
    EXPECT_EQ(result->status, RunStatus::ok) << result->message;
    return result->libraries;
  }
};

TEST_F(GpuLibraries, MultiplyMatrices) {
  for (const double size : {64, 100, 256, 1024})
    expect_right(beside("matmul_tiled", {{"m", size}, {"n", size}, {"k", size}}), "cuBLAS");
  expect_right(beside("matmul_naive", {{"m", 17}, {"n", 300}, {"k", 65}}), "cuBLAS");
}

TEST_F(GpuLibraries, TakeMatricesApart) {
  const auto backend = both();
  for (const uint32_t size : {1, 2, 33, 64, 128, 256})
    expect_right(library_rows(svd_work(size, 5), device, *backend, {}), "cuSOLVER");
}

TEST_F(GpuLibraries, EstimatePi) {
  for (const char* kernel : {"pi_atomic_thread", "pi_atomic_block", "pi_atomic_warp"})
    expect_right(beside(kernel, {{"n", 100'000}, {"turns", 100}}), "cuRAND");
}

// The process that ran a library runs kernels as before, and the other way round.
TEST_F(GpuLibraries, LeaveTheDeviceAsItWas) {
  const auto backend = both();
  for (int i = 0; i < 2; ++i) {
    const auto rows = library_rows(svd_work(32, 5), device, *backend, {});
    ASSERT_FALSE(rows.empty());
    const KernelDescription& kernel = **find_kernel("vector_add");
    const auto job = make_job(borrowed(kernel), default_setup(kernel), device, {});
    const auto result = run_job(*job, *backend, {}, nullptr);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->status, RunStatus::ok) << result->message;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
