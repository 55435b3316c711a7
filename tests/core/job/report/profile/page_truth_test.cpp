// Every figure of the profile of the built-in kernels and of 166 programs of other tools against the page
// that Nsight Compute printed of them on an H200 (tests/data/truth/profile_h200.json, by record_profile.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/files/launch_job.h"
#include "core/job/report/profile/profile.h"
#include "core/job/run_job.h"
#include "core/kernels/catalogue.h"
#include "tests/core/compile/tools.h"
#include "tests/core/kernels/truth_setup.h"
#include "tests/paths.h"

namespace warplens::profile {
namespace THIS_FILE {

using nlohmann::json;

json parsed(const std::filesystem::path& path) { return json::parse(std::ifstream(path)); }

// One block runs at a time: how often a block looks whether another one is ready depends on when the threads
// of this machine run, and the page is to be the same everywhere.
Result<Job> in_turn(Job job) {
  LaunchRequest request = *job.request;
  request.workers = 1;
  job.request = std::make_shared<const LaunchRequest>(std::move(request));
  return job;
}

Result<Job> job_named(const std::string& name) {
  RunOptions options;
  options.check = false;
  options.caches = true;
  const Device device = *find_device("H200");
  constexpr std::string_view outside = "outside/";
  if (!name.starts_with(outside)) {
    const Result<const KernelDescription*> kernel = find_kernel(name);
    if (!kernel) return kernel.error();
    // The PTX that is checked in: NVRTC does not always write the same.
    auto golden = std::make_shared<KernelDescription>(**kernel);
    golden->ptx = golden_ptx(std::filesystem::path(golden->source_name).stem().string());
    Result<Job> job = make_job(golden, test::truth_setup(**kernel), device, options);
    if (!job) return job;
    // Its machine code was made without a limit of registers.
    LaunchRequest request = *job->request;
    request.max_registers = 0;
    job->request = std::make_shared<const LaunchRequest>(std::move(request));
    return in_turn(*std::move(job));
  }
  const auto path = test_files::source_dir() / "tests/data/outside" / (name.substr(outside.size()) + ".json");
  Result<LaunchFile> file = read_launch_file(path.string());
  if (!file) return file.error();
  Result<Job> job = make_job(*std::move(file), path.string(), device, options, {});
  return job ? in_turn(*std::move(job)) : job;
}

// The profiler prints two decimal places.
bool is_equal(double ours, double theirs) {
  const double difference = std::abs(ours - theirs);
  return std::floor(theirs) == theirs && std::floor(ours) == ours
             ? difference == 0
             : difference <= 0.0051 || difference <= 1e-5 * std::abs(theirs);
}

struct OfMetric {
  uint64_t figures = 0, equal = 0;
  std::vector<double> errors;  // relative, where the profiler's figure is not 0
};

struct Compared {
  std::map<std::string, OfMetric> exact, modelled;
  std::map<std::string, std::string> differ;  // by program: the first exact figure that is another one
  bool assembled = true;                      // an assembler was found, so registers are known
  std::ofstream table;                        // every figure, where WARPLENS_PROFILE_TABLE names a file

