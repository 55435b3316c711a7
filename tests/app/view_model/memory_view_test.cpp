// What the Memory view shows equals what the run counted.
#include "app/view_model/memory_view.h"

#include <gtest/gtest.h>

#include "app/draw/save_picture.h"
#include "app/view_model/memory_picture.h"
#include "core/session/run_job.h"

namespace warplens {
namespace {

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

const MemoryFlow& flow_of(const MemoryView& view, MemorySpace space, AccessKind kind) {
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
  const MemoryFlow& loads = flow_of(view, MemorySpace::global, AccessKind::load);
  EXPECT_EQ(loads.requests, c.global_load_requests);
  EXPECT_EQ(loads.sectors, c.global_load_sectors);
  EXPECT_EQ(loads.bytes(), c.global_load_sectors * 32);
  const MemoryFlow& stores = flow_of(view, MemorySpace::global, AccessKind::store);
  EXPECT_EQ(stores.requests, c.global_store_requests);
  EXPECT_EQ(stores.sectors, c.global_store_sectors);
  const MemoryFlow& shared = flow_of(view, MemorySpace::shared, AccessKind::load);
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

TEST(MemoryView, FindsALineOfAText) {
  EXPECT_EQ(line_of("a\n  b;\r\n\nc", 2), "b;");
  EXPECT_EQ(line_of("a\n  b;\r\n\nc", 3), "");
  EXPECT_EQ(line_of("a\n  b;\r\n\nc", 4), "c");
  EXPECT_EQ(line_of("a\n  b;\r\n\nc", 5), "");
  EXPECT_EQ(line_of("", 1), "");
}

}  // namespace
}  // namespace warplens
