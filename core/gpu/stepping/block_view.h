// The state of a stepped block between two instructions, as plain data for pictures and texts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/exec/state/warp_state.h"
#include "core/gpu/stepping/program/program_table.h"
#include "core/gpu/stepping/stops/lane_bits.h"

namespace warplens::stepping {

class Engine;

enum class Wait : uint8_t {
  none,     // it can run
  meeting,  // for lanes on their way to the point where the paths reconverge
  lanes,    // for other lanes of the warp that its instruction needs (shfl.sync …)
  barrier   // at a barrier of the block
};

struct CallView {
  CodePlace call;             // where the function was called
  std::string_view function;  // the function that was called
};

// A place where diverged lanes reconverge.
struct MeetingView {
  CodePlace at;
  uint32_t lanes = 0;  // all lanes that have arrived or will arrive
};

// Lanes of a warp that are at the same place.
struct PathView {
  uint32_t lanes = 0;
  CodePlace at;  // the instruction that runs next, or at which it waits
  Wait wait = Wait::none;
  uint32_t waits_for = 0;             // the lanes, for Wait::meeting and Wait::lanes
  uint32_t barrier = 0;               // the number, for Wait::barrier
  bool runs_next = false;             // if the warp has its turn
  std::optional<CodePlace> meets;     // where it reconverges with other lanes; empty if only at its end
  uint32_t meets_with = 0;            // these other lanes
  std::vector<MeetingView> meetings;  // all of them, the nearest first
  std::vector<CallView> calls;        // innermost first
};

struct WarpView {
  uint32_t warp = 0;
  exec::WarpState state = exec::WarpState::ready;
  uint32_t live = 0;            // lanes that have not exited
  uint32_t active = 0;          // of the path that runs next
  std::vector<PathView> paths;  // paths that can run come last; the last one runs next
};

struct RegisterView {
  std::string name;      // "%r7", "%v3.x"
  ptx::Modifier type{};  // as the program uses it
  uint32_t set = 0;      // lanes in which it was written; other lanes have no meaningful value
  bool predicate = false;
  std::array<LaneBits, warp_lanes> bits{};
};

// Warps that wait at a barrier of the block.
struct BarrierView {
  uint32_t number = 0;
  uint32_t arrived = 0, wanted = 0;  // threads
  std::vector<uint32_t> warps;       // waiting warps; others may have arrived without waiting
  std::vector<uint32_t> missing;     // warps that have neither arrived nor finished
};

WarpView view_warp(const Engine& engine, uint32_t warp);
// The registers of a function, by its index in Program::functions. The warp need not be in it.
std::vector<RegisterView> view_registers(const Engine& engine, uint32_t warp, uint32_t function);
// Appends all components of a register, by its number in the table.
void view_register(const Engine& engine, uint32_t warp, uint32_t number, std::vector<RegisterView>& views);
std::vector<BarrierView> view_barriers(const Engine& engine);

// The value as text, by its type: "7", "-2.5", "true", "0x7f…".
std::string text_of(ptx::Modifier type, LaneBits bits);

}  // namespace warplens::stepping
