#include <gmock/gmock.h>

#include <cmath>
#include <cstring>

#include "core/device/device.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/cpu_library.h"
#include "core/job/libraries.h"
#include "core/job/run_job.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

// A real GPU whose library gives what the CPU's gives.
class Twin final : public Backend {
 public:
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token stop,
                        Progress* progress) override {
    return m_gpu->run(std::move(request), std::move(stop), progress);
  }
  Result<LibraryRun> run_libraries(const Device&, const LibraryWork& work, std::stop_token) override {
    LibraryTime time = cpu_library(work);
    time.library = "the twin's library";
    if (spoil && !time.result.empty()) time.result[time.result.size() / 2] += 1;
    asked = work;
    return LibraryRun{{time}};
  }
  bool spoil = false;
  LibraryWork asked;

 private:
  std::unique_ptr<Backend> m_gpu = make_virtual_gpu();
};

bool without_eigen() { return !cpu_library(svd_work(2, 1)).missing.empty(); }

RunResult run(const std::string& name, const std::map<std::string, double>& values, Backend& backend) {
  KernelSetup setup = default_setup(**find_kernel(name));
  setup.values = values;
  const auto job = make_job(borrowed(**find_kernel(name)), setup, *find_device("NVIDIA H200"), {});
  EXPECT_TRUE(job);
  auto result = run_job(*job, backend, {}, nullptr);
  EXPECT_TRUE(result);
  return *result;
}

TEST(Libraries, TheCpuSolvesWhatTheCourseAsksFor) {
  if (without_eigen()) GTEST_SKIP() << cpu_library(svd_work(2, 1)).missing;
  for (const uint32_t size : {1u, 2u, 3u, 33u, 64u}) {
    const LibraryWork work = svd_work(size, 7);
    const LibraryTime time = cpu_library(work);
    EXPECT_LT(library_error(work, time), 1e-5) << size;
    EXPECT_TRUE(time.time_us);
  }
}

TEST(Libraries, AWrongAnswerIsFound) {
  if (without_eigen()) GTEST_SKIP() << cpu_library(svd_work(2, 1)).missing;
  const LibraryWork work = svd_work(16, 7);
  const LibraryTime good = cpu_library(work);
  for (size_t i = 0; i < good.result.size(); ++i) {
    LibraryTime wrong = good;
    wrong.result[i] += 0.1f;
    EXPECT_GT(library_error(work, wrong), 1e-4) << i;
  }
  LibraryTime swapped = good;
  std::swap(swapped.result[0], swapped.result[1]);
  EXPECT_TRUE(std::isinf(library_error(work, swapped)));
  LibraryTime none;
  EXPECT_TRUE(std::isinf(library_error(work, none)));
  none = good;
  none.result[20] = NAN;
  EXPECT_FALSE(library_error(work, none) < 1);
}

TEST(Libraries, AKernelsWorkIsItsArraysAndSizes) {
  Twin backend;
  const RunResult result = run("matmul_tiled", {{"m", 5}, {"n", 7}, {"k", 3}}, backend);
  const auto work = library_work_of(**find_kernel("matmul_tiled"), *result.request);
  ASSERT_TRUE(work);
  EXPECT_EQ(work->task, LibraryTask::matmul);
  EXPECT_EQ(std::vector({work->rows, work->columns, work->inner}), std::vector<uint32_t>({5, 7, 3}));
  // The kernel's results are the same as with these arrays.
  LibraryTime ours;
  ours.result.resize(35);
  std::memcpy(ours.result.data(), result.outputs.at(0).bytes->data(), 35 * sizeof(float));
  EXPECT_LT(library_error(*work, ours), 1e-5);
  const RunResult pi = run("pi_atomic_warp", {{"n", 1000}, {"turns", 5}}, backend);
  EXPECT_EQ(library_work_of(**find_kernel("pi_atomic_warp"), *pi.request)->points, 10'000u);
  const RunResult add = run("vector_add", {}, backend);
  EXPECT_FALSE(library_work_of(**find_kernel("vector_add"), *add.request));
  EXPECT_TRUE(library_rows(add, **find_kernel("vector_add"), backend, {}).empty());
}

TEST(Libraries, StandBesideTheKernelAndAreChecked) {
  if (without_eigen()) GTEST_SKIP() << cpu_library(svd_work(2, 1)).missing;
  Twin backend;
  const RunResult result = run("matmul_naive", {{"m", 20}, {"n", 30}, {"k", 40}}, backend);
  auto rows = library_rows(result, **find_kernel("matmul_naive"), backend, {});
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].who, "this kernel");
  if (result.occupancy) {
    EXPECT_EQ(rows[0].source, Provenance::modelled) << "a virtual device's time is no measured one";
  }
  EXPECT_EQ(rows[1].who, "the twin's library");
  EXPECT_THAT(rows[2].who, HasSubstr("Eigen"));
  for (const LibraryRow& row : rows) EXPECT_TRUE(row.right) << row.who << row.check;
  EXPECT_THAT(library_text(rows), HasSubstr("the twin's library"));
  backend.spoil = true;
  rows = library_rows(result, **find_kernel("matmul_naive"), backend, {});
  EXPECT_FALSE(rows[1].right);
  EXPECT_THAT(library_text(rows), HasSubstr("WRONG"));
}

TEST(Libraries, AnAbsentOneIsASentence) {
  const auto backend = make_virtual_gpu();
  const auto rows = library_rows(svd_work(8, 1), *find_device("NVIDIA H200"), *backend, {});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_FALSE(rows[0].time_us);
  EXPECT_THAT(library_text(rows), HasSubstr("cuSOLVER: cuBLAS, cuSOLVER and cuRAND need a real GPU"));
}

TEST(Libraries, AreAskedOnRealDevicesOnly) {
  RunOptions options;
  options.libraries = true;
  const KernelDescription& kernel = **find_kernel("matmul_naive");
  Device device = *find_device("NVIDIA H200");
  EXPECT_FALSE(make_job(borrowed(kernel), default_setup(kernel), device, options)->libraries);
  device.is_virtual = false;
  EXPECT_TRUE(make_job(borrowed(kernel), default_setup(kernel), device, options)->libraries);
}

}  // namespace THIS_FILE
}  // namespace warplens
