// One file of tests/ptx: an instruction, operands, and what real hardware answered. Its format:
// tests/ptx/README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warplens::exec::test {

// How near a result that PTX does not define to the bit has to be; any one of them is enough.
struct Nearness {
  bool exact = true;
  double ulp = 0, absolute = 0, relative = 0;
  double f16 = 0, bf16 = 0;  // units in the last place of each 16-bit float in the result
};

struct PtxCase {
  std::vector<uint32_t> in_bytes, out_bytes;   // of the operands and results of a lane
  std::vector<std::vector<uint64_t>> in, out;  // per lane
  std::vector<uint32_t> line;                  // of the file, per lane
  Nearness nearness;
  bool can_be_guarded = true;
  std::string texture;           // what is bound to the kernel's last parameter; empty: it has none
  bool alone = false;            // what a lane gets depends on the others: only as it was recorded
  std::string head, body, tail;  // the text before, between and behind the marks "// begin" and "// end"
};

PtxCase read_ptx_case(const std::filesystem::path& path);

// The text with the body as it is, with a guard in front of each instruction, or behind a branch.
enum class Variant { plain, guarded, divergent };
std::string text_of(const PtxCase& test, Variant variant);

bool is_near(uint64_t got, uint64_t wanted, uint32_t bytes, const Nearness& nearness);

}  // namespace warplens::exec::test
