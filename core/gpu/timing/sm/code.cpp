#include "core/gpu/timing/sm/code.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/gpu/machine/issue_unit.h"
#include "core/gpu/timing/sm/branches.h"
#include "core/gpu/timing/sm/classify.h"
#include "core/gpu/timing/sm/merges.h"
#include "core/gpu/timing/sm/schedule.h"
#include "core/program/flow/cfg.h"

namespace warplens::sm {
namespace {

using ptx::Modifier;
using ptx::Opcode;

constexpr int most_steps = 8;  // back or forward through moves and conversions

Pipe pipe_of(IssueUnit unit) {
  switch (unit) {
    case IssueUnit::fp32:
      return Pipe::fma_lite;       // either of the two
    case IssueUnit::float_divide:  // two of its instructions take most of its time
      return Pipe::special;
    case IssueUnit::multiply:
    case IssueUnit::wide_multiply:
    case IssueUnit::divide:
    case IssueUnit::wide_divide:
      return Pipe::fma;
    case IssueUnit::fp64:
      return Pipe::fp64;
    case IssueUnit::fp16:
      return Pipe::fp16;
    case IssueUnit::tensor:
      return Pipe::tensor;
    case IssueUnit::integer:
    case IssueUnit::wide_integer:
      return Pipe::alu;
    default:
      return Pipe::none;
  }
}

// One function, whose registers and instructions are numbered from `first_register` and `first_ptx` on.
class Translation {
 public:
  Translation(const program::Program& program, const program::FunctionCode& code, const Figures& figures,
              Code& out)
      : m_program(program),
        m_f(*code.function),
        m_first(code.first_instruction),
        m_figures(figures),
        m_out(out),
        m_first_register(out.register_count),
        m_merges(merges_of(program, code)) {
    out.register_count += static_cast<uint32_t>(m_f.registers.size());
    m_loaded.assign(m_f.instructions.size(), false);
  }

  // `meets`: paths that parted come together here. `skips`: its branch is left out, and what it skips is
  // predicated.
  void translate(const program::BasicBlock& block, bool is_entry, bool meets, bool parts, bool skips) {
    std::vector<Node> nodes;
    const auto add = [&](uint32_t local, Instruction instruction) {
      instruction.ptx = m_first + local;
      Node node{instruction, m_merges.uses[local].reads, m_merges.uses[local].writes};
      if (const auto others = m_merges.with.find(local); others != m_merges.with.end())
        for (const uint32_t other : others->second) {
          node.writes.push_back(m_merges.uses[other].writes[0]);
          ++node.instruction.words;
        }
      nodes.push_back(std::move(node));
    };
    if (is_entry) {
      Instruction stack = parameter();  // the pointer to the stack
      stack.ptx = m_first + (block.first - m_first);
      nodes.push_back({stack, {}, {}});
    }
    const uint32_t begin = block.first - m_first, end = begin + block.count;
    bool based = false;
    for (uint32_t local = begin; local < end; ++local) {
      const ptx::Instruction& i = m_f.instructions[local];
      for (const uint32_t r : m_merges.uses[local].reads) load_parameter_of(r, add);
      if (is_parameter_load(m_f, i) || m_merges.joined[local] || m_merges.wider[local]) continue;
      if (is_branch(i.opcode) && skips) continue;
      if (is_branch(i.opcode) && parts) {
        nodes.push_back({one(Pipe::none, 1), {}, {}});
        nodes.back().instruction.ptx = m_first + local;
      }
      if (!m_described && is_global(i)) {
        m_described = true;
        nodes.push_back({one(Pipe::none, m_figures.uniform_latency), {}, {}});
        nodes.back().instruction.ptx = m_first + local;
      }
      add(local, instruction_of(i, local));
      if (!based && takes_shared_address(i)) {
        based = true;  // the base of the block's shared memory
        Instruction base = special_register(), shift = one(Pipe::none, m_figures.uniform_latency);
        base.ptx = shift.ptx = m_first + local;
        nodes.push_back({shift, {}, {}});
        nodes.push_back({base, {}, m_merges.uses[local].writes});
      }
    }
    if (meets) {
      nodes.push_back({of_kind(Kind::branch, Pipe::none, 1), {}, {}});
      nodes.back().instruction.ptx = block.first;
      std::rotate(nodes.begin(), nodes.end() - 1, nodes.end());
    }
    // Registers of values that are taken in by a sum are read by the sum.
    for (Node& node : nodes) resolve(node.reads);
    for (const uint32_t n : schedule_of(nodes, m_figures)) put(nodes[n]);
  }

