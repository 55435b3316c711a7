// The time model against launches on an H200 (tests/data/truth/times_h200.txt, times_held_out_h200.txt and
// times_later_h200.txt, made by time_cases.py and time_launches.cu). The virtual GPU's counts for them are in
// time_work.jsonl, so that the model can be tried without running all launches again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/gpu/timing/calibrated_time.h"
#include "core/gpu/timing/scaled_calibration.h"
#include "core/gpu/timing/time_model.h"
#include "core/job/cache_pass.h"
#include "core/job/files/launch_job.h"
#include "core/launch/fields.h"
#include "tests/core/gpu/timing/recorded_work.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

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
               {"local_store_sectors_ideal", work.mix.local_store_sectors_ideal},
               {"load_lines", work.mix.load_lines},
               {"store_lines", work.mix.store_lines},
               {"atomic_updates", work.mix.atomic_updates},
               {"atomic_hottest_lanes", work.mix.atomic_hottest_lanes},
               {"atomic_hottest_requests", work.mix.atomic_hottest_requests}};
  Json& counters = json["counters"];
  if (const auto& sample = work.cache_sample)
    json["cache_sample"] = {sample->blocks, sample->load_sectors, sample->hit_sectors};
  if (work.spread) json["spread"] = {work.spread->busiest_share, work.spread->longest};
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
  result = with_caches(*job, *result, backend, {});
  EXPECT_TRUE(result);
  return work_json(work_of(*result, 0));
}

// WARPLENS_TIME_LAUNCHES=FOLDER (of `time_cases.py launches`) and WARPLENS_TIME_WORK=FILE: writes the file
// again, or continues it.
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

struct TimedLaunch {
  std::string name;
  double plain = 0, busy = 0, cold = 0;  // medians, microseconds
  double measured = 0, modelled = 0;     // the two that are compared
  double band = 1;                       // times up and down
  bool in_band = false;
  std::string sweep() const { return name.substr(0, name.rfind('-')); }
  std::string kernel() const { return name.substr(0, name.find('-')); }
  double error() const { return modelled / measured - 1; }
  void judge() { in_band = measured <= modelled * band && measured * band >= modelled; }
};

// The model's time for a kernel, and for a launch without the kernel.
struct Model {
  std::function<KernelTime(const KernelWork&)> kernel;
  double launch_us = 0;
};
Model model_by(const Device& device, const Calibration& calibration) {
  return {[=](const KernelWork& work) { return calibrated_time(device, work, calibration); },
          calibration.value("launch_us")};
}
Model model_by_published(const Device& device) {
  return {[=](const KernelWork& work) { return published_time(device, work, default_time_parameters()); },
          default_time_parameters().launch_us.band.value};
}

std::map<std::string, KernelWork> read_work(const fs::path& path) {
  std::map<std::string, KernelWork> work;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const Json json = Json::parse(line);
    work[json["name"].get<std::string>()] = work_of_json(json);
  }
  return work;
}

// The launches of one file, with what the model says of their kernels. They are compared with the times on a
// busy device, where the host has no part in them.
std::vector<TimedLaunch> timed(const char* file, const Model& model) {
  const fs::path folder = test_files::source_dir() / "tests/data/truth";
  static const std::map<std::string, KernelWork> work = read_work(folder / "time_work.jsonl");
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
    const KernelTime time = model.kernel(at->second);
    EXPECT_TRUE(time.us) << launch.name << ": " << time.unknown;
    if (!time.us) continue;
    launch.measured = launch.busy;
    launch.modelled = time.us->value;
    launch.band = time.us->high / time.us->value;
    launch.judge();
    launches.push_back(launch);
  }
  return launches;
}

// Kernel and launch together, against times on an idle device.
std::vector<TimedLaunch> timed_with_launch(const char* file, const Model& model) {
  std::vector<TimedLaunch> launches = timed(file, model);
  for (TimedLaunch& launch : launches) {
    launch.measured = launch.plain;
    launch.modelled += model.launch_us;
    launch.judge();
  }
  return launches;
}

constexpr const char *seen_times = "times_h200.txt", *held_out_times = "times_held_out_h200.txt",
                     *later_times = "times_later_h200.txt";
constexpr std::array all_times = {seen_times, held_out_times, later_times};

