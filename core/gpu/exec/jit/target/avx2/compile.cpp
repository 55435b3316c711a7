// Code for units, one after the other. A unit starts with only the frame. Instructions for the whole warp are
// between its regions.
#include "core/gpu/exec/jit/target/avx2/compile.h"

#include "core/gpu/exec/jit/lower/units.h"
#include "core/gpu/exec/jit/target/avx2/code.h"

namespace warplens::exec::jit::avx2 {

bool LaneCode::write_unit(const Unit& unit, x64::Entered& entered) {
  assembler.bind(label_of(unit));
  const auto entries = entries_of(unit);
  const std::span<const Instruction> code(unit.code);
  size_t first = 0;
  bool fits = true;
  for (size_t at = 0; at < code.size(); ++at) {
    for (const UnitEntry& entry : entries) {
      if (entry.first != at) continue;
      const asmjit::Label label = at == 0 ? label_of(unit) : assembler.newLabel();
      if (at != 0) assembler.bind(label);
      known_shapes.clear();
      entered.emplace_back(entry.op, label);
    }
    if (!ends_region(code[at].opcode)) continue;
    fits = compute_region(*this, code.subspan(first, at - first)) && fits;
    if (code[at].opcode == Opcode::shuffle_frame_b32) {
      write_shuffle(code[at]);
    } else if (code[at].opcode == Opcode::shuffle_by_frame_b32) {
      write_shuffle_by(code[at]);
    } else if (code[at].opcode == Opcode::match_any_frame_b32) {
      write_match_any(code[at]);
    } else {
      x64::write_warp(*this, unit, code[at]);
    }
    first = at + 1;
  }
  return fits;
}

Made compile(const CompileRequest& request) {
  return x64::compile(units_of(request, LanesAt::frame), [&] { return std::make_unique<LaneCode>(request); });
}

}  // namespace warplens::exec::jit::avx2
