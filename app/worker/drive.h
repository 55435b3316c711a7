// Connects the state and the worker: the worker's events change the state, and what the state asks for
// becomes orders to the worker. Called once in each frame.
#pragma once

#include "app/state/actions.h"
#include "app/worker/perform.h"

namespace warplens {

struct DriveMemory {
  uint64_t submitted_run = 0, submitted_compile = 0;
  std::optional<std::pair<uint64_t, Dim3>> submitted_replay;  // run and block
  std::array<uint64_t, 2> submitted_sweeps{};                 // serials, by SweepKind
};

// Applies the queued actions and the worker's events, performs the effects that they have, then gives the
// worker the orders that the state now needs.
void drive(AppState& state, Actions& actions, Environment& environment, DriveMemory& memory);

// The picture that `Save result…` writes: the first output that is a picture. Null if there is none.
const OutputBuffer* picture_output(const RunResult& result);
// That output as an image with a copy of its pixels.
std::shared_ptr<const Image> result_picture(const RunResult& result);

}  // namespace warplens
