// What the Grid view costs a frame, for a thousand blocks and for a million: the window draws it again and
// again, so a frame must not depend on how many blocks there are.
#include <benchmark/benchmark.h>

#include <memory>

#include "app/view_model/grid_view.h"
#include "tests/bench/benches.h"

namespace warplens::bench {

namespace {

struct Scene {
  RunResult result;
  HeatMap heat;
};

std::shared_ptr<Scene> scene_of(uint32_t side) {
  auto scene = std::make_shared<Scene>();
  const Dim3 grid{side, side, 1}, block{16, 16, 1};
  auto stats = std::make_shared<BlockStats>();
  stats->grid = grid;
  for (uint64_t i = 0; i < grid.count(); ++i)
    stats->warp_instructions.push_back(static_cast<uint32_t>(i % 977));
  stats->divergent_branches.resize(grid.count());
  stats->global_sectors.resize(grid.count());
  auto request = std::make_shared<LaunchRequest>();
  request->kernel = "frame";
  request->steps = {LaunchStep{.entry = "frame", .grid = grid, .block = block, .arguments = {}}};
  scene->result.request = request;
  scene->result.shape = {.grid = grid, .block = block};
  scene->result.blocks = stats;
  scene->heat = build_heat_map(scene->result, std::nullopt, Colouring::instructions, palette_of(Theme::dark));
  return scene;
}

void draw(benchmark::State& state, const Scene& scene) {
  Style style;
  style.palette = palette_of(Theme::dark);
  style.measure = [](std::string_view words, Font, float size) {
    return 0.5f * size * static_cast<float>(words.size());
  };
  GridViewInput input;
  input.result = &scene.result;
  input.heat = &scene.heat;
  for (auto _ : state) {
    Picture picture;
    draw_grid_view(picture, style, {0, 0, 1280, 800}, input);
    benchmark::DoNotOptimize(picture);
  }
}

}  // namespace

void register_frames() {
  for (const auto& [name, side] :
       {std::pair{"frame/1,024 blocks", 32u}, std::pair{"frame/1,000,000 blocks", 1000u}}) {
    const std::shared_ptr<Scene> scene = scene_of(side);
    benchmark::RegisterBenchmark(name, [scene](benchmark::State& state) { draw(state, *scene); })
        ->Unit(benchmark::kMicrosecond)
        ->Repetitions(5)
        ->ReportAggregatesOnly();
  }
}

}  // namespace warplens::bench
