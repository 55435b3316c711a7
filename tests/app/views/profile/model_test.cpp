// The Profile view: what it says of a run, its search, its baseline, and that its picture has all of it.
#include "app/views/profile/model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/base/draw/save_picture.h"
#include "app/views/profile/picture.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/run_job.h"
#include "core/job/sm_pass.h"

namespace warplens {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

RunResult run_of(const char* kernel, Dim3 block, const char* device = "3060") {
  KernelSetup setup = default_setup(**find_kernel(kernel));
  setup.block = block;
  RunOptions options;
  options.check = false;
  options.caches = options.fixes = true;
  const Result<Job> job = make_job(borrowed(**find_kernel(kernel)), setup, *find_device(device), options);
  EXPECT_TRUE(job.ok());
  const auto gpu = make_virtual_gpu();
  const Result<RunResult> result = run_job(*job, *gpu, {}, nullptr);
  EXPECT_TRUE(result.ok());
  return *result;
}

const ProfileRow& row_named(const ProfileView& view, std::string_view name) {
  const auto row =
      std::ranges::find_if(view.rows, [&](const ProfileRow& r) { return r.metric->name == name; });
  EXPECT_NE(row, view.rows.end()) << name;
  return *row;
}

std::vector<std::string> found(const ProfileView& view, std::string_view search) {
  std::vector<std::string> names;
  for (const size_t i : find_metrics(view, search)) names.push_back(view.rows[i].metric->name);
  return names;
}

std::vector<std::string> words_of(const Picture& picture) {
  std::vector<std::string> words;
  for (const Shape& shape : picture.shapes)
    if (const auto* text = std::get_if<Text>(&shape)) words.push_back(text->words);
  return words;
}

const Area* area_of(const Picture& picture, std::string_view id) {
  const auto area =
      std::ranges::find_if(picture.areas, [&](const Area& one) { return one.click.id() == id; });
  return area == picture.areas.end() ? nullptr : &*area;
}

TEST(ProfileView, FiguresAreThoseOfTheProfileWithTheirFormulas) {
  const RunResult result = run_of("transpose_naive", {32, 8, 1});
  const ProfileView view = view_profile(result, 0);
  ASSERT_TRUE(view.message.empty());
  const ProfileRow& sectors = row_named(view, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
  EXPECT_EQ(sectors.mark, profile::Mark::exact);
  EXPECT_EQ(sectors.value, double(result.counters->global_load_sectors));
  EXPECT_EQ(sectors.numbers, fmt::format("{} + 0", sectors.shown));
  EXPECT_THAT(sectors.where, StartsWith("Exact: "));
  const ProfileRow& eligible = row_named(view, "smsp__warps_eligible.avg.per_cycle_active");
  EXPECT_EQ(eligible.shown, "n/a");
  EXPECT_THAT(eligible.where, HasSubstr("model of an SM")) << "which did not run";
  const auto modelled = with_sm(result, {});
  ASSERT_TRUE(modelled);
  const ProfileView with_states = view_profile(*modelled, 0);
  EXPECT_EQ(row_named(with_states, "smsp__warps_eligible.avg.per_cycle_active").value,
            modelled->sm->eligible_warps);
  EXPECT_THAT(row_named(view, "gpu__time_duration.sum").where, StartsWith("Modelled: "));
  size_t all = 0;
  for (const profile::Mark mark : {profile::Mark::exact, profile::Mark::modelled, profile::Mark::not_known})
    all += view.of_mark(mark);
  EXPECT_EQ(all, view.rows.size());
}

TEST(ProfileView, ASearchTakesNamesAndWords) {
  const ProfileView view = view_profile(run_of("vector_add", {128, 1, 1}), 0);
  EXPECT_EQ(found(view, "").size(), view.rows.size());
  EXPECT_THAT(found(view, "launch__grid_size"), ElementsAre("launch__grid_size"));
  // As typed by a student who has seen it in a lecture.
  EXPECT_THAT(found(view, "L1TEX__t_sectors…global_op_st.sum"),
              ElementsAre("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
  EXPECT_THAT(found(view, "t_sectors*tex"), testing::Contains("l1tex__t_sectors_pipe_tex.sum"));
  // Words of the sentences that explain, in any order.
  EXPECT_THAT(found(view, "coalescing first figure"),
              ElementsAre("l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"));
  EXPECT_TRUE(found(view, "no such words").empty());
  EXPECT_THAT(nearest_metrics(view, "launch__gird_size"), testing::Contains("launch__grid_size"));
}

TEST(ProfileView, ABaselineHasTheChangeInPercent) {
  const ProfileView before = view_profile(run_of("vector_add", {128, 1, 1}), 0);
  const ProfileView now = view_profile(run_of("vector_add", {64, 1, 1}), 0);
  const std::vector<ProfileChange> changes = compare_profiles(now, before);
  ASSERT_EQ(changes.size(), now.rows.size());
  const auto change = [&](std::string_view name) {
    for (size_t i = 0; i < now.rows.size(); ++i)
      if (now.rows[i].metric->name == name) return changes[i];
    return ProfileChange{"no such metric", ""};
  };
  EXPECT_EQ(change("launch__block_size").baseline, "128");
  EXPECT_EQ(change("launch__block_size").change, "-50.0 %");
  EXPECT_EQ(change("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum").change, "=");
  EXPECT_EQ(change("smsp__warps_eligible.avg.per_cycle_active").change, "");
}

TEST(ProfileView, LinesStandBesideTheMetricThatTheyMake) {
  const ProfileView view = view_profile(run_of("transpose_naive", {32, 8, 1}), 0);
  ASSERT_TRUE(view.lines_message.empty()) << view.lines_message;
  const auto names = [](std::string_view metric) {
    std::vector<std::string> all;
    for (const ProfileLineCount* count : counts_beside(profile::metric_table().metric(metric)))
      all.emplace_back(count->name);
    return all;
  };
  EXPECT_THAT(names("derived__memory_l2_theoretical_sectors_global_excessive"),
              ElementsAre("sectors", "ideal"));
  EXPECT_THAT(names("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"), ElementsAre("conflicts"));
  EXPECT_THAT(names("launch__grid_size"), ElementsAre("instr.", "sectors", "conflicts"));
  // Every fact that a column names is one of a metric.
  for (const ProfileLineCount& count : profile_line_counts())
    for (const std::string_view fact : count.facts)
      EXPECT_TRUE(std::ranges::any_of(profile::metric_table().metrics, [&](const profile::Metric& metric) {
        return std::ranges::find(metric.facts, fact) != metric.facts.end();
      })) << fact;
}

TEST(ProfilePicture, HasEveryMetricAndLeadsFromARuleToItsFigure) {
  const ProfileView view = view_profile(run_of("transpose_naive", {32, 1, 1}), 0);
  ASSERT_FALSE(view.rules.empty());
  Picture picture;
  ProfilePictureInput input;
  input.view = &view;
  const Style style = paper_style(Theme::dark, 1);
  const ProfileLayout layout = draw_profile_metrics(picture, style, {0, 0, 900, 700}, input);
  EXPECT_EQ(layout.rows.size(), view.rows.size());
  EXPECT_EQ(layout.rules.size(), view.rules.size());
  for (const ProfileRow& row : view.rows) EXPECT_NE(area_of(picture, "metric:" + row.metric->name), nullptr);
  for (size_t i = 0; i < view.rules.size(); ++i) {
    EXPECT_NE(area_of(picture, fmt::format("rule:{}", i)), nullptr);
    for (const profile::Metric* metric : view.rules[i].rests_on)
      EXPECT_NE(area_of(picture, fmt::format("rests:{}:{}", i, metric->name)), nullptr) << metric->name;
    EXPECT_EQ(area_of(picture, fmt::format("fix:{}", i)) != nullptr, !view.rules[i].advice.empty());
  }
}

// Beside the figures of the model of an SM, where it was compared with the profiler, and below the heading.
TEST(ProfilePicture, SaysHowFarTheModelOfAnSmCanBeTrusted) {
  for (const char* device : {"H200", "3060"}) {
    const auto modelled = with_sm(run_of("vector_add", {128, 1, 1}, device), {});
    ASSERT_TRUE(modelled && modelled->sm);
    const bool is_checked = modelled->sm->checked;
    EXPECT_EQ(is_checked, std::string_view(device) == "H200");
    const ProfileView view = view_profile(*modelled, 0);
    const ProfileRow& eligible = row_named(view, "smsp__warps_eligible.avg.per_cycle_active");
    EXPECT_THAT(eligible.mark_words, is_checked ? HasSubstr("modelled ±") : HasSubstr("modelled"));
    EXPECT_EQ(eligible.error.has_value(), is_checked);
    ProfilePictureInput input;
    input.view = &view;
    Picture picture;
    draw_profile_metrics(picture, paper_style(Theme::dark, 1), {0, 0, 900, 700}, input);
    const auto not_checked = testing::Contains(HasSubstr("not checked"));
    EXPECT_THAT(words_of(picture), testing::Contains(eligible.mark_words));
    if (is_checked)
      EXPECT_THAT(words_of(picture), testing::Not(not_checked));
    else
      EXPECT_THAT(words_of(picture), not_checked);
  }
}

TEST(ProfilePicture, TheChosenMetricIsExplainedAndClosedSectionsAreShort) {
  const ProfileView view = view_profile(run_of("vector_add", {128, 1, 1}), 0);
  const profile::Metric* metric = profile::metric_table().metric("launch__waves_per_multiprocessor");
  ProfilePictureInput input;
  input.view = &view;
  input.chosen = metric;
  const Style style = paper_style(Theme::light, 1);
  Picture open;
  const float whole = draw_profile_metrics(open, style, {0, 0, 900, 700}, input).bottom;
  EXPECT_THAT(words_of(open), testing::Contains(metric->name));
  EXPECT_NE(area_of(open, "copy:" + metric->name), nullptr);
  std::set<std::string> closed;
  for (const profile::Section& section : profile::metric_table().sections) closed.insert(section.id);
  input.closed = &closed;
  Picture shut;
  const ProfileLayout layout = draw_profile_metrics(shut, style, {0, 0, 900, 700}, input);
  EXPECT_TRUE(layout.rows.empty());
  EXPECT_LT(layout.bottom, whole / 3);
  // A search looks into closed sections.
  const std::vector<size_t> rows = find_metrics(view, "waves");
  input.found = &rows;
  Picture searched;
  EXPECT_EQ(draw_profile_metrics(searched, style, {0, 0, 900, 700}, input).rows.size(), rows.size());
}

// Rows outside of the view are not drawn, but keep their positions.
TEST(ProfilePicture, DrawsNoMoreThanIsSeen) {
  const ProfileView view = view_profile(run_of("vector_add", {128, 1, 1}), 0);
  ProfilePictureInput input;
  input.view = &view;
  const Style style = paper_style(Theme::dark, 1);
  Picture whole, part;
  const ProfileLayout all = draw_profile_metrics(whole, style, {0, 0, 900, 700}, input);
  input.seen_top = 600;
  input.seen_bottom = 1300;
  const ProfileLayout some = draw_profile_metrics(part, style, {0, 0, 900, 700}, input);
  EXPECT_EQ(all.bottom, some.bottom);
  EXPECT_LT(part.shapes.size(), whole.shapes.size() * 2 / 3);
  EXPECT_EQ(part.areas.size(), whole.areas.size());
}

TEST(ProfilePicture, FitsIntoNarrowPanelsAndLargeText) {
  const ProfileView view = view_profile(*with_sm(run_of("matmul_tiled", {16, 16, 1}, "H200"), {}), 0);
  const std::vector<ProfileChange> changes = compare_profiles(view, view);
  for (const float scale : {1.0f, 2.5f}) {
    const Style style = paper_style(Theme::dark, scale);
    for (const float width : {420.0f, 700.0f, 1400.0f}) {
      ProfilePictureInput input;
      input.view = &view;
      input.changes = &changes;
      input.baseline_label = "A";
      Picture picture;
      draw_profile_metrics(picture, style, {0, 0, width * scale, 700}, input);
      for (const Shape& shape : picture.shapes) {
        const auto* text = std::get_if<Text>(&shape);
        if (text == nullptr) continue;
        const float wide = style.width(text->words, text->font, text->size);
        const float left = text->align_x == AlignX::left    ? text->at.x
                           : text->align_x == AlignX::right ? text->at.x - wide
                                                            : text->at.x - wide / 2;
        EXPECT_GE(left, -1) << text->words << " " << scale << " " << width;
        EXPECT_LE(left + wide, width * scale + 1) << text->words << " " << scale << " " << width;
      }
    }
  }
}

TEST(ProfileView, OfManyLaunchesOneIsShown) {
  const RunResult result = run_of("reduce_two_launches", {256, 1, 1});
  const ProfileView second = view_profile(result, 1);
  EXPECT_EQ(second.launches, 2u);
  EXPECT_EQ(second.launch, 1u);
  EXPECT_NE(row_named(second, "launch__grid_size").shown,
            row_named(view_profile(result, 0), "launch__grid_size").shown);
  EXPECT_THAT(second.lines_message, HasSubstr("whole run"));
}

TEST(ProfileView, TheTableHasEveryFigure) {
  const ProfileView view = view_profile(run_of("vector_add", {128, 1, 1}), 0);
  const Table table = profile_table(view);
  EXPECT_EQ(table.rows.size(), view.rows.size());
  for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size());
}

}  // namespace THIS_FILE
}  // namespace warplens
