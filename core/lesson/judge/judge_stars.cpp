// Determines the counts that the goal and the stars of a challenge need, in a run of the right answer.
#include <fmt/format.h>

#include <algorithm>

#include "core/lesson/judge/judging.h"

namespace warplens::lesson {
namespace {

bool names_any(const std::vector<Condition>& conditions, std::string_view word) {
  return std::ranges::any_of(conditions, [&](const Condition& condition) {
    return condition.expression.text.find(word) != std::string::npos;
  });
}

Result<RunResult> run_at_goal(Judging& j, const Runnable& runnable, uint64_t order) {
  RunAt run{j.state.challenge.stars_at, order, j.options.seed * 1000, false};
  Result<LaunchRequest> request = request_at(runnable, j.state.challenge, run);
  if (!request) return request.error();
  return run_request(std::move(*request), *j.state.backend, j.options.stop,
                     goals_use(j.state.challenge, "sm."));
}

void add_goal_facts(Facts& facts, const std::string& prefix, const Result<RunResult>& ran) {
  add_run(facts, prefix, ran ? &*ran : nullptr);
  add_launch(facts, prefix, ran ? std::optional(ran->shape) : std::nullopt);
}

// In the answer's language, if the challenge has a right answer in it.
Result<RunResult> run_reference(Judging& j) {
  if (!j.kernel.numba || j.answer.reference_ptx.empty()) return run_at_goal(j, j.state.reference, 0);
  const Submission code{"right.py", "", j.answer.reference_ptx, j.answer.reference_entry, "", ""};
  const auto kernel = with_code(*j.state.reference.kernel, j.state.challenge, code, code.ptx, true);
  if (!kernel) return kernel.error();
  Runnable runnable = j.state.reference;
  runnable.kernel = *kernel;
  runnable.numba = true;
  return run_at_goal(j, runnable, 0);
}

Result<RunResult> run_start(Judging& j) {
  const ChallengeFile* starter = j.state.challenge.starter(".cu");
  const Submission code{starter->name, j.state.folder.files.at(starter->name), "", "", "", ""};
  const Result<Compilation> made = compile_for(j.state.device, code.source, code.name, j.options.stop);
  if (!made) return made.error();
  const auto kernel = with_code(*j.state.reference.kernel, j.state.challenge, code, made->ptx, false);
  if (!kernel) return kernel.error();
  Runnable runnable = j.state.reference;
  runnable.kernel = *kernel;
  return run_at_goal(j, runnable, 0);
}

void add_reference(Judging& j, Facts& facts) {
  const Challenge& challenge = j.state.challenge;
  if (goals_use(challenge, "reference.")) {
    const Result<RunResult> reference = run_reference(j);
    add_goal_facts(facts, "reference.", reference);
    if (reference) j.judged.reference = reference->counters;
  }
  if (goals_use(challenge, "start.")) add_goal_facts(facts, "start.", run_start(j));
}

bool names_resources(const Challenge& challenge) {
  for (const auto* conditions : {&challenge.goal, &challenge.two, &challenge.three})
    for (const char* group : {"occupancy.", "resources.", "limit.", "limiter.", "sm."})
      if (names_any(*conditions, group)) return true;
  return false;
}

bool conditions_hold(Judging& j, const std::vector<Condition>& conditions, uint32_t stars,
                     const Facts& facts) {
  bool all = true;
  for (const Condition& condition : conditions) {
    const Result<bool> held = holds(condition.expression.text, facts);
    j.judged.goals.push_back({stars, condition.expression.text, filled_in(condition.otherwise.text, facts),
                              held && *held, goal_words(condition, facts),
                              goal_sides(condition.expression.text, facts)});
    all = all && held && *held;
  }
  return all;
}

}  // namespace

bool goals_use(const Challenge& challenge, std::string_view word) {
  return names_any(challenge.two, word) || names_any(challenge.three, word) ||
         names_any(challenge.goal, word);
}

Challenge worded(const Judging& j) {
  if (j.options.language.empty() || j.options.language == j.state.challenge.language)
    return j.state.challenge;
  return load_challenge(j.state.folder, j.options.language).challenge;
}

void judge_goals(Judging& j, const Challenge& challenge, const Facts& facts) {
  if (!conditions_hold(j, challenge.goal, 1, facts)) {
    const GoalResult& missed = *std::ranges::find(j.judged.goals, false, &GoalResult::holds);
    j.at = {challenge.stars_at, j.chosen.order, j.options.seed * 1000};
    fail(j, Reason::goal,
         missed.otherwise.empty() ? fmt::format("The goal is not reached: {}.", missed.words)
                                  : missed.otherwise);
    return;
  }
  const bool two = conditions_hold(j, challenge.two, 2, facts);
  const bool three = conditions_hold(j, challenge.three, 3, facts);
  j.judged.stars = two ? (three ? 3 : 2) : 1;
}

void count_stars(Judging& j) {
  const Challenge challenge = worded(j);
  if (challenge.goal.empty() && challenge.two.empty() && challenge.three.empty()) {
    j.judged.stars = 3;
    return;
  }
  const Result<RunResult> ran = run_at_goal(j, j.kernel, j.chosen.order);
  if (!ran) {
    fail(j, ran.error());
    return;
  }
  if (ran->status == RunStatus::ok && !ran->occupancy && names_resources(challenge)) {
    fail(j, Reason::no_compiler,
         "The goals need the registers of a thread, and NVIDIA's assembler (ptxas), which knows them, is not "
         "on this machine. Run warplens fetch to bring it, or point WARPLENS_PTXAS at it.");
    return;
  }
  Facts facts;
  KernelSetup setup = default_setup(*j.kernel.kernel);
  for (const auto& [name, value] : challenge.stars_at.values) setup.values[name] = value;
  if (challenge.stars_at.block) setup.block = *challenge.stars_at.block;
  add_numbers(facts, *j.kernel.kernel, setup);
  add_goal_facts(facts, "", ran);
  facts.set("right", challenge.expects_wrong ? 0 : 1);
  facts.set("order", j.chosen.order);
  facts.set("device.sms", j.kernel.device.sms);
  add_arrays(facts, std::make_shared<const RunResult>(*ran));
  j.judged.counters = ran->counters;
  add_reference(j, facts);
  judge_goals(j, challenge, facts);
}

}  // namespace warplens::lesson
