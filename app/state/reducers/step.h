// The effect of the actions on a block, step by step. update() (app/state/update.h) calls them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// step.cpp: one block, step by step.
void apply(AppState& state, const OpenStep& action);
void apply(AppState& state, const StepThread& action);
void apply(AppState& state, const StepDifference& action);
void apply(AppState& state, const ChooseStep& action);
void apply(StepState& step, const SetBreakpoint& action);
void apply(StepState& step, const OpenPart& action);
void apply(StepState& step, const ChooseFrame& action);
void apply(StepState& step, const ChooseCell& action);
void apply(StepState& step, const StepBy& action);
void apply(StepState& step, const StepPlay& action);
void apply(StepState& step, const ShowLane& action);
void apply(StepState& step, const StepShown& action);
void apply(StepState& step, const StepFailed& action);

}  // namespace warplens::detail
