// Warp instructions by the unit that executes them, the arithmetic operations of all threads, what warps wait
// for, and how atomics collide. All are counted over PTX instructions. The time model and the roofline start
// from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/provenance.h"

namespace warplens {

enum class IssueUnit : uint8_t {
  fp32,
  fp64,
  fp16,
  integer,
  special,  // reciprocals, roots, logarithms
  convert,
  memory,
  warp,  // shuffles, votes
  tensor,
  other,  // moves, branches, barriers
  // Forms for which the assembler makes several instructions, or none.
  multiply,      // of integers with 32 bits
  wide_integer,  // additions, comparisons, shifts and logic with 64 bits
  wide_multiply,
  divide,  // of integers, and remainders
  wide_divide,
  float_divide,  // correctly rounded divisions, reciprocals and roots
  removed,       // moves between registers, addresses, parameters of a kernel
};
constexpr size_t issue_units = 17;
const char* to_string(IssueUnit unit);  // "fp32"; also the key in the time model's parameters

// What a warp waits for: in each basic block, the longest chain of instructions that need each other's
// results.
enum class ChainLink : uint8_t {
  arithmetic,
  fp64,
  special,
  convert,
  multiply,
  wide,  // arithmetic with 64 bits
  divide,
  wide_divide,
  float_divide,
  warp,
  tensor,
  shared,
  global,  // loads from global and local memory, textures and constants at addresses known at run time
  atomic,  // whose old value is used
  shared_atomic,
  barrier,
};
constexpr size_t chain_links = 16;
const char* to_string(ChainLink link);

struct InstructionMix {
  static constexpr Provenance source = Provenance::counted;
  std::array<uint64_t, issue_units> warp_instructions{};
  // Operations of all active lanes. A fused multiply-add counts as two, and so does an operation on a pair
  // of 16-bit floats.
  uint64_t float_operations = 0, double_operations = 0, integer_operations = 0;

  std::array<uint64_t, chain_links> chain{};  // summed over warps
  // For stores to global and to local memory: the number of sectors that would hold all their bytes if they
  // were packed. It is less than the sectors touched if some are written only in part.
  uint64_t store_sectors_ideal = 0, local_store_sectors_ideal = 0;
  // For loads from global memory: the number of sectors that could hold the requested bytes.
  uint64_t load_sectors_ideal = 0;
  // Lines of 128 bytes that requests to global memory access: loads and background copies, and stores.
  uint64_t load_lines = 0, store_lines = 0;
  // Atomics on global memory: the updates of single lanes, and the largest number of them that access the
  // same word, counted in lanes and in requests of warps.
  uint64_t atomic_updates = 0, atomic_hottest_lanes = 0, atomic_hottest_requests = 0;

  uint64_t of(ChainLink link) const { return chain[static_cast<size_t>(link)]; }
  uint64_t& of(IssueUnit unit) { return warp_instructions[static_cast<size_t>(unit)]; }
  uint64_t of(IssueUnit unit) const { return warp_instructions[static_cast<size_t>(unit)]; }
  InstructionMix& operator+=(const InstructionMix& other);
  bool operator==(const InstructionMix&) const = default;
};

}  // namespace warplens
