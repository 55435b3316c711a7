// The parts of update(), one overload an action. Only update*.cpp include this.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// update_setup.cpp: what to run.
void apply(AppState& state, const ChooseKernel& action);
void apply(AppState& state, const ChooseDevice& action);
void apply(AppState& state, const SetBlock& action);
void apply(AppState& state, const SetGrid& action);
void apply(AppState& state, const SetFitGrid& action);
void apply(AppState& state, const SetValue& action);
void apply(AppState& state, const SetSharedBytes& action);
void apply(AppState& state, const SetSeed& action);
void apply(AppState& state, const EndGesture& action);
void apply(AppState& state, const ApplyFix& action);
void apply(AppState& state, const Undo& action);
void apply(AppState& state, const Redo& action);
void apply(AppState& state, const RestoreRun& action);
void apply(AppState& state, const RunAgain& action);
void apply(AppState& state, const CompareWith& action);
void apply(AppState& state, const PictureLoaded& action);
// After a change of what is run: outlook anew, a new run asked for.
void setup_changed(AppState& state, std::string why);
void refresh_outlook(AppState& state);

// update_run.cpp: news of the worker.
void apply(AppState& state, const CancelRun& action);
void apply(AppState& state, const RunStarted& action);
void apply(AppState& state, const RunProgressed& action);
void apply(AppState& state, const RunFinished& action);
void apply(AppState& state, const ResourcesKnown& action);
void apply(AppState& state, const FootprintReady& action);
// The footprint of the selected block is asked for, or let go.
void selection_changed(AppState& state);

// update_sweep.cpp: sweeps of the Timing view.
void apply(AppState& state, const WantSweep& action);
void apply(AppState& state, const CancelSweeps& action);
void apply(AppState& state, const SweepProgressed& action);

// update.cpp: what is looked at, and wishes.
void apply(AppState& state, const OpenPicture& action);
void apply(AppState& state, const ChoosePicture& action);
void apply(AppState& state, const SaveResult& action);
void apply(AppState& state, const SaveResultAs& action);
void apply(AppState& state, const Hover& action);
void apply(AppState& state, const Pin& action);
void apply(AppState& state, const Unpin& action);
void apply(AppState& state, const ShowView& action);
void apply(AppState& state, const SelectProblem& action);
void apply(AppState& state, const DismissNotice& action);
void apply(AppState& state, const ShowDialog& action);
void apply(AppState& state, const SetTheme& action);
void apply(AppState& state, const SetTextScale& action);
void apply(AppState& state, const SetReduceMotion& action);
void apply(AppState& state, const ResetLayout& action);
void apply(AppState& state, const Quit& action);
void apply(AppState& state, const Tick& action);
void apply(AppState& state, const Notify& action);

}  // namespace warplens::detail