 private:
  static Instruction one(Pipe pipe, double latency) {
    Instruction i;
    i.pipe = pipe;
    i.latency = static_cast<uint16_t>(std::lround(latency));
    return i;
  }
  Instruction parameter() const {
    return of_kind(Kind::parameter, Pipe::registers, m_figures.parameter_latency);
  }
  Instruction special_register() const {
    return of_kind(Kind::special_register, Pipe::registers, m_figures.special_register_latency);
  }

  bool is_global(const ptx::Instruction& i) const {
    return (i.opcode == Opcode::ld || i.opcode == Opcode::st || i.opcode == Opcode::atom ||
            i.opcode == Opcode::red) &&
           !is_shared(m_f, i) && !has(m_f, i, Modifier::param) && !has(m_f, i, Modifier::local);
  }

  bool takes_shared_address(const ptx::Instruction& i) const {
    if (i.opcode != Opcode::mov) return false;
    const ptx::Operand& from = m_f.operands_of(i).back();
    if (from.kind != ptx::OperandKind::symbol) return false;
    if (from.symbol_kind == ptx::SymbolKind::function_variable)
      return m_f.variables[from.index].space == ptx::StateSpace::shared;
    return from.symbol_kind == ptx::SymbolKind::module_variable &&
           m_program.module->variables[from.index].space == ptx::StateSpace::shared;
  }

  // The registers behind those of parameters, and of values that sums take in.
  void resolve(std::vector<uint32_t>& reads) const {
    for (size_t k = 0; k < reads.size(); ++k) {
      const int64_t writer = m_merges.writer[reads[k]];
      if (writer < 0 || !m_merges.joined[size_t(writer)]) continue;
      for (const uint32_t r : m_merges.uses[size_t(writer)].reads) reads.push_back(r);
    }
  }

  // Whether a sum with a product needs it, which takes no uniform register.
  bool is_of_a_product(uint32_t reg, int step = 0) const {
    for (uint32_t n = 0; n < m_merges.uses.size(); ++n) {
      if (std::ranges::find(m_merges.uses[n].reads, reg) == m_merges.uses[n].reads.end()) continue;
      if (m_merges.product[n]) return true;
      if (m_f.instructions[n].opcode == Opcode::cvta && step < most_steps &&
          is_of_a_product(m_merges.uses[n].writes[0], step + 1))
        return true;
    }
    return false;
  }

  template <class Add>
  void load_parameter_of(uint32_t reg, const Add& add) {
    const int64_t writer = m_merges.writer[reg];
    if (writer < 0 || m_loaded[size_t(writer)]) return;
    const auto local = static_cast<uint32_t>(writer);
    if (!is_parameter_load(m_f, m_f.instructions[local])) return;
    m_loaded[local] = true;
    const bool wide = is_wide_type(m_f, m_f.instructions[local]);
    add(local, wide && is_of_a_product(reg) ? parameter() : one(Pipe::none, m_figures.uniform_latency));
  }

  Instruction instruction_of(const ptx::Instruction& i, uint32_t local) const {
    if (program::is_block_barrier(m_f, i)) return of_kind(Kind::barrier, Pipe::none, m_figures.barrier);
    if (is_exit(i.opcode)) return of_kind(Kind::exit, Pipe::none, 1);
    if (is_branch(i.opcode)) {
      Instruction branch = of_kind(Kind::branch, Pipe::none, 1);
      if (i.opcode == Opcode::bra && !i.guarded) branch.slots = goes_on(local) ? 0 : 1;
      return branch;
    }
    if (is_special_register(m_f, i)) {
      const auto special = static_cast<ptx::SpecialRegister>(m_f.operands_of(i).back().index);
      if (special == ptx::SpecialRegister::ntid || special == ptx::SpecialRegister::nctaid)
        return one(Pipe::none, m_figures.uniform_latency);
      return special_register();
    }
    if (is_of_predicates(m_f, i) || is_of_a_sign(m_f, i) || m_merges.half[local]) return none();
    const IssueUnit unit = issue_cost(m_f, i).unit;
    if (unit == IssueUnit::removed) return none();
    if (unit == IssueUnit::memory && i.opcode == Opcode::ld && has(m_f, i, Modifier::constant)) {
      const ptx::Operand* address = address_of(m_f, i);
      return address != nullptr && address->base != ptx::OperandKind::reg ? none() : parameter();
    }
    if (unit == IssueUnit::memory) return memory_of(i, local);
    if (unit == IssueUnit::warp) return of_kind(Kind::exchange, Pipe::mio, m_figures.latency[size_t(unit)]);
    if (unit == IssueUnit::special || unit == IssueUnit::convert) {
      Instruction special = of_kind(Kind::special, Pipe::special, m_figures.latency[size_t(unit)]);
      return special;
    }
    if (m_merges.product[local]) return one(Pipe::fma, m_figures.address_latency);
    Instruction plain = one(pipe_of(unit), m_figures.latency[size_t(unit)]);
    plain.slots = static_cast<uint16_t>(std::max(1l, std::lround(m_figures.slots[size_t(unit)])));
    plain.occupies = static_cast<float>(m_figures.sequence_interval[size_t(unit)]);
    // A product of 64 bits takes its unit twice as long.
    if (unit == IssueUnit::multiply &&
        (has(m_f, i, Modifier::wide) || has(m_f, i, Modifier::hi) || m_merges.both[local]))
      plain.occupies = static_cast<float>(2 * m_figures.interval[size_t(Pipe::fma)]);
    return plain;
  }

