#include "core/gpu/sanitize/update.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "core/program/flow/liveness.h"

namespace warplens::sanitize {

namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;

const Operand* address_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  for (const Operand& operand : function.operands_of(instruction))
    if (operand.kind == OperandKind::address) return &operand;
  return nullptr;
}

bool same_address(const Operand& a, const Operand& b) {
  if (a.base != b.base || a.offset != b.offset) return false;
  if (a.base == OperandKind::immediate) return a.bits == b.bits;
  return a.index == b.index && (a.base != OperandKind::symbol || a.symbol_kind == b.symbol_kind);
}

bool reads(const ptx::Function& function, const ptx::Instruction& instruction, uint32_t r) {
  const auto uses = program::uses_of(function, instruction);
  return std::ranges::find(uses.reads, r) != uses.reads.end();
}

bool is_float(const ptx::Function& function, const ptx::Instruction& instruction) {
  return std::ranges::any_of(function.modifiers_of(instruction), [](Modifier m) {
    return m == Modifier::f16 || m == Modifier::bf16 || m == Modifier::f32 || m == Modifier::f64;
  });
}

// The update that one instruction makes of its source `operand`. Empty if it only passes the value on.
std::optional<Update> step_of(const ptx::Function& function, const ptx::Instruction& instruction,
                              size_t operand) {
  const bool floats = is_float(function, instruction);
  switch (instruction.opcode) {
    case Opcode::mov:
    case Opcode::cvt:
    case Opcode::selp:
      return std::nullopt;
    case Opcode::add:
      return Update::add;
    case Opcode::sub:
      return operand != 1 ? Update::other : floats ? Update::add : Update::subtract;
    case Opcode::fma:
    case Opcode::mad:
      return operand == 3 ? Update::add : Update::other;
    case Opcode::min:
      return floats ? Update::other : Update::minimum;
    case Opcode::max:
      return floats ? Update::other : Update::maximum;
    case Opcode::and_:
      return Update::and_;
    case Opcode::or_:
      return Update::or_;
    case Opcode::xor_:
      return Update::xor_;
    default:
      return Update::other;
  }
}

Update join(Update before, std::optional<Update> step) {
  if (!step || before == *step) return before;
  if (before == Update::none) return *step;
  const auto sums = [](Update u) { return u == Update::add || u == Update::subtract; };
  return sums(before) && sums(*step) ? Update::add : Update::other;
}

// atom.cas d, [a], expected, new
bool is_compare_and_swap(const ptx::Function& function, const ptx::Instruction& instruction) {
  const auto modifiers = function.modifiers_of(instruction);
  return instruction.opcode == Opcode::atom &&
         std::ranges::find(modifiers, Modifier::cas) != modifiers.end() &&
         function.operands_of(instruction).size() == 4;
}

// One store, and the loads of the same address on which its value depends; or one compare-and-swap, and those
// of which the expected value is a copy.
class Search {
 public:
  Search(const ptx::Function& function, const program::ControlFlow& flow, uint32_t store)
      : m_function(function), m_flow(flow), m_store(store) {
    const ptx::Instruction& instruction = function.instructions[store];
    m_address = address_of(function, instruction);
    m_copies = is_compare_and_swap(function, instruction);
    if ((instruction.opcode != Opcode::st && !m_copies) || m_address == nullptr) return;
    m_writers.resize(function.registers.size());
    for (uint32_t i = 0; i < function.instructions.size(); ++i)
      for (const uint32_t r : program::uses_of(function, function.instructions[i]).writes)
        m_writers[r].push_back(i);
    m_place = place_of(*m_address);
    if (m_copies) {
      follow(function.operands_of(instruction)[2], Update::none);
      return;
    }
    for (const Operand& operand : function.operands_of(instruction))
      if (&operand != m_address) follow(operand, Update::none);
    if (m_loads.empty()) find_test();
  }

  Update update() const { return m_update; }
  const std::set<uint32_t>& loads() const { return m_loads; }
  bool has(uint32_t load) const { return m_loads.contains(load); }