struct Errors {
  double median = 0, mean = 0, largest = 0, in_band = 0;
  size_t over_a_quarter = 0;
};
Errors errors_of(const std::vector<TimedLaunch>& launches) {
  Errors errors;
  std::vector<double> sizes;
  for (const TimedLaunch& launch : launches) {
    sizes.push_back(std::abs(launch.error()));
    errors.mean += sizes.back() / double(launches.size());
    errors.in_band += launch.in_band / double(launches.size());
    errors.over_a_quarter += sizes.back() > 0.25 ? 1 : 0;
  }
  std::sort(sizes.begin(), sizes.end());
  if (!sizes.empty()) {
    errors.median = sizes[sizes.size() / 2];
    errors.largest = sizes.back();
  }
  return errors;
}

// For sweeps with at least four shapes: in how many of them the shape that the model chooses takes at most 5
// % longer than the best one.
std::pair<size_t, size_t> right_picks(const std::vector<TimedLaunch>& launches,
                                      double TimedLaunch::*measured) {
  const bool tell = std::getenv("WARPLENS_TIME_PICKS") != nullptr;
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
    if (tell)
      for (const TimedLaunch& shape : shapes)
        std::printf("%s%s: plain %.2f busy %.2f modelled %.2f\n", &shape == &*picked ? "* " : "  ",
                    shape.name.c_str(), shape.plain, shape.busy, shape.modelled);
    right += (*picked).*measured <= 1.05 * (*best).*measured;
  }
  return {right, all};
}

TEST(TimeTruth, AMeasuredDeviceIsModelledAsWellAsItIsSaid) {
  const Device h200 = *find_device("H200");
  ASSERT_NE(calibration_of(h200), nullptr);
  const Model model = model_by(h200, *calibration_of(h200));
  for (const char* file : all_times) {
    const std::vector<TimedLaunch> launches = timed(file, model);
    EXPECT_GE(launches.size(), 100u);
    const Errors errors = errors_of(launches);
    EXPECT_LE(errors.median, 0.08) << file;
    EXPECT_LE(errors.mean, 0.09) << file;
    EXPECT_LE(errors.over_a_quarter, launches.size() / 30) << file;
    EXPECT_GE(errors.in_band, 0.95) << file;
    const auto [right, all] = right_picks(launches, &TimedLaunch::busy);
    EXPECT_GE(double(right) / double(all), 0.8) << right << " of " << all << " in " << file;
  }
}

// --- As if it had never been measured -------------------------------------------------------------------

// What could be known of an H200 if only an A100 had been measured, and the rest were taken from papers: each
// figure that model.json has from another device, and the published issue rates of an A100. Figures without a
// publication (an empty kernel, sequences, atomics, barriers, stores in part) are unchanged.
Calibration a100_by_papers() {
  const Device a100 = *find_device("NVIDIA A100-SXM4-40GB");
  const TimeParameters& p = default_time_parameters();
  Calibration c = *calibration_of(*find_device("H200"));
  const auto set = [&](const std::string& figure, double value) {
    ASSERT_TRUE(c.figures.contains(figure)) << figure;
    c.figures[figure] = {value, value, value};
  };
  const double clock = *a100.boost_clock_mhz, gb_s = *a100.memory_bandwidth_gb_s;
  set("clock_mhz", clock);
  // What is published is the time of an empty launch as a whole.
  set("launch_us", p.launch_us.band.value - c.value("floor_us"));
  for (const char* name : {"block_starts_per_us", "large_block_starts_per_us"})
    set(name, p.block_starts_per_clock.band.value * clock);
  set("issue_slots", 4 * p.issues_per_scheduler_per_clock.band.value);
  const UnitRates rates = unit_rates(a100, p);
  for (const IssueUnit unit : {IssueUnit::fp32, IssueUnit::fp64, IssueUnit::integer, IssueUnit::special,
                               IssueUnit::convert, IssueUnit::warp})
    set(std::string("issue_") + to_string(unit), *rates[static_cast<size_t>(unit)] / warp_lanes);
  for (const char* unit : {"fp32", "integer", "multiply", "wide_integer"})
    set(std::string("latency_") + unit, p.dependent_issue_cycles.band.value);
  set("shared_wavefronts", p.shared_wavefronts_per_clock.band.value);
  set("l1_sectors", p.l1_bytes_per_clock_per_sm.band.value / 32);
  set("l2_load_sectors", p.l2_bytes_per_clock_per_sm.band.value / 32);
  set("memory_load_gb_s", p.memory_bandwidth_share.band.value * gb_s);
  set("memory_store_gb_s", p.memory_bandwidth_share.band.value * gb_s);
  set("latency_shared", p.shared_latency_cycles.band.value);
  set("l1_latency", p.l1_latency_cycles.band.value);
  set("l2_latency", p.l2_latency_cycles.band.value);
  set("memory_latency", p.memory_latency_cycles.band.value);
  return scaled_calibration(c, a100, *find_device("H200"), p);
}

