#include "app/state/code/offered_code.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/state/state.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/lesson/play/stage.h"
#include "core/system/server.h"

namespace warplens {

namespace {

std::string lines_of_edits(const std::map<uint32_t, std::string>& edits) {
  std::string lines;
  for (const auto& [number, text] : edits)
    lines += fmt::format("{}{}: {}", lines.empty() ? "" : "\n", number, text);
  return lines;
}

std::vector<OfferedCode> of_step(const AppState& state) {
  std::vector<OfferedCode> offered;
  const lesson::LessonStep& step = *current_step(state);
  for (const lesson::Moves* moves : {&step.solution, &step.wrong}) {
    const auto& edits = moves->changes.edits;
    if (!edits.empty())
      offered.push_back({lines_of_edits(edits), lesson::with_edits(state.lesson.own_text, edits)});
  }
  return offered;
}

std::vector<OfferedCode> of_challenge(const AppState& state) {
  std::vector<OfferedCode> offered;
  for (const lesson::ChallengeFile& file : state.challenge.open->challenge.files) {
    const auto text = state.challenge.open->folder.files.find(file.name);
    const bool code =
        file.name.ends_with(".cu") && !file.starter && text != state.challenge.open->folder.files.end();
    if (code) offered.push_back({"", state.challenge.open->challenge.as_own_kernel(text->second)});
  }
  return offered;
}

}  // namespace

bool lacks_compiler(const AppState& state) { return state.frame.in_a_page && !has_server(); }

bool is_not_typed(const AppState& state) {
  return lacks_compiler(state) && state.code.own && !lower_case(state.code.name).ends_with(".ptx");
}

std::vector<OfferedCode> offered_code(const AppState& state) {
  if (!is_not_typed(state)) return {};
  const bool in_lesson = state.lesson.is_open() && allowed_change(state, "code") != nullptr;
  if (!in_lesson && !state.challenge.is_open()) return {};
  std::vector<OfferedCode> offered = in_lesson ? of_step(state) : of_challenge(state);
  std::ranges::sort(offered, {}, [](const OfferedCode& one) { return hash_of(one.text); });
  for (size_t i = 0; i < offered.size(); ++i) {
    if (offered[i].label.empty()) offered[i].label = fmt::format("Version {}", char('A' + i % 26));
    offered[i].chosen = offered[i].text == state.code.text;
  }
  return offered;
}

}  // namespace warplens
