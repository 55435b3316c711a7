#include "core/launch/instruction_mix.h"

namespace warplens {

const char* to_string(IssueUnit unit) {
  static constexpr std::array<const char*, issue_units> names = {
      "fp32",          "fp64",   "fp16",        "integer",      "special",  "convert",
      "memory",        "warp",   "tensor",      "other",        "multiply", "wide_integer",
      "wide_multiply", "divide", "wide_divide", "float_divide", "removed"};
  return names[static_cast<size_t>(unit)];
}

const char* to_string(ChainLink link) {
  static constexpr std::array<const char*, chain_links> names = {
      "arithmetic",   "fp64", "special", "convert", "multiply", "wide",   "divide",        "wide_divide",
      "float_divide", "warp", "tensor",  "shared",  "global",   "atomic", "shared_atomic", "barrier"};
  return names[static_cast<size_t>(link)];
}

InstructionMix& InstructionMix::operator+=(const InstructionMix& other) {
  for (size_t i = 0; i < issue_units; ++i) warp_instructions[i] += other.warp_instructions[i];
  for (size_t i = 0; i < chain_links; ++i) chain[i] += other.chain[i];
  store_sectors_ideal += other.store_sectors_ideal;
  load_sectors_ideal += other.load_sectors_ideal;
  local_store_sectors_ideal += other.local_store_sectors_ideal;
  load_lines += other.load_lines;
  store_lines += other.store_lines;
  atomic_updates += other.atomic_updates;
  atomic_hottest_lanes += other.atomic_hottest_lanes;
  atomic_hottest_requests += other.atomic_hottest_requests;
  float_operations += other.float_operations;
  double_operations += other.double_operations;
  integer_operations += other.integer_operations;
  return *this;
}

}  // namespace warplens
