// Judges an answer that is a whole program: what it prints in each case, in the order of its calls and in
// others, is compared with the reference; what was found while it ran decides as well.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "core/compile/cuda_source/host_code.h"
#include "core/kernels/own/annotation.h"
#include "core/lesson/goals/program_facts.h"
#include "core/lesson/judge/judging.h"
#include "core/lesson/read/field_readers.h"
#include "core/lesson/read/read_cases.h"

namespace warplens::lesson {

std::vector<std::string> Challenge::arguments_at(const Case& at) const {
  const std::string text = "// warplens: " + annotation;
  std::vector<std::string> all;
  for (const AnnotatedArgument& argument : parse_annotation(text, "", 0, text.size()).arguments) {
    const auto chosen = at.values.find(argument.name);
    all.push_back(number_text(chosen == at.values.end() ? argument.value.value_or(0) : chosen->second));
  }
  return all;
}

namespace {

using Outcomes = std::vector<ProgramOutcome>;
using recording::Event;

std::string order_text(uint64_t order) {
  return order == 0 ? "" : order == 1 ? "late" : std::to_string(order);
}

Result<Outcomes> run(Judge::State& state, const std::string& name, const std::string& source,
                     std::vector<ProgramTry> runs, const std::stop_token& stop) {
  if (!state.runs_program) return missing("Programs cannot be run here.");
  ProgramOrder order{name, source, state.device.id, std::move(runs)};
  return state.runs_program(order, stop);
}

// Of the challenge's own files; its failure is a mistake of the challenge.
Result<Outcomes> run_own(Judge::State& state, const ChallengeFile& file, std::vector<ProgramTry> runs,
                         const std::stop_token& stop) {
  Result<Outcomes> ran = run(state, file.name, state.folder.files.at(file.name), std::move(runs), stop);
  if (!ran) return ran;
  for (const ProgramOutcome& one : *ran)
    if (!one.compiles || one.status != 0 || one.timed_out)
      return bad_input(fmt::format("{} does not run to its end: it is the challenge's own file.", file.name));
  return ran;
}

bool fail_at(Judging& j, Reason reason, std::string_view what, std::string kind = {}) {
  j.judged.kind = std::move(kind);
  const std::vector<std::string> words = j.state.challenge.arguments_at(j.at.at);
  std::string where = words.empty() ? "" : fmt::format(" It was called with {}.", fmt::join(words, " "));
  return fail(j, reason, std::string(what) + where);
}

bool compiles(Judging& j, const ProgramOutcome& ran) {
  if (ran.compiles) return true;
  j.judged.diagnostics = ran.mistakes;
  for (const Diagnostic& mistake : ran.mistakes)
    if (mistake.severity == Severity::error) {
      j.judged.line = mistake.line;
      return fail(j, Reason::compile,
                  fmt::format("It does not compile: line {}: {}", mistake.line, mistake.message));
    }
  return fail(j, Reason::compile, "It does not compile.");
}

const Event* finding_in(const ProgramOutcome& ran, bool faults) {
  if (!ran.recording) return nullptr;
  const auto found = std::ranges::find_if(ran.recording->events, [&](const Event& event) {
    return event.kind == Event::Kind::finding && event.is_fault == faults;
  });
  return found == ran.recording->events.end() ? nullptr : &*found;
}

bool fail_for(Judging& j, Reason reason, const Event& event) {
  j.judged.line = event.place ? event.place->line : event.line;
  const std::string where = j.judged.line == 0 ? "" : fmt::format("Line {}: ", j.judged.line);
  return fail_at(j, reason, where + event.name, event.finding);
}

// It ends by itself, without a fault.
bool ends_well(Judging& j, const ProgramOutcome& ran) {
  if (ran.timed_out) return fail_at(j, Reason::time, "It did not end within 10 s, and was stopped.");
  if (ran.prints_too_much)
    return fail_at(j, Reason::mismatch,
                   fmt::format("It prints more than {} KiB, and was stopped.", most_printed_bytes >> 10));
  if (const Event* fault = finding_in(ran, true)) return fail_for(j, Reason::fault, *fault);
  if (ran.signal != 0)
    return fail_at(j, Reason::fault, fmt::format("It crashes: it was ended by signal {}.", ran.signal));
  if (ran.status != 0)
    return fail_at(j, Reason::fault,
                   fmt::format("It ends with status {}; main() should return 0.", ran.status));
  return true;
}

std::string words_of_output(std::string_view printed) {
  constexpr size_t most = 80;
  printed = trimmed(printed);
  if (printed.empty()) return "nothing";
  const bool cut = printed.size() > most || printed.find('\n') != printed.npos;
  return fmt::format("\"{}{}\"", head_of(printed, std::min(most, printed.find('\n'))), cut ? "…" : "");
}

bool prints_as(Judging& j, const ProgramOutcome& ran, const std::string& wanted, uint64_t order) {
  if (trimmed(ran.printed) == trimmed(wanted)) return true;
  const std::string both =
      fmt::format("It prints {}, and should print {}", words_of_output(ran.printed), words_of_output(wanted));
  if (order == 0) return fail_at(j, Reason::mismatch, both + ".");
  return fail_at(j, Reason::order,
                 both + ": with the work of its streams in another order, which CUDA allows too.");
}

// What the reference prints there.
Result<std::string> truth_at(Judging& j, const std::vector<std::string>& arguments) {
  std::map<std::string, std::string>& known = j.state.printed;
  const std::string key = fmt::format("{}", fmt::join(arguments, " "));
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const Result<Outcomes> ran =
      run_own(j.state, *j.state.challenge.reference(".cu"), {{arguments}}, j.options.stop);
  if (!ran) return ran.error();
  return known[key] = ran->front().printed;
}

// The run of one case and order, if it is as it should be.
std::optional<ProgramOutcome> judge_run(Judging& j, const Case& at, uint64_t order) {
  j.at = {at, order, 1};
  const std::vector<std::string> arguments = j.state.challenge.arguments_at(at);
  Result<Outcomes> ran =
      run(j.state, j.answer.name, j.answer.source, {{arguments, order_text(order)}}, j.options.stop);
  if (!ran) {  // not the answer's fault
    if (ran.error().kind == ErrorKind::cancelled)
      fail(j, ran.error());
    else
      fail(j, Reason::no_compiler, ran.error().message);
    return std::nullopt;
  }
  ProgramOutcome& one = ran->front();
  ++j.judged.runs;
  if (!compiles(j, one) || !ends_well(j, one)) return std::nullopt;
  const Result<std::string> truth = truth_at(j, arguments);
  if (!truth) {
    fail(j, Reason::no_compiler, truth.error().message);
    return std::nullopt;
  }
  if (!prints_as(j, one, *truth, order)) return std::nullopt;
  if (const Event* finding = finding_in(one, false)) {
    fail_for(j, Reason::finding, *finding);
    return std::nullopt;
  }
  return std::move(one);
}

// All cases in all orders; the last case is that of the goals. Returns its run in the order of the calls.
std::optional<ProgramOutcome> judge_runs(Judging& j, const std::vector<Case>& cases) {
  const auto begin = std::chrono::steady_clock::now();
  std::optional<ProgramOutcome> at_goal;
  for (const Case& at : cases) {
    for (const uint64_t order : j.state.challenge.orders) {
      std::optional<ProgramOutcome> ran = judge_run(j, at, order);
      if (!ran) return std::nullopt;
      if (order == 0) at_goal = std::move(ran);
    }
    ++j.judged.cases;
  }
  j.judged.run_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return at_goal;
}

void count_program_stars(Judging& j, const ProgramOutcome& at_goal) {
  const Challenge challenge = worded(j);
  Facts facts;
  for (const auto& [name, value] : challenge.stars_at.values) facts.set(name, value);
  add_program(facts, "", &at_goal);
  const auto add = [&](const std::string& prefix, const ChallengeFile* file) {
    if (!goals_use(challenge, prefix) || file == nullptr) return;
    const auto ran = run_own(j.state, *file, {{challenge.arguments_at(challenge.stars_at)}}, j.options.stop);
    add_program(facts, prefix, ran ? &ran->front() : nullptr);
  };
  add("reference.", challenge.reference(".cu"));
  add("start.", challenge.starter(".cu"));
  j.judged.stars = 1;
  judge_goals(j, challenge, facts);
}

}  // namespace

void judge_program(Judging& j) {
  if (trimmed(j.answer.source).empty()) {
    fail(j, Reason::unreadable, "The file is empty.");
    return;
  }
  if (!main_line(j.answer.source)) {
    fail(j, Reason::signature, "There is no main(): the program begins with int main().");
    return;
  }
  if (j.options.compiled) j.options.compiled();
  std::vector<Case> cases = all_cases(j.state.challenge, j.options.seed);
  cases.push_back(j.state.challenge.stars_at);
  if (const auto at_goal = judge_runs(j, cases)) count_program_stars(j, *at_goal);
  if (!j.judged.right()) j.judged.stars = 0;
}

Result<Specification> specification_of_program(Judge::State& state, const std::stop_token& stop) {
  const Challenge& challenge = state.challenge;
  const std::vector<std::string> words = challenge.arguments_at(challenge.specification);
  const Result<Outcomes> ran = run_own(state, *challenge.reference(".cu"), {{words}}, stop);
  if (!ran) return ran.error();
  Specification made;
  made.arguments = fmt::format("{}", fmt::join(words, " "));
  made.printed = ran->front().printed;
  return made;
}

}  // namespace warplens::lesson