  Instruction memory_of(const ptx::Instruction& i, uint32_t local) const {
    Instruction m =
        of_kind(is_shared(m_f, i) ? Kind::shared : Kind::memory, Pipe::mio, m_figures.shared_latency);
    m.stores = i.opcode == Opcode::st;
    m.updates = i.opcode == Opcode::atom || i.opcode == Opcode::red;
    m.loads = !m.stores && !m.updates;
    m.merges = m.updates && sums(i) && at_one_address(i) &&
               std::ranges::all_of(m_merges.uses[local].writes,
                                   [&](uint32_t r) { return m_merges.readers[r] == 0; });
    return m;
  }

  bool sums(const ptx::Instruction& i) const {
    return std::ranges::none_of(m_f.modifiers_of(i), [](Modifier m) {
      return m == Modifier::exch || m == Modifier::cas || m == Modifier::inc || m == Modifier::dec ||
             (kind_of(m) == ptx::ModifierKind::type && is_float(m));
    });
  }
  // Whether all threads have the same address: a parameter or a symbol.
  bool at_one_address(const ptx::Instruction& i) const {
    const ptx::Operand* address = address_of(m_f, i);
    if (address == nullptr) return false;
    if (address->base != ptx::OperandKind::reg) return true;
    int64_t writer = m_merges.writer[address->index];
    for (int step = 0; writer >= 0 && step < most_steps; ++step) {
      const ptx::Instruction& from = m_f.instructions[size_t(writer)];
      if (is_parameter_load(m_f, from)) return true;
      if ((from.opcode != Opcode::cvta && from.opcode != Opcode::mov) || is_special_register(m_f, from))
        return false;
      if (m_merges.uses[size_t(writer)].reads.empty()) return true;
      writer = m_merges.writer[m_merges.uses[size_t(writer)].reads[0]];
    }
    return false;
  }

  static Instruction of_kind(Kind kind, Pipe pipe, double latency) {
    Instruction i = one(pipe, latency);
    i.kind = kind;
    return i;
  }
  static Instruction none() {
    Instruction i;
    i.slots = 0;
    i.latency = 0;
    return i;
  }

  // Whether a branch only leads to the instruction behind it.
  bool goes_on(uint32_t local) const {
    const auto operands = m_f.operands_of(m_f.instructions[local]);
    return !operands.empty() && operands.front().kind == ptx::OperandKind::label &&
           m_f.labels[operands.front().index].instruction == local + 1;
  }

  void put(const Node& node) {
    Instruction i = node.instruction;
    const auto keep = [&](const std::vector<uint32_t>& registers) {
      for (const uint32_t r : registers) m_out.registers.push_back(m_first_register + r);
      return static_cast<uint32_t>(registers.size());
    };
    i.first_read = static_cast<uint32_t>(m_out.registers.size());
    i.reads = keep(node.reads);
    i.first_write = static_cast<uint32_t>(m_out.registers.size());
    i.writes = keep(node.writes);
    m_out.instructions.push_back(i);
  }

  const program::Program& m_program;
  const ptx::Function& m_f;
  uint32_t m_first;
  const Figures& m_figures;
  Code& m_out;
  uint32_t m_first_register;
  Merges m_merges;
  std::vector<bool> m_loaded;  // by instruction: a parameter that is loaded already
  bool m_described = false;    // the descriptor of global memory is loaded
};

}  // namespace

Code code_of(const program::Program& program, const Figures& figures) {
  Code code;
  const Branches branches = branches_of(program);
  size_t next = 0;
  for (size_t f = 0; f < program.functions.size(); ++f) {
    const program::FunctionCode& function = program.functions[f];
    const size_t end =
        f + 1 < program.functions.size() ? program.functions[f + 1].first_block : program.flow.blocks.size();
    Translation translation(program, function, figures, code);
    for (; next < end; ++next) {
      code.block_starts.push_back(static_cast<uint32_t>(code.instructions.size()));
      translation.translate(program.flow.blocks[next], next == 0, branches.meets[next], branches.parts[next],
                            branches.skips[next]);
    }
  }
  code.block_starts.push_back(static_cast<uint32_t>(code.instructions.size()));
  code.predicated = branches.predicated;
  return code;
}

}  // namespace warplens::sm
