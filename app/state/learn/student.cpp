// What a window for students leaves out (warplens --student): other kernels, other programs, answers.
#include "app/state/actions.h"
#include "app/state/open/file_kinds.h"
#include "app/state/parts/lesson.h"
#include "app/state/state.h"

namespace warplens {
namespace {

constexpr const char* only_learning =
    "This window is for lessons and challenges: the menu Learn lists them. Your teacher's number opens the "
    "rest: Learn, then Unlock the answers.";

// A picture for a lesson that takes one, the folder of a lesson or challenge, and an answer in Python, which
// is judged.
bool is_for_learning(const AppState& state, const std::string& path) {
  if (path.empty()) return false;
  if (state.challenge.is_open() && has_ending_of(FileKind::program, path)) return true;
  const FileKind kind = kind_of_file(path);
  return kind == FileKind::lesson || kind == FileKind::picture;
}

// Actions that would show a kernel other than that of the lesson or challenge.
bool leads_elsewhere(const AppState& state, const Action& action) {
  if (const auto* open = as<OpenFile>(action)) return !is_for_learning(state, open->path);
  if (as<OpenLink>(action)) return true;
  if (const auto* fix = as<ApplyFix>(action); fix != nullptr && !fix->fix.kernel.empty())
    return !state.lesson.is_open();
  if (as<ChooseKernel>(action) || as<OpenLaunch>(action) || as<EditCopy>(action))
    return !state.lesson.is_open();
  return false;
}

// The last hint of a challenge is the answer: what differs between the starter and a right file.
bool shows_the_answer(const AppState& state, const Action& action) {
  if (as<ShowHint>(action) == nullptr || !state.challenge.is_open()) return false;
  const auto& hints = state.challenge.open->challenge.hints;
  const size_t next = state.challenge.hints;
  return next < hints.size() && hints[next].text.find("```diff") != std::string::npos;
}

}  // namespace

std::string why_not_for_students(const AppState& state, const Action& action) {
  if (state.frame.student && leads_elsewhere(state, action)) return only_learning;
  if (state.frame.preferences.answer_lock == 0) return "";
  const auto* notes = as<ShowNotes>(action);
  if (as<RevealStep>(action) || (notes != nullptr && notes->on) || shows_the_answer(state, action))
    return "The answers are locked. In the menu: Learn, then Unlock the answers.";
  return "";
}

}  // namespace warplens
