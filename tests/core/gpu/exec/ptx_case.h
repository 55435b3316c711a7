// The tables tests/data/ptx/*.cases: forms of an instruction, operands, and the results of real hardware.
// Their format: tests/data/ptx/README.md; the same in Python: tests/data/truth/ptx_tables.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens::exec::test {

// The tolerance for results that PTX does not define exactly; it is enough to meet any one of these.
struct Nearness {
  bool exact = true;
  double ulp = 0, absolute = 0, relative = 0;
  double f16 = 0, bf16 = 0;  // units in the last place of each 16-bit float in the result
};

// One form.
struct PtxCase {
  std::string name;
  uint32_t form_line = 0;                      // in the file
  std::vector<uint32_t> in_bytes, out_bytes;   // sizes of a lane's operands and results
  std::vector<std::vector<uint64_t>> in, out;  // per lane
  std::vector<uint32_t> line;                  // per lane: the line in the file
  Nearness nearness;
  bool can_be_guarded = true;
  std::string texture;  // bound to the kernel's last parameter; empty: it has none
  bool alone = false;   // a lane's result depends on the others, so lanes only run as recorded
  std::string version = "7.8", target = "sm_80";
  std::string declarations;  // of the module
  std::string code;
};

// The offset of each value of a lane, and the distance between lanes.
struct LaneLayout {
  std::vector<size_t> at;
  size_t stride = 0;
};
LaneLayout layout_of(const std::vector<uint32_t>& bytes);

// `file` is the table's name in errors.
Result<std::vector<PtxCase>> parse_ptx_cases(const std::string& text, const std::string& file);
Result<std::vector<PtxCase>> read_ptx_cases(const std::string& opcode);
// All opcodes that have a table, in alphabetical order.
std::vector<std::string> opcodes_with_cases();
std::string table_of(const std::string& opcode);  // "tests/data/ptx/add.cases"

// The module with the code unchanged, with a guard before each instruction, or after a branch.
enum class Variant { plain, guarded, divergent };
std::string text_of(const PtxCase& test, Variant variant);

bool is_near(uint64_t got, uint64_t wanted, uint32_t bytes, const Nearness& nearness);

}  // namespace warplens::exec::test
