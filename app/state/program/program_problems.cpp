#include "app/state/program/program_problems.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/base/format.h"
#include "core/recording/finding_title.h"

namespace warplens {
namespace {

Problem problem_of(const Diagnostic& mistake) {
  const bool is_error = mistake.severity == Severity::error;
  Problem problem;
  problem.level = is_error ? ProblemLevel::error : ProblemLevel::warning;
  problem.id = is_error ? "compile_error" : "compile_warning";
  problem.title = is_error ? "The program does not compile" : "The compiler warns";
  problem.message = mistake.message;
  problem.file = mistake.file;
  problem.line = mistake.line;
  return problem;
}

ProblemLevel level_of(const ProgramFinding& finding) {
  if (finding.is_fault || finding.kind == "refused") return ProblemLevel::fault;
  if (finding.kind == "printf" || finding.kind == "unread_error") return ProblemLevel::warning;
  return finding.launch == 0 ? ProblemLevel::error : ProblemLevel::finding;
}

Problem problem_of(const ProgramFinding& finding) {
  Problem problem;
  problem.level = level_of(finding);
  problem.id = finding.kind;
  problem.title = recording::finding_words(finding.kind);
  if (finding.launch != 0) problem.title += fmt::format(" in launch {}", finding.launch);
  problem.message = finding.sentence;
  problem.file = finding.file;
  problem.line = finding.line;
  problem.launch = finding.launch;
  return problem;
}

void add_end(const ProgramRun& run, const std::string& name, std::vector<Problem>& problems) {
  for (const Diagnostic& mistake : run.mistakes) problems.push_back(problem_of(mistake));
  if (!run.mistakes.empty() || (run.stopped && run.problem.empty())) return;
  Problem problem;
  problem.id = "program";
  problem.message = run.output.lines.empty() ? std::string() : run.output.lines.back();
  if (!run.problem.empty()) {
    problem.title = "The program was not recorded";
    problem.message = run.problem;
  } else if (run.signal != 0) {
    problem.title = fmt::format("{} was ended by signal {}", name, run.signal);
  } else if (run.status != 0) {
    problem.title = fmt::format("{} ended with status {}", name, run.status);
  } else {
    return;
  }
  problems.push_back(std::move(problem));
}

// Launches in which races were not looked for, quietly.
void add_not_searched(const SearchState& search, std::vector<Problem>& problems) {
  std::string why = search.error;
  if (search.done && search.done->left_out != 0)
    why = fmt::format("{}: {}", count_text(search.done->left_out, "launch", "launches"), search.done->why);
  if (why.empty()) return;
  Problem problem;
  problem.level = ProblemLevel::note;
  problem.quiet = true;
  problem.id = "not_looked_for";
  problem.title = "Races were not checked everywhere";
  problem.message =
      why + ". View › Check for races and other mistakes: always does it for launches of any size.";
  problems.push_back(std::move(problem));
}

}  // namespace

std::string program_name(const ProgramState& program) {
  if (program.run.phase == ProgramRun::Phase::none) return program.opened ? program.opened->name : "";
  return std::filesystem::path(program.run.path).filename().string();
}

void add_program_problems(const ProgramState& program, std::vector<Problem>& problems) {
  const ProgramRun& run = program.run;
  if (run.is_busy() || run.phase == ProgramRun::Phase::asking) return;
  if (run.phase == ProgramRun::Phase::ended) add_end(run, program_name(program), problems);
  const OpenedProgram* opened = program.shown_program();
  if (opened == nullptr) return;
  for (const ProgramFinding& finding : findings_of(program)) problems.push_back(problem_of(finding));
  add_not_searched(program.search, problems);
  for (const recording::ProgramWarning& warning : opened->report.warnings) {
    Problem problem;
    problem.level = ProblemLevel::warning;
    problem.id = name_of(warning.kind);
    problem.title = warning.what;
    problem.message = warning.advice;
    problem.launch = warning.launches.empty() ? 0 : warning.launches.front();
    problems.push_back(std::move(problem));
  }
}

}  // namespace warplens
