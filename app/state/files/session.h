// Converts the state to a session and back.
#pragma once

#include "app/state/state.h"
#include "core/job/files/session_file.h"

namespace warplens {

Session session_of(const AppState& state);

}  // namespace warplens
