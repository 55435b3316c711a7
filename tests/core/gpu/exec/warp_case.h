// One form of a table tests/ptx/*.warp: an instruction of a whole warp, which values it gets, and hashes of
// what real hardware answered. The format: tests/ptx/README.md; the same in Python:
// tests/truth/warp_values.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warplens::exec::test {

constexpr uint32_t warp_case_seeds = 16;

struct WarpCase {
  struct Group {             // of registers
    std::string name, type;  // "b32", "f64", …
    uint32_t count = 0;
    std::string element;  // of inputs: what the registers hold
  };
  std::string group;  // of forms, in their table
  std::vector<std::string> code;
  std::vector<Group> ins, outs;
  uint32_t tile_in = 0, tile_out = 0;  // words of shared memory that a lane brings, and takes away
  std::vector<std::pair<std::string, std::vector<std::string>>>
      kinds;  // of values, with a hash for each seed
  uint32_t line = 0;

  uint32_t in_stride() const;
  uint32_t out_stride() const;
  std::string kernel() const;
  // What the 32 lanes of one warp get.
  std::vector<std::byte> input(const std::string& kind, uint32_t seed) const;
};

// `file` is what errors call the table.
Result<std::vector<WarpCase>> parse_warp_cases(const std::string& text, const std::string& file);
Result<std::vector<WarpCase>> read_warp_cases(const std::string& opcode);
std::vector<std::string> opcodes_with_warp_cases();
// Without reading the cases: each process of the tests asks for it.
std::vector<std::string> groups_of_warp_cases(const std::string& opcode);

// FNV-1a, 32 bits.
std::string hash_of(const std::byte* bytes, size_t count);

}  // namespace warplens::exec::test
