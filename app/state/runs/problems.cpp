#include "app/state/parts/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>
#include <utility>

#include "app/base/format.h"
#include "app/state/program/program_problems.h"
#include "app/state/runs/shown_run.h"
#include "app/state/setup/outlook.h"
#include "core/base/text.h"
#include "core/launch/incident_advice.h"

namespace warplens {
namespace {

// If no setting corrects a problem, another kernel does: it does the same work in a better way.
std::optional<Fix> fix_by_better_kernel(std::string_view problem, const KernelDescription* kernel) {
  if (!kernel) return std::nullopt;
  const auto row = std::ranges::find(kernel->better, problem, &BetterKernel::problem);
  if (row == kernel->better.end()) return std::nullopt;
  const auto better = find_kernel(row->kernel);
  if (!better) return std::nullopt;
  Fix fix;
  fix.label = row->label;
  fix.kernel = (*better)->name;
  return fix;
}

Problem problem_of(const Warning& warning, const KernelDescription* kernel) {
  Problem problem = problem_of(warning);
  if (!problem.fix && !warning.quiet) problem.fix = fix_by_better_kernel(to_string(warning.id), kernel);
  return problem;
}

Problem problem_of(const Check& check) {
  Problem problem;
  problem.level = ProblemLevel::error;
  problem.id = "check_failed";
  problem.title = check.buffer + " differs from the CPU reference";
  problem.message = check.message + fmt::format(" {} of {} elements differ, at most by {}.",
                                                with_separators(check.mismatches),
                                                with_separators(check.elements), significant(check.max_abs));
  return problem;
}

Problem outlook_error(const std::string& message) {
  Problem problem;
  problem.level = ProblemLevel::error;
  problem.id = "no_launch";
  problem.title = "This launch cannot be made";
  problem.message = message;
  return problem;
}

// Adds the reason of a run that failed without a recorded fault.
void add_status(const RunResult& result, std::vector<Problem>& problems) {
  if (result.status != RunStatus::fault || !result.faults.empty() || result.message.empty()) return;
  Problem problem;
  problem.level = ProblemLevel::fault;
  problem.id = "fault";
  problem.title = "The kernel faulted";
  problem.message = result.message;
  problems.push_back(problem);
}

// Adds the mistakes that were not searched for, since the run was too large.
void add_not_looked_for(const AppState& state, std::vector<Problem>& problems) {
  const RunResult& result = *state.runs.result;
  if (result.not_looked_for.empty()) return;
  Problem problem;
  problem.level = ProblemLevel::note;
  problem.quiet = true;
  problem.id = "not_looked_for";
  problem.title = "Races were not checked";
  problem.message = fmt::format(
      "Races and reads of uninitialised memory: {}. View › Check for races and other mistakes: "
      "always does it for every run.",
      result.not_looked_for);
  problems.push_back(std::move(problem));
}

// A race of two warps of one block can be run in both orders.
bool has_two_orders(const Incident& finding, Dim3 threads) {
  if (finding.kind != IncidentKind::race || !finding.other || !(finding.block == finding.other->block))
    return false;
  return linear_index(finding.thread, threads) / warp_lanes !=
         linear_index(finding.other->thread, threads) / warp_lanes;
}

// What to do about a fault is what a lesson or a challenge asks.
void leave_to_the_student(std::span<Problem> problems) {
  for (Problem& problem : problems) {
    problem.message = without_advice(std::move(problem.message));
    problem.fix.reset();
  }
}

void add_result(const AppState& state, std::vector<Problem>& problems) {
  if (!speaks_of_shown_run(state)) return;
  const RunResult& result = *state.runs.result;
  add_status(result, problems);
  const size_t before = problems.size();
  for (const Incident& fault : result.faults) problems.push_back(problem_of(fault, true, state.setup.kernel));
  for (size_t i = 0; i < result.findings.size(); ++i) {
    problems.push_back(problem_of(result.findings[i], false, state.setup.kernel));
    if (has_two_orders(result.findings[i], result.shape.block)) problems.back().finding = i;
  }
  if (state.lesson.is_open() || state.challenge.is_open())
    leave_to_the_student({problems.begin() + static_cast<std::ptrdiff_t>(before), problems.end()});
  for (const Check& check : result.checks) {
    if (!check.equal) problems.push_back(problem_of(check));
  }
  add_not_looked_for(state, problems);
}

// Warnings that only a run can give. While the next one is on its way the last one's stay, so that the list
// does not flicker under a slider.
bool is_counted(WarningId id) {
  return id == WarningId::uncoalesced || id == WarningId::bank_conflicts || id == WarningId::divergence ||
         id == WarningId::copies_dominate;
}

void add_warnings(const AppState& state, std::vector<Problem>& problems) {
  const bool fresh = state.runs.result && state.runs.now.stale_because.empty();
  const auto& warnings = fresh ? state.runs.result->warnings : state.setup.outlook.warnings;
  for (const Warning& warning : warnings)
    if (warning.id != WarningId::launch_refused)  // it stands with the refusal
      problems.push_back(problem_of(warning, state.setup.kernel));
  if (fresh || !speaks_of_shown_run(state)) return;
  for (const Warning& warning : state.runs.result->warnings) {
    if (is_counted(warning.id)) problems.push_back(problem_of(warning, state.setup.kernel));
  }
}

// The launch that was tried in place of the refused one.
void add_tried_fix(const AppState& state, Problem& refusal) {
  if (!state.runs.result || !state.runs.now.stale_because.empty()) return;
  const auto& warnings = state.runs.result->warnings;
  const auto tried = std::ranges::find(warnings, WarningId::launch_refused, &Warning::id);
  if (tried != warnings.end()) refusal.fix = problem_of(*tried).fix;
}

// The messages of the compiler and of the annotation reader about the user's text.
void add_diagnostics(const CodeState& code, std::vector<Problem>& problems) {
  constexpr size_t most = 50;
  for (const Diagnostic& diagnostic : code.diagnostics) {
    if (diagnostic.severity == Severity::note || problems.size() >= most) continue;
    const bool error = diagnostic.severity == Severity::error;
    Problem problem;
    problem.level = error ? ProblemLevel::error : ProblemLevel::warning;
    problem.id = error ? "compile_error" : "compile_warning";
    problem.in_code = true;
    problem.title = error ? "The code has an error" : "The compiler warns";
    problem.message = diagnostic.message;
    problem.file = diagnostic.file;
    problem.line = diagnostic.line;
    problems.push_back(std::move(problem));
  }
}

}  // namespace

std::string title_of_kind(const std::string& kind) { return capitalised(replace_all(kind, "_", " ")); }

Problem problem_of(const Incident& incident, bool fault, const KernelDescription* kernel) {
  Problem problem;
  problem.level = fault ? ProblemLevel::fault : ProblemLevel::finding;
  problem.id = to_string(incident.kind);
  problem.title = title_of_kind(problem.id);
  problem.message = incident.message;
  problem.file = incident.file;
  problem.line = incident.line;
  problem.block = incident.block;
  problem.thread = incident.thread;
  if (fault) problem.fix = fix_by_better_kernel("fault", kernel);
  return problem;
}

Fix fix_of(const Warning& warning) {
  Fix fix;
  fix.label = warning.fix_label;
  fix.block = warning.fix_block;
  fix.grid = warning.fix_grid;
  fix.shared_bytes = warning.fix_shared_bytes;
  return fix;
}

Problem problem_of(const Warning& warning) {
  Problem problem;
  problem.level = warning.quiet ? ProblemLevel::note : ProblemLevel::warning;
  problem.weight = warning.weight;
  problem.quiet = warning.quiet;
  problem.id = to_string(warning.id);
  problem.title = warning.title;
  problem.message = warning.message;
  if (!warning.fix_label.empty()) problem.fix = fix_of(warning);
  return problem;
}

namespace {

// Of the kernel that is chosen, and of its run.
void add_kernel(const AppState& state, std::vector<Problem>& problems) {
  add_diagnostics(state.code, problems);
  if (state.setup.kernel && state.setup.outlook.refusal) {
    problems.push_back(
        refusal_problem(*state.setup.kernel, state.setup.outlook.shape, *state.setup.outlook.refusal));
    add_tried_fix(state, problems.back());
  }
  const bool waits_for_picture =
      state.setup.kernel && needs_picture(*state.setup.kernel) && !state.setup.launch.image;
  if (!state.setup.outlook.error.empty() && !waits_for_picture) {
    problems.push_back(outlook_error(state.setup.outlook.error));
  }
  add_result(state, problems);
  add_warnings(state, problems);
}

void sort_by_weight(std::vector<Problem>& problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const Problem& a, const Problem& b) {
    const auto rank = [](const Problem& p) {
      switch (p.level) {
        case ProblemLevel::fault:
          return 0;
        case ProblemLevel::finding:
          return 1;
        case ProblemLevel::error:
          return 2;
        case ProblemLevel::warning:
          return 3;
        case ProblemLevel::note:
          return 4;
      }
      return 5;
    };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    const auto order = [](const Problem& p) { return p.quiet ? 3 : p.weight >= 1 ? 0 : p.fix ? 1 : 2; };
    return order(a) != order(b) ? order(a) < order(b) : a.weight > b.weight;
  });
}

}  // namespace