 private:
  void follow(const Operand& operand, Update update) {
    if (operand.kind == OperandKind::reg) follow(operand.index, update);
    if (operand.kind != OperandKind::vector) return;
    for (uint32_t i = 0; i < operand.children; ++i)
      follow(m_function.operands[operand.first_child + i], update);
  }

  void follow(uint32_t r, Update update) {
    // Values seldom come from far away; a chain that is longer is not an update.
    constexpr size_t most_registers = 64;
    if (m_followed.size() >= most_registers || !m_followed.insert(r).second) return;
    for (const uint32_t i : m_writers[r]) {
      const ptx::Instruction& instruction = m_function.instructions[i];
      if (instruction.opcode == Opcode::ld) {
        take(i, update);
      } else if (m_copies ? instruction.opcode == Opcode::mov : program::only_computes(instruction.opcode)) {
        const auto operands = m_function.operands_of(instruction);
        for (size_t o = 1; o < operands.size(); ++o)
          follow(operands[o], join(update, step_of(m_function, instruction, o)));
      }
    }
  }

  void take(uint32_t load, Update update) {
    if (!is_same_place(load) || !comes_before_store(load)) return;
    m_update = m_loads.empty() ? update : join(m_update, update);
    if (m_update == Update::none) m_update = Update::other;
    m_loads.insert(load);
  }

  bool is_same_place(uint32_t load) const {
    const Operand* from = address_of(m_function, m_function.instructions[load]);
    return from != nullptr && same_address(place_of(*from), m_place) && keeps_address(load);
  }

  // The address without the copies of its base: an atomic has the address of a variable in a register, where
  // a load names the variable.
  Operand place_of(Operand address) const {
    constexpr int most_copies = 16;
    for (int i = 0; i < most_copies; ++i) {
      if (address.base != OperandKind::reg || m_writers[address.index].size() != 1) break;
      const ptx::Instruction& writer = m_function.instructions[m_writers[address.index].front()];
      if (writer.guarded || (writer.opcode != Opcode::mov && writer.opcode != Opcode::cvta)) break;
      const Operand& from = m_function.operands_of(writer)[1];
      const bool is_fixed = from.kind == OperandKind::reg ? m_writers[from.index].size() == 1
                                                          : from.kind == OperandKind::symbol;
      if (!is_fixed) break;
      address.base = from.kind;
      address.index = from.index;
      address.symbol_kind = from.symbol_kind;
      address.offset += from.offset;
    }
    return address;
  }

  // Whether the address register holds the same value at both instructions.
  bool keeps_address(uint32_t load) const {
    if (m_place.base != OperandKind::reg) return true;
    const std::vector<uint32_t>& writers = m_writers[m_place.index];
    if (writers.size() <= 1) return true;
    if (m_flow.block_of[load] != m_flow.block_of[m_store] || load > m_store) return false;
    return std::ranges::none_of(writers, [&](uint32_t w) { return load < w && w < m_store; });
  }

  // Whether a thread that has executed the load may reach the store.
  bool comes_before_store(uint32_t load) const {
    const uint32_t from = m_flow.block_of[load], goal = m_flow.block_of[m_store];
    if (from == goal && load < m_store) return true;
    std::vector<bool> seen(m_flow.blocks.size());
    std::vector<uint32_t> open = {from};
    while (!open.empty()) {
      const uint32_t block = open.back();
      open.pop_back();
      for (const uint32_t next : m_flow.blocks[block].successors) {
        if (next == goal) return true;
        if (!seen[next]) open.push_back(next);
        seen[next] = true;
      }
    }
    return false;
  }

