// The Memory view shows the counts of the run.
#include <gtest/gtest.h>

#include "app/base/draw/save_picture.h"
#include "app/base/format.h"
#include "app/views/memory/model.h"
#include "app/views/memory/picture.h"
#include "core/gpu/engine/replay.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/run_job.h"

namespace warplens {
namespace THIS_FILE {

RunResult run_kernel(const char* name, std::map<std::string, double> values = {}) {
  const KernelDescription& kernel = **find_kernel(name);
  KernelSetup setup = default_setup(kernel);
  for (const auto& [key, value] : values) setup.values[key] = value;
  RunOptions options;
  options.check = false;
  const Result<Job> job = make_job(borrowed(kernel), setup, built_in_devices().front(), options);
  EXPECT_TRUE(job) << (job ? "" : job.error().message);
  const auto gpu = make_virtual_gpu();
  Result<RunResult> result = run_job(*job, *gpu, {}, nullptr);
  EXPECT_TRUE(result);
  return *std::move(result);
}

const MemoryFlow& flow_of(const MemoryView& view, MemorySpace space, FlowKind kind) {
  for (const MemoryFlow& flow : view.flows)
    if (flow.space == space && flow.kind == kind) return flow;
  ADD_FAILURE();
  return view.flows.front();
}

TEST(MemoryView, ArrowsAreTheRunsCounters) {
  const RunResult result = run_kernel("matmul_tiled", {{"m", 64}, {"n", 48}, {"k", 40}});
  ASSERT_TRUE(result.counters);
  const Counters& c = *result.counters;
  const MemoryView view = view_memory(result);
  const MemoryFlow& loads = flow_of(view, MemorySpace::global, FlowKind::load);
  EXPECT_EQ(loads.requests, c.global_load_requests);
  EXPECT_EQ(loads.sectors, c.global_load_sectors);
  EXPECT_EQ(loads.bytes(), c.global_load_sectors * 32);
  const MemoryFlow& stores = flow_of(view, MemorySpace::global, FlowKind::store);
  EXPECT_EQ(stores.requests, c.global_store_requests);
  EXPECT_EQ(stores.sectors, c.global_store_sectors);
  const MemoryFlow& shared = flow_of(view, MemorySpace::shared, FlowKind::load);
  EXPECT_EQ(shared.requests, c.shared_load_requests);
  EXPECT_EQ(shared.wavefronts, c.shared_load_wavefronts);
  EXPECT_EQ(shared.conflicts, c.shared_load_bank_conflicts);
  EXPECT_FALSE(shared.bytes()) << "no sectors in shared memory";
  EXPECT_GT(c.shared_load_requests, 0u);
  // All sectors of the lines are the sectors of the arrows.
  EXPECT_EQ(view.sectors, c.global_load_sectors + c.global_store_sectors + c.atomic_sectors);
}

TEST(MemoryView, LinesCarryTheirSourceAndTheRunsCounts) {
  const RunResult result = run_kernel("vector_add", {{"n", 1000}});
  const MemoryView view = view_memory(result);
  ASSERT_FALSE(view.lines.empty());
  for (const MemoryLine& line : view.lines) {
    const auto counted = std::find_if(result.lines.begin(), result.lines.end(), [&](const LineCounters& c) {
      return c.line == line.line && c.file == line.file;
    });
    ASSERT_NE(counted, result.lines.end());
    EXPECT_EQ(line.sectors, counted->global_sectors);
    EXPECT_EQ(line.sectors_ideal, counted->global_sectors_ideal);
    EXPECT_EQ(line.requests, counted->global_requests);
    EXPECT_NE(line.source.find('='), std::string::npos) << line.source;
  }
}

TEST(MemoryView, LinesCarryLocalConstantAndTextureTraffic) {
  const RunResult local = run_kernel("local_array", {{"n", 256}});
  uint64_t sectors = 0;
  for (const MemoryLine& line : view_memory(local).lines) sectors += line.local_sectors;
  EXPECT_GT(sectors, 0u);
  EXPECT_EQ(sectors, local.counters->local_load_sectors + local.counters->local_store_sectors);
  RunResult made = run_kernel("vector_add", {{"n", 64}});
  ASSERT_FALSE(made.lines.empty());
  made.lines.front().constant_requests = 25;
  made.lines.front().texture_requests = 4;
  const MemoryView view = view_memory(made);
  ASSERT_FALSE(view.lines.empty());
  EXPECT_EQ(view.lines.front().constant_requests, 25u);
  const std::string csv = csv_text(memory_table(view));
  EXPECT_NE(csv.find("local_sectors,constant_requests,texture_requests"), std::string::npos);
  EXPECT_NE(csv.find(",25,4,"), std::string::npos) << csv;
}

TEST(MemoryView, WhatIsNotKnownIsNotZero) {
  RunResult result = run_kernel("vector_add", {{"n", 100}});
  result.counters->l1_hit_sectors.reset();
  result.counters->l2_read_sectors.reset();
  result.counters->dram_read_bytes.reset();
  MemoryView view = view_memory(result);
  EXPECT_FALSE(view.l1_hit_percent);
  EXPECT_FALSE(view.l1_to_l2.sectors);
  EXPECT_FALSE(view.l2_to_dram.read_bytes);
  EXPECT_NE(view.cache_words.find("not known"), std::string::npos);
  result.counters->l1_hit_sectors = result.counters->global_load_sectors / 2;
  result.counters->l2_read_sectors = 13;
  view = view_memory(result);
  EXPECT_EQ(view.l1_to_l2.sectors, 13u);
  EXPECT_TRUE(view.l1_hit_percent);
  EXPECT_TRUE(view.cache_words.empty());
  result.counters.reset();
  EXPECT_FALSE(view_memory(result).message.empty());
}

// L1 writes through, so all sectors that are stored reach L2; only what L2 drops reaches DRAM.
TEST(MemoryPicture, StoresGoOnToL2AndToDram) {
  RunResult result = run_kernel("vector_add", {{"n", 100}});
  result.counters->l1_hit_sectors = 0;
  result.counters->l2_read_sectors = 26;
  result.counters->dram_read_bytes = 832;
  result.counters->dram_write_bytes = 0;
  const MemoryView view = view_memory(result);
  EXPECT_EQ(view.l1_to_l2.written_sectors, 13u);
  EXPECT_EQ(view.l2_to_dram.written_bytes, 0u);
  MemoryPictureInput input;
  input.view = &view;
  Picture picture;
  const MemoryLayout layout = draw_memory_view(picture, paper_style(Theme::dark), {0, 0, 1200, 800}, input);
  ASSERT_EQ(layout.between.size(), 4u);
  const auto& stores = layout.between;
  EXPECT_EQ(stores[2].kind, FlowKind::store);
  EXPECT_EQ(stores[2].words, "13");
  EXPECT_EQ(stores[3].words, "0 B");
  EXPECT_EQ(stores[3].from.y, stores[2].from.y);
  EXPECT_GT(stores[2].from.y, stores[0].from.y) << "below the loads";
  EXPECT_NE(csv_text(memory_table(view)).find("L1 to L2,store"), std::string::npos);
  result.counters->global_store_sectors = 0;
  EXPECT_FALSE(view_memory(result).l1_to_l2.written_sectors) << "nothing is stored";
}

TEST(MemoryPicture, DrawsEveryFlowAndEveryLineAsCounted) {
  const RunResult result = run_kernel("matmul_tiled", {{"m", 64}, {"n", 48}, {"k", 40}});
  const MemoryView view = view_memory(result);
  MemoryPictureInput input;
  input.view = &view;
  Picture picture;
  const MemoryLayout layout = draw_memory_view(picture, paper_style(Theme::dark), {10, 10, 1240, 660}, input);
  std::vector<size_t> used;
  for (size_t i = 0; i < view.flows.size(); ++i)
    if (view.flows[i].used()) used.push_back(i);
  ASSERT_EQ(layout.requests.size(), used.size());
  for (size_t i = 0; i < used.size(); ++i) EXPECT_EQ(layout.requests[i].flow, used[i]);
  for (const MemoryLayout::Arrow& arrow : layout.sectors) {
    const MemoryFlow& flow = view.flows[arrow.flow];
    ASSERT_TRUE(flow.sectors);
    std::string digits;
    for (const char c : arrow.words.substr(0, arrow.words.find(' ')))
      if (c != ',') digits += c;
    EXPECT_EQ(digits, std::to_string(*flow.sectors));
  }
  ASSERT_EQ(layout.lines.size(), view.lines.size());
  double most = 0;
  for (const MemoryLine& line : view.lines) most = std::max(most, line.sectors_per_request());
  float widest = 0;
  for (const MemoryLayout::Line& line : layout.lines) widest = std::max(widest, line.sectors.width);
  for (const MemoryLayout::Line& drawn : layout.lines) {
    const MemoryLine& line = view.lines[drawn.line];
    EXPECT_NEAR(drawn.sectors.width, double(widest) * line.sectors_per_request() / most, 0.1);
    EXPECT_NEAR(drawn.ideal.width, double(widest) * line.ideal_per_request() / most, 0.1);
  }
}

// The accesses that are drawn are those that the replay recorded.
TEST(MemoryAccesses, AreOfTheWarpAndTheLine) {
  const RunResult result = run_kernel("matmul_tiled", {{"m", 64}, {"n", 48}, {"k", 40}});
  const LaunchRequest& request = *result.request;
  const Result<BlockFootprint> footprint = replay_block(request, {1, 2, 0}, {});
  ASSERT_TRUE(footprint);
  const Dim3 block = result.shape.block;
  const MemoryAccesses any = choose_accesses(request, *footprint, block, 3, 0, {});
  EXPECT_EQ(any.warps, 8u);
  ASSERT_TRUE(any.global);
  ASSERT_TRUE(any.shared);
  EXPECT_EQ(any.global->warp, 3u);
  for (const std::optional<AccessView>* view : {&any.global, &any.shared}) {
    const WarpAccess& recorded = footprint->accesses[(*view)->index];
    EXPECT_EQ((*view)->sectors, recorded.sectors);
    EXPECT_EQ((*view)->wavefronts, recorded.wavefronts);
    for (const LaneTarget& lane : (*view)->lanes) EXPECT_EQ(lane.offset, recorded.offset[lane.lane]);
  }
  // No access of this warp costs more.
  for (const AccessGroup& group : any.groups) {
    for (const size_t index : group.indices) {
      if (footprint->accesses[index].space != Space::shared) continue;
      EXPECT_LE(footprint->accesses[index].wavefronts, any.shared->wavefronts);
    }
  }
  const uint32_t line = any.global->line;
  const MemoryAccesses of_line = choose_accesses(request, *footprint, block, 3, line, {});
  for (const AccessGroup& group : of_line.groups)
    EXPECT_EQ(footprint->accesses[group.indices.front()].source_line, line);
  EXPECT_TRUE(choose_accesses(request, *footprint, block, 3, 1, {}).line_is_silent);
  const size_t last = any.groups.back().indices.back();
  const MemoryAccesses chosen = choose_accesses(request, *footprint, block, 3, 0, last);
  EXPECT_TRUE(chosen.global->index == last || chosen.shared->index == last);
}

TEST(MemoryHeat, CellsAreTheRecordedSectors) {
  const RunResult result = run_kernel("vector_add", {{"n", 10000}});
  const Result<AddressHeat> heat = record_heat(*result.request, {});
  ASSERT_TRUE(heat);
  uint64_t loads = 0, stores = 0;
  for (size_t b = 0; b < heat->buffers.size(); ++b) {
    const HeatPicture picture = view_heat(*result.request, *heat, b);
    loads += picture.loads;
    stores += picture.stores;
    ASSERT_EQ(picture.times.size(), heat->buffers[b].loads.size());
    EXPECT_GE(uint64_t{picture.columns} * picture.rows, picture.bins);
    for (size_t bin = 0; bin < picture.times.size(); ++bin) {
      EXPECT_DOUBLE_EQ(picture.times[bin],
                       double(heat->buffers[b].touched(bin)));  // a bin is one sector here
      EXPECT_EQ(picture.raster->rgba[4 * bin + 3] != 0, heat->buffers[b].touched(bin) > 0);
    }
    EXPECT_EQ(picture.sentence, "Each sector of " + picture.names[b] + " is touched once.");
  }
  EXPECT_EQ(loads, result.counters->global_load_sectors);
  EXPECT_EQ(stores, result.counters->global_store_sectors);
  EXPECT_EQ(words_of_bin(view_heat(*result.request, *heat, 0), 1),
            "bytes 32 to 63 of " + result.request->buffers[0].name + ": each sector touched once");
}

TEST(MemoryPicture, NothingOverlapsAtAnySize) {
  const RunResult result = run_kernel("matmul_tiled", {{"m", 64}, {"n", 48}, {"k", 40}});
  const MemoryView view = view_memory(result);
  const Result<BlockFootprint> footprint = replay_block(*result.request, {0, 0, 0}, {});
  const Result<AddressHeat> heat = record_heat(*result.request, {});
  ASSERT_TRUE(footprint && heat);
  const MemoryAccesses accesses = choose_accesses(*result.request, *footprint, result.shape.block, 0, 0, {});
  const HeatPicture heat_picture = view_heat(*result.request, *heat, {});
  MemoryPictureInput input;
  input.view = &view;
  input.accesses = &accesses;
  input.heat = &heat_picture;
  for (const auto& [width, scale] :
       {std::pair{1240.f, 1.f}, std::pair{620.f, 1.f}, std::pair{1100.f, 2.5f}, std::pair{300.f, 0.8f}}) {
    Picture picture;
    const MemoryLayout layout =
        draw_memory_view(picture, paper_style(Theme::light, scale), {0, 0, width, 500}, input);
    ASSERT_EQ(layout.global.arrows.size(), accesses.global->lanes.size());
    ASSERT_EQ(layout.shared.arrows.size(), accesses.shared->lanes.size());
    EXPECT_GE(layout.shared.lanes.front().y, layout.global.bottom);
    EXPECT_LE(layout.heat.right(), width + 1);
    for (size_t i = 1; i < layout.lines.size(); ++i)
      EXPECT_GE(layout.lines[i].row.y, layout.lines[i - 1].row.bottom());
    EXPECT_GE(layout.global.lanes.front().y, layout.lines.back().row.bottom());
    EXPECT_GE(layout.bottom, layout.heat.bottom());
  }
}

TEST(MemoryPicture, ShowsTheRatioOfEveryFlowToTheBaseline) {
  const RunResult naive = run_kernel("matmul_naive", {{"m", 64}, {"n", 64}, {"k", 64}}),
                  tiled = run_kernel("matmul_tiled", {{"m", 64}, {"n", 64}, {"k", 64}});
  const MemoryView now = view_memory(tiled), then = view_memory(naive);
  MemoryPictureInput input;
  input.view = &now;
  Picture plain, held;
  for (const auto& arrow :
       draw_memory_view(plain, paper_style(Theme::dark), {10, 10, 1240, 660}, input).requests)
    EXPECT_EQ(arrow.ratio, "");
  input.baseline = &then;
  input.baseline_label = "A";
  const MemoryLayout layout = draw_memory_view(held, paper_style(Theme::dark), {10, 10, 1240, 660}, input);
  ASSERT_FALSE(layout.sectors.empty());
  for (const MemoryLayout::Arrow& arrow : layout.sectors) {
    const double ratio = double(*now.flows[arrow.flow].sectors) / double(*then.flows[arrow.flow].sectors);
    EXPECT_EQ(arrow.ratio, ratio == 1 ? "= A" : significant(ratio) + " × A");
  }
  for (const MemoryLayout::Arrow& arrow : layout.requests) {
    if (now.flows[arrow.flow].space != MemorySpace::shared) continue;
    EXPECT_EQ(arrow.ratio, "") << "the baseline has none";
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
