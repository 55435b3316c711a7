// Which registers of a warp's frame are in vector registers while a block is compiled, and which of them the
// frame does not have yet.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "core/gpu/exec/tier/assembler.h"
#include "core/program/op/op.h"

namespace warplens::exec::tier {

// 32 lanes: of 16 bits in one vector register, of 32 in two, of 64 in four.
using Lanes = std::array<x86::Zmm, 4>;
constexpr uint32_t vectors_of(uint32_t lane_bytes) { return lane_bytes / 2; }
constexpr int32_t vector_bytes = 64;

// Not given to lanes: for what is short-lived.
constexpr x86::Zmm scratch0 = x86::zmm28, scratch1 = x86::zmm29, scratch2 = x86::zmm30, scratch3 = x86::zmm31;
constexpr uint32_t lane_registers = 28;

// In code for warps of which some lanes are active: lanes 0 to 15 and 16 to 31 of them.
constexpr x86::KReg lower_lanes = x86::k5, upper_lanes = x86::k6;

constexpr x86::Gp warp_register = x86::rbx, frame_register = x86::r12, counters_register = x86::r13,
                  block_register = x86::r14, counts_register = x86::r15, steps_register = x86::rbp;

class LaneRegisters {
 public:
  struct Held {
    uint32_t slot = 0;
    uint8_t lane_bytes = 4;
    bool dirty = false;      // the frame has another value
    bool forgotten = false;  // nobody reads it behind the basic block
    bool pinned = false;
    Lanes lanes{};
    // Values that differ by the same number in all lanes have the same one.
    uint32_t root = 0;
    uint32_t used = 0;
  };

  // some_lanes: what is written to the frame leaves the other lanes there as they are. In vector registers
  // they hold anything, for no lane reads another one's.
  // uniform: slots that have one value in all lanes and are only read. One register serves for all of it.
  LaneRegisters(Assembler& code, program::Mode mode, const std::set<uint32_t>& uniform)
      : m_code(&code), m_mode(mode), m_uniform(&uniform) {}

  // In vector registers, where it stays until release().
  Held use(uint32_t slot, uint32_t lane_bytes);
  // Registers for a result; bind() says whose.
  Lanes make(uint32_t lane_bytes);
  void bind(uint32_t slot, uint32_t lane_bytes, const Lanes& lanes, bool forgotten, uint32_t root);
  void release();
  uint32_t new_root() { return ++m_roots; }

  // Writes to the frame what it does not have: all of it, or what is read behind the block.
  void write(bool forgotten_too);
  void drop_all();
  // At the end of a block behind which another one goes on with what is in registers.
  void drop_forgotten();
  // Values that will have come from several places: what was known about their differences is no more.
  void renew_roots();
  const std::vector<Held>& held() const { return m_held; }

  // For code beside the usual path, which leaves what is known here as it is.
  void store(const Held& held) const;
  void load(const Held& held) const;
  // Makes the registers what they were when `held` was asked for.
  void return_to(const std::vector<Held>& held) const;

 private:
  x86::Zmm take_register();
  void drop(size_t index);
  const Held* find(const Held& like) const;
  void drop_overlapping(uint32_t slot, uint32_t lane_bytes, bool store);

  Assembler* m_code;
  program::Mode m_mode;
  const std::set<uint32_t>* m_uniform;
  std::vector<Held> m_held;
  uint32_t m_free = (1u << lane_registers) - 1;
  uint32_t m_roots = 0, m_time = 0;
};

}  // namespace warplens::exec::tier