constexpr uint64_t shaken_draws = 10;
constexpr double shaken_by = 1.5;

// Each figure is wrong by a factor of up to `most`, as those of another device might be.
Calibration shaken(Calibration c, double most, uint64_t seed) {
  uint64_t state = seed * 0x9e3779b97f4a7c15ull + 1;
  for (auto& [name, band] : c.figures) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const double at = 2 * double(state >> 40) / double(1 << 24) - 1;
    band = band * std::pow(most, at);
  }
  c.band = scaled_band;
  return c;
}

void print(const char* what, const Errors& errors) {
  std::printf("%s: median %.3f mean %.3f in band %.3f\n", what, errors.median, errors.mean, errors.in_band);
}

TEST(TimeTruth, PublishedFiguresAloneAreWithinAQuarter) {
  const Errors errors =
      errors_of(timed_with_launch(held_out_times, model_by_published(*find_device("H200"))));
  print("published alone", errors);
  EXPECT_LT(errors.median, 0.25);
}

TEST(TimeTruth, FiguresOfPapersScaledFromAnotherDeviceAreWithinAQuarter) {
  const Errors errors =
      errors_of(timed_with_launch(held_out_times, model_by(*find_device("H200"), a100_by_papers())));
  print("an A100 by papers, scaled", errors);
  EXPECT_LT(errors.median, 0.25);
  EXPECT_GE(errors.in_band, 0.85) << "the wider band holds them";
}

TEST(TimeTruth, AQuarterHoldsWhereEachFigureIsOffByHalf) {
  const Device h200 = *find_device("H200");
  Errors all;
  for (uint64_t draw = 0; draw < shaken_draws; ++draw) {
    const auto model = model_by(h200, shaken(*calibration_of(h200), shaken_by, draw));
    const Errors errors = errors_of(timed_with_launch(held_out_times, model));
    all.median += errors.median / shaken_draws;
    all.mean += errors.mean / shaken_draws;
    all.in_band += errors.in_band / shaken_draws;
  }
  print("each figure off by up to 1.5", all);
  EXPECT_LT(all.median, 0.25);
  EXPECT_GE(all.in_band, 0.85);
}

// --- docs/time-model.md ----------------------------------------------------------------------------------

// With a cold L2, as `warplens run --device` measures: only kernels, and no earlier data remains in L2.
std::vector<TimedLaunch> timed_cold(const char* file) {
  Device h200 = *find_device("H200");
  const Calibration calibration = *calibration_of(h200);
  h200.l2_bytes = 1;
  std::vector<TimedLaunch> launches = timed(file, model_by(h200, calibration));
  for (TimedLaunch& launch : launches) {
    launch.measured = launch.cold;
    launch.judge();
  }
  return launches;
}

std::string row(const std::string& name, const std::vector<TimedLaunch>& launches) {
  const Errors errors = errors_of(launches);
  return fmt::format("| {} | {} | {:.1f} % | {:.1f} % | {:.1f} % |\n", name, launches.size(),
                     100 * errors.median, 100 * errors.mean, 100 * errors.in_band);
}

constexpr const char* errors_head =
    "| | launches | median | mean | largest | above 25 % | in the band |\n|---|---|---|---|---|---|---|\n";
std::string errors_row(const std::string& name, const std::vector<TimedLaunch>& launches) {
  const Errors errors = errors_of(launches);
  return fmt::format("| {} | {} | {:.1f} % | {:.1f} % | {:.0f} % | {} | {:.1f} % |\n", name, launches.size(),
                     100 * errors.median, 100 * errors.mean, 100 * errors.largest, errors.over_a_quarter,
                     100 * errors.in_band);
}

std::string by_kernel(const std::vector<TimedLaunch>& launches) {
  std::map<std::string, std::vector<TimedLaunch>> kernels;
  for (const TimedLaunch& launch : launches) kernels[launch.kernel()].push_back(launch);
  std::string table = "| kernel | launches | mean error | bias | in the band |\n|---|---|---|---|---|\n";
  for (const auto& [kernel, own] : kernels) {
    const Errors errors = errors_of(own);
    double bias = 0;
    for (const TimedLaunch& launch : own) bias += launch.error() / double(own.size());
    table += fmt::format("| {} | {} | {:.0f} % | {:+.0f} % | {:.0f} % |\n", kernel, own.size(),
                         100 * errors.mean, 100 * bias, 100 * errors.in_band);
  }
  return table;
}

