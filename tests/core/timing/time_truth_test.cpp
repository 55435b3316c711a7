// The time model against launches on an H200 (tests/truth/times_h200.txt and times_held_out_h200.txt, by
// time_cases.py and time_launches.cu). What the virtual GPU counts of them stands in time_work.jsonl, so that
// the model can be tried without running them all again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/files/launch_job.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/cache_pass.h"
#include "core/launch/fields.h"
#include "core/timing/calibration.h"
#include "core/timing/time_model.h"
#include "tests/paths.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json work_json(const KernelWork& work) {
  Json json = {{"grid", {work.shape.grid.x, work.shape.grid.y, work.shape.grid.z}},
               {"block", {work.shape.block.x, work.shape.block.y, work.shape.block.z}},
               {"active_blocks", work.occupancy ? work.occupancy->active_blocks_per_sm : 0},
               {"buffer_bytes", work.buffer_bytes},
               {"mix", work.mix.warp_instructions},
               {"chain", work.mix.chain},
               {"store_sectors_ideal", work.mix.store_sectors_ideal},
               {"load_lines", work.mix.load_lines},
               {"store_lines", work.mix.store_lines},
               {"atomic_updates", work.mix.atomic_updates},
               {"atomic_hottest_lanes", work.mix.atomic_hottest_lanes},
               {"atomic_hottest_requests", work.mix.atomic_hottest_requests}};
  Json& counters = json["counters"];
  each_field(work.counters, [&]<class T>(std::string_view name, const T& value) {
    if constexpr (std::is_same_v<T, uint64_t>) {
      if (value != 0) counters[std::string(name)] = value;
    } else if (value) {
      counters[std::string(name)] = *value;
    }
  });
  return json;
}

// Runs one launch file on the virtual H200, as `warplens run` does.
Json counted(const std::string& path, Backend& backend) {
  Result<LaunchFile> file = read_launch_file(path);
  EXPECT_TRUE(file) << file.error().message;
  RunOptions options;
  options.check = false;
  options.workers = 1;
  options.step_budget = uint64_t{1} << 40;
  const auto job = make_job(std::move(*file), path, *find_device("H200"), options, {});
  EXPECT_TRUE(job) << job.error().message;
  auto result = run_job(*job, backend, {}, nullptr);
  EXPECT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::ok) << path << ": " << result->message;
  if (why_no_caches(*result).empty()) result = with_caches(*job, *result, backend, {});
  EXPECT_TRUE(result);
  return work_json(work_of(*result, 0));
}

// WARPLENS_TIME_LAUNCHES=FOLDER (of `time_cases.py launches`) and WARPLENS_TIME_WORK=FILE: writes the file
// anew, or goes on with it.
TEST(TimeTruth, Record) {
  const char *folder = std::getenv("WARPLENS_TIME_LAUNCHES"), *out = std::getenv("WARPLENS_TIME_WORK");
  if (folder == nullptr || out == nullptr) GTEST_SKIP() << "only where the truth is recorded";
  size_t part = 0, parts = 1;
  // "3/16": every sixteenth, from the fourth on.
  const char* which = std::getenv("WARPLENS_TIME_PART");
  ASSERT_TRUE(which == nullptr || std::sscanf(which, "%zu/%zu", &part, &parts) == 2);
  const auto backend = make_virtual_gpu();
  std::vector<fs::path> files;
  for (const auto& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".json") files.push_back(file.path());
  std::sort(files.begin(), files.end());
  std::ofstream to(out);
  for (size_t i = 0; i < files.size(); ++i) {
    if (i % parts != part) continue;
    Json json = {{"name", files[i].stem().string()}};
    json.update(counted(files[i].string(), *backend));
    to << json.dump() << std::endl;
  }
}

// --- Against the hardware
// -----------------------------------------------------------------------------------

