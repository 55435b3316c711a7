// The effect of the actions on what to run, and undo. update() (app/state/update.h) calls them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// setup.cpp: what to run.
void apply(AppState& state, const ChooseKernel& action);
void apply(AppState& state, const ChooseDevice& action);
void apply(SetupState& setup, const GpusFound& action);
void apply(AppState& state, const SetBlock& action);
void apply(AppState& state, const SetGrid& action);
void apply(AppState& state, const SetFitGrid& action);
void apply(AppState& state, const SetValue& action);
void apply(AppState& state, const SetSharedBytes& action);
void apply(AppState& state, const SetSeed& action);
void apply(AppState& state, const SetOrder& action);
void apply(AppState& state, const ApplyFix& action);
void apply(AppState& state, const RunAgain& action);
void apply(AppState& state, const PictureLoaded& action);
void apply(AppState& state, const ResourcesKnown& action);
void take_wanted_device(AppState& state);
// Call it after a change of the setup: it updates the outlook and requests a new run.
void setup_changed(AppState& state, std::string why);
void refresh_outlook(AppState& state);
void choose_built_in(AppState& state, const KernelDescription& kernel);

// undo.cpp: back and forth.
void apply(UndoState& undo, const EndGesture& action);
void apply(AppState& state, const Undo& action);
void apply(AppState& state, const Redo& action);
void apply(AppState& state, const RestoreRun& action);
void keep_for_undo(AppState& state, bool dragging);

}  // namespace warplens::detail