  // A load before the store, in its block or in its only predecessor, whose value is compared and not used
  // otherwise. If it is stored too, as in an exchange of two elements, this is not an update.
  void find_test() {
    const uint32_t block = m_flow.block_of[m_store];
    uint32_t before = block, predecessors = 0;
    for (uint32_t b = 0; b < m_flow.blocks.size(); ++b) {
      if (std::ranges::find(m_flow.blocks[b].successors, block) == m_flow.blocks[b].successors.end())
        continue;
      before = b;
      ++predecessors;
    }
    for (uint32_t i = 0; i < m_function.instructions.size(); ++i) {
      const bool is_near = (m_flow.block_of[i] == block && i < m_store) ||
                           (predecessors == 1 && before != block && m_flow.block_of[i] == before);
      if (!is_near || m_function.instructions[i].opcode != Opcode::ld) continue;
      if (!is_same_place(i) || !is_only_compared(i)) continue;
      m_loads.insert(i);
      m_update = Update::test;
    }
  }

  bool is_only_compared(uint32_t load) const {
    const Operand& result = m_function.operands_of(m_function.instructions[load])[0];
    if (result.kind != OperandKind::reg) return false;
    bool compared = false;
    for (const ptx::Instruction& instruction : m_function.instructions) {
      if (!reads(m_function, instruction, result.index)) continue;
      if (instruction.opcode != Opcode::setp) return false;
      compared = true;
    }
    return compared;
  }

  const ptx::Function& m_function;
  const program::ControlFlow& m_flow;
  uint32_t m_store;
  bool m_copies = false;
  std::vector<std::vector<uint32_t>> m_writers;  // per register
  const Operand* m_address = nullptr;
  Operand m_place;
  Update m_update = Update::none;
  std::set<uint32_t> m_loads, m_followed;
};

}  // namespace

Update update_of(const program::Program& program, uint32_t instruction) {
  const program::FunctionCode& code = program.code_of(instruction);
  const ptx::Function& function = *code.function;
  const uint32_t index = instruction - code.first_instruction;
  const Opcode opcode = function.instructions[index].opcode;
  if (opcode != Opcode::ld && opcode != Opcode::st) return Update::none;
  const program::ControlFlow flow = program::control_flow_of(function);
  if (opcode == Opcode::st) return Search(function, flow, index).update();
  const Operand* address = address_of(function, function.instructions[index]);
  for (uint32_t i = 0; address != nullptr && i < function.instructions.size(); ++i) {
    if (function.instructions[i].opcode != Opcode::st) continue;
    const Operand* to = address_of(function, function.instructions[i]);
    if (to == nullptr || !same_address(*address, *to)) continue;
    const Search search(function, flow, i);
    if (search.has(index)) return search.update();
  }
  return Update::none;
}

std::vector<uint32_t> guesses_for(const program::Program& program, uint32_t instruction) {
  const program::FunctionCode& code = program.code_of(instruction);
  const ptx::Function& function = *code.function;
  const uint32_t index = instruction - code.first_instruction;
  if (!is_compare_and_swap(function, function.instructions[index])) return {};
  const auto result = program::uses_of(function, function.instructions[index]).writes;
  const bool is_read = std::ranges::any_of(function.instructions, [&](const ptx::Instruction& i) {
    return std::ranges::any_of(result, [&](uint32_t r) { return reads(function, i, r); });
  });
  if (!is_read) return {};
  const program::ControlFlow flow = program::control_flow_of(function);
  const Search search(function, flow, index);
  std::vector<uint32_t> loads;
  for (const uint32_t load : search.loads()) loads.push_back(code.first_instruction + load);
  return loads;
}

const char* atomic_of(Update update) {
  switch (update) {
    case Update::add:
      return "atomicAdd()";
    case Update::subtract:
      return "atomicSub()";
    case Update::minimum:
      return "atomicMin()";
    case Update::maximum:
      return "atomicMax()";
    case Update::and_:
      return "atomicAnd()";
    case Update::or_:
      return "atomicOr()";
    case Update::xor_:
      return "atomicXor()";
    case Update::test:
      return "atomicMax(), atomicMin() or atomicCAS()";
    default:
      return "atomicCAS() in a loop";
  }
}

}  // namespace warplens::sanitize
