#include "core/gpu/timing/sm/merges.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/gpu/timing/sm/classify.h"

namespace warplens::sm {
namespace {

using ptx::Modifier;
using ptx::Opcode;

constexpr int most_links = 8;            // back through the code, for an alignment
constexpr uint64_t most_aligned = 1024;  // more is of no use

// Instructions that ptxas makes one of with the only one that needs their result.
enum class Role : uint8_t { none, sum, product, shift, logic, limit };

bool is_immediate(const ptx::Function& f, const ptx::Instruction& i) {
  return f.operands_of(i).back().kind == ptx::OperandKind::immediate;
}

Role role_of(const ptx::Function& f, const ptx::Instruction& i) {
  if (i.guarded || std::ranges::any_of(f.modifiers_of(i), [](Modifier m) {
        return kind_of(m) == ptx::ModifierKind::type && (is_float(m) || m == Modifier::pred);
      }))
    return Role::none;
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
      return Role::sum;
    case Opcode::mul:
      return has(f, i, Modifier::hi) ? Role::none : Role::product;
    case Opcode::shl:
      return is_immediate(f, i) ? Role::shift : Role::none;
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
      return Role::logic;
    case Opcode::min:
    case Opcode::max:
      return Role::limit;
    default:
      return Role::none;
  }
}

// Whether the second takes the first in: three numbers are added or combined at once (IADD3, LOP3), a sum
// takes a product or a shift (IMAD, LEA), a limit a sum (VIADDMNMX).
bool takes_in(Role taken, Role by) {
  switch (by) {
    case Role::sum:
      return taken == Role::sum || taken == Role::product || taken == Role::shift;
    case Role::logic:
      return taken == Role::logic;
    case Role::limit:
      return taken == Role::sum;
    default:
      return false;
  }
}

// Whether a 64-bit sum can take the instruction in, even if others need it too: what addresses are made of.
bool joins_a_sum(const ptx::Function& f, const ptx::Instruction& i) {
  if (i.guarded) return false;
  if (i.opcode == Opcode::mul) return has(f, i, Modifier::wide);
  return (i.opcode == Opcode::cvt || i.opcode == Opcode::shl) && is_wide_type(f, i);
}

class Merging {
 public:
  Merging(const program::Program& program, const program::FunctionCode& code)
      : m_program(program), m_f(*code.function), m_first(code.first_instruction) {
    made.uses.reserve(m_f.instructions.size());
    made.writer.assign(m_f.registers.size(), -1);
    for (const ptx::Instruction& i : m_f.instructions) made.uses.push_back(program::uses_of(m_f, i));
    find_readers();
  }
  Merges made;

 private:
  void find_readers() {
    std::vector<std::vector<uint32_t>> readers(m_f.registers.size());
    std::vector<uint32_t> writers(m_f.registers.size(), 0);
    for (uint32_t n = 0; n < made.uses.size(); ++n) {
      for (const uint32_t r : made.uses[n].reads) readers[r].push_back(n);
      for (const uint32_t r : made.uses[n].writes) {
        made.writer[r] = n;
        ++writers[r];
      }
    }
    for (size_t r = 0; r < writers.size(); ++r)
      if (writers[r] != 1) made.writer[r] = -1;
    made.joined.assign(made.uses.size(), false);
    made.product.assign(made.uses.size(), false);
    made.half.assign(made.uses.size(), false);
    made.both.assign(made.uses.size(), false);
    made.wider.assign(made.uses.size(), false);
    const auto is_sum = [&](uint32_t n) {
      return m_f.instructions[n].opcode == Opcode::add && is_wide_type(m_f, m_f.instructions[n]);
    };
    // From the last to the first, so that a conversion that goes into a shift goes into the sum behind it.
    for (size_t n = made.uses.size(); n-- > 0;) {
      const ptx::Instruction& i = m_f.instructions[n];
      if (!joins_a_sum(m_f, i) || made.uses[n].writes.size() != 1) continue;
      const uint32_t r = made.uses[n].writes[0];
      if (made.writer[r] != int64_t(n) || readers[r].empty()) continue;
      made.joined[n] = std::ranges::all_of(readers[r], [&](uint32_t reader) {
        return is_sum(reader) || (made.joined[reader] && m_f.instructions[reader].opcode == Opcode::shl);
      });
      if (made.joined[n] && (i.opcode == Opcode::mul || i.opcode == Opcode::shl))
        for (const uint32_t reader : readers[r]) made.product[reader] = true;
    }
    for (const std::vector<uint32_t>& of_register : readers)
      made.readers.push_back(static_cast<uint32_t>(of_register.size()));
    join(readers);
    find_wider_loads();
    find_halves();
  }

