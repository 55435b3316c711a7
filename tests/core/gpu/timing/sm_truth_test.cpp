// The model of an SM against Nsight Compute's Warp State and Scheduler Statistics on an H200
// (tests/data/truth/states_times_h200.json, made by record_states.py).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/gpu/engine/access_lines.h"
#include "core/gpu/engine/sm_sample.h"
#include "core/gpu/timing/sm/settings.h"
#include "core/job/files/launch_job.h"
#include "core/launch/steps.h"
#include "tests/core/gpu/timing/recorded_work.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// WARPLENS_TIME_LAUNCHES=FOLDER (of `time_cases.py launches`) and WARPLENS_SM_ROWS=FILE: writes what the model says of
// each launch.
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
    const auto began = std::chrono::steady_clock::now();
    const auto sampled = sample_sm(*job->request, settings.figures, settings.resident_blocks, each, 400'000, {});
    ASSERT_TRUE(sampled) << name << ": " << sampled.error().message;
    if (!*sampled) {
      std::printf("%s: no sample\n", name.c_str());
      continue;
    }
    const auto middle = std::chrono::steady_clock::now();
    const uint64_t all = settings.blocks, most = std::max<uint64_t>((*sampled)->blocks.size(), 4 * settings.resident_blocks);
    settings.blocks = std::min(all, most);
    const sm::Run run = simulate(**sampled, settings);
    const auto end = std::chrono::steady_clock::now();
    Json line = {{"name", name}, {"blocks", run.blocks}, {"of", all}, {"cycles", run.cycles}, {"active_cycles", double(run.active_cycles) / 4}, {"cycles_a_block", run.cycles_a_block},
                 {"instructions", run.instructions}, {"ptx", each}, {"issue", run.issue_slots()}, {"active", run.active_warps()},
                 {"eligible", run.eligible_warps()},
                 {"sample_ms", std::chrono::duration<double, std::milli>(middle - began).count()},
                 {"simulate_ms", std::chrono::duration<double, std::milli>(end - middle).count()}};
    for (size_t s = 0; s < warp_states; ++s)
      line["states"][text_of(static_cast<WarpState>(s)).name] = double(run.warp_cycles.of[s]) / double(std::max<uint64_t>(1, run.instructions));
    to << line.dump() << std::endl;
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
