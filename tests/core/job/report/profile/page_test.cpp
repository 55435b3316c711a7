// docs/profile.md and the profiles in tests/data/golden/profile are what the program writes:
// tests/data/golden/remake_profile.sh writes them again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/report/profile/pages.h"
#include "core/job/run_job.h"
#include "core/job/sm_pass.h"
#include "tests/paths.h"

namespace warplens::profile {
namespace THIS_FILE {

constexpr const char* begin_mark =
    "<!-- metrics: made from assets/counters/profile_metrics.json by tests/data/golden/remake_profile.sh "
    "-->\n";
constexpr const char* end_mark = "<!-- /metrics -->\n";

std::string text_of(const std::filesystem::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Writes the file first if this was requested.
void expect_file(const std::filesystem::path& path, const std::string& text) {
  if (std::getenv("WARPLENS_REMAKE_PROFILE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  EXPECT_TRUE(text_of(path) == text) << path
                                     << ": run tests/data/golden/remake_profile.sh, and read the difference";
}

TEST(ProfilePage, TheTablesAreThoseOfTheProgram) {
  const std::filesystem::path path = test_files::source_dir() / "docs/profile.md";
  const std::string page = text_of(path);
  const size_t begin = page.find(begin_mark), end = page.find(end_mark);
  ASSERT_TRUE(begin != page.npos && end != page.npos) << "the page has lost its marks";
  expect_file(path, page.substr(0, begin) + begin_mark + "\n" + metrics_page() + page.substr(end));
}

// With resources that are given, so that the page is the same without an assembler.
std::string details_of(const char* kernel, const char* device, const Resources& resources) {
  const Result<const KernelDescription*> description = find_kernel(kernel);
  EXPECT_TRUE(description.ok());
  KernelSetup setup = default_setup(**description);
  RunOptions options;
  options.check = false;
  options.caches = true;
  options.workers = 1;
  Result<Job> job = make_job(borrowed(**description), setup, *find_device(device), options);
  EXPECT_TRUE(job.ok()) << job.error().message;
  LaunchRequest request = *job->request;
  request.resources = resources;
  request.resources_known = true;
  job->request = std::make_shared<const LaunchRequest>(std::move(request));
  const auto backend = make_virtual_gpu();
  const Result<RunResult> ran = run_job(*job, *backend, {}, nullptr);
  EXPECT_TRUE(ran.ok()) << ran.error().message;
  const Result<RunResult> result = with_sm(*ran, {});
  EXPECT_TRUE(result.ok()) << result.error().message;
  return text_page(Page::details, profiles_of(*result, 0, {1, "warplens"}), *select({}, ""));
}

TEST(ProfilePage, DetailsOfAVectorAdditionAreTheGoldenText) {
  expect_file(
      test_files::source_dir() / "tests/data/golden/profile/vector_add.txt",
      details_of("vector_add", "3060", {.registers_per_thread = 12, .origin = ResourceOrigin::ptxas}));
}

TEST(ProfilePage, DetailsOfATiledMultiplicationAreTheGoldenText) {
  expect_file(
      test_files::source_dir() / "tests/data/golden/profile/matmul_tiled.txt",
      details_of("matmul_tiled", "H200",
                 {.registers_per_thread = 31, .shared_static_bytes = 2048, .origin = ResourceOrigin::ptxas}));
}

}  // namespace THIS_FILE
}  // namespace warplens::profile
