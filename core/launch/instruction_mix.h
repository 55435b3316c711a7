// Warp instructions by the unit that executes them, and the arithmetic operations of all threads. Both are
// counted over PTX instructions. The time model and the roofline start from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/source.h"

namespace warplens {

enum class IssueUnit : uint8_t {
  fp32,
  fp64,
  fp16,
  integer,
  special,  // reciprocals, roots, logarithms, divisions
  convert,
  memory,
  warp,  // shuffles, votes
  tensor,
  other,  // moves, branches, barriers
};
constexpr size_t issue_units = 10;
const char* to_string(IssueUnit unit);  // "fp32"; also the key in the time model's parameters

struct InstructionMix {
  static constexpr Source source = Source::counted;
  std::array<uint64_t, issue_units> warp_instructions{};
  // Operations of all active lanes. A fused multiply-add counts as two, and so does an operation on a pair
  // of 16-bit floats.
  uint64_t float_operations = 0, double_operations = 0, integer_operations = 0;

  uint64_t& of(IssueUnit unit) { return warp_instructions[static_cast<size_t>(unit)]; }
  uint64_t of(IssueUnit unit) const { return warp_instructions[static_cast<size_t>(unit)]; }
  InstructionMix& operator+=(const InstructionMix& other);
  bool operator==(const InstructionMix&) const = default;
};

}  // namespace warplens
