// The call stack of the lanes of a warp, as plain data for pictures and texts. Inlined functions are frames
// as well.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/stepping/variable_view.h"

namespace warplens::stepping {

struct FrameView {
  std::string function;   // its name in the source, or in the PTX if that is not known
  CodePlace at;           // the next instruction, or the call; its line is the one in this function
  uint32_t level = 0;     // number of calls above it that were not inlined: 0 for the kernel
  bool innermost = true;  // otherwise it waits for a function that it called
  bool inlined = false;
  uint32_t body = UINT32_MAX;  // its outermost scope in the program's table; none without debug information
  bool operator==(const FrameView&) const = default;
};

// Lanes that have the same frames, innermost first.
struct StackView {
  uint32_t lanes = 0;
  std::vector<FrameView> frames;
};

// Each lane that has not exited is in exactly one of them.
std::vector<StackView> view_stacks(const Engine& engine, uint32_t warp);
// The variables in scope in a frame, outermost scope first, for all lanes in it. For a caller, as they are at
// the call. Empty if the program does not say where its variables are.
std::vector<VariableView> frame_variables(const Engine& engine, uint32_t warp, const FrameView& frame);

// Private to core/gpu/stepping: the place of a lane, that is, its next instruction or the one at which it
// waits.
struct LanePlace {
  uint32_t instruction = UINT32_MAX;  // UINT32_MAX if it has exited
  int32_t join = -1;                  // the innermost one
};
std::array<LanePlace, warp_lanes> lane_places(const Engine& engine, uint32_t warp);

}  // namespace warplens::stepping