KernelWork work_of_json(const Json& json) {
  KernelWork work;
  const auto dim = [](const Json& d) {
    return Dim3{d[0].get<uint32_t>(), d[1].get<uint32_t>(), d[2].get<uint32_t>()};
  };
  work.shape.grid = dim(json["grid"]);
  work.shape.block = dim(json["block"]);
  work.buffer_bytes = json["buffer_bytes"].get<uint64_t>();
  work.occupancy = Occupancy{};
  work.occupancy->active_blocks_per_sm = json["active_blocks"].get<uint32_t>();
  work.occupancy->active_warps_per_sm = work.occupancy->active_blocks_per_sm *
                                        static_cast<uint32_t>(ceil_div(work.shape.block.count(), warp_lanes));
  work.mix.warp_instructions = json["mix"].get<decltype(work.mix.warp_instructions)>();
  work.mix.chain = json["chain"].get<decltype(work.mix.chain)>();
  const auto number = [&](const char* name) { return json[name].get<uint64_t>(); };
  work.mix.store_sectors_ideal = number("store_sectors_ideal");
  work.mix.load_lines = number("load_lines");
  work.mix.store_lines = number("store_lines");
  work.mix.atomic_updates = number("atomic_updates");
  work.mix.atomic_hottest_lanes = number("atomic_hottest_lanes");
  work.mix.atomic_hottest_requests = number("atomic_hottest_requests");
  each_field(work.counters, [&]<class T>(std::string_view name, T& value) {
    if (json["counters"].contains(std::string(name)))
      value = json["counters"][std::string(name)].get<uint64_t>();
  });
  return work;
}

struct TimedLaunch {
  std::string name;
  double plain = 0, busy = 0, cold = 0;  // medians, microseconds
  double modelled = 0;                   // launch and kernel
  bool in_band = false;
  std::string sweep() const { return name.substr(0, name.rfind('-')); }
  std::string kernel() const { return name.substr(0, name.find('-')); }
  double error() const { return modelled / plain - 1; }
};

