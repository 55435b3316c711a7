// The machine instructions that a program is taken to consist of, basic block by basic block.
//
// They follow from the PTX by rules that were read off what ptxas makes of it for sm_90: moves and
// conversions of addresses disappear, a 64-bit product and sum become one instruction, parameters are loaded
// where they are first used, and an instruction stands as early as its operands allow, the longest chain
// first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/timing/sm/figures.h"
#include "core/program/program.h"

namespace warplens::sm {

enum class Kind : uint8_t {
  arithmetic,
  special,           // special functions, conversions
  special_register,  // through the queue to the SM's shared units
  parameter,         // through it too
  exchange,          // shuffles and votes, too
  shared,            // memory of the block
  memory,            // global and local memory, textures
  barrier,
  branch,
  exit,
};

struct Instruction {
  uint32_t ptx = 0;  // its number in the program
  Kind kind = Kind::arithmetic;
  Pipe pipe = Pipe::none;
  uint16_t slots = 1;    // machine instructions: a sequence has several, one after the other
  float occupies = 0;    // cycles of the unit for each of them; 0: as usual for the unit
  uint16_t latency = 4;  // from its last one to an instruction that needs the result
  bool loads = false, stores = false, updates = false;  // of memory
  uint8_t words = 1;                                    // of a load from shared memory that does several
  bool merges = false;                                  // an update that one lane does for the whole warp
  uint32_t first_read = 0, reads = 0, first_write = 0, writes = 0;  // in Code::registers
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<uint32_t> registers;     // pool of numbers, each below `register_count`
  std::vector<uint32_t> block_starts;  // of each basic block in `instructions`, and the end of the last
  // Of each basic block: the one behind it that is predicated, so that all warps issue it; no_block if none.
  std::vector<uint32_t> predicated;
  uint32_t register_count = 0;

  std::span<const uint32_t> reads(const Instruction& i) const {
    return std::span(registers).subspan(i.first_read, i.reads);
  }
  std::span<const uint32_t> writes(const Instruction& i) const {
    return std::span(registers).subspan(i.first_write, i.writes);
  }
};

Code code_of(const program::Program& program, const Figures& figures);

}  // namespace warplens::sm
