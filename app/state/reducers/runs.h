// The effect of the actions on runs, sweeps and messages. update() (app/state/update.h) calls them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// notices.cpp: messages of the program itself.
void forget_notices(ProblemsState& problems, NoticeKind kind);
void outdate_notices(AppState& state, const Action& action);
// For a lesson or challenge that was opened: what the window cannot draw of it, as a warning.
void warn_of_undrawn(AppState& state, const lesson::Folder& folder, std::string_view language);
void apply(ProblemsState& problems, const DismissNotice& action);
void apply(ProblemsState& problems, const Notify& action);

// runs.cpp: runs and their history.
void apply(AppState& state, const CancelRun& action);
// Judges a file instead of the code in the window, as it is on disk now.
void judge_file(AppState& state, const std::string& path);
// False if nothing was judged.
bool cancel_judging(AppState& state);
void apply(RunsState& runs, const RunStarted& action);
void apply(RunsState& runs, const RunProgressed& action);
void apply(AppState& state, const RunFinished& action);
void apply(AppState& state, const RunRefined& action);
void apply(RunsState& runs, const PinBaseline& action);

// sweeps.cpp: sweeps of the Timing view.
void apply(AppState& state, const WantSweep& action);
void apply(AppState& state, const CancelSweeps& action);
void apply(SweepStates& sweeps, const SweepProgressed& action);

}  // namespace warplens::detail