// The launches of one half, with what the model says of them on this device.
std::vector<TimedLaunch> timed(const char* file, const Device& device) {
  const fs::path folder = test_files::source_dir() / "tests/truth";
  std::map<std::string, Json> work;
  std::ifstream counted_file(folder / "time_work.jsonl");
  for (std::string line; std::getline(counted_file, line);) {
    Json json = Json::parse(line);
    const auto name = json["name"].get<std::string>();
    work[name] = std::move(json);
  }
  const Calibration* calibration = calibration_of(device);
  const Band launch_us =
      calibration ? calibration->figures.at("launch_us") : default_time_parameters().launch_us.band;
  std::vector<TimedLaunch> launches;
  std::ifstream times(folder / file);
  for (std::string line; std::getline(times, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    TimedLaunch launch;
    double p10 = 0, p90 = 0;
    words >> launch.name >> p10 >> launch.plain >> p90 >> p10 >> launch.busy >> p90 >> p10 >> launch.cold;
    const auto at = work.find(launch.name);
    EXPECT_TRUE(words && at != work.end()) << line;
    if (at == work.end()) continue;
    const KernelTime time = kernel_time(device, work_of_json(at->second), default_time_parameters());
    EXPECT_TRUE(time.us) << launch.name << ": " << time.unknown;
    if (!time.us) continue;
    launch.modelled = time.us->value + launch_us.value;
    const double band = calibration ? calibration->band : time.us->high / time.us->value;
    launch.in_band = launch.plain <= launch.modelled * band && launch.plain * band >= launch.modelled;
    launches.push_back(launch);
  }
  return launches;
}

struct Errors {
  double median = 0, mean = 0, in_band = 0;
};
Errors errors_of(const std::vector<TimedLaunch>& launches) {
  Errors errors;
  std::vector<double> sizes;
  for (const TimedLaunch& launch : launches) {
    sizes.push_back(std::abs(launch.error()));
    errors.mean += sizes.back() / double(launches.size());
    errors.in_band += launch.in_band / double(launches.size());
  }
  std::sort(sizes.begin(), sizes.end());
  if (!sizes.empty()) errors.median = sizes[sizes.size() / 2];
  return errors;
}

// Of sweeps with at least four shapes: in how many the shape that the model picks takes at most 5 % longer
// than the best one.
std::pair<size_t, size_t> right_picks(const std::vector<TimedLaunch>& launches,
                                      double TimedLaunch::*measured) {
  std::map<std::string, std::vector<TimedLaunch>> sweeps;
  for (const TimedLaunch& launch : launches) sweeps[launch.sweep()].push_back(launch);
  size_t all = 0, right = 0;
  for (const auto& [name, shapes] : sweeps) {
    if (shapes.size() < 4) continue;
    ++all;
    const auto by = [](double TimedLaunch::*what) {
      return [what](const TimedLaunch& a, const TimedLaunch& b) { return a.*what < b.*what; };
    };
    const auto best = std::min_element(shapes.begin(), shapes.end(), by(measured));
    const auto picked = std::min_element(shapes.begin(), shapes.end(), by(&TimedLaunch::modelled));
    right += (*picked).*measured <= 1.05 * (*best).*measured;
  }
  return {right, all};
}

// WARPLENS_TIME_TABLE=FILE: the tables of docs/time-model.md.
void write_tables(const std::vector<TimedLaunch>& seen, const std::vector<TimedLaunch>& held_out) {
  const char* path = std::getenv("WARPLENS_TIME_TABLE");
  if (path == nullptr) return;
  std::ofstream file(path);
  for (const auto* half : {&seen, &held_out}) {
    file << (half == &seen ? "seen" : "held out") << "\n";
    std::map<std::string, std::vector<TimedLaunch>> kernels;
    for (const TimedLaunch& launch : *half) kernels[launch.kernel()].push_back(launch);
    for (const auto& [kernel, launches] : kernels) {
      const Errors errors = errors_of(launches);
      double bias = 0;
      for (const TimedLaunch& launch : launches) bias += launch.error() / double(launches.size());
      char line[200];
      std::snprintf(line, sizeof line, "| %s | %zu | %.0f %% | %+.0f %% | %.0f %% |\n", kernel.c_str(),
                    launches.size(), 100 * errors.mean, 100 * bias, 100 * errors.in_band);
      file << line;
    }
    const Errors all = errors_of(*half);
    const auto [plain, sweeps] = right_picks(*half, &TimedLaunch::plain);
    const size_t busy = right_picks(*half, &TimedLaunch::busy).first;
    char line[200];
    std::snprintf(line, sizeof line, "median %.3f mean %.3f in band %.3f picks %zu and %zu of %zu\n",
                  all.median, all.mean, all.in_band, plain, busy, sweeps);
    file << line;
  }
}

TEST(TimeTruth, AMeasuredDeviceIsModelledAsWellAsItIsSaid) {
  const Device h200 = *find_device("H200");
  ASSERT_NE(calibration_of(h200), nullptr);
  const auto seen = timed("times_h200.txt", h200), held_out = timed("times_held_out_h200.txt", h200);
  EXPECT_GE(seen.size() + held_out.size(), 300u);
  write_tables(seen, held_out);
  for (const auto* half : {&seen, &held_out}) {
    const Errors errors = errors_of(*half);
    EXPECT_LE(errors.median, 0.12);
    EXPECT_LE(errors.mean, 0.15);
    EXPECT_GE(errors.in_band, 0.85);
    EXPECT_LE(errors.in_band, 0.95);
    const auto [right, all] = right_picks(*half, &TimedLaunch::busy);
    EXPECT_GE(double(right) / double(all), 0.8) << right << " of " << all;
  }
}

// The same device as if nobody had measured it: published figures.
TEST(TimeTruth, ADeviceThatWasNotMeasuredIsFurtherOff) {
  Device h200 = *find_device("H200");
  h200.name = "another device";
  ASSERT_EQ(calibration_of(h200), nullptr);
  const Errors errors = errors_of(timed("times_held_out_h200.txt", h200));
  RecordProperty("median", std::to_string(errors.median));
  std::printf("not measured: median %.3f mean %.3f in band %.3f\n", errors.median, errors.mean,
              errors.in_band);
  EXPECT_GT(errors.median, 0.06);
  EXPECT_LT(errors.median, 0.25);
}

}  // namespace
}  // namespace warplens
