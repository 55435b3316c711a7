// Which registers of a warp's frame are in vector registers while a block is compiled, or are known as a
// line: the first lane's value, and a step from lane to lane; and which of them the frame does not have yet.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/gpu/exec/tier/assembler.h"
#include "core/gpu/exec/tier/constants.h"
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

// Lane l has what is at `first`, plus l × step, in integers of the register's width that wrap around.
struct Line {
  x86::Mem first;
  int64_t step = 0;
  // Where no lane's value has wrapped around on its way from the first one, read as a signed or as an
  // unsigned number.
  bool ascends_signed = false, ascends_unsigned = false;
};

// On the stack, from rsp on: shapes that accesses have found (Piece), and the first lanes of lines.
constexpr uint32_t most_roots = 16, most_steps = 8, most_lines = 24;
constexpr int32_t steps_at = 8 * most_roots, lines_at = steps_at + 8 * most_steps;
constexpr int32_t stack_bytes = lines_at + 8 * most_lines + 8;

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
    bool in_registers = true;  // else it is only a line
    std::optional<Line> line = {};
    uint32_t place = 0;  // of a line: which of the stack's
  };

  // some_lanes: what is written to the frame leaves the other lanes there as they are. In vector registers
  // they hold anything, for no lane reads another one's.
  // uniform: slots that have one value in all lanes and are only read. One register serves for all of it.
  // fixed: slots that are lines and are only read. The frame may lack those that have their first lane beside
  // the block's other values.
  LaneRegisters(Assembler& code, Constants& constants, program::Mode mode, const std::set<uint32_t>& uniform,
                const std::map<uint32_t, Line>& fixed)
      : m_code(&code), m_constants(&constants), m_mode(mode), m_uniform(&uniform), m_fixed(&fixed) {}

  // In vector registers, where it stays until release().
  Held use(uint32_t slot, uint32_t lane_bytes);
  // Registers for a result; bind() says whose.
  Lanes make(uint32_t lane_bytes);
  void bind(uint32_t slot, uint32_t lane_bytes, const Lanes& lanes, bool forgotten, uint32_t root);
  void release();

  // Of a register, where it is known as one.
  std::optional<Line> line(uint32_t slot, uint32_t lane_bytes) const;
  // For the first lane of a new one, which bind_line() says is there. Nothing: the stack has no room.
  std::optional<uint32_t> line_place() const;
  static x86::Mem at_place(uint32_t place, uint32_t lane_bytes);
  void bind_line(uint32_t slot, uint32_t lane_bytes, int64_t step, uint32_t place, bool forgotten);
  // Of one that is not fixed.
  void note_ascends(uint32_t slot, uint32_t lane_bytes, bool is_signed);
  // All lines become vectors, as those who come from elsewhere have them.
  void end_lines();

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
  // What the frame does not have of these: all of it, or what is read behind the block.
  void store_all(const std::vector<Held>& held, bool forgotten_too) const;
  void load(const Held& held) const;
  // Makes the registers what they were when `held` was asked for.
  void return_to(const std::vector<Held>& held) const;

 private:
  x86::Zmm take_register();
  Held* find_held(uint32_t slot, uint32_t lane_bytes);
  const Held* find_held(uint32_t slot, uint32_t lane_bytes) const;
  void leave_registers(Held& held);
  void put_in_registers(uint32_t slot, uint32_t lane_bytes);
  void write_part(const Line& line, uint32_t lane_bytes, uint32_t vector, x86::Zmm to) const;
  void drop(size_t index);
  const Held* find(const Held& like) const;
  void drop_overlapping(uint32_t slot, uint32_t lane_bytes, bool store);

  Assembler* m_code;
  Constants* m_constants;
  program::Mode m_mode;
  const std::set<uint32_t>* m_uniform;
  const std::map<uint32_t, Line>* m_fixed;
  std::vector<Held> m_held;
  uint32_t m_free = (1u << lane_registers) - 1;
  uint32_t m_free_places = (1u << most_lines) - 1;
  uint32_t m_roots = 0, m_time = 0;
};

}  // namespace warplens::exec::tier