std::vector<Problem> problems_of(const AppState& state) {
  std::vector<Problem> problems;
  const bool of_program = is_about_program(state);
  if (of_program)
    add_program_problems(state.program, problems);
  else
    add_kernel(state, problems);
  for (const Problem& notice : state.problems.notices)
    if (!of_program || notice.notice_kind != NoticeKind::run) problems.push_back(notice);
  sort_by_weight(problems);
  return problems;
}

std::vector<const Problem*> standing(const std::vector<Problem>& problems) {
  std::vector<const Problem*> shown;
  size_t warnings = 0;
  for (const Problem& problem : problems) {
    if (problem.quiet) continue;
    if (problem.level == ProblemLevel::warning && ++warnings > most_standing_warnings) continue;
    shown.push_back(&problem);
  }
  return shown;
}

std::string place_text(const Problem& problem) {
  if (problem.file.empty()) return "";
  const std::string name = std::filesystem::path(problem.file).filename().string();
  return problem.line == 0 ? name : fmt::format("{}:{}", name, problem.line);
}

std::string thread_text(const Problem& problem) {
  std::string text;
  if (problem.block) text = "block " + position_text(*problem.block);
  if (problem.thread) text += (text.empty() ? "thread " : " thread ") + position_text(*problem.thread);
  return text;
}

ProblemCounts count_problems(const std::vector<Problem>& problems) {
  ProblemCounts counts;
  for (const Problem& problem : problems) {
    switch (problem.level) {
      case ProblemLevel::fault:
        ++counts.faults;
        break;
      case ProblemLevel::warning:
        ++counts.warnings;
        break;
      default:
        ++counts.others;
    }
  }
  return counts;
}

}  // namespace warplens