  uint64_t sum(const std::map<std::string, OfMetric>& of, uint64_t OfMetric::*count) const {
    uint64_t sum = 0;
    for (const auto& [name, metric] : of) sum += metric.*count;
    return sum;
  }
};

void compare(const LaunchProfile& ours, const json& theirs, const json& names, Compared& compared) {
  const auto name = theirs["name"].get<std::string>();
  for (size_t i = 0; i < names.size(); ++i) {
    const Metric* metric = metric_table().metric(names[i].get<std::string>());
    const Figure* figure = metric != nullptr ? ours.figure(*metric) : nullptr;
    if (figure == nullptr || !figure->value || theirs["values"][i].is_null()) continue;
    const auto expected = theirs["values"][i].get<double>();
    const bool exact = figure->mark == Mark::exact, equal = is_equal(*figure->value, expected);
    OfMetric& of = (exact ? compared.exact : compared.modelled)[metric->name];
    ++of.figures;
    of.equal += equal ? 1 : 0;
    // Warps start one after the other, and may end before their block: a GPU has the same or fewer on an SM.
    if (names[i] == "sm__warps_active.avg.pct_of_peak_sustained_active") {
      EXPECT_GE(*figure->value, expected - 0.0051) << name;
    }
    if (expected != 0) of.errors.push_back(std::abs(*figure->value / expected - 1));
    if (exact && !equal)
      compared.differ.try_emplace(name, fmt::format("{}: {}, {}", metric->name, *figure->value, expected));
    if (compared.table.is_open())
      compared.table << fmt::format("{},{},{},{},{},{}\n", name, theirs["entry"].get<std::string>(),
                                    metric->name, to_string(figure->mark), *figure->value, expected);
  }
}

Compared compare_all(const json& truth) {
  Compared compared;
  if (const char* path = std::getenv("WARPLENS_PROFILE_TABLE")) compared.table.open(path);
  const auto backend = make_virtual_gpu();
  for (size_t i = 0; i < truth["launches"].size();) {
    const auto name = truth["launches"][i]["name"].get<std::string>();
    const Result<Job> job = job_named(name);
    EXPECT_TRUE(job.ok()) << name << ": " << (job ? "" : job.error().message);
    const Result<RunResult> result =
        job ? run_job(*job, *backend, {}, nullptr) : Result<RunResult>(job.error());
    EXPECT_TRUE(result.ok()) << name << ": " << (result ? "" : result.error().message);
    const std::vector<LaunchProfile> ours =
        result ? profiles_of(*result, 0, {}) : std::vector<LaunchProfile>();
    size_t launch = 0;
    for (; i < truth["launches"].size() && truth["launches"][i]["name"] == name; ++i, ++launch)
      if (launch < ours.size()) compare(ours[launch], truth["launches"][i], truth["metrics"], compared);
    EXPECT_EQ(launch, ours.size()) << name;
    for (const LaunchRecord& record : result ? result->launches : std::vector<LaunchRecord>())
      compared.assembled &= record.resources && record.resources->origin == ResourceOrigin::ptxas;
  }
  return compared;
}

// The table of docs/profile.md.
std::string table_of(Compared& compared, const json& truth) {
  const uint64_t exact = compared.sum(compared.exact, &OfMetric::figures),
                 equal = compared.sum(compared.exact, &OfMetric::equal);
  std::string text = fmt::format(
      "{} launches on an {}; of {} figures that are marked exact, {} are equal ({:.2f} %).\n\n"
      "| metric | exact | of them equal | modelled | error: median | 90 % | largest "
      "|\n|---|---|---|---|---|---|---|\n",
      truth["launches"].size(), truth["device"].get<std::string>(), exact, equal,
      100.0 * double(equal) / double(exact));
  for (const Metric& metric : metric_table().metrics) {
    OfMetric &exactly = compared.exact[metric.name], &modelled = compared.modelled[metric.name];
    if (exactly.figures + modelled.figures == 0) continue;
    std::ranges::sort(modelled.errors);
    const auto at = [&](double share) {
      const size_t last = modelled.errors.size();
      return last == 0 ? std::string()
                       : fmt::format("{:.3g} %",
                                     100 * modelled.errors[static_cast<size_t>(share * double(last - 1))]);
    };
    const auto count = [](uint64_t number, uint64_t of) {
      return of == 0 ? std::string() : fmt::to_string(number);
    };
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} |\n", metric.name,
                        count(exactly.figures, exactly.figures), count(exactly.equal, exactly.figures),
                        count(modelled.figures, modelled.figures), at(0.5), at(0.9), at(1));
  }
  return text;
}

constexpr const char* begin_mark =
    "<!-- truth: made from tests/data/truth/profile_h200.json by tests/data/golden/remake_profile.sh -->\n";
constexpr const char* end_mark = "<!-- /truth -->\n";

TEST(ProfilePageTruth, FiguresAreThoseOfNsightComputeOnAnH200) {
  const json truth = parsed(test_files::source_dir() / "tests/data/truth/profile_h200.json");
  const json exceptions = parsed(test_files::source_dir() / "tests/data/truth/profile_exceptions.json");
  Compared compared = compare_all(truth);
  for (const auto& [name, figure] : compared.differ)
    EXPECT_TRUE(exceptions.contains(name)) << name << " " << figure << " on the GPU";
  for (const auto& [name, why] : exceptions.items())
    EXPECT_TRUE(compared.differ.contains(name) || !compared.assembled) << name << " is equal: no exception";
  const uint64_t exact = compared.sum(compared.exact, &OfMetric::figures);
  EXPECT_GE(double(compared.sum(compared.exact, &OfMetric::equal)), 0.995 * double(exact));
  EXPECT_GE(exact, compared.assembled ? 7'000u : 5'000u) << "most figures are exact";
  if (!compared.assembled) return;  // other marks than on the page
  const std::filesystem::path path = test_files::source_dir() / "docs/profile.md";
  std::ifstream file(path, std::ios::binary);
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const size_t begin = page.find(begin_mark), end = page.find(end_mark);
  ASSERT_TRUE(begin != page.npos && end != page.npos) << "the page has lost its marks";
  const std::string whole =
      page.substr(0, begin) + begin_mark + "\n" + table_of(compared, truth) + "\n" + page.substr(end);
  if (std::getenv("WARPLENS_REMAKE_PROFILE") != nullptr)
    std::ofstream(path, std::ios::binary) << whole;
  else
    EXPECT_EQ(page, whole) << "run tests/data/golden/remake_profile.sh, and read the difference";
}

}  // namespace THIS_FILE
}  // namespace warplens::profile
