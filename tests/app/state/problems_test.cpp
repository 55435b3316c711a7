#include "app/state/parts/problems.h"

#include <gtest/gtest.h>

#include "app/state/update.h"
#include "core/launch/incident_advice.h"

namespace warplens {
namespace THIS_FILE {

TEST(Problems, AFaultNamesLineBlockAndThread) {
  Incident incident;
  incident.kind = IncidentKind::out_of_bounds;
  incident.message = "reads 4 bytes, 64 past the end of x (40,000 bytes)";
  incident.file = "kernels/vector_add_unchecked.cu";
  incident.line = 4;
  incident.block = {39, 0, 0};
  incident.thread = {16, 0, 0};
  const Problem problem = problem_of(incident, true, nullptr);
  EXPECT_EQ(problem.title, "Out of bounds");
  EXPECT_EQ(place_text(problem), "vector_add_unchecked.cu:4");
  EXPECT_EQ(thread_text(problem), "block (39, 0, 0) thread (16, 0, 0)");
  EXPECT_FALSE(problem.fix.has_value());
}

TEST(Problems, TheBrokenKernelOffersItsSoundTwin) {
  const auto kernel = find_kernel("vector_add_unchecked");
  ASSERT_TRUE(kernel);
  Incident incident;
  incident.kind = IncidentKind::out_of_bounds;
  const Problem problem = problem_of(incident, true, *kernel);
  ASSERT_TRUE(problem.fix.has_value());
  EXPECT_EQ(problem.fix->kernel, "vector_add");
}

TEST(Problems, UnknownPlacesAreLeftOut) {
  Problem problem;
  EXPECT_EQ(place_text(problem), "");
  EXPECT_EQ(thread_text(problem), "");
  problem.file = "a.cu";
  EXPECT_EQ(place_text(problem), "a.cu");
}

// In a lesson or a challenge, what to do about a fault is for the student to find out.
TEST(Problems, AFaultOfAStudentComesWithoutAdvice) {
  for (const bool challenge : {false, true}) {
    AppState state = *initial_state("vector_add_unchecked", "");
    auto result = std::make_shared<RunResult>();
    LaunchRequest request;
    request.kernel = "vector_add_unchecked";
    request.device = state.setup.device;
    result->request = std::make_shared<const LaunchRequest>(request);
    result->status = RunStatus::fault;
    Incident fault;
    fault.kind = IncidentKind::out_of_bounds;
    fault.message = "It reads past the end of x. " + std::string(index_advice);
    result->faults.push_back(fault);
    if (challenge) state.challenge.open = std::make_shared<const LoadedChallenge>();
    update(state, RunFinished{state.runs.now.wanted, state.setup.launch, result, ""});
    ASSERT_FALSE(state.problems.all.empty());
    const Problem& problem = state.problems.all.front();
    EXPECT_EQ(problem.message, challenge ? "It reads past the end of x." : fault.message);
    EXPECT_EQ(problem.fix.has_value(), !challenge);
  }
}

TEST(Problems, TheWorstComeFirst) {
  AppState state = *initial_state("vector_add", "");
  update(state, Notify{ProblemLevel::note, "Saved", "x.png"});
  update(state, Notify{ProblemLevel::error, "Not saved", "y.png"});
  update(state, SetBlock{{7, 1, 1}});
  auto result = std::make_shared<RunResult>();
  LaunchRequest request;
  request.kernel = "vector_add";
  request.device = state.setup.device;
  result->request = std::make_shared<const LaunchRequest>(request);
  result->status = RunStatus::fault;
  result->faults.push_back({});
  result->findings.push_back({});
  result->checks.push_back({"out", false, 10, 2, 1.5, 0.1, 3, "out[3] is 1, the CPU reference says 2."});
  Warning warning;
  warning.title = "tail";
  result->warnings.push_back(warning);
  update(state, RunFinished{state.runs.now.wanted, state.setup.launch, result, ""});
  std::vector<ProblemLevel> levels;
  for (const Problem& problem : state.problems.all) levels.push_back(problem.level);
  const std::vector<ProblemLevel> wanted = {ProblemLevel::fault, ProblemLevel::finding, ProblemLevel::error,
                                            ProblemLevel::error, ProblemLevel::warning, ProblemLevel::note};
  EXPECT_EQ(levels, wanted);
  const ProblemCounts counts = count_problems(state.problems.all);
  EXPECT_EQ(counts.faults, 1u);
  EXPECT_EQ(counts.warnings, 1u);
}

// A state whose shown run has this result.
AppState after_run(RunResult result) {
  AppState state = *initial_state("vector_add", "");
  LaunchRequest request;
  request.kernel = "vector_add";
  request.device = state.setup.device;
  result.request = std::make_shared<const LaunchRequest>(request);
  update(state, RunFinished{state.runs.now.wanted, state.setup.launch,
                            std::make_shared<const RunResult>(std::move(result)), ""});
  return state;
}

Warning warning_of(const char* title, double weight, bool quiet = false) {
  Warning warning;
  warning.id = WarningId::tail_wave;
  warning.title = title;
  warning.weight = weight;
  warning.quiet = quiet;
  return warning;
}

TEST(Problems, AtMostThreeWarningsStandTheHeaviestOnes) {
  RunResult result;
  result.warnings = {warning_of("a", 0.1), warning_of("b", 0.4), warning_of("c", 0.2), warning_of("d", 0.3),
                     warning_of("quiet", 0, true)};
  Incident race;
  race.kind = IncidentKind::race;
  result.findings = {race};
  const AppState state = after_run(std::move(result));
  std::vector<std::string> all, shown;
  for (const Problem& problem : state.problems.all) all.push_back(problem.title);
  for (const Problem* problem : standing(state.problems.all)) shown.push_back(problem->title);
  EXPECT_EQ(all, (std::vector<std::string>{"Race", "b", "d", "c", "a", "quiet"}));
  EXPECT_EQ(shown, (std::vector<std::string>{"Race", "b", "d", "c"}));
  EXPECT_EQ(state.problems.all.back().level, ProblemLevel::note);
  EXPECT_TRUE(state.problems.all.back().quiet);
}

TEST(Problems, ARefusedLaunchTakesTheFixThatWasTried) {
  AppState state = *initial_state("vector_add", "");
  update(state, SetBlock{{2000, 1, 1}});
  ASSERT_EQ(state.problems.all.front().id, "refused");
  RunResult result;
  result.status = RunStatus::refused;
  Warning tried;
  tried.id = WarningId::launch_refused;
  tried.fix_label = "Try 128 threads a block (79 blocks): 459 ns ≈";
  tried.fix_block = Dim3{128, 1, 1};
  result.warnings = {tried};
  LaunchRequest request;
  request.kernel = "vector_add";
  request.device = state.setup.device;
  result.request = std::make_shared<const LaunchRequest>(request);
  update(state, RunFinished{state.runs.now.wanted, state.setup.launch,
                            std::make_shared<const RunResult>(std::move(result)), ""});
  ASSERT_EQ(state.problems.all.size(), 1u);
  ASSERT_TRUE(state.problems.all.front().fix);
  EXPECT_EQ(state.problems.all.front().fix->label, tried.fix_label);
  update(state, ApplyFix{*state.problems.all.front().fix});
  EXPECT_EQ(state.setup.launch.block, (Dim3{128, 1, 1}));
  EXPECT_FALSE(state.setup.outlook.refusal);
}

TEST(Problems, ALargeRunSaysThatRacesWereNotLookedFor) {
  RunResult result;
  result.not_looked_for = "the run has 9,000,000 warp instructions";
  const AppState state = after_run(std::move(result));
  ASSERT_EQ(state.problems.all.size(), 1u);
  const Problem& note = state.problems.all.front();
  EXPECT_EQ(note.level, ProblemLevel::note);
  EXPECT_TRUE(note.quiet);
  EXPECT_NE(note.message.find("9,000,000 warp instructions"), std::string::npos);
  EXPECT_NE(note.message.find("View › Check for races"), std::string::npos);
}

TEST(Problems, LookingForMoreRunsAgain) {
  AppState state = after_run({});
  EXPECT_EQ(state.runs.now.wanted, 0u);
  update(state, SetLooking{Looking::small_runs});
  EXPECT_EQ(state.runs.now.wanted, 0u) << "it is so already";
  update(state, SetLooking{Looking::always});
  EXPECT_NE(state.runs.now.wanted, 0u);
  EXPECT_EQ(state.frame.preferences.looking, Looking::always);
}

TEST(Problems, AnotherKernelsFaultsAreGoneAtOnce) {
  AppState state = *initial_state("vector_add_unchecked", "");
  auto result = std::make_shared<RunResult>();
  LaunchRequest request;
  request.kernel = "vector_add_unchecked";
  result->request = std::make_shared<const LaunchRequest>(request);
  result->faults.push_back({});
  update(state, RunFinished{state.runs.now.wanted, state.setup.launch, result, ""});
  EXPECT_EQ(count_problems(state.problems.all).faults, 1u);
  update(state, ChooseKernel{"vector_add"});
  EXPECT_EQ(count_problems(state.problems.all).faults, 0u);
}

const Problem* counted_problem(const AppState& state, const std::string& id) {
  for (const Problem& problem : state.problems.all)
    if (problem.id == id) return &problem;
  return nullptr;
}

// If no setting fixes a problem, a better kernel does.
TEST(Problems, ACountedWarningOffersTheKernelThatDoesItBetter) {
  for (const auto& [id, from, to] :
       {std::tuple{WarningId::uncoalesced, "grayscale_row_on_x", "grayscale"},
        std::tuple{WarningId::bank_conflicts, "transpose_tiled", "transpose_padded"},
        std::tuple{WarningId::copies_dominate, "chain_with_copies", "chain_on_device"}}) {
    auto state = initial_state(from, "");
    ASSERT_TRUE(state) << from;
    auto request = std::make_shared<LaunchRequest>();
    request->kernel = from;
    auto result = std::make_shared<RunResult>();
    result->request = request;
    Warning warning;
    warning.id = id;
    result->warnings = {warning};
    const uint64_t serial = state->runs.now.wanted;
    if (serial == 0) continue;  // still waits for its picture
    update(*state, RunFinished{serial, state->setup.launch, result, ""});
    const Problem* problem = counted_problem(*state, to_string(id));
    ASSERT_NE(problem, nullptr) << from;
    ASSERT_TRUE(problem->fix.has_value()) << from;
    EXPECT_EQ(problem->fix->kernel, to);
  }
}

TEST(Problems, TheBetterKernelsAreThere) {
  size_t rows = 0;
  for (const KernelDescription& kernel : built_in_kernels())
    for (const BetterKernel& better : kernel.better) {
      ++rows;
      EXPECT_TRUE(find_kernel(better.kernel)) << kernel.name << ": " << better.kernel;
      EXPECT_FALSE(better.label.empty()) << kernel.name;
    }
  EXPECT_EQ(rows, 6u);
}

}  // namespace THIS_FILE
}  // namespace warplens
