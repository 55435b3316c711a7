#include <optional>

#include "core/gpu/exec/jit/passes/passes.h"

namespace warplens::exec::jit {

namespace {

bool is_logic(Opcode o) { return o == Opcode::and_b32 || o == Opcode::or_b32 || o == Opcode::xor_b32; }

bool apply(Opcode o, bool a, bool b) {
  return o == Opcode::and_b32 ? a && b : o == Opcode::or_b32 ? a || b : a != b;
}

std::vector<uint32_t> count_uses(const Unit& unit) {
  std::vector<uint32_t> uses(unit.values);
  for (const Instruction& i : unit.code) {
    for (const uint32_t source : i.sources)
      if (source != no_value) ++uses[source];
    for (const Put& put : i.state) ++uses[put.value];
    for (const Put& put : i.carries) ++uses[put.value];
  }
  return uses;
}

// The result of `inner` is one of the sources of `outer`.
void fuse(const Instruction& inner, Instruction& outer) {
  const uint32_t other = outer.sources[0] == inner.result ? outer.sources[1] : outer.sources[0];
  uint64_t table = 0;
  for (uint32_t bits = 0; bits < 8; ++bits) {
    const bool between = apply(inner.opcode, (bits & 4) != 0, (bits & 2) != 0);
    table |= uint64_t{apply(outer.opcode, between, (bits & 1) != 0)} << bits;
  }
  outer.opcode = Opcode::lop3_b32;
  outer.sources = {inner.sources[0], inner.sources[1], other};
  outer.number = table;
}

}  // namespace

void fuse_logic(Unit& unit) {
  const std::vector<uint32_t> uses = count_uses(unit);
  std::vector<std::optional<size_t>> made(unit.values);  // by value: where such an operation makes it
  for (size_t at = 0; at < unit.code.size(); ++at) {
    Instruction& i = unit.code[at];
    if (!is_logic(i.opcode) || i.step) continue;
    for (const uint32_t source : {i.sources[0], i.sources[1]}) {
      if (!made[source] || uses[source] != 1 || i.sources[0] == i.sources[1]) continue;
      fuse(unit.code[*made[source]], i);
      break;
    }
    if (is_logic(i.opcode)) made[i.result] = at;
  }
  remove_dead(unit);
}

}  // namespace warplens::exec::jit
