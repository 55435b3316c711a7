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

TEST(RunsLine, PutsTwoRunsSideBySide) {
  AppState state;
  EXPECT_TRUE(runs_line(state).words.empty());
  state.runs.history = {run(1, "A", 3.79)};
  state.runs.now.shown = 1;
  EXPECT_EQ(runs_line(state).words, "A  3.79 µs");
  state.runs.history.insert(state.runs.history.begin(), run(2, "B", 2.29));
  state.runs.now.shown = 2;
  EXPECT_EQ(runs_line(state).words, "A → B  3.79 → 2.29 µs");
  state.runs.history[0].time.kernel = 0.42;
  EXPECT_EQ(runs_line(state).words, "A → B  3.79 µs → 420 ns") << "units that differ are both said";
  state.runs.history[0].time.source = Provenance::measured;
  EXPECT_EQ(runs_line(state).words, "B  420 ns") << "a measured time is not compared with a modelled one";
}

}  // namespace THIS_FILE
}  // namespace warplens
