#include "core/launch/instruction_mix.h"

namespace warplens {

const char* to_string(IssueUnit unit) {
  static constexpr std::array<const char*, issue_units> names = {
      "fp32", "fp64", "fp16", "integer", "special", "convert", "memory", "warp", "tensor", "other"};
  return names[static_cast<size_t>(unit)];
}

InstructionMix& InstructionMix::operator+=(const InstructionMix& other) {
  for (size_t i = 0; i < issue_units; ++i) warp_instructions[i] += other.warp_instructions[i];
  float_operations += other.float_operations;
  double_operations += other.double_operations;
  integer_operations += other.integer_operations;
  return *this;
}

}  // namespace warplens
