// What becomes of loaded values: whether the program computes with them, only copies them, or leaves them
// unused. The whole function is searched, without regard to the order of its instructions.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/gpu/sanitize/places.h"
#include "core/program/flow/liveness.h"

namespace warplens::sanitize {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

// Whether the result consists of bits of the source, as where a structure is taken apart.
bool moves_bits(const ptx::Function& function, const ptx::Instruction& instruction) {
  const auto operands = function.operands_of(instruction);
  const auto is_float = [&] {
    return std::ranges::any_of(function.modifiers_of(instruction), [](Modifier m) {
      return ptx::kind_of(m) == ptx::ModifierKind::type && ptx::is_float(m);
    });
  };
  switch (instruction.opcode) {
    case Opcode::mov:
    case Opcode::shfl:
    case Opcode::prmt:
    case Opcode::bfe:
    case Opcode::shl:
    case Opcode::shr:
      return true;
    case Opcode::cvt:
      return !is_float();
    case Opcode::and_:
      return operands.size() == 3 && operands[2].kind == OperandKind::immediate;
    default:
      return false;
  }
}

// The undefined bits of the result, if those of the source are `bits`.
uint64_t moved_bits(const ptx::Function& function, const ptx::Instruction& instruction, uint64_t bits) {
  const auto operands = function.operands_of(instruction);
  const bool by_constant = operands.size() == 3 && operands[2].kind == OperandKind::immediate;
  const auto narrower = [&] {
    uint32_t width = 64;
    for (const Modifier m : function.modifiers_of(instruction))
      if (ptx::kind_of(m) == ptx::ModifierKind::type) width = std::min(width, ptx::bits_of(m));
    return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  };
  switch (instruction.opcode) {
    case Opcode::mov:
      return operands[0].kind == OperandKind::reg && operands[1].kind == OperandKind::reg ? bits
                                                                                          : ~uint64_t{0};
    case Opcode::shfl:
      return bits;
    case Opcode::cvt:
      return bits & narrower();
    case Opcode::and_:
      return bits & operands[2].bits;
    case Opcode::shl:
      return by_constant && operands[2].bits < 64 ? bits << operands[2].bits : ~uint64_t{0};
    case Opcode::shr:
      return by_constant && operands[2].bits < 64 ? bits >> operands[2].bits : ~uint64_t{0};
    default:
      return ~uint64_t{0};
  }
}

// The registers that a load writes, or that hold the data of a store.
std::vector<Part> registers_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  const auto operands = function.operands_of(instruction);
  if (operands.size() < 2) return {};
  const Operand& data = operands[instruction.opcode == Opcode::ld ? 0 : 1];
  uint32_t bytes = 0;
  for (const Modifier m : function.modifiers_of(instruction))
    if (ptx::kind_of(m) == ptx::ModifierKind::type) bytes = ptx::bits_of(m) / 8;
  const bool is_vector = data.kind == OperandKind::vector;
  std::vector<Part> parts;
  for (uint32_t i = 0; i < (is_vector ? data.children : 1); ++i) {
    const Operand& one = is_vector ? function.operands[data.first_child + i] : data;
    if (one.kind == OperandKind::reg && one.component == 255) parts.push_back({one.index, i * bytes, bytes});
  }
  return parts;
}

class Destiny {
 public:
  // `certain`: per instruction, whether each thread that executes the load comes to it; empty if all count. A
  // use elsewhere may be guarded by what the structure says of the value.
  Destiny(const ptx::Function& function, uint32_t loaded, uint64_t bits, std::vector<bool> certain = {})
      : m_function(function), m_certain(std::move(certain)), m_copies{{loaded, bits}} {
    for (size_t before = SIZE_MAX; m_grew || before != m_computed.size();) {
      before = m_computed.size();
      m_grew = false;
      for (uint32_t i = 0; i < function.instructions.size(); ++i) visit(i);
    }
  }

  Fate fate() const { return m_used ? Fate::used : m_copied ? Fate::copied : Fate::unused; }
  // The stores of values that are computed from the loaded one.
  const std::set<uint32_t>& stores() const { return m_stores; }

 private:
  bool is_undefined(uint32_t r) const { return m_copies.contains(r) || m_computed.contains(r); }

  void visit(uint32_t index) {
    const ptx::Instruction& instruction = m_function.instructions[index];
    const bool is_certain = m_certain.empty() || m_certain[index];
    if (instruction.guarded &&
        ((is_certain && m_copies.contains(instruction.guard)) || m_computed.contains(instruction.guard)))
      m_used = true;
    ptx::Instruction plain = instruction;
    plain.guarded = false;
    const program::Uses uses = program::uses_of(m_function, plain);
    const auto any = [&](const auto& of) {
      return std::ranges::any_of(uses.reads, [&](uint32_t r) { return of.contains(r); });
    };
    const bool copies = any(m_copies), computed = any(m_computed);
    if (!copies && !computed) return;
    if (instruction.opcode == Opcode::st) return visit_store(index, instruction, is_certain);
    if (instruction.guarded) return;  // what it makes may be discarded
    if (!computed && !is_certain && !moves_bits(m_function, instruction)) return;
    if (instruction.opcode == Opcode::selp) {
      const auto operands = m_function.operands_of(instruction);
      const auto undefined = [&](size_t i) {
        return operands.size() > i && operands[i].kind == OperandKind::reg && is_undefined(operands[i].index);
      };
      m_used = m_used || undefined(3);
      if (computed && undefined(1) && undefined(2))  // whichever it takes
        m_computed.insert(uses.writes.begin(), uses.writes.end());
    } else if (program::may_discard(m_function, instruction)) {
      return;
    } else if (!computed && moves_bits(m_function, instruction)) {
      move(instruction, uses);
    } else if (program::only_computes(instruction.opcode) || instruction.opcode == Opcode::setp) {
      m_computed.insert(uses.writes.begin(), uses.writes.end());
    } else {
      m_used = true;
    }
  }

