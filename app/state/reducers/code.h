// The effect of the actions on the user's own kernels. update() (app/state/update.h) calls them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// code.cpp: own kernels.
void open_kernel(AppState& state, const std::string& path);
void apply(AppState& state, const EditCopy& action);
void apply(AppState& state, const EditSource& action);
void apply(AppState& state, const RunSource& action);
void apply(AppState& state, const SaveSource& action);
void apply(AppState& state, const SaveSourceAs& action);
void apply(AppState& state, const ReloadSource& action);
void apply(AppState& state, const ChooseEntry& action);
void apply(AppState& state, const SourceCompiled& action);
void apply(AppState& state, const SourceSaved& action);
// Compiles the own kernel again, for the device that is now chosen.
void compile_again(AppState& state);
// Chooses this own kernel with its text. Null means that a built-in kernel is chosen.
void take_own(AppState& state, std::shared_ptr<const KernelDescription> own);
// A session's code: its file, or its text. `given`: what a challenge gave, if the text is that.
void open_code(AppState& state, const Session& session, const std::string& given = {});

}  // namespace warplens::detail
