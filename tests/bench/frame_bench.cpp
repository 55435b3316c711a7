// What each view costs a frame, for a thousand blocks and for a million: the window draws it again and again,
// so a frame must not depend on how many blocks there are. What a view makes once for a result is not part of
// a frame.
#include <benchmark/benchmark.h>

#include <memory>

#include "app/state/update.h"
#include "app/views/code/picture.h"
#include "app/views/grid/picture.h"
#include "app/views/memory/picture.h"
#include "app/views/occupancy/picture.h"
#include "app/views/timing/picture.h"
#include "core/gpu/engine/heat.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/run_job.h"
#include "tests/bench/benches.h"

namespace warplens::bench {

namespace {

constexpr Box page{0, 0, 1280, 800};

struct Scene {
  RunResult result;
  HeatMap heat;
  MemoryView memory;
  AddressHeat addresses;
  HeatPicture address_heat;
  OccupancyView occupancy;
  TimingView timing;
  Sweep sweep;
  std::vector<RunRecord> runs;
  const KernelDescription* kernel = nullptr;
  CodeLinks links;
};

Style style_of() {
  Style style;
  style.palette = palette_of(Theme::dark);
  style.measure = [](std::string_view words, Font, float size) {
    return 0.5f * size * static_cast<float>(words.size());
  };
  return style;
}

std::shared_ptr<const BlockStats> stats_of(Dim3 grid) {
  auto stats = std::make_shared<BlockStats>();
  stats->grid = grid;
  for (uint64_t i = 0; i < grid.count(); ++i)
    stats->warp_instructions.push_back(static_cast<uint32_t>(i % 977));
  stats->divergent_branches.resize(grid.count());
  stats->global_sectors.resize(grid.count());
  return stats;
}

// The tiled matrix multiply as it is counted with one block, its counts as if it had had all these blocks.
void run_kernel(Scene& scene, Dim3 grid) {
  scene.kernel = *find_kernel("matmul_tiled");
  KernelSetup setup = default_setup(*scene.kernel);
  setup.values = {{"m", 16}, {"n", 16}, {"k", 64}};
  const Device device = *find_device("3060");
  const auto job = make_job(borrowed(*scene.kernel), setup, device, {});
  scene.result = *run_job(*job, *make_virtual_gpu(), {}, nullptr);
  scene.addresses = *record_heat(*scene.result.request, {});
  auto request = std::make_shared<LaunchRequest>(*scene.result.request);
  for (Step& step : request->steps)
    if (auto* launch = std::get_if<LaunchStep>(&step)) launch->grid = grid;
  scene.result.request = request;
  scene.result.shape.grid = grid;
  for (LaunchRecord& launch : scene.result.launches) launch.shape.grid = grid;
  scene.result.blocks = stats_of(grid);
}

std::shared_ptr<Scene> scene_of(uint32_t side) {
  auto scene = std::make_shared<Scene>();
  const Dim3 grid{side, side, 1};
  run_kernel(*scene, grid);
  scene->heat = build_heat_map(scene->result, std::nullopt, Colouring::instructions, palette_of(Theme::dark));
  scene->memory = view_memory(scene->result);
  scene->address_heat = view_heat(*scene->result.request, scene->addresses, std::nullopt);
  OccupancyViewInput occupancy{scene->result.request->device, scene->result.shape, Resources{}, {}, {}};
  occupancy.resources->registers_per_thread = 32;
  for (const Device& device : built_in_devices()) occupancy.devices.push_back({device, occupancy.resources});
  scene->occupancy = view_occupancy(occupancy);
  scene->timing = view_timing(scene->result);
  scene->links = link_code(*scene->kernel);
  for (uint32_t i = 0; i < 50; ++i) {
    RunRecord run;
    run.serial = i + 1;
    run.label = run_label(i);
    run.grid = grid;
    run.block = scene->result.shape.block;
    run.counters = scene->result.counters;
    run.time = scene->result.time;
    run.choice.setup.kernel = scene->kernel->name;
    scene->runs.push_back(run);
  }
  return scene;
}

void draw_grid_frame(Picture& picture, const Style& style, const Scene& scene) {
  GridViewInput input;
  input.result = &scene.result;
  input.heat = &scene.heat;
  draw_grid_view(picture, style, page, input);
}

void draw_memory_frame(Picture& picture, const Style& style, const Scene& scene) {
  MemoryPictureInput input;
  input.view = &scene.memory;
  input.grid = scene.result.shape.grid;
  input.heat = &scene.address_heat;
  draw_memory_view(picture, style, page, input);
}

void draw_occupancy_frame(Picture& picture, const Style& style, const Scene& scene) {
  draw_occupancy_view(picture, style, page, scene.occupancy, true);
}

void draw_timing_frame(Picture& picture, const Style& style, const Scene& scene) {
  TimingInput input;
  input.view = &scene.timing;
  input.today = scene.result.shape.block;
  draw_timing_view(picture, style, page, input);
}

void draw_code_frame(Picture& picture, const Style& style, const Scene& scene) {
  draw_code_view(picture, style, page, {scene.kernel, &scene.links, &scene.result, 0});
}

// The comparison is the part of the Runs panel that is computed again; its rows are a few words each.
void draw_runs_frame(Picture& picture, const Style& style, const Scene& scene) {
  TimingInput input;
  input.mode = TimingMode::runs;
  input.view = &scene.timing;
  for (const RunRecord& run : scene.runs) input.runs.push_back({run.serial, run_words(run), run.time.kernel});
  input.comparison = compare_runs(scene.runs[1], scene.runs[0]);
  draw_timing_view(picture, style, page, input);
}

using DrawFrame = void (*)(Picture&, const Style&, const Scene&);
struct View {
  const char* name;
  DrawFrame draw;
};
constexpr View views[] = {{"grid", draw_grid_frame},           {"memory", draw_memory_frame},
                          {"occupancy", draw_occupancy_frame}, {"timing", draw_timing_frame},
                          {"code", draw_code_frame},           {"runs", draw_runs_frame}};

}  // namespace

void register_frames() {
  for (const auto& [blocks, side] : {std::pair{"1,024 blocks", 32u}, std::pair{"1,000,000 blocks", 1000u}}) {
    const std::shared_ptr<Scene> scene = scene_of(side);
    for (const View& view : views)
      benchmark::RegisterBenchmark((std::string("frame/") + view.name + "/" + blocks).c_str(),
                                   [scene, draw = view.draw](benchmark::State& state) {
                                     const Style style = style_of();
                                     for (auto _ : state) {
                                       Picture picture;
                                       draw(picture, style, *scene);
                                       benchmark::DoNotOptimize(picture);
                                     }
                                   })
          ->Unit(benchmark::kMicrosecond)
          ->Repetitions(5)
          ->ReportAggregatesOnly();
  }
}

}  // namespace warplens::bench