  void join(const std::vector<std::vector<uint32_t>>& readers) {
    std::vector<bool> has_taken(made.uses.size(), false);
    const auto block_of = [&](uint32_t n) { return m_program.flow.block_of[m_first + n]; };
    for (uint32_t n = 0; n < made.uses.size(); ++n) {
      const Role role = role_of(m_f, m_f.instructions[n]);
      if (role == Role::none || made.joined[n] || has_taken[n] || made.product[n] ||
          made.uses[n].writes.size() != 1)
        continue;
      const uint32_t r = made.uses[n].writes[0];
      if (made.writer[r] != int64_t(n) || readers[r].size() != 1) continue;
      const uint32_t reader = readers[r][0];
      const ptx::Instruction& by = m_f.instructions[reader];
      if (has_taken[reader] || made.product[reader] || block_of(reader) != block_of(n)) continue;
      if (!takes_in(role, role_of(m_f, by)) ||
          is_wide_type(m_f, by) != is_wide_type(m_f, m_f.instructions[n]))
        continue;
      made.joined[n] = has_taken[reader] = true;
      if (role == Role::product) made.product[reader] = true;
    }
    // A sum of three takes no conversion in: the upper half is an instruction.
    for (uint32_t n = 0; n < made.uses.size(); ++n)
      if (made.joined[n] && m_f.instructions[n].opcode == Opcode::cvt)
        made.joined[n] = std::ranges::none_of(readers[made.uses[n].writes[0]], [&](uint32_t r) {
          return bool(has_taken[r]) || made.joined[r];
        });
  }

  // What a product is of: registers, and the bits of constants.
  std::set<std::pair<bool, uint64_t>> factors_of(uint32_t n) const {
    std::set<std::pair<bool, uint64_t>> factors;
    for (const ptx::Operand& operand : m_f.operands_of(m_f.instructions[n]).subspan(1)) {
      const ptx::Operand* constant = &operand;
      if (operand.kind == ptx::OperandKind::reg && made.writer[operand.index] >= 0) {
        const ptx::Instruction& from = m_f.instructions[size_t(made.writer[operand.index])];
        if (from.opcode == Opcode::mov) constant = &m_f.operands_of(from).back();
      }
      if (constant->kind == ptx::OperandKind::immediate)
        factors.emplace(true, constant->bits & 0xffffffff);
      else
        factors.emplace(false, operand.index);
    }
    return factors;
  }

  // The low and the high half of one product are one instruction.
  void find_halves() {
    for (uint32_t n = 1; n < made.uses.size(); ++n) {
      const ptx::Instruction& i = m_f.instructions[n];
      if (i.opcode != Opcode::mul || is_wide_type(m_f, i) || has(m_f, i, Modifier::wide)) continue;
      const bool high = has(m_f, i, Modifier::hi);
      for (uint32_t before = n > 8 ? n - 8 : 0; before < n; ++before) {
        const ptx::Instruction& other = m_f.instructions[before];
        if (other.opcode != Opcode::mul || has(m_f, other, Modifier::hi) == high || made.joined[before] ||
            made.half[before])
          continue;
        if (factors_of(before) != factors_of(n) ||
            m_program.flow.block_of[m_first + before] != m_program.flow.block_of[m_first + n])
          continue;
        made.half[n] = true;
        made.both[before] = true;
        break;
      }
    }
  }

