// The effect of the actions on files, links and sessions, and other requests to the world outside. update()
// (app/state/update.h) calls them.
#pragma once

#include "app/state/update.h"

namespace warplens::detail {

// files.cpp: files, and other requests to the world outside.
void apply(Effects& effects, const OpenFolder& action);
void apply(Effects& effects, const ShowInFolder& action);
void apply(Effects& effects, const OpenPicture& action);
void apply(AppState& state, const TakeSamples& action);
void apply(Effects& effects, const ChoosePicture& action);
void apply(AppState& state, const SaveViews& action);
void apply(Effects& effects, const SaveViewsAs& action);
void apply(AppState& state, const SaveResult& action);
void apply(Effects& effects, const SaveResultAs& action);
void apply(AppState& state, const SaveSession& action);
void apply(Effects& effects, const SaveSessionAs& action);
void apply(Effects& effects, const ResetLayout& action);
void apply(Effects& effects, const Quit& action);
void apply(AppState& state, const OpenFile& action);
// "blur.py" of "/home/me/blur.py".
std::string name_of(const std::string& path);

// link.cpp: what is shown as a link.
void apply(AppState& state, const CopyLink& action);
void apply(AppState& state, const OpenLink& action);
void apply(AppState& state, const TakeLink& action);

// drafts.cpp
void apply(AppState& state, const OfferPlace& action);
void apply(AppState& state, const Continue& action);

// session.cpp
void apply(AppState& state, const SessionLoaded& action);
// Pins what the session has pinned.
void take_pins(AppState& state, const Session& session);
// The run A of a session is there: its own launch follows.
void go_on_with_session(AppState& state);
// Applies the rest of a session after its kernel is compiled.
void finish_session(AppState& state);

}  // namespace warplens::detail
