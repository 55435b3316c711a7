// The text of the IR of compiled code: what is read is printed and read again as the same, and what the
// verifier finds right stays so through all passes and gets registers.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "core/gpu/exec/jit/alloc/alloc.h"
#include "core/gpu/exec/jit/passes/passes.h"

namespace {

using namespace warplens::exec::jit;

void assign_registers(const Unit& unit) {
  std::vector<const Instruction*> makers(unit.values);
  for (const Instruction& i : unit.code)
    if (i.result != no_value) makers[i.result] = &i;
  const std::span<const Instruction> code(unit.code);
  size_t first = 0;
  for (size_t at = 0; at < code.size(); ++at) {
    if (!ends_region(code[at].opcode)) continue;
    allocate(code.subspan(first, at - first), makers, {.vectors = 13});
    first = at + 1;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto unit = parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!unit) return 0;
  const auto again = parse(print(*unit));
  if (!again || !(*again == *unit)) std::abort();
  if (!verify(*unit).empty()) return 0;
  for (const LanesAt lanes : {LanesAt::frame, LanesAt::registers}) {
    Unit passed = *unit;
    if (!run_passes(passed, lanes)) continue;
    if (!verify(passed).empty()) std::abort();
    if (lanes == LanesAt::frame) assign_registers(passed);
  }
  return 0;
}
