// Random programs of integer arithmetic and arbitrary jumps, and a reference that runs them thread by thread.
// Every backward jump has its own fuel that is never refilled, so each program ends, however its blocks are
// connected: nested and overlapping loops, jumps into their middle, early exits.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace warplens::exec::test {

struct RandomProgram {
  enum class Kind : uint8_t { add, sub, mul, bit_xor, shift, minimum, compare, branch, finish };
  struct Guard {
    int predicate = -1;  // −1: none
    bool negated = false;
  };
  struct Step {
    Kind kind{};
    Guard guard = {};
    uint32_t d = 0, a = 0, b = 0;  // registers; compare: d is a predicate
    uint32_t immediate = 0;
    uint32_t target = 0;  // branch: a block
    int fuel = -1;        // for a backward branch: index of its fuel
  };
  struct Block {
    std::vector<Step> steps;
  };
  static constexpr uint32_t registers = 6, predicates = 3;

  std::vector<Block> blocks;
  uint32_t tanks = 0;
};

RandomProgram random_program(uint32_t seed);
// Each byte makes one decision; missing bytes count as zeros.
RandomProgram random_program(std::span<const uint8_t> bytes);
// A kernel "test" with the parameter .u64 out. It writes four registers of each thread of the grid.
std::string ptx_of(const RandomProgram& program);

struct ThreadEnd {
  uint32_t registers[4] = {};
  uint64_t instructions = 0;  // of the program, without those before and after it
};
// The thread's index in the grid decides its first registers.
ThreadEnd run_reference(const RandomProgram& program, uint32_t thread);

}  // namespace warplens::exec::test
