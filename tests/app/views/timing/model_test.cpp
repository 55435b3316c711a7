#include <gmock/gmock.h>

#include <cmath>

#include "app/base/draw/plot.h"
#include "app/base/draw/save_picture.h"
#include "app/views/timing/picture.h"
#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/run_job.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;

RunResult run_of(const char* name, std::map<std::string, double> values = {}) {
  const auto kernel = find_kernel(name);
  EXPECT_TRUE(kernel);
  KernelSetup setup = default_setup(**kernel);
  setup.values = std::move(values);
  const auto job = make_job(borrowed(**kernel), setup, *find_device("3060"), {});
  EXPECT_TRUE(job);
  const auto backend = make_virtual_gpu();
  const auto result = run_job(*job, *backend, {}, nullptr);
  EXPECT_TRUE(result);
  return *result;
}

struct Drawn {
  Picture picture;
  TimingLayout layout;
};

Drawn draw(const TimingInput& input, float width = 700, float height = 500, float scale = 1) {
  Drawn drawn;
  drawn.picture.width = width;
  drawn.picture.height = height;
  drawn.layout =
      draw_timing_view(drawn.picture, paper_style(Theme::dark, scale), {0, 0, width, height}, input);
  return drawn;
}

class TimingPicture : public testing::Test {
 protected:
  void SetUp() override {
    m_result = run_of("vector_add", {{"n", 100'000}});
    if (!m_result.occupancy) GTEST_SKIP() << "no linker, so no times";
    m_view = view_timing(m_result);
  }
  TimingInput input(TimingMode mode) const {
    TimingInput input;
    input.mode = mode;
    input.view = &m_view;
    return input;
  }
  RunResult m_result;
  TimingView m_view;
};

TEST_F(TimingPicture, BarsAreAsLongAsTheirTimes) {
  const Drawn drawn = draw(input(TimingMode::steps));
  std::vector<const StepBar*> timed;
  for (const StepBar& bar : m_view.bars)
    if (bar.us) timed.push_back(&bar);
  ASSERT_EQ(drawn.layout.bars.size(), timed.size());
  const double total = m_view.total_us->value, cpu = *m_view.cpu_us;
  const bool broken = cpu > 4 * total;  // the CPU's bar is cut rather than the GPU's squeezed
  const double longest = broken ? total : std::max(total, cpu);
  for (size_t i = 0; i < timed.size(); ++i) {
    const double wanted = std::max(2.0, timed[i]->us->value / longest * 700);
    EXPECT_NEAR(drawn.layout.bars[i].width, wanted, 0.5) << timed[i]->label;
    EXPECT_NEAR(drawn.layout.bars[i].x, timed[i]->start_us / longest * 700, 0.5) << timed[i]->label;
  }
  EXPECT_NEAR(drawn.layout.cpu_bar.width, broken ? 700 : std::max(2.0, cpu / longest * 700), 0.5);
  const auto drawn_parts =
      std::ranges::count_if(m_view.kernel_time.parts, [](const TimePart& part) { return part.us.high > 0; });
  EXPECT_EQ(drawn.layout.parts.size(), static_cast<size_t>(drawn_parts));
  EXPECT_LT(drawn.layout.parts.size(), m_view.kernel_time.parts.size()) << "an add has no shared memory";
}

TEST_F(TimingPicture, LibrariesStandBesideTheKernel) {
  LibraryRow kernel, library, absent;
  kernel.who = "this kernel";
  kernel.time_us = spread_of({100, 200, 300});
  library.who = "cuBLAS 12.9.1";
  library.how = "cublasSgemm";
  library.time_us = spread_of({20});
  absent.who = "cuSOLVER";
  absent.missing = "cuSOLVER is not on this machine.";
  m_result.libraries = {kernel, library, absent};
  m_view = view_timing(m_result);
  const Drawn drawn = draw(input(TimingMode::steps));
  ASSERT_EQ(drawn.layout.libraries.size(), 2u) << "one has a sentence instead";
  EXPECT_NEAR(drawn.layout.libraries[0].width / drawn.layout.libraries[1].width, 10, 0.2);
  const Table table = timing_table(input(TimingMode::steps));
  EXPECT_EQ(table.rows.back()[0], "cuBLAS 12.9.1: cublasSgemm");
  EXPECT_EQ(table.rows.back()[4], "measured");
}

TEST_F(TimingPicture, StepsAddUpToTheTotal) {
  double sum = 0;
  for (const StepBar& bar : m_view.bars) sum += bar.us ? bar.us->value : 0;
  EXPECT_NEAR(sum, m_view.total_us->value, 1e-6);
  EXPECT_NEAR(m_view.copies_us + m_view.launch_us + m_view.kernel_time.us->value, sum, 1e-6);
  EXPECT_THAT(m_view.sentence, HasSubstr("Copying takes"));
}

// A run on a real GPU: the measured times, with the model's times next to them.
TEST_F(TimingPicture, WhatWasMeasuredComesBeforeTheModel) {
  const double modelled = m_view.kernel_time.us->value;
  DeviceRun& run = m_result.measured.emplace();
  run.kernel_us = spread_of({2 * modelled, 2 * modelled, 2 * modelled});
  run.launches_us = {*run.kernel_us};
  run.launch_us = spread_of({3.0});
  run.copy_in_us = spread_of({30, 30});
  run.copy_out_us = spread_of({10});
  m_view = view_timing(m_result);
  EXPECT_EQ(m_view.source, Provenance::measured);
  EXPECT_NEAR(m_view.total_us->value, 2 * modelled + 43, 1e-9);
  EXPECT_NEAR(*m_view.model_error_percent, -50, 1e-9);
  EXPECT_NEAR(m_view.copies_us, 40, 1e-9);
  EXPECT_EQ(m_view.kernel_time.us->value, modelled) << "the model stays, beside";
  std::map<StepKind, std::vector<const StepBar*>> bars;
  for (const StepBar& bar : m_view.bars) bars[bar.kind].push_back(&bar);
  ASSERT_EQ(bars[StepKind::copy_in].size(), 2u) << "x and y";
  for (const StepBar* bar : bars[StepKind::copy_in]) {
    EXPECT_NEAR(bar->us->value, 15, 1e-9) << "half of the bytes each";
    EXPECT_EQ(bar->source, Provenance::derived);
  }
  EXPECT_EQ(bars[StepKind::kernel].at(0)->source, Provenance::measured);
  EXPECT_EQ(bars[StepKind::kernel].at(0)->us->value, 2 * modelled);
  EXPECT_EQ(m_view.roofline.source, Provenance::measured);
  EXPECT_NEAR(m_view.roofline.gops->value, m_view.roofline.operations / (2 * modelled) * 1e-3, 1e-6);
  ASSERT_TRUE(m_view.bandwidth);
  EXPECT_NEAR(m_view.bandwidth->sector_gb_s, 1'200'000 / (2 * modelled) * 1e-3, 0.01);
  const Table table = timing_table(input(TimingMode::steps));
  EXPECT_TRUE(std::ranges::any_of(
      table.rows, [](const auto& row) { return row[0].starts_with("kernel") && row[4] == "measured"; }));
  m_result.counters = Counters{};
  EXPECT_FALSE(view_timing(m_result).bandwidth) << "no sector was counted";
  // Nothing was counted: the measured steps stay, and only the model's explanations are missing.
  m_result.counters.reset();
  m_result.launches.clear();
  m_view = view_timing(m_result);
  EXPECT_NEAR(m_view.total_us->value, 2 * modelled + 43, 1e-9);
  EXPECT_FALSE(m_view.model_error_percent);
  EXPECT_FALSE(m_view.bandwidth);
  EXPECT_FALSE(draw(input(TimingMode::steps)).layout.bars.empty());
}

TEST_F(TimingPicture, TheWrongStopwatchStopsWithTheLaunch) {
  const Drawn drawn = draw(input(TimingMode::timer));
  const double launch = m_view.launch_us, total = launch + m_view.kernel_time.us->value;
  EXPECT_NEAR(drawn.layout.wrong_watch.width / drawn.layout.right_watch.width, launch / total, 0.01);
  EXPECT_FLOAT_EQ(drawn.layout.wrong_watch.x, drawn.layout.right_watch.x);
}

TEST_F(TimingPicture, TheRooflinesDotIsUnderItsRoof) {
  m_result = run_of("vector_add", {{"n", 2'000'000}});  // more than L2 holds from launch to launch
  m_view = view_timing(m_result);
  const Roofline& r = m_view.roofline;
  ASSERT_TRUE(r.unknown.empty()) << r.unknown;
  EXPECT_EQ(r.unit, "FLOP");
  EXPECT_EQ(r.operations, 2'000'000);
  EXPECT_NEAR(r.dram_intensity, 1.0 / 12, 1e-6) << "an addition for three floats";
  EXPECT_NEAR(r.peak_gops, 128 * 2 * 28 * 1.777, 1);
  EXPECT_LE(r.gops->value, std::min(r.peak_gops, r.dram_intensity * r.bandwidth_gb_s) * 1.001);
  EXPECT_THAT(r.sentence, HasSubstr("bandwidth is its roof"));
  const Drawn drawn = draw(input(TimingMode::roofline));
  ASSERT_TRUE(drawn.layout.dot);
  EXPECT_TRUE(drawn.layout.plot.contains(*drawn.layout.dot));
}

TEST_F(TimingPicture, NothingLeavesItsWidthAtAnyTextSize) {
  for (const TimingMode mode : {TimingMode::steps, TimingMode::timer, TimingMode::roofline}) {
    for (const float scale : {0.8f, 1.0f, 2.5f}) {
      const Drawn drawn = draw(input(mode), 760, 500, scale);
      const Style style = paper_style(Theme::dark, scale);
      for (const Shape& shape : drawn.picture.shapes) {
        const auto* text = std::get_if<Text>(&shape);
        if (text == nullptr || text->align_x != AlignX::left) continue;
        const float right = text->at.x + style.width(text->words, text->font, text->size);
        EXPECT_LE(right, 760 + 8 * scale) << to_string(mode) << " " << scale << ": " << text->words;
      }
      EXPECT_GT(drawn.layout.bottom, 0);
    }
  }
}

TEST_F(TimingPicture, TablesHoldWhatIsDrawn) {
  const Table steps = timing_table(input(TimingMode::steps));
  EXPECT_EQ(steps.rows.size(), m_view.bars.size() + m_view.kernel_time.parts.size() + 1);
  for (const auto& row : steps.rows) EXPECT_EQ(row.size(), steps.columns.size());
  EXPECT_EQ(timing_table(input(TimingMode::roofline)).rows.size(), 9u);
}

TEST(TimingView, AFaultHasNoTimesButAReason) {
  const TimingView view = view_timing(run_of("vector_add_unchecked"));
  EXPECT_FALSE(view.total_us.has_value());
  EXPECT_THAT(view.sentence, HasSubstr("fault"));
  EXPECT_FALSE(view.roofline.unknown.empty());
  TimingInput input;
  input.view = &view;
  for (const TimingMode mode : all_timing_modes) {
    input.mode = mode;
    EXPECT_GT(draw(input).layout.bottom, 0) << to_string(mode);
  }
}

SweepPoint block_point(Dim3 block, double us, double occupancy) {
  SweepPoint p;
  p.block = p.shape.block = block;
  p.kernel.us = Band{us * 0.8, us, us * 1.5};
  p.kernel.parts = {{TimePartKind::dram, *p.kernel.us, ""}};
  p.occupancy.emplace();
  p.occupancy->theoretical_percent = occupancy;
  return p;
}

TEST(SweepPicture, ColumnsAndCurveAreThePoints) {
  Sweep sweep;
  sweep.wanted = 3;
  sweep.points = {block_point({32, 1, 1}, 20, 33), block_point({64, 1, 1}, 10, 100),
                  block_point({128, 1, 1}, 40, 67)};
  SweepPoint refused;
  refused.status = RunStatus::refused;
  refused.cuda_error = "cudaErrorInvalidConfiguration";
  sweep.points.push_back(refused);
  conclude(sweep);
  TimingInput input;
  input.mode = TimingMode::blocks;
  input.sweep = &sweep;
  input.today = Dim3{64, 1, 1};
  const Drawn drawn = draw(input);
  ASSERT_EQ(drawn.layout.columns.size(), 4u);
  EXPECT_NEAR(drawn.layout.columns[0].height / drawn.layout.columns[1].height, 2, 0.02);
  EXPECT_NEAR(drawn.layout.columns[2].height / drawn.layout.columns[1].height, 4, 0.04);
  EXPECT_TRUE(drawn.layout.columns[3].empty()) << "a refused shape has no time";
  ASSERT_EQ(drawn.layout.occupancy.size(), 3u);
  EXPECT_LT(drawn.layout.occupancy[1].y, drawn.layout.occupancy[0].y);
  size_t clickable = 0;
  for (const Area& area : drawn.picture.areas) clickable += area.click.is(TimingVerb::point);
  EXPECT_EQ(clickable, 4u);
  EXPECT_EQ(timing_table(input).rows.size(), 4u);
  // A student's marker is at the position of its block: on a column, between two, and never outside.
  input.marks = {{64, "", true}, {96, "", true}, {1, "", true}, {4096, "", false}};
  const std::vector<float> marks = draw(input).layout.marks;
  const auto column = [&](size_t i) { return drawn.layout.columns[i].centre().x; };
  ASSERT_EQ(marks.size(), 4u);
  EXPECT_FLOAT_EQ(marks[0], column(1));
  EXPECT_FLOAT_EQ(marks[1], (column(1) + column(2)) / 2);
  EXPECT_FLOAT_EQ(marks[2], column(0));
  EXPECT_FLOAT_EQ(marks[3], column(2)) << "the refused one is not drawn";
}

// One slow shape does not flatten the others.
TEST(SweepPicture, AVeryLongBarIsCutOff) {
  Sweep sweep;
  sweep.wanted = 4;
  sweep.points = {block_point({32, 1, 1}, 12, 33), block_point({64, 1, 1}, 10, 100),
                  block_point({128, 1, 1}, 11, 67), block_point({1, 256, 1}, 100, 67)};
  conclude(sweep);
  TimingInput input;
  input.mode = TimingMode::blocks;
  input.sweep = &sweep;
  const Drawn drawn = draw(input);
  const auto& columns = drawn.layout.columns;
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_NEAR(columns[0].height / columns[1].height, 1.2, 0.02);
  EXPECT_GT(columns[0].height, drawn.layout.plot.height / 2);
  EXPECT_FLOAT_EQ(columns[3].height, drawn.layout.plot.height);
  const auto has = [&](const std::string& words) {
    return std::ranges::any_of(drawn.picture.shapes, [&](const Shape& shape) {
      const auto* text = std::get_if<Text>(&shape);
      return text != nullptr && text->words == words;
    });
  };
  EXPECT_TRUE(has("100 µs")) << "its time stands above it";
  EXPECT_FALSE(has("12 µs"));
}

TEST(SweepPicture, TheCrossoverLiesBetweenItsPoints) {
  Sweep sweep;
  sweep.kind = SweepKind::sizes;
  sweep.wanted = 2;
  for (const auto& [n, gpu, cpu] : {std::tuple{1e3, 100.0, 0.01}, std::tuple{1e5, 100.0, 1.0}}) {
    SweepPoint p;
    p.size = static_cast<uint64_t>(n);
    p.elements = n;
    p.total_us = Band{gpu, gpu, gpu};
    p.kernel.us = Band{5, 5, 5};
    p.cpu_ms = cpu;
    sweep.points.push_back(p);
  }
  conclude(sweep);
  TimingInput input;
  input.mode = TimingMode::sizes;
  input.sweep = &sweep;
  const Drawn drawn = draw(input);
  ASSERT_EQ(drawn.layout.gpu.size(), 2u);
  ASSERT_EQ(drawn.layout.cpu.size(), 2u);
  ASSERT_TRUE(drawn.layout.crossover);
  EXPECT_NEAR(*drawn.layout.crossover, (drawn.layout.gpu[0].x + drawn.layout.gpu[1].x) / 2, 1);
  input.marks = {{1e3, "your guess: 1000", true}, {1e4, "the truth: 10000", false}};
  const Drawn marked = draw(input);
  ASSERT_EQ(marked.layout.marks.size(), 2u);
  EXPECT_FLOAT_EQ(marked.layout.marks[0], marked.layout.gpu[0].x);
  EXPECT_NEAR(marked.layout.marks[1], *marked.layout.crossover, 1);
  size_t words = 0;
  for (const Shape& shape : marked.picture.shapes)
    if (const auto* text = std::get_if<Text>(&shape))
      words += text->words == "your guess: 1000" || text->words == "the truth: 10000";
  EXPECT_EQ(words, 2u);
}

TEST(Plot, TicksAreRoundAndInside) {
  EXPECT_THAT(ticks_of({0, 10, 0, 100, false}, 5), testing::ElementsAre(0, 2, 4, 6, 8, 10));
  const auto decades = ticks_of({1, 1000, 0, 100, true}, 4);
  ASSERT_EQ(decades.size(), 4u);
  EXPECT_NEAR(decades[3], 1000, 1e-6);
  EXPECT_TRUE(ticks_of({0, 0, 0, 100, false}, 5).empty());
  EXPECT_TRUE(ticks_of({0, 10, 0, 100, true}, 5).empty()) << "no logarithm of 0";
  EXPECT_LE(ticks_of({1e-300, 1e300, 0, 100, true}, 5).size(), 60u);
  const Scale scale{1, 100, 0, 200, true};
  EXPECT_FLOAT_EQ(scale.at(10), 100);
  EXPECT_FLOAT_EQ(scale.at(0), 0);
  EXPECT_FLOAT_EQ(scale.at(1e9), 200);
  EXPECT_NEAR(scale.value_at(100), 10, 1e-9);
  EXPECT_DOUBLE_EQ(scale.value_at(-5), 1);
  EXPECT_NEAR(scale.value_at(900), 100, 1e-9);
  EXPECT_DOUBLE_EQ((Scale{10, 20, 0, 100, false}.value_at(25)), 12.5);
  EXPECT_DOUBLE_EQ((Scale{10, 20, 50, 50, false}.value_at(50)), 10) << "an axis without any length";
}

}  // namespace THIS_FILE
}  // namespace warplens
