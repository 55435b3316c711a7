// The model of an SM against Nsight Compute's Warp State and Scheduler Statistics on an H200
// (tests/data/truth/states_times_h200.json, made by record_states.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/gpu/engine/access_lines.h"
#include "core/gpu/engine/sm_sample.h"
#include "core/gpu/timing/sm/settings.h"
#include "core/job/files/launch_job.h"
#include "core/job/sm_pass.h"
#include "core/launch/steps.h"
#include "tests/core/gpu/timing/recorded_work.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// WARPLENS_TIME_LAUNCHES=FOLDER (of `time_cases.py launches`) and WARPLENS_SM_ROWS=FILE: writes what the
// model says of each launch.
TEST(SmTruth, Record) {
  const char *folder = std::getenv("WARPLENS_TIME_LAUNCHES"), *out = std::getenv("WARPLENS_SM_ROWS");
  if (folder == nullptr || out == nullptr) GTEST_SKIP() << "only where the truth is recorded";
  const char* only = std::getenv("WARPLENS_SM_ONLY");
  const Device device = *find_device("H200");
  const Calibration& calibration = *calibration_of(device);
  std::ofstream to(out);
  std::ifstream rows(test_files::source_dir() / "tests/data/truth/time_work.jsonl");
  for (std::string row; std::getline(rows, row);) {
    const Json json = Json::parse(row);
    const std::string name = json["name"];
    if (only != nullptr && name.find(only) == name.npos) continue;
    const KernelWork work = work_of_json(json);
    if (double(work.shape.grid.count()) < double(device.sms) * work.occupancy->active_blocks_per_sm) continue;
    const std::string path = std::string(folder) + "/" + name + ".json";
    Result<LaunchFile> file = read_launch_file(path);
    ASSERT_TRUE(file) << file.error().message;
    const auto job = make_job(std::move(*file), path, device, {}, {});
    ASSERT_TRUE(job) << job.error().message;
    sm::Settings settings = sm::settings_of(device, work, calibration);
    settings.l1_bytes = l1_bytes_beside_shared(*job->request, first_launch(*job->request));
    const uint64_t each = work.counters.warp_instructions / work.shape.grid.count();
    const auto sampled = sample_sm(*job->request, settings.figures, settings.resident_blocks, each,
                                   affordable_sm_instructions, {});
    ASSERT_TRUE(sampled) << name << ": " << sampled.error().message;
    const uint64_t all = settings.blocks;
    settings.blocks = modelled_blocks(settings, sampled->blocks.size());
    const sm::Run run = simulate(*sampled, settings);
    const double whole = double(run.cycles) + double(all - run.blocks) * run.cycles_a_block;
    const double busy = double(run.active_cycles) / settings.figures.schedulers / double(run.cycles);
    const auto rounded = [](double value) { return std::stod(fmt::format("{:.6g}", value)); };
    Json line = {{"name", name},
                 {"blocks", run.blocks},
                 {"instructions", run.instructions},
                 {"cycles", rounded(whole * busy)},
                 {"issue", rounded(run.issue_slots())},
                 {"active", rounded(run.active_warps())},
                 {"eligible", rounded(run.eligible_warps())}};
    for (size_t s = 0; s < warp_states; ++s)
      line["states"][text_of(static_cast<WarpState>(s)).name] =
          rounded(double(run.warp_cycles.of[s]) / double(std::max<uint64_t>(1, run.instructions)));
    to << line.dump() << std::endl;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
