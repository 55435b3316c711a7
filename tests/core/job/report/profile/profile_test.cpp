// The table of metrics, what a user may choose of it, and what is known of launches of all kinds.
#include "core/job/report/profile/profile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/system/embedded.h"
#include "core/gpu/timing/sm/errors.h"
#include "core/job/report/profile/explain.h"
#include "core/job/report/profile/facts.h"
#include "core/job/report/profile/pages.h"
#include "core/job/report/profile/values.h"
#include "tests/core/gpu/engine/support.h"

namespace warplens::profile {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Figure& figure_named(const LaunchProfile& profile, std::string_view name) {
  static const Metric no_metric;
  static const Figure none{&no_metric, std::nullopt, Mark::not_known};
  const Metric* metric = metric_table().metric(name);
  const Figure* figure = metric != nullptr ? profile.figure(*metric) : nullptr;
  EXPECT_NE(figure, nullptr) << name;
  return figure != nullptr ? *figure : none;
}

std::vector<std::string> names_of(const Selection& selection) {
  std::vector<std::string> names;
  for (const Section* section : selection.sections) names.push_back(section->id);
  for (const Metric* metric : selection.metrics) names.push_back(metric->name);
  return names;
}

// A kernel with the given registers and spills, of which all launches are counted.
RunResult result_of(test::Request request, const Resources& resources = {}) {
  request.value.device = *find_device("3060");
  Result<RunResult> result = request.run();
  EXPECT_TRUE(result.ok()) << (result ? "" : result.error().message);
  for (LaunchRecord& launch : result->launches) {
    launch.resources = resources;
    launch.occupancy = occupancy_of(request.value.device, {32, resources.registers_per_thread, 0, 0, 1});
  }
  return *result;
}

test::Request load_and_store() {
  test::Request request(test::kernel("k", 1, "ld.global.u32 %r0, [%p0]; st.global.u32 [%p0], %r0; ret;"));
  request.buffer("x", std::vector<uint32_t>(32));
  return request;
}

TEST(ProfileTable, TheProgramsOwnIsRightAndEveryWarningHasARow) {
  const char* file = "counters/profile_metrics.json";
  const Result<MetricTable> table = parse_metric_table(find_embedded(file), file);
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_GT(table->metrics.size(), 100u);
  for (int id = 0; id <= static_cast<int>(WarningId::resources_unknown); ++id)
    EXPECT_NE(table->rule(to_string(static_cast<WarningId>(id))), nullptr)
        << to_string(static_cast<WarningId>(id));
  for (const Section& section : table->sections) {
    for (const Metric& metric : table->metrics) {
      const bool is_counted = metric.name == "smsp__thread_inst_executed_per_inst_executed.ratio";
      if (metric.section != section.id || section.why.empty() || is_counted) continue;
      EXPECT_EQ(mark_of(metric), Mark::not_known) << metric.name;
    }
  }
}

// Those of the model of an SM, except the states, which are checked together: by the largest.
TEST(ProfileTable, EachFigureOfTheModelOfAnSmHasAMeasuredError) {
  for (const Metric& metric : metric_table().metrics) {
    bool by_model = false;
    for (const char* fact : {"issue_slots", "active_warps", "eligible_warps"})
      by_model |= std::ranges::find(metric.facts, fact) != metric.facts.end();
    EXPECT_EQ(sm::measured_errors().of_metric(metric.name).has_value(), by_model) << metric.name;
  }
  for (const auto& [name, error] : sm::measured_errors().metrics)
    EXPECT_NE(metric_table().metric(name), nullptr) << name;
}

TEST(ProfileTable, MistakesAreSaid) {
  const auto message = [](const std::string& metric, const std::string& rules = "{}") {
    const Result<MetricTable> table =
        parse_metric_table(R"({"sections": [{"id": "S", "name": "S"}], "tables": [], "metrics": {"S": [)" +
                               metric + R"(]}, "rules": )" + rules + "}",
                           "t.json");
    return table ? std::string() : table.error().message;
  };
  EXPECT_EQ(message(R"({"metric": "a", "label": "A", "unit": "", "what": "A.", "is": "max(sms, 2e3) / 2"})"),
            "");
  EXPECT_THAT(message(R"({"metric": "a", "label": "A", "unit": "", "is": "sms"})"), HasSubstr("what"));
  EXPECT_THAT(message(R"({"metric": "a", "label": "A", "unit": "", "what": "A.", "is": "smss"})"),
              HasSubstr("no fact smss"));
  EXPECT_THAT(message(R"({"metric": "a", "label": "A", "unit": "", "what": "A.", "since": "8"})"),
              HasSubstr("as 8.0"));
  EXPECT_THAT(message(R"({"metric": "a", "label": "A", "unit": "", "what": "A.", "table": "T"})"),
              HasSubstr("no such table"));
  EXPECT_THAT(message(R"({"metric": "a"})"), HasSubstr("t.json"));
  EXPECT_THAT(message("", R"({"w": {"section": "S", "rests_on": ["b"]}})"), HasSubstr("no metric b"));
  EXPECT_THAT(message("", R"({"w": {"section": "X", "rests_on": []}})"), HasSubstr("no such section"));
}

TEST(ProfileSelect, TakesWhatTheProfilerTakes) {
  // All sections but the one that the profiler has on no page.
  EXPECT_EQ(select({}, "")->sections.size() + 1, metric_table().sections.size());
  EXPECT_THAT(names_of(*select({}, "")), testing::Not(testing::Contains("ByName")));
  EXPECT_THAT(names_of(*select({"ByName"}, "")), ElementsAre("ByName"));
  EXPECT_THAT(names_of(*select({}, "dram__bytes.sum")),
              ElementsAre("dram__bytes.sum.per_second", "dram__bytes.sum"));
  EXPECT_THAT(names_of(*select({"occupancy", "Launch Statistics"}, "")),
              ElementsAre("LaunchStats", "Occupancy"));
  EXPECT_THAT(names_of(*select({"regex:^Memory.*s$"}, "")),
              ElementsAre("MemoryWorkloadAnalysis", "MemoryWorkloadAnalysis_Tables"));
  EXPECT_THAT(names_of(*select({}, "launch__grid_size,smsp__inst_executed")),
              ElementsAre("launch__grid_size", "smsp__inst_executed.avg", "smsp__inst_executed.sum"));
  EXPECT_THAT(names_of(*select({"Occupancy"}, "regex:bytes_(read|write)")),
              ElementsAre("Occupancy", "dram__bytes_read.sum", "dram__bytes_write.sum"));
  EXPECT_EQ(select({}, "group:memory__shared_table")->metrics.size(), 12u);
}

TEST(ProfileSelect, SaysWhatIsWrongAndNamesTheNearest) {
  const auto message = [](const std::vector<std::string>& sections, const char* metrics) {
    const Result<Selection> selection = select(sections, metrics);
    return selection ? std::string() : selection.error().message;
  };
  EXPECT_THAT(message({"Ocupancy"}, ""), HasSubstr("the nearest are Occupancy"));
  EXPECT_THAT(message({"regex:nothing"}, ""), HasSubstr("no section matches"));
  EXPECT_THAT(message({"regex:("}, ""), HasSubstr("no regular expression"));
  EXPECT_THAT(message({}, "launch__gridsize"), HasSubstr("the nearest are launch__grid_size"));
  EXPECT_THAT(message({}, "regex:nothing"), HasSubstr("no metric matches"));
  EXPECT_THAT(message({}, "group:memory__shared"), HasSubstr("memory__shared_table"));
  EXPECT_THAT(message({}, "breakdown:sm__throughput.avg"), HasSubstr("breakdowns split"));
}

TEST(ProfileValues, AreThoseOfTheProfiler) {
  const auto shown = [](double value, const char* unit) {
    Metric metric;
    metric.unit = unit;
    const Shown text = shown_for_people({&metric, value, Mark::exact});
    return text.value + " " + text.unit;
  };
  EXPECT_EQ(shown(16384, "byte/block"), "16.38 Kbyte/block");
  EXPECT_EQ(shown(0, "byte/block"), "0 byte/block");
  EXPECT_EQ(shown(1.33e9, "hz"), "1.33 Ghz");
  EXPECT_EQ(shown(3328, "ns"), "3.33 us");
  EXPECT_EQ(shown(22570000, "ns"), "22.57 ms");
  EXPECT_EQ(shown(846.41e9, "byte/s"), "846.41 Gbyte/s");
  EXPECT_EQ(shown(50176, "thread"), "50,176 thread");
  EXPECT_EQ(shown(3717.88, "cycle"), "3,717.88 cycle");
  EXPECT_EQ(shown(100, "%"), "100 %");
  EXPECT_EQ(shown(50.316, "%"), "50.32 %");
  const Metric metric;
  EXPECT_EQ(shown_for_people({&metric, std::nullopt, Mark::not_known}).value, "n/a");
  EXPECT_EQ(shown_for_scripts({&metric, 1234567.0, Mark::exact}, 2), "1234567");
  EXPECT_EQ(shown_for_scripts({&metric, 0.125, Mark::exact}, 6), "0.125000");
}

TEST(Profile, CountsEachLaunchOfItsOwn) {
  const RunResult result =
      result_of(load_and_store().launch("k", {2, 1, 1}, {32, 1, 1}).launch("k", {5, 1, 1}, {64, 1, 1}));
  const std::vector<LaunchProfile> profiles = profiles_of(result, 7, {42, "test"});
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_EQ(profiles[1].id, 8u);
  EXPECT_EQ(figure_named(profiles[0], "launch__grid_size").value, 2);
  EXPECT_EQ(figure_named(profiles[1], "launch__grid_size").value, 5);
  EXPECT_EQ(figure_named(profiles[0], "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum").value, 2);
  EXPECT_EQ(figure_named(profiles[1], "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum").value, 10);
  EXPECT_EQ(figure_named(profiles[1], "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum").mark, Mark::exact);
  EXPECT_EQ(figure_named(profiles[1], "smsp__inst_executed.sum").mark, Mark::modelled);
  EXPECT_EQ(figure_named(profiles[0], "sm__warps_active.avg.pct_of_peak_sustained_active").mark,
            Mark::modelled);
  EXPECT_EQ(figure_named(profiles[0], "smsp__warps_active.avg.per_cycle_active").mark, Mark::not_known);
  // Lines are counted for both launches together.
  EXPECT_EQ(figure_named(profiles[0], "derived__memory_l2_theoretical_sectors_global_excessive").mark,
            Mark::not_known);
}

TEST(Profile, OfAnEmptyKernelNothingIsMadeUp) {
  test::Request request(test::kernel("k", 0, "ret;"));
  const LaunchProfile profile =
      profiles_of(result_of(request.launch("k", {1, 1, 1}, {32, 1, 1})), 0, {}).front();
  EXPECT_THAT(profile.incomplete, IsEmpty());
  EXPECT_EQ(figure_named(profile, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum").value, 0);
  // A ratio with nothing to divide by, and both kinds of atomics of a kernel without any.
  EXPECT_EQ(
      figure_named(profile, "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio").value,
      std::nullopt);
  EXPECT_EQ(figure_named(profile, "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum").value, 0);
}

TEST(Profile, OfAKernelThatFaultedOnlyTheLaunchIsKnown) {
  test::Request request(test::kernel("k", 1, "ld.global.u32 %r0, [%p0+4096]; ret;"));
  request.buffer("x", std::vector<uint32_t>(32));
  const RunResult result =
      result_of(request.launch("k", {3, 1, 1}, {32, 1, 1}), {.registers_per_thread = 16});
  ASSERT_EQ(result.status, RunStatus::fault);
  const LaunchProfile profile = profiles_of(result, 0, {}).front();
  EXPECT_THAT(profile.incomplete, HasSubstr("faulted"));
  EXPECT_EQ(figure_named(profile, "launch__grid_size").value, 3);
  EXPECT_EQ(figure_named(profile, "launch__registers_per_thread").value, 16);
  EXPECT_EQ(figure_named(profile, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum").value, std::nullopt);
  EXPECT_EQ(figure_named(profile, "gpu__time_duration.sum").value, std::nullopt);
  EXPECT_TRUE(profile.lines.empty());
  ASSERT_FALSE(profile.rules.empty());
  EXPECT_EQ(profile.rules.front().type, "ERR");
}

TEST(Profile, OfARefusedLaunchTheShapeIsKnown) {
  RunResult result;
  result.status = RunStatus::refused;
  result.cuda_error = "cudaErrorInvalidConfiguration";
  result.message = "too many";
  result.shape.block = {2048, 1, 1};
  auto request = std::make_shared<LaunchRequest>();
  request->device = *find_device("3060");
  result.request = request;
  const std::vector<LaunchProfile> profiles = profiles_of(result, 0, {});
  ASSERT_EQ(profiles.size(), 1u);
  EXPECT_THAT(profiles[0].incomplete, HasSubstr("cudaErrorInvalidConfiguration"));
  EXPECT_EQ(figure_named(profiles[0], "launch__block_size").value, 2048);
  EXPECT_EQ(figure_named(profiles[0], "sm__maximum_warps_per_active_cycle_pct").value, std::nullopt);
}

TEST(Profile, WithoutCountersOrRequestThereIsNoFigure) {
  EXPECT_TRUE(profiles_of(RunResult(), 0, {}).empty());
  RunResult result = result_of(load_and_store().launch("k", {1, 1, 1}, {32, 1, 1}));
  result.counters.reset();
  result.launches.front().counters.reset();
  const LaunchProfile profile = profiles_of(result, 0, {}).front();
  EXPECT_EQ(profile.incomplete, "Nothing was counted.");
  EXPECT_EQ(figure_named(profile, "smsp__inst_executed.sum").value, std::nullopt);
}

TEST(Profile, SpillsAndEstimatesLowerTheMark) {
  test::Request request = load_and_store();
  request.launch("k", {1, 1, 1}, {32, 1, 1});
  const auto mark = [&](const Resources& resources, const char* name) {
    return figure_named(profiles_of(result_of(request, resources), 0, {}).front(), name).mark;
  };
  const char* local = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum";
  const char* registers = "launch__registers_per_thread";
  EXPECT_EQ(mark({.origin = ResourceOrigin::ptxas}, local), Mark::exact);
  EXPECT_EQ(mark({.spill_load_bytes = 8, .origin = ResourceOrigin::ptxas}, local), Mark::modelled);
  EXPECT_EQ(mark({.origin = ResourceOrigin::ptxas}, registers), Mark::exact);
  EXPECT_EQ(mark({.origin = ResourceOrigin::estimate}, registers), Mark::modelled);
}

TEST(Profile, MetricsOfNewerDevicesAreLeftOut) {
  RunResult result = result_of(load_and_store().launch("k", {1, 1, 1}, {32, 1, 1}));
  auto request = std::make_shared<LaunchRequest>(*result.request);
  request->device = *find_device("Tesla T4");
  result.request = request;
  const Metric* copies = metric_table().metric("smsp__sass_inst_executed_op_ldgsts.sum");
  ASSERT_NE(copies, nullptr);
  const std::vector<LaunchProfile> profiles = profiles_of(result, 0, {});
  EXPECT_EQ(profiles.front().figure(*copies), nullptr);
  EXPECT_THAT(csv_page(Page::raw, profiles, *select({}, copies->name)), testing::Not(HasSubstr("ldgsts")));
  EXPECT_THAT(text_page(Page::details, profiles, *select({}, copies->name)), HasSubstr("has none of these"));
}

TEST(Profile, ARuleNamesItsFiguresAndWhatTheFixGives) {
  RunResult result = result_of(load_and_store().launch("k", {4, 1, 1}, {32, 1, 1}));
  Warning warning;
  warning.id = WarningId::grid_smaller_than_sms;
  warning.message = "Four blocks.";
  warning.fix_label = "Try more";
  warning.fix_from_us = 10;
  warning.fix_to_us = 8;
  result.warnings = {warning};
  const Rule rule = profiles_of(result, 0, {}).front().rules.front();
  EXPECT_EQ(rule.type, "OPT");
  EXPECT_EQ(rule.section, "LaunchStats");
  EXPECT_EQ(rule.text, "Four blocks.");
  EXPECT_EQ(rule.warning, 0u);
  ASSERT_EQ(rule.rests_on.size(), 2u);
  EXPECT_EQ(rule.rests_on.back()->name, "launch__sm_count");
  EXPECT_EQ(
      rule.sentences(),
      "Four blocks. Rests on Grid Size 4 (exact), # SMs 28 SM (exact). Fix, tried and modelled: Try more.");
  ASSERT_TRUE(rule.speedup_percent.has_value());
  EXPECT_NEAR(*rule.speedup_percent, 20, 1e-9);
}

// Where the model was compared with the profiler, its figures have their errors; elsewhere the section says
// that it was not.
TEST(Profile, FiguresOfTheModelOfAnSmSayHowFarTheyCanBeTrusted) {
  RunResult result = result_of(load_and_store().launch("k", {4, 1, 1}, {32, 1, 1}));
  const Section& section = *metric_table().section("SchedulerStats");
  const Section& other = *metric_table().section("LaunchStats");
  const auto profile_with = [&](bool checked) {
    SmStates states;
    states.issue_slots = 0.25;
    states.checked = checked;
    result.sm = std::make_shared<const SmStates>(std::move(states));
    return profiles_of(result, 0, {}).front();
  };
  const LaunchProfile checked = profile_with(true);
  const Figure& issue = figure_named(checked, "smsp__issue_active.avg.per_cycle_active");
  const double error = *sm::measured_errors().of_metric(issue.metric->name);
  EXPECT_EQ(issue.error, error);
  EXPECT_EQ(shown_mark(issue), fmt::format("modelled ±{:.1f} %", 100 * error));
  EXPECT_EQ(shown_mark(figure_named(checked, "launch__grid_size")), "exact");
  const Selection selection{{&section}, {}};
  EXPECT_THAT(csv_page(Page::details, {{checked}}, selection),
              HasSubstr(fmt::format("\"modelled\",\"{:.1f}\"\n", 100 * error)));
  EXPECT_THAT(note_of(section, checked.sm.get()), HasSubstr("largest stall"));
  EXPECT_THAT(note_of(section, checked.sm.get()), testing::Not(HasSubstr("not checked")));
  const LaunchProfile unchecked = profile_with(false);
  EXPECT_FALSE(figure_named(unchecked, "smsp__issue_active.avg.per_cycle_active").error);
  EXPECT_THAT(note_of(section, unchecked.sm.get()), HasSubstr("not checked on hardware"));
  EXPECT_THAT(text_page(Page::details, {{unchecked}}, selection), HasSubstr("not checked on hardware"));
  EXPECT_EQ(note_of(other, unchecked.sm.get()), "");
  EXPECT_EQ(note_of(section, nullptr), "") << "nothing was modelled";
}

}  // namespace THIS_FILE
}  // namespace warplens::profile
