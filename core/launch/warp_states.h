// What a resident warp does in a cycle, by the names of Nsight Compute's Warp State Statistics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/provenance.h"

namespace warplens {

enum class WarpState : uint8_t {
  selected,      // issues an instruction
  not_selected,  // could issue one, but its scheduler takes another warp
  wait,          // until the result of an instruction with a fixed latency is there
  long_scoreboard,
  short_scoreboard,
  math_pipe_throttle,
  mio_throttle,
  lg_throttle,
  barrier,
  drain,  // has ended, and its stores are still on their way
  branch_resolving,
};
constexpr size_t warp_states = 11;

struct WarpStateText {
  const char* name;     // "long_scoreboard": as in the profiler's metrics
  const char* title;    // "Stall Long Scoreboard": as on its page
  const char* meaning;  // "waits for memory"
};
const WarpStateText& text_of(WarpState state);

// Cycles of warps, or shares of them, by state.
template <class T>
struct ByState {
  std::array<T, warp_states> of{};
  T& operator[](WarpState state) { return of[static_cast<size_t>(state)]; }
  const T& operator[](WarpState state) const { return of[static_cast<size_t>(state)]; }
};

// What the model of an SM says of a launch (core/gpu/timing/sm). Of a scheduler, on average over the cycles
// in which it has a warp.
struct SmStates {
  static constexpr Provenance source = Provenance::modelled;
  uint64_t blocks = 0, of_blocks = 0;  // of the SM with the most blocks: those that were modelled, and all
  uint64_t instructions = 0;           // machine instructions that the modelled blocks issued, as taken to be
  double cycles = 0;                   // of the SM for all its blocks
  double issue_slots = 0;              // share of the cycles in which an instruction issues
  double active_warps = 0, eligible_warps = 0;
  ByState<double> cycles_an_instruction;  // of all warps, by state, over the instructions issued
  bool checked = false;                   // the model was compared with the profiler on this device
  struct Line {
    std::string file;
    uint32_t line = 0;
    ByState<uint64_t> cycles;  // of the modelled warps that wait to issue an instruction of this line
  };
  std::vector<Line> lines;
};
// The state, except selected and not selected, in which warps are longest.
WarpState largest_stall(const SmStates& states);

// What warps do before and while they issue the instructions of a line.
struct LineStates {
  double share = 0;  // of all cycles of warps
  WarpState longest = WarpState::selected;
};
// Empty if no instruction of the line was issued.
std::optional<LineStates> states_at(const SmStates& states, std::string_view file, uint32_t line);

}  // namespace warplens
