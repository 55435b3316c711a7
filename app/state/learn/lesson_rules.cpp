// What a step of a lesson lets the student change, and what it hides.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "app/state/actions.h"
#include "app/state/learn/lesson_facts.h"
#include "app/state/open/file_kinds.h"
#include "app/state/parts/problems.h"
#include "app/state/reducers/learn.h"

namespace warplens {
namespace {

using lesson::belongs_to;
using lesson::Change;

std::span<const std::string> hidden_names(const AppState& state) {
  return state.lesson.is_open() ? lesson::hidden_now(state.lesson.player) : std::span<const std::string>();
}

constexpr std::string_view hidden_by_predictions[] = {"launch", "occupancy", "counters", "time", "sm"};

bool outside(double value, const Change& change) {
  return change.range && (value < change.range->first || value > change.range->second);
}

std::string fixed(std::string_view what) { return fmt::format("This step keeps {} as it is.", what); }

std::string range_words(const Change& change) {
  return fmt::format("{:g} to {:g}", change.range->first, change.range->second);
}

std::string why_not_number(const AppState& state, std::string_view name, std::string_view words,
                           double value) {
  const Change* change = allowed_change(state, name);
  if (change == nullptr) return fixed(words);
  if (outside(value, *change))
    return fmt::format("This step lets you choose {} from {}.", words, range_words(*change));
  return "";
}

std::string why_not_extent(const AppState& state, std::string_view name, Dim3 extent) {
  const std::string words = "the " + std::string(name);
  const Change* change = allowed_change(state, name);
  if (change == nullptr) return fixed(words);
  for (const uint32_t axis : {extent.x, extent.y, extent.z})
    if (axis != 1 && outside(axis, *change))
      return fmt::format("This step lets you choose {} from {}.", words, range_words(*change));
  return "";
}

std::string why_not_fix(const AppState& state, const Fix& fix) {
  if (!fix.kernel.empty() && !allowed_change(state, "kernel")) return fixed("the kernel");
  if (fix.block)
    if (auto why = why_not_extent(state, "block", *fix.block); !why.empty()) return why;
  if (fix.grid)
    if (auto why = why_not_extent(state, "grid", *fix.grid); !why.empty()) return why;
  if (fix.fit_grid && !allowed_change(state, "grid")) return fixed("the grid");
  if (fix.shared_bytes && !allowed_change(state, "shared")) return fixed("the shared memory");
  return "";
}

// The lines before and after those that may be edited must not change.
std::string why_not_text(const AppState& state, const std::string& text) {
  const Change* change = allowed_change(state, "code");
  if (change == nullptr) return fixed("the code");
  if (!change->range) return "";
  const auto lines_of_text = [](std::string_view all) {
    std::vector<std::string_view> lines;
    for (size_t at = 0; at <= all.size();) {
      const size_t end = std::min(all.find('\n', at), all.size());
      lines.push_back(all.substr(at, end - at));
      at = end + 1;
    }
    return lines;
  };
  const auto before = lines_of_text(state.lesson.own_text), now = lines_of_text(text);
  const auto first = static_cast<size_t>(change->range->first),
             last = static_cast<size_t>(change->range->second);
  const size_t head = std::min(first - 1, before.size());
  const size_t tail = before.size() - std::min(last, before.size());
  const bool same =
      now.size() >= head + tail &&
      std::equal(before.begin(), before.begin() + std::ptrdiff_t(head), now.begin()) &&
      std::equal(before.end() - std::ptrdiff_t(tail), before.end(), now.end() - std::ptrdiff_t(tail));
  if (same) return "";
  return first == last ? fmt::format("This step lets you edit line {} only.", first)
                       : fmt::format("This step lets you edit the lines {} to {}.", first, last);
}

std::string why_not_setup(const AppState& state, const Action& action) {
  const auto needs = [&](const char* name, const char* words) {
    return allowed_change(state, name) ? std::string() : fixed(words);
  };
  if (const auto* set = as<SetBlock>(action)) return why_not_extent(state, "block", set->block);
  if (const auto* set = as<SetGrid>(action)) return why_not_extent(state, "grid", set->grid);
  if (as<SetFitGrid>(action)) return needs("grid", "the grid");
  if (const auto* set = as<SetValue>(action)) return why_not_number(state, set->name, set->name, set->value);
  if (const auto* set = as<SetSharedBytes>(action))
    return why_not_number(state, "shared", "the shared memory", set->bytes);
  if (const auto* set = as<SetSeed>(action))
    return why_not_number(state, "seed", "the seed", double(set->seed));
  if (const auto* set = as<SetOrder>(action))
    return why_not_number(state, "order", "the order", double(set->order));
  if (as<ChooseKernel>(action) || as<OpenLaunch>(action)) return needs("kernel", "the kernel");
  if (as<ChooseDevice>(action)) return needs("device", "the device");
  if (as<ChoosePicture>(action) || as<OpenPicture>(action)) return needs("image", "the picture");
  if (const auto* fix = as<ApplyFix>(action)) return why_not_fix(state, fix->fix);
  return "";
}

// Before a prediction is given, a run would show what is asked for, unless another program is revealed then.
std::string why_not_program(const AppState& state, const Action& action) {
  if (const auto* edit = as<EditProgramText>(action))
    return edit->text != state.program.source.text ? why_not_text(state, edit->text) : "";
  const auto* save = as<SaveProgram>(action);
  const bool runs = as<RunProgram>(action) || as<RunInOtherOrder>(action) || (save && save->run);
  const bool reveals = current_step(state)->has_reveal && current_step(state)->reveal.program;
  if (runs && !reveals && outcome_is_hidden(state)) return "Guess first: the run would tell you.";
  return "";
}

std::string why_not_code(const AppState& state, const Action& action) {
  if (state.program.run.given)
    if (std::string why = why_not_program(state, action); !why.empty()) return why;
  if (const auto* edit = as<EditSource>(action))
    return state.code.own && edit->text != state.code.text ? why_not_text(state, edit->text) : "";
  if (as<EditCopy>(action) || as<ChooseEntry>(action))
    return allowed_change(state, "code") ? "" : fixed("the code");
  if (const auto* open = as<OpenFile>(action);
      open && !open->path.empty() && kind_of_file(open->path) == FileKind::picture)
    return allowed_change(state, "image") ? "" : fixed("the picture");
  const auto* file = as<OpenFile>(action);
  if (file != nullptr && kind_of_file(file->path) == FileKind::link) return "";  // which leaves the lesson
  if (file != nullptr || as<RestoreRun>(action) || as<SetLive>(action))
    return "Close the lesson first: it keeps what runs as it is.";
  return "";
}

}  // namespace

const Change* allowed_change(const AppState& state, std::string_view name) {
  return state.lesson.is_open() ? lesson::may_change(state.lesson.player, name) : nullptr;
}

std::string why_not_allowed(const AppState& state, const Action& action) {
  if (std::string why = why_not_for_students(state, action); !why.empty()) return why;
  if (!state.lesson.is_open() || (state.author.on && state.author.has_file())) return "";
  const std::string why = why_not_setup(state, action);
  return why.empty() ? why_not_code(state, action) : why;
}

bool is_hidden(const AppState& state, std::string_view name) {
  const auto hides = [&](std::string_view hidden) { return belongs_to(name, hidden); };
  if (std::ranges::any_of(hidden_names(state), hides)) return true;
  return state.predict.phase == PredictPhase::asking && std::ranges::any_of(hidden_by_predictions, hides);
}

bool any_hidden(const AppState& state, std::string_view group) {
  const auto of_group = [&](std::string_view hidden) {
    return belongs_to(hidden, group) || belongs_to(group, hidden);
  };
  if (std::ranges::any_of(hidden_names(state), of_group)) return true;
  return state.predict.phase == PredictPhase::asking && std::ranges::any_of(hidden_by_predictions, of_group);
}

bool outcome_is_hidden(const AppState& state) {
  return state.lesson.is_open() && lesson::outcome_is_hidden(state.lesson.player);
}

void quieten(const AppState& state, std::vector<Problem>& problems) {
  const lesson::LessonStep* step = current_step(state);
  if (step == nullptr) return;
  if (outcome_is_hidden(state)) {
    std::erase_if(problems, [](const Problem& problem) { return problem.notice == 0; });
    Problem hidden;
    hidden.level = ProblemLevel::note;
    hidden.id = "hidden";
    hidden.title = "Hidden until you have answered";
    hidden.message = "What is wrong with this run, if anything, would give the answer away.";
    problems.insert(problems.begin(), hidden);
  }
  static const std::vector<std::string> by_default = {"quiet"};
  const std::vector<std::string>& wanted = step->show.warnings ? *step->show.warnings : by_default;
  const auto has = [&](const std::string& name) { return std::ranges::find(wanted, name) != wanted.end(); };
  if (has("all")) return;
  std::erase_if(problems, [&](const Problem& problem) {
    const bool of_speed =
        problem.level == ProblemLevel::warning || (problem.level == ProblemLevel::note && problem.quiet);
    return problem.notice == 0 && of_speed && !has(problem.id);
  });
}

}  // namespace warplens
