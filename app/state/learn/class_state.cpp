#include "app/state/parts/class_state.h"

#include <filesystem>

#include "app/state/reducers/learn.h"

namespace warplens::detail {

void apply(AppState& state, const OpenClass& action) {
  if (action.folder.empty()) {
    state.effects.add(effect::AskFile{Dialog::open_class});
    return;
  }
  ClassState& of = state.classroom;
  if (of.folder != action.folder) of = {};
  of.folder = action.folder;
  of.names = action.names;
  of.working = true;
  of.error.clear();
  state.frame.dialog = Dialog::class_table;
  state.effects.add(effect::ReadClass{action.folder, action.names, action.judge});
}

void apply(AppState& state, const ClassOpened& action) {
  ClassState& of = state.classroom;
  if (of.folder != action.folder) return;  // another one was opened since
  of.working = false;
  of.error = action.error;
  of.judged = action.judged;
  if (action.report) of.report = action.report;
}

void apply(AppState& state, const SaveClassPage& action) {
  if (action.path.empty())
    state.effects.add(effect::AskFile{Dialog::save_class_page});
  else if (state.classroom.report)
    state.effects.add(effect::SaveClassPage{action.path, state.classroom.report});
}

}  // namespace warplens::detail
