// The tables tests/ptx/*.cases: forms of an instruction, operands, and what real hardware answered. Their
// format: tests/ptx/README.md; the same in Python: tests/truth/ptx_tables.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens::exec::test {

// How near a result that PTX does not define to the bit has to be; any one of them is enough.
struct Nearness {
  bool exact = true;
  double ulp = 0, absolute = 0, relative = 0;
  double f16 = 0, bf16 = 0;  // units in the last place of each 16-bit float in the result
};

// One form.
struct PtxCase {
  std::string name;
  uint32_t form_line = 0;                      // of the file
  std::vector<uint32_t> in_bytes, out_bytes;   // of the operands and results of a lane
  std::vector<std::vector<uint64_t>> in, out;  // per lane
  std::vector<uint32_t> line;                  // of the file, per lane
  Nearness nearness;
  bool can_be_guarded = true;
  std::string texture;  // what is bound to the kernel's last parameter; empty: it has none
  bool alone = false;   // what a lane gets depends on the others: only as it was recorded
  std::string version = "7.8", target = "sm_80";
  std::string declarations;  // of the module
  std::string code;
};

// Where each value of a lane lies, and how far the lanes lie apart.
struct LaneLayout {
  std::vector<size_t> at;
  size_t stride = 0;
};
LaneLayout layout_of(const std::vector<uint32_t>& bytes);

// `file` is what errors call the table.
Result<std::vector<PtxCase>> parse_ptx_cases(const std::string& text, const std::string& file);
Result<std::vector<PtxCase>> read_ptx_cases(const std::string& opcode);
// All that have a table, in the order of the alphabet.
std::vector<std::string> opcodes_with_cases();
std::string table_of(const std::string& opcode);  // "tests/ptx/add.cases"

// The module, with the code as it is, with a guard in front of each instruction, or behind a branch.
enum class Variant { plain, guarded, divergent };
std::string text_of(const PtxCase& test, Variant variant);

bool is_near(uint64_t got, uint64_t wanted, uint32_t bytes, const Nearness& nearness);

}  // namespace warplens::exec::test
