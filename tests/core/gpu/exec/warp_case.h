// One form of a table tests/data/ptx/*.warp: an instruction of a whole warp, its inputs, and hashes of the
// results of real hardware. The format: tests/data/ptx/README.md; the same in Python:
// tests/data/truth/warp_values.py.
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
  struct Group {             // a group of registers
    std::string name, type;  // "b32", "f64", …
    uint32_t count = 0;
    std::string element;  // for inputs: the type of the values
  };
  std::string group;  // group of the form in its table
  std::vector<std::string> code;
  std::vector<Group> ins, outs;
  uint32_t tile_in = 0, tile_out = 0;  // words of shared memory that a lane writes before, and reads after
  std::vector<std::pair<std::string, std::vector<std::string>>>
      kinds;  // kinds of values, with a hash for each seed
  uint32_t line = 0;

  uint32_t in_stride() const;
  uint32_t out_stride() const;
  std::string kernel() const;
  // The inputs of the 32 lanes of one warp.
  std::vector<std::byte> input(const std::string& kind, uint32_t seed) const;
};

// `file` is the table's name in errors.
Result<std::vector<WarpCase>> parse_warp_cases(const std::string& text, const std::string& file);
Result<std::vector<WarpCase>> read_warp_cases(const std::string& opcode);
std::vector<std::string> opcodes_with_warp_cases();
// Does not read the cases, since each process of the tests calls it.
std::vector<std::string> groups_of_warp_cases(const std::string& opcode);

// FNV-1a, 32 bits.
std::string hash_of(const std::byte* bytes, size_t count);

}  // namespace warplens::exec::test