  void move(const ptx::Instruction& instruction, const program::Uses& uses) {
    uint64_t bits = 0;
    for (const uint32_t r : uses.reads) {
      const auto from = m_copies.find(r);
      if (from != m_copies.end()) bits |= moved_bits(m_function, instruction, from->second);
    }
    if (bits == 0) return;
    for (const uint32_t r : uses.writes) {
      m_grew = m_grew || (bits & ~m_copies[r]) != 0;
      m_copies[r] |= bits;
    }
  }

  void visit_store(uint32_t index, const ptx::Instruction& instruction, bool is_certain) {
    const Operand& address = m_function.operands_of(instruction)[0];
    if (address.base == OperandKind::reg &&
        ((is_certain && m_copies.contains(address.index)) || m_computed.contains(address.index)))
      m_used = true;
    for (const Part& part : registers_of(m_function, instruction)) {
      m_copied = m_copied || m_copies.contains(part.reg);
      if (!m_computed.contains(part.reg)) continue;
      m_used = true;
      m_stores.insert(index);
    }
  }

  const ptx::Function& m_function;
  std::vector<bool> m_certain;
  std::map<uint32_t, uint64_t> m_copies;  // with their undefined bits
  std::set<uint32_t> m_computed, m_stores;
  bool m_grew = true;
  bool m_used = false, m_copied = false;
};

// Per instruction, whether each thread that executes the instruction `from` comes to it.
std::vector<bool> surely_reached(const ptx::Function& function, uint32_t from) {
  const program::ControlFlow flow = program::control_flow_of(function);
  std::vector<bool> reached(flow.blocks.size());
  for (uint32_t block = flow.block_of[from]; block < reached.size() && !reached[block];
       block = flow.blocks[block].post_dominator)
    reached[block] = true;
  std::vector<bool> certain(function.instructions.size());
  for (uint32_t i = 0; i < certain.size(); ++i) certain[i] = reached[flow.block_of[i]];
  return certain;
}

// The only instruction that writes the register.
const ptx::Instruction* writer_of(const ptx::Function& function, uint32_t r) {
  const ptx::Instruction* found = nullptr;
  for (const ptx::Instruction& instruction : function.instructions) {
    const program::Uses uses = program::uses_of(function, instruction);
    if (std::ranges::find(uses.writes, r) == uses.writes.end()) continue;
    if (found != nullptr) return nullptr;
    found = &instruction;
  }
  return found;
}

// The register that a load wrote, and whose value `r` has.
uint32_t source_of(const ptx::Function& function, uint32_t r) {
  for (uint32_t steps = 0; steps < 8; ++steps) {
    const ptx::Instruction* writer = writer_of(function, r);
    if (writer == nullptr) break;
    if (writer->opcode == Opcode::ld) return r;
    if (writer->opcode != Opcode::mov || writer->guarded) break;
    const Operand& from = function.operands_of(*writer)[1];
    if (from.kind != OperandKind::reg || from.component != 255) break;
    r = from.index;
  }
  return Part::no_register;
}

}  // namespace

const std::vector<Part>& Places::parts(uint32_t instruction) const {
  const auto [at, is_new] = m_parts.try_emplace(instruction);
  if (!is_new) return at->second;
  const ptx::Function& function = *m_program.code_of(instruction).function;
  const ptx::Instruction& text = m_program.instruction(instruction);
  if (text.opcode != Opcode::ld && text.opcode != Opcode::st) return at->second;
  at->second = registers_of(function, text);
  for (Part& part : at->second)
    if (text.opcode == Opcode::st) part.source = source_of(function, part.reg);
  return at->second;
}

Fate Places::fate(uint32_t instruction, uint32_t r, uint64_t missing) const {
  const auto [at, is_new] = m_fates.try_emplace({instruction, r, missing}, Fate::used);
  if (!is_new) return at->second;
  const program::FunctionCode& code = m_program.code_of(instruction);
  uint64_t bits = 0;
  for (uint32_t byte = 0; byte < 8; ++byte)
    if ((missing >> byte & 1) != 0) bits |= uint64_t{0xff} << (8 * byte);
  if (missing >> 8 != 0) bits = ~uint64_t{0};
  at->second =
      Destiny(*code.function, r, bits, surely_reached(*code.function, instruction - code.first_instruction))
          .fate();
  return at->second;
}

// Volatile loads whose values are computed with and then stored to volatile memory, and these stores.
void Places::find_exchanges() {
  const auto is_volatile = [&](uint32_t i) {
    const auto modifiers = m_program.code_of(i).function->modifiers_of(m_program.instruction(i));
    return std::ranges::find(modifiers, Modifier::volatile_) != modifiers.end();
  };
  for (uint32_t i = 0; i < m_program.instructions(); ++i) {
    if (m_program.instruction(i).opcode != Opcode::ld || !is_volatile(i)) continue;
    const program::FunctionCode& code = m_program.code_of(i);
    for (const Part& part : registers_of(*code.function, m_program.instruction(i))) {
      const Destiny destiny(*code.function, part.reg, ~uint64_t{0});
      for (const uint32_t store : destiny.stores()) {
        if (!is_volatile(code.first_instruction + store)) continue;
        m_places[i].computes = m_places[code.first_instruction + store].computes = true;
      }
    }
  }
}

}  // namespace warplens::sanitize
