// The line at the bottom of the window, in words.
#include <gtest/gtest.h>

#include "app/views/problems/line.h"
#include "app/views/runs/line.h"

namespace warplens {
namespace THIS_FILE {

Problem problem(ProblemLevel level, const char* title) {
  Problem made;
  made.level = level;
  made.title = title;
  return made;
}

TEST(ProblemsLine, SaysNothingWhereNothingIsWrong) {
  EXPECT_TRUE(problems_line({}).counts.empty());
  EXPECT_TRUE(problems_line({}).worst.empty());
}

TEST(ProblemsLine, CountsByLevelAndNamesTheWorst) {
  ProblemsState problems;
  problems.all = {problem(ProblemLevel::fault, "Out of bounds"), problem(ProblemLevel::warning, "Tail wave"),
                  problem(ProblemLevel::warning, "Few blocks")};
  problems.all[0].file = "add.cu";
  problems.all[0].line = 4;
  problems.all[2].fix.emplace().label = "Use 64 threads";
  const ProblemsLine line = problems_line(problems);
  EXPECT_EQ(line.counts, "1 fault · 2 warnings");
  EXPECT_EQ(line.worst, "Out of bounds, add.cu:4");
  EXPECT_EQ(line.level, ProblemLevel::fault);
  ASSERT_TRUE(line.fix);
  EXPECT_EQ(line.fix->label, "Use 64 threads") << "the first that can be mended";
}

RunRecord run(uint64_t serial, const char* label, double us) {
  RunRecord record;
  record.serial = serial;
  record.label = label;
  record.time.kernel = us;
  record.time.source = Provenance::modelled;
  return record;
}

TEST(RunsLine, ComparesRunsOfOneKernelUnlessOneIsPinned) {
  AppState state;
  state.runs.history = {run(2, "B", 6.0), run(1, "A", 3.0)};
  state.runs.history[0].choice.setup.kernel = "histogram";
  state.runs.history[1].choice.setup.kernel = "grayscale";
  state.runs.now.shown = 2;
  state.runs.result = std::make_shared<RunResult>();
  EXPECT_EQ(runs_line(state).words, "6 µs") << "the run before is of another kernel";
  state.runs.history.push_back(run(0, "Z", 5.0));
  state.runs.history[2].choice.setup.kernel = "histogram";
  EXPECT_EQ(runs_line(state).words, "5 → 6 µs (+20 %)") << "the last one of the same kernel";
  EXPECT_NE(runs_line(state).hover.find("histogram"), std::string::npos);
  state.runs.baseline = state.runs.history[1];
  EXPECT_EQ(runs_line(state).words, "3 → 6 µs (+100 %)") << "it was pinned";
  state.runs.now.stale_because = "The code has errors";
  EXPECT_EQ(runs_line(state).words, "") << "it is the time of another text";
}

TEST(RunsLine, PutsTwoRunsSideBySide) {
  AppState state;
  EXPECT_TRUE(runs_line(state).words.empty());
  state.runs.history = {run(1, "A", 3.79)};
  state.runs.now.shown = 1;
  state.runs.result = std::make_shared<RunResult>();
  EXPECT_EQ(runs_line(state).words, "3.79 µs");
  state.runs.history.insert(state.runs.history.begin(), run(2, "B", 2.29));
  state.runs.now.shown = 2;
  EXPECT_EQ(runs_line(state).words, "3.79 → 2.29 µs (−40 %)");
  EXPECT_EQ(runs_line(state).brief, "2.29 µs") << "of the shown run, where there is little room";
  state.runs.history[0].time.kernel = 0.42;
  EXPECT_EQ(runs_line(state).words, "3.79 µs → 420 ns (−89 %)") << "units that differ are both said";
  state.runs.history[0].time.source = Provenance::measured;
  EXPECT_EQ(runs_line(state).words, "420 ns") << "a measured time is not compared with a modelled one";
}

}  // namespace THIS_FILE
}  // namespace warplens
