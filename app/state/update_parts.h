// The parts of update(), one overload an action. Only update*.cpp include this.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// update_setup.cpp: what to run.
void apply(AppState& state, const ChooseKernel& action);
void apply(AppState& state, const ChooseDevice& action);
void apply(AppState& state, const GpusFound& action);
void take_wanted_device(AppState& state);
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
void apply(AppState& state, const RunRefined& action);
void apply(AppState& state, const ResourcesKnown& action);
void apply(AppState& state, const FootprintReady& action);
// The footprint of the selected block is asked for, or let go.
void selection_changed(AppState& state);

// update_sweep.cpp: sweeps of the Timing view.
void apply(AppState& state, const WantSweep& action);
void apply(AppState& state, const CancelSweeps& action);
void apply(AppState& state, const SweepProgressed& action);
// update_code.cpp: own kernels.
void apply(AppState& state, const OpenFile& action);
void apply(AppState& state, const EditCopy& action);
void apply(AppState& state, const EditSource& action);
void apply(AppState& state, const RunSource& action);
void apply(AppState& state, const SaveSource& action);
void apply(AppState& state, const SaveSourceAs& action);
void apply(AppState& state, const ReloadSource& action);
void apply(AppState& state, const ChooseEntry& action);
void apply(AppState& state, const SourceCompiled& action);
void apply(AppState& state, const SourceSaved& action);
// The own kernel is compiled anew, for the device that is now chosen.
void compile_again(AppState& state);
// Makes this kernel the chosen one, with its text; null: a built-in one is.
void take_own(AppState& state, std::shared_ptr<const KernelDescription> own);

// A session's code: its file, or its text.
void open_code(AppState& state, const Session& session);

// update_live.cpp: live mode of the Image view.
void apply(AppState& state, const SetLive& action);
void apply(AppState& state, const PlayLive& action);
void apply(AppState& state, const LiveReported& action);
void apply(AppState& state, const LiveFailed& action);

// session_state.cpp
void apply(AppState& state, const SaveSession& action);
void apply(AppState& state, const SaveSessionAs& action);
void apply(AppState& state, const SessionLoaded& action);
// Takes over the rest of the session whose kernel is now there.
void finish_session(AppState& state);

// update_setup.cpp
void choose_built_in(AppState& state, const KernelDescription& kernel);
void keep_for_undo(AppState& state, bool dragging);

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
void apply(AppState& state, const ShowManual& action);
void apply(AppState& state, const ShowTour& action);
void apply(AppState& state, const Present& action);
void apply(AppState& state, const Blank& action);
void apply(AppState& state, const SetTheme& action);
void apply(AppState& state, const SetTextScale& action);
void apply(AppState& state, const SetReduceMotion& action);
void apply(AppState& state, const ResetLayout& action);
void apply(AppState& state, const Quit& action);
void apply(AppState& state, const Tick& action);
void apply(AppState& state, const Notify& action);

}  // namespace warplens::detail
