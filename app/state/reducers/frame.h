// The effect of the actions on what the window shows. update() (app/state/update.h) calls them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// frame.cpp: what the window shows.
void apply(AppState& state, const StartWindow& action);
void apply(AppState& state, const ShowView& action);
void apply(FrameState& frame, const ShowPart& action);
void apply(FrameState& frame, const ShowDialog& action);
void apply(FrameState& frame, const ShowManual& action);
void apply(FrameState& frame, const ShowWelcome& action);
void apply(FrameState& frame, const ShowBottom& action);
void apply(FrameState& frame, const RestartTimer& action);
void apply(FrameState& frame, const Present& action);
void apply(FrameState& frame, const Blank& action);
void apply(FrameState& frame, const SetTheme& action);
void apply(AppState& state, const SetLanguage& action);
void apply(FrameState& frame, const SetTextScale& action);
void apply(FrameState& frame, const SetReduceMotion& action);
void apply(FrameState& frame, const SetSpotlight& action);
void apply(AppState& state, const LockAnswers& action);
void apply(AppState& state, const SetLooking& action);
void apply(AppState& state, const CompileAgain& action);
void apply(FrameState& frame, const SetCompiler& action);
void apply(FrameState& frame, const Tick& action);

}  // namespace warplens::detail
