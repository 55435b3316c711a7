// The state as a session, and back.
#pragma once

#include "app/state/state.h"
#include "core/files/session_file.h"

namespace warplens {

Session session_of(const AppState& state);

constexpr size_t max_recent = 10;
// To the front of the list, each path once.
void remember_file(AppState& state, const std::string& path);

}  // namespace warplens