std::string picks_row(const char* half, const std::vector<TimedLaunch>& launches) {
  const auto [busy, sweeps] = right_picks(launches, &TimedLaunch::busy);
  const size_t plain = right_picks(launches, &TimedLaunch::plain).first;
  return fmt::format("| {} | {} | {} | {} |\n", half, sweeps, busy, plain);
}

std::string figures_table(const Calibration& calibration) {
  std::string table = "| figure | value | spread | unit | what |\n|---|---|---|---|---|\n";
  const auto number = [](double value) { return fmt::format("{:.4g}", value); };
  for (const CalibratedFigure& figure : calibrated_figures()) {
    const auto at = calibration.figures.find(figure.name);
    if (at == calibration.figures.end()) continue;
    table += fmt::format("| `{}` | {} | {} to {} | {} | {} |\n", figure.name, number(at->second.value),
                         number(at->second.low), number(at->second.high), figure.unit, figure.what);
  }
  return table;
}

// Each table, by the name above it in the document.
std::map<std::string, std::string> tables() {
  const Device h200 = *find_device("H200");
  const Calibration& calibration = *calibration_of(h200);
  const Model model = model_by(h200, calibration);
  const auto seen = timed(seen_times, model), held_out = timed(held_out_times, model),
             later = timed(later_times, model);
  const std::string head = "| | launches | median | mean | in the band |\n|---|---|---|---|---|\n";
  const auto each = [](const auto& make) {
    return errors_head + errors_row("seen", make(seen_times)) + errors_row("held out", make(held_out_times)) +
           errors_row("held out, later", make(later_times));
  };
  std::map<std::string, std::string> tables;
  tables["errors"] = each([&](const char* file) { return timed(file, model); });
  tables["with launch"] = each([&](const char* file) { return timed_with_launch(file, model); });
  tables["cold"] = each(timed_cold);
  tables["seen"] = by_kernel(seen);
  tables["held out"] = by_kernel(held_out);
  tables["later"] = by_kernel(later);
  tables["picks"] = "| | sweeps | right on a busy device | right between two events |\n|---|---|---|---|\n" +
                    picks_row("seen", seen) + picks_row("held out", held_out) +
                    picks_row("held out, later", later);
  std::vector<TimedLaunch> all_shaken;
  for (uint64_t draw = 0; draw < shaken_draws; ++draw)
    for (const TimedLaunch& launch :
         timed_with_launch(held_out_times, model_by(h200, shaken(calibration, shaken_by, draw))))
      all_shaken.push_back(launch);
  tables["not measured"] =
      head + row("published figures alone", timed_with_launch(held_out_times, model_by_published(h200))) +
      row("papers on other devices, scaled",
          timed_with_launch(held_out_times, model_by(h200, a100_by_papers()))) +
      row("each figure off by up to 1.5 times, 10 draws", all_shaken);
  tables["figures"] = "`" + calibration.measured + "`\n\n" + figures_table(calibration);
  return tables;
}

// What `warplens render times` draws.
Json plot_points() {
  const Device h200 = *find_device("H200");
  const Calibration& calibration = *calibration_of(h200);
  const Model model = model_by(h200, calibration);
  Json points = {{"device", h200.name}, {"band", timed(held_out_times, model).front().band}};
  for (const auto& [set, file] : {std::pair{"held out", held_out_times}, std::pair{"held out", later_times},
                                  std::pair{"seen", seen_times}})
    for (const TimedLaunch& launch : timed(file, model))
      points["launches"].push_back({{"kernel", launch.name.substr(0, launch.name.find('-'))},
                                    {"set", set},
                                    {"measured_us", launch.measured},
                                    {"modelled_us", launch.modelled}});
  return points;
}

// WARPLENS_TIME_TABLES=FILE: the tables as JSON, for tests/data/truth/time_page.py, which puts them in.
TEST(TimeTruth, TheDocumentHasTheseTables) {
  const auto wanted = tables();
  if (const char* file = std::getenv("WARPLENS_TIME_TABLES")) {
    std::ofstream(file) << Json({{"tables", wanted}, {"times", plot_points()}}).dump(1) << "\n";
    return;
  }
  std::ifstream page(test_files::source_dir() / "docs/time-model.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const auto& [name, table] : wanted)
    EXPECT_NE(text.find(fmt::format("<!-- table: {} -->\n\n{}\n<!-- /table -->", name, table)),
              std::string::npos)
        << name << ": run tests/data/truth/time_page.py build/release/core_tests build/release/warplens\n"
        << table;
}

}  // namespace THIS_FILE
}  // namespace warplens
