// What a stepped block looks like between two instructions: plain data, for pictures and texts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/step/engine.h"

namespace warplens::stepping {

enum class Wait : uint8_t {
  none,     // it can run
  meeting,  // for lanes that are on their way to where the paths meet again
  lanes,    // at an instruction that needs other lanes of the warp (shfl.sync …)
  barrier   // of the block
};

struct CallView {
  CodePlace call;             // where the function was called
  std::string_view function;  // that was called
};

// Lanes of a warp that are at one place together.
struct PathView {
  uint32_t lanes = 0;
  CodePlace at;  // what runs next, or where it waits
  Wait wait = Wait::none;
  uint32_t waits_for = 0;          // lanes: meeting, lanes
  uint32_t barrier = 0;            // number: of barrier
  bool runs_next = false;          // when the warp has its turn
  std::optional<CodePlace> meets;  // where it meets other lanes again; empty: nowhere before its end
  uint32_t meets_with = 0;         // those lanes
  std::vector<CallView> calls;     // innermost first
};

struct WarpView {
  uint32_t warp = 0;
  exec::WarpState state = exec::WarpState::ready;
  uint32_t live = 0;            // lanes that have not exited
  uint32_t active = 0;          // of the path that runs next
  std::vector<PathView> paths;  // those that can run last; the last one runs next
};

struct RegisterView {
  std::string name;      // "%r7", "%v3.x"
  ptx::Modifier type{};  // as the program uses it
  uint32_t set = 0;      // lanes in which it was written; the others hold nothing that counts
  bool predicate = false;
  std::array<LaneBits, warp_lanes> bits{};
};

// Warps that wait at a barrier of the block.
struct BarrierView {
  uint32_t number = 0;
  uint32_t arrived = 0, wanted = 0;  // threads
  std::vector<uint32_t> warps;       // that wait; others may only have said that they were there
  std::vector<uint32_t> missing;     // warps that are not there and have not finished
};

WarpView view_warp(const Engine& engine, uint32_t warp);
// Of a function of the program, whether the warp is in it or not; a number in Program::functions.
std::vector<RegisterView> view_registers(const Engine& engine, uint32_t warp, uint32_t function);
// A register by its number in the table, all its components.
void view_register(const Engine& engine, uint32_t warp, uint32_t number, std::vector<RegisterView>& views);
std::vector<BarrierView> view_barriers(const Engine& engine);

// "7", "-2.5", "true", "0x7f…" as the type reads.
std::string text_of(ptx::Modifier type, LaneBits bits);

}  // namespace warplens::stepping