  // The power of two that divides what a register holds, as far as the code shows it.
  uint64_t alignment_of(uint32_t reg, int depth = 0) const {
    const int64_t writer = made.writer[reg];
    if (writer < 0 || depth > most_links) return 1;
    const ptx::Instruction& i = m_f.instructions[size_t(writer)];
    const auto of = [&](const ptx::Operand& operand) -> uint64_t {
      if (operand.kind == ptx::OperandKind::reg) return alignment_of(operand.index, depth + 1);
      if (operand.kind == ptx::OperandKind::immediate)
        return operand.bits == 0 ? most_aligned : std::min(most_aligned, operand.bits & -operand.bits);
      return operand.kind == ptx::OperandKind::symbol ? 16 : 1;
    };
    const auto operands = m_f.operands_of(i);
    switch (i.opcode) {
      case Opcode::mov:
      case Opcode::cvta:
      case Opcode::cvt:
        return of(operands.back());
      case Opcode::add:
      case Opcode::sub:
        return std::min(of(operands[1]), of(operands[2]));
      case Opcode::mul:
        return has(m_f, i, Modifier::hi) ? 1 : std::min(most_aligned, of(operands[1]) * of(operands[2]));
      case Opcode::mad:
        return has(m_f, i, Modifier::hi) ? 1 : std::min(of(operands[1]) * of(operands[2]), of(operands[3]));
      case Opcode::shl:
        return operands[2].kind == ptx::OperandKind::immediate
                   ? std::min(most_aligned, of(operands[1]) << std::min<uint64_t>(operands[2].bits, 16))
                   : 1;
      default:
        return 1;
    }
  }

  // Loads of neighbouring words of shared memory, which become one of 8 or 16 bytes.
  void find_wider_loads() {
    struct Group {
      uint32_t block = 0, base = 0;
      int64_t at = 0;  // offset / 16
      auto operator<=>(const Group&) const = default;
    };
    std::map<Group, std::vector<std::pair<int64_t, uint32_t>>> groups;
    for (uint32_t n = 0; n < made.uses.size(); ++n) {
      const ptx::Instruction& i = m_f.instructions[n];
      if (i.opcode != Opcode::ld || i.guarded || !is_shared(m_f, i) || !is_word(i)) continue;
      const ptx::Operand* address = address_of(m_f, i);
      if (address == nullptr || address->base != ptx::OperandKind::reg || made.writer[address->index] < 0)
        continue;
      if (alignment_of(address->index) < 16) continue;
      groups[{m_program.flow.block_of[m_first + n], address->index, address->offset >> 4}].emplace_back(
          address->offset, n);
    }
    for (auto& [group, loads] : groups) {
      std::ranges::sort(loads);
      for (size_t k = 1; k < loads.size(); ++k)
        if (loads[k].first == loads[k - 1].first + 4 && loads[k].first % 8 != 0 &&
            !made.wider[loads[k - 1].second])
          made.wider[loads[k].second] = true;
      if (loads.size() == 4)  // one of 16 bytes
        for (size_t k = 1; k < 4; ++k) made.wider[loads[k].second] = true;
      for (size_t k = 1; k < loads.size(); ++k)
        if (made.wider[loads[k].second])
          made.with[loads.size() == 4 ? loads[0].second : loads[k - 1].second].push_back(loads[k].second);
    }
  }
  bool is_word(const ptx::Instruction& i) const {
    const auto modifiers = m_f.modifiers_of(i);
    return std::ranges::any_of(
               modifiers,
               [](Modifier m) { return kind_of(m) == ptx::ModifierKind::type && bits_of(m) == 32; }) &&
           std::ranges::none_of(modifiers, [](Modifier m) {
             return m == Modifier::v2 || m == Modifier::v4 || m == Modifier::volatile_;
           });
  }

  const program::Program& m_program;
  const ptx::Function& m_f;
  uint32_t m_first;
};

}  // namespace

Merges merges_of(const program::Program& program, const program::FunctionCode& code) {
  return Merging(program, code).made;
}

}  // namespace warplens::sm
