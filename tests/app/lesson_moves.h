// The steps of a lesson's solution, as the actions of a student in the window.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/state/state.h"
#include "app/state/update.h"
#include "core/lesson/format/lesson.h"
#include "tests/paths.h"

namespace warplens::lesson_moves {

inline Pick pick_of(const AppState& state, const std::vector<lesson::Target>& pins) {
  using Kind = lesson::Target::Kind;
  Pick pick;
  for (const lesson::Target& target : pins) {
    if (target.kind == Kind::thread || target.kind == Kind::block) pick.block = target.block;
    if (target.kind == Kind::thread) pick.thread = target.thread;
    if (target.kind == Kind::line) pick.line = static_cast<uint32_t>(target.index);
    if (target.kind != Kind::element || !state.runs.result) continue;
    const auto& buffers = state.runs.result->request->buffers;
    for (uint32_t i = 0; i < buffers.size(); ++i)
      if (buffers[i].name == target.array) pick.element = ElementPick{i, target.index};
  }
  return pick;
}

// The text of the code, with these lines replaced.
inline std::string edited(std::string text, const std::map<uint32_t, std::string>& edits) {
  for (const auto& [line, words] : edits) {
    size_t at = 0;
    for (uint32_t i = 1; i < line; ++i) at = text.find('\n', at) + 1;
    text.replace(at, text.find('\n', at) - at, words);
  }
  return text;
}

// Everything that is set before the run: kernel, launch, picture, code. `values` are left out if fields take
// them.
inline std::vector<Action> setup_actions(const AppState& state, const lesson::Show& changes) {
  std::vector<Action> actions;
  if (changes.kernel) actions.emplace_back(ChooseKernel{*changes.kernel});
  if (changes.entry) actions.emplace_back(ChooseEntry{*changes.entry});
  if (changes.device) actions.emplace_back(ChooseDevice{*changes.device});
  if (changes.block) actions.emplace_back(SetBlock{*changes.block});
  if (changes.grid) actions.emplace_back(SetGrid{*changes.grid});
  if (changes.fit_grid) actions.emplace_back(SetFitGrid{*changes.fit_grid});
  if (changes.shared_bytes) actions.emplace_back(SetSharedBytes{*changes.shared_bytes});
  if (changes.seed) actions.emplace_back(SetSeed{*changes.seed});
  if (changes.order && !state.program.run.given) actions.emplace_back(SetOrder{*changes.order});
  if (changes.image) {
    // A picture from the lesson's folder is used in place of a student's own: a file that is dropped.
    const lesson::Folder& folder = state.lesson.open->folder;
    const bool beside = folder.files.contains(*changes.image);
    const auto lessons = test_files::source_dir() / "assets/lessons" / folder.name;
    actions.emplace_back(ChoosePicture{beside ? (lessons / *changes.image).string() : *changes.image});
  }
  if (!changes.edits.empty() && state.program.run.given) {
    actions.emplace_back(EditProgramText{edited(state.program.source.text, changes.edits)});
  } else if (!changes.edits.empty()) {
    actions.emplace_back(EditSource{edited(state.code.text, changes.edits)});
    actions.emplace_back(RunSource{});
  }
  return actions;
}

// What is selected after the run: view, pins, lane.
inline std::vector<Action> look_actions(const AppState& state, const lesson::Show& changes) {
  std::vector<Action> actions;
  if (changes.view) actions.emplace_back(ShowView{*tab_from(*changes.view)});
  if (changes.view && changes.part) actions.emplace_back(ShowPart{*tab_from(*changes.view), *changes.part});
  if (changes.pins)
    actions.emplace_back(changes.pins->empty() ? Action(Unpin{})
                                               : Action(Pin{pick_of(state, *changes.pins)}));
  if (changes.text_percent) actions.emplace_back(SetTextScale{float(*changes.text_percent) / 100});
  if (changes.lane) actions.emplace_back(ShowLane{*changes.lane});
  return actions;
}

inline StepMove move_to(const lesson::StepPlace& place) {
  using Kind = lesson::StepPlace::Kind;
  StepMove move;
  move.warp = place.warp.value_or(0);
  move.value = place.value;
  move.kind = place.kind == Kind::line         ? StepMoveKind::to_line
              : place.kind == Kind::position   ? StepMoveKind::to_position
              : place.kind == Kind::barrier    ? StepMoveKind::barrier
              : place.kind == Kind::divergence ? StepMoveKind::divergence
              : place.kind == Kind::conflict   ? StepMoveKind::conflict
                                               : StepMoveKind::to_end;
  return move;
}

}  // namespace warplens::lesson_moves
