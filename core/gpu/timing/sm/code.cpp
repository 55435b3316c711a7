#include "core/gpu/timing/sm/code.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/gpu/machine/issue_unit.h"
#include "core/program/flow/cfg.h"
#include "core/program/flow/liveness.h"

namespace warplens::sm {
namespace {

using ptx::Modifier;
using ptx::Opcode;

bool has(const ptx::Function& function, const ptx::Instruction& instruction, Modifier wanted) {
  const auto modifiers = function.modifiers_of(instruction);
  return std::ranges::find(modifiers, wanted) != modifiers.end();
}

bool is_shared(const ptx::Function& f, const ptx::Instruction& i) {
  return has(f, i, Modifier::shared) || has(f, i, Modifier::shared_cta) || i.opcode == Opcode::ldmatrix;
}

bool is_parameter_load(const ptx::Function& f, const ptx::Instruction& i) {
  return i.opcode == Opcode::ld && has(f, i, Modifier::param);
}

bool is_special_register(const ptx::Function& f, const ptx::Instruction& i) {
  return i.opcode == Opcode::mov && f.operands_of(i).back().kind == ptx::OperandKind::special;
}

bool is_wide_type(const ptx::Function& f, const ptx::Instruction& i) {
  return std::ranges::any_of(f.modifiers_of(i), [](Modifier m) {
    return kind_of(m) == ptx::ModifierKind::type && bits_of(m) == 64 && !is_float(m);
  });
}

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

// Signs of floats: the instruction that needs the result turns its operand.
bool is_of_a_sign(const ptx::Function& f, const ptx::Instruction& i) {
  return (i.opcode == Opcode::neg || i.opcode == Opcode::abs) && !i.guarded &&
         std::ranges::any_of(f.modifiers_of(i),
                             [](Modifier m) { return m == Modifier::f32 || m == Modifier::f64; });
}

// Combinations of predicates: the comparison before does them too.
bool is_of_predicates(const ptx::Function& f, const ptx::Instruction& i) {
  const auto modifiers = f.modifiers_of(i);
  return std::ranges::find(modifiers, Modifier::pred) != modifiers.end() && i.opcode != Opcode::setp &&
         i.opcode != Opcode::selp;
}

bool is_branch(Opcode opcode) {
  return opcode == Opcode::bra || opcode == Opcode::brx || opcode == Opcode::call;
}
bool is_exit(Opcode opcode) {
  return opcode == Opcode::ret || opcode == Opcode::exit || opcode == Opcode::trap;
}

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
        m_first_register(out.register_count) {
    out.register_count += static_cast<uint32_t>(m_f.registers.size());
    m_uses.reserve(m_f.instructions.size());
    m_writer.assign(m_f.registers.size(), -1);
    for (const ptx::Instruction& i : m_f.instructions) m_uses.push_back(program::uses_of(m_f, i));
    find_readers();
  }

  // `meets`: paths that parted come together here. `skips`: its branch is left out, and what it skips is
  // predicated.
  void translate(const program::BasicBlock& block, bool is_entry, bool meets, bool parts, bool skips) {
    struct Node {
      Instruction instruction;
      std::vector<uint32_t> reads, writes;
      std::vector<uint32_t> after;
      uint32_t waiting = 0;
      double height = 0;
    };
    std::vector<Node> nodes;
    const auto add = [&](uint32_t local, Instruction instruction) {
      instruction.ptx = m_first + local;
      Node node{instruction, {}, {}, {}, 0, 0};
      for (const uint32_t r : m_uses[local].reads) node.reads.push_back(r);
      for (const uint32_t r : m_uses[local].writes) node.writes.push_back(r);
      for (uint32_t other = 0; other < m_with.size(); ++other)
        if (m_with[other] == local) {
          node.writes.push_back(m_uses[other].writes[0]);
          ++node.instruction.words;
        }
      nodes.push_back(std::move(node));
    };
    if (is_entry) {
      Instruction stack = parameter();  // the pointer to the stack
      stack.ptx = m_first + (block.first - m_first);
      nodes.push_back({stack, {}, {}, {}, 0, 0});
    }
    const uint32_t begin = block.first - m_first, end = begin + block.count;
    bool based = false;
    for (uint32_t local = begin; local < end; ++local) {
      const ptx::Instruction& i = m_f.instructions[local];
      for (const uint32_t r : m_uses[local].reads) load_parameter_of(r, add);
      if (is_parameter_load(m_f, i) || m_joined[local] || m_wider[local]) continue;
      if (is_branch(i.opcode) && skips) continue;
      if (is_branch(i.opcode) && parts) {
        nodes.push_back({one(Pipe::none, 1), {}, {}, {}, 0, 0});
        nodes.back().instruction.ptx = m_first + local;
      }
      if (!m_described && is_global(i)) {
        m_described = true;
        nodes.push_back({one(Pipe::none, m_figures.uniform_latency), {}, {}, {}, 0, 0});
        nodes.back().instruction.ptx = m_first + local;
      }
      add(local, instruction_of(i, local));
      if (!based && takes_shared_address(i)) {
        based = true;  // the base of the block's shared memory
        Instruction base = special_register(), shift = one(Pipe::none, m_figures.uniform_latency);
        base.ptx = shift.ptx = m_first + local;
        nodes.push_back({shift, {}, {}, {}, 0, 0});
        nodes.push_back({base, {}, m_uses[local].writes, {}, 0, 0});
      }
    }
    if (meets) {
      nodes.push_back({of_kind(Kind::branch, Pipe::none, 1), {}, {}, {}, 0, 0});
      nodes.back().instruction.ptx = block.first;
      std::rotate(nodes.begin(), nodes.end() - 1, nodes.end());
    }
    // Registers of values that are taken in by a sum are read by the sum.
    for (Node& node : nodes) resolve(node.reads);
    // Dependences within the block. An instruction that cannot move stays behind all before it.
    std::unordered_map<uint32_t, uint32_t> written;
    std::unordered_map<uint32_t, std::vector<uint32_t>> read;
    int64_t last_store[2] = {-1, -1};
    std::vector<uint32_t> loads[2];
    int64_t fence = -1;
    const auto order = [&](int64_t before, uint32_t after) {
      if (before < 0 || before == int64_t(after)) return;
      nodes[size_t(before)].after.push_back(after);
      ++nodes[after].waiting;
    };
    for (uint32_t n = 0; n < nodes.size(); ++n) {
      Node& node = nodes[n];
      for (const uint32_t r : node.reads)
        if (const auto at = written.find(r); at != written.end()) order(at->second, n);
      for (const uint32_t r : node.writes) {
        if (const auto at = written.find(r); at != written.end()) order(at->second, n);
        for (const uint32_t reader : read[r]) order(reader, n);
      }
      const Instruction& i = node.instruction;
      const bool touches = i.loads || i.stores || i.updates;
      const size_t space = i.kind == Kind::shared ? 1 : 0;
      if (touches) {
        order(last_store[space], n);
        order(fence, n);
        if (i.stores || i.updates) {
          for (const uint32_t load : loads[space]) order(load, n);
          loads[space].clear();
          last_store[space] = n;
        } else {
          loads[space].push_back(n);
        }
      }
      if (i.kind == Kind::barrier || i.kind == Kind::branch || i.kind == Kind::exit) {
        for (uint32_t before = 0; before < n; ++before) order(before, n);
        fence = n;
      } else if (fence >= 0) {
        order(fence, n);
      }
      for (const uint32_t r : node.reads) read[r].push_back(n);
      for (const uint32_t r : node.writes) {
        written[r] = n;
        read[r].clear();
      }
    }
    for (size_t n = nodes.size(); n-- > 0;) {
      double below = 0;
      for (const uint32_t after : nodes[n].after) below = std::max(below, nodes[after].height);
      nodes[n].height = below + (nodes[n].writes.empty() ? 1 : cost_of(nodes[n].instruction));
    }
    // List scheduling: of those whose operands are there, the one with the longest chain behind it.
    std::vector<double> earliest(nodes.size(), 0);
    const auto lower = [&](uint32_t a, uint32_t b) {
      return nodes[a].height != nodes[b].height ? nodes[a].height < nodes[b].height : a > b;
    };
    const auto later = [&](uint32_t a, uint32_t b) {
      return earliest[a] != earliest[b] ? earliest[a] > earliest[b] : a > b;
    };
    std::priority_queue<uint32_t, std::vector<uint32_t>, decltype(lower)> ready(lower);
    std::priority_queue<uint32_t, std::vector<uint32_t>, decltype(later)> coming(later);
    for (uint32_t n = 0; n < nodes.size(); ++n)
      if (nodes[n].waiting == 0) coming.push(n);
    for (double now = 0; !ready.empty() || !coming.empty(); now += 1) {
      if (ready.empty()) now = std::max(now, earliest[coming.top()]);
      while (!coming.empty() && earliest[coming.top()] <= now) {
        ready.push(coming.top());
        coming.pop();
      }
      const uint32_t n = ready.top();
      ready.pop();
      put(nodes[n].instruction, nodes[n].reads, nodes[n].writes);
      const Instruction& i = nodes[n].instruction;
      const double latency =
          i.kind == Kind::memory && (i.loads || i.updates) ? m_figures.l1_latency : double(i.latency);
      for (const uint32_t after : nodes[n].after) {
        earliest[after] = std::max(earliest[after], now + (nodes[n].writes.empty() ? 1 : latency));
        if (--nodes[after].waiting == 0) coming.push(after);
      }
    }
  }

 private:
  static Instruction one(Pipe pipe, double latency) {
    Instruction i;
    i.pipe = pipe;
    i.latency = static_cast<uint16_t>(latency + 0.5);
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

  double cost_of(const Instruction& i) const {
    if (i.kind == Kind::memory && (i.loads || i.updates)) return m_figures.l2_latency;
    if (i.kind == Kind::shared) return m_figures.shared_latency;
    return double(i.latency) + i.slots;
  }

  void find_readers() {
    std::vector<std::vector<uint32_t>> readers(m_f.registers.size());
    std::vector<uint32_t> writers(m_f.registers.size(), 0);
    for (uint32_t n = 0; n < m_uses.size(); ++n) {
      for (const uint32_t r : m_uses[n].reads) readers[r].push_back(n);
      for (const uint32_t r : m_uses[n].writes) {
        m_writer[r] = n;
        ++writers[r];
      }
    }
    for (size_t r = 0; r < writers.size(); ++r)
      if (writers[r] != 1) m_writer[r] = -1;
    m_joined.assign(m_uses.size(), false);
    m_sums.assign(m_uses.size(), false);
    m_loaded.assign(m_uses.size(), false);
    m_half.assign(m_uses.size(), false);
    m_both.assign(m_uses.size(), false);
    m_wider.assign(m_uses.size(), false);
    m_with.assign(m_uses.size(), UINT32_MAX);
    const auto is_sum = [&](uint32_t n) {
      return m_f.instructions[n].opcode == Opcode::add && is_wide_type(m_f, m_f.instructions[n]);
    };
    // From the last to the first, so that a conversion that goes into a shift goes into the sum behind it.
    for (size_t n = m_uses.size(); n-- > 0;) {
      const ptx::Instruction& i = m_f.instructions[n];
      if (!joins_a_sum(m_f, i) || m_uses[n].writes.size() != 1) continue;
      const uint32_t r = m_uses[n].writes[0];
      if (m_writer[r] != int64_t(n) || readers[r].empty()) continue;
      m_joined[n] = std::ranges::all_of(readers[r], [&](uint32_t reader) {
        return is_sum(reader) || (m_joined[reader] && m_f.instructions[reader].opcode == Opcode::shl);
      });
      if (m_joined[n] && (i.opcode == Opcode::mul || i.opcode == Opcode::shl))
        for (const uint32_t reader : readers[r]) m_sums[reader] = true;
    }
    for (size_t r = 0; r < readers.size(); ++r)
      m_reads_of.push_back(static_cast<uint32_t>(readers[r].size()));
    join(readers);
    find_wider_loads();
    find_halves();
  }

  void join(const std::vector<std::vector<uint32_t>>& readers) {
    std::vector<bool> has_taken(m_uses.size(), false);
    const auto block_of = [&](uint32_t n) { return m_program.flow.block_of[m_first + n]; };
    for (uint32_t n = 0; n < m_uses.size(); ++n) {
      const Role role = role_of(m_f, m_f.instructions[n]);
      if (role == Role::none || m_joined[n] || has_taken[n] || m_sums[n] || m_uses[n].writes.size() != 1)
        continue;
      const uint32_t r = m_uses[n].writes[0];
      if (m_writer[r] != int64_t(n) || readers[r].size() != 1) continue;
      const uint32_t reader = readers[r][0];
      const ptx::Instruction& by = m_f.instructions[reader];
      if (has_taken[reader] || m_sums[reader] || block_of(reader) != block_of(n)) continue;
      if (!takes_in(role, role_of(m_f, by)) ||
          is_wide_type(m_f, by) != is_wide_type(m_f, m_f.instructions[n]))
        continue;
      m_joined[n] = has_taken[reader] = true;
      if (role == Role::product) m_sums[reader] = true;
    }
    // A sum of three takes no conversion in: the upper half is an instruction.
    for (uint32_t n = 0; n < m_uses.size(); ++n)
      if (m_joined[n] && m_f.instructions[n].opcode == Opcode::cvt)
        m_joined[n] = std::ranges::none_of(readers[m_uses[n].writes[0]],
                                           [&](uint32_t r) { return bool(has_taken[r]) || m_joined[r]; });
  }

  // What a product is of: registers, and the bits of constants.
  std::set<std::pair<bool, uint64_t>> factors_of(uint32_t n) const {
    std::set<std::pair<bool, uint64_t>> factors;
    for (const ptx::Operand& operand : m_f.operands_of(m_f.instructions[n]).subspan(1)) {
      const ptx::Operand* constant = &operand;
      if (operand.kind == ptx::OperandKind::reg && m_writer[operand.index] >= 0) {
        const ptx::Instruction& from = m_f.instructions[size_t(m_writer[operand.index])];
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
    for (uint32_t n = 1; n < m_uses.size(); ++n) {
      const ptx::Instruction& i = m_f.instructions[n];
      if (i.opcode != Opcode::mul || is_wide_type(m_f, i) || has(m_f, i, Modifier::wide)) continue;
      const bool high = has(m_f, i, Modifier::hi);
      for (uint32_t before = n > 8 ? n - 8 : 0; before < n; ++before) {
        const ptx::Instruction& other = m_f.instructions[before];
        if (other.opcode != Opcode::mul || has(m_f, other, Modifier::hi) == high || m_joined[before] ||
            m_half[before])
          continue;
        if (factors_of(before) != factors_of(n) ||
            m_program.flow.block_of[m_first + before] != m_program.flow.block_of[m_first + n])
          continue;
        m_half[n] = true;
        m_both[before] = true;
        break;
      }
    }
  }

  // The registers behind those of parameters, and of values that sums take in.
  void resolve(std::vector<uint32_t>& reads) const {
    for (size_t k = 0; k < reads.size(); ++k) {
      const int64_t writer = m_writer[reads[k]];
      if (writer < 0 || !m_joined[size_t(writer)]) continue;
      for (const uint32_t r : m_uses[size_t(writer)].reads) reads.push_back(r);
    }
  }

  // Whether a sum with a product needs it, which takes no uniform register.
  bool is_of_a_product(uint32_t reg) const {
    for (uint32_t n = 0; n < m_uses.size(); ++n) {
      if (std::ranges::find(m_uses[n].reads, reg) == m_uses[n].reads.end()) continue;
      if (m_sums[n]) return true;
      if (m_f.instructions[n].opcode == Opcode::cvta && is_of_a_product(m_uses[n].writes[0])) return true;
    }
    return false;
  }

  template <class Add>
  void load_parameter_of(uint32_t reg, const Add& add) {
    const int64_t writer = m_writer[reg];
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
    if (is_of_predicates(m_f, i) || is_of_a_sign(m_f, i) || m_half[local]) return none();
    const IssueUnit unit = issue_cost(m_f, i).unit;
    if (unit == IssueUnit::removed) return none();
    if (unit == IssueUnit::memory && i.opcode == Opcode::ld && has(m_f, i, Modifier::constant)) {
      const ptx::Operand* address = address_of(i);
      return address != nullptr && address->base != ptx::OperandKind::reg ? none() : parameter();
    }
    if (unit == IssueUnit::memory) return memory_of(i, local);
    if (unit == IssueUnit::warp) return of_kind(Kind::exchange, Pipe::mio, m_figures.latency[size_t(unit)]);
    if (unit == IssueUnit::special || unit == IssueUnit::convert) {
      Instruction special = of_kind(Kind::special, Pipe::special, m_figures.latency[size_t(unit)]);
      return special;
    }
    if (m_sums[local]) return one(Pipe::fma, m_figures.address_latency);
    Instruction plain = one(pipe_of(unit), m_figures.latency[size_t(unit)]);
    plain.slots = static_cast<uint16_t>(std::max(1.0, m_figures.slots[size_t(unit)] + 0.5));
    plain.occupies = static_cast<float>(m_figures.sequence_interval[size_t(unit)]);
    // A product of 64 bits takes its unit twice as long.
    if (unit == IssueUnit::multiply &&
        (has(m_f, i, Modifier::wide) || has(m_f, i, Modifier::hi) || m_both[local]))
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
               std::ranges::all_of(m_uses[local].writes, [&](uint32_t r) { return m_reads_of[r] == 0; });
    return m;
  }

  bool sums(const ptx::Instruction& i) const {
    return std::ranges::none_of(m_f.modifiers_of(i), [](Modifier m) {
      return m == Modifier::exch || m == Modifier::cas || m == Modifier::inc || m == Modifier::dec ||
             (kind_of(m) == ptx::ModifierKind::type && is_float(m));
    });
  }
  const ptx::Operand* address_of(const ptx::Instruction& i) const {
    for (const ptx::Operand& operand : m_f.operands_of(i))
      if (operand.kind == ptx::OperandKind::address) return &operand;
    return nullptr;
  }
  // Whether all threads have the same address: a parameter or a symbol.
  bool at_one_address(const ptx::Instruction& i) const {
    const ptx::Operand* address = address_of(i);
    if (address == nullptr) return false;
    if (address->base != ptx::OperandKind::reg) return true;
    int64_t writer = m_writer[address->index];
    while (writer >= 0) {
      const ptx::Instruction& from = m_f.instructions[size_t(writer)];
      if (is_parameter_load(m_f, from)) return true;
      if ((from.opcode != Opcode::cvta && from.opcode != Opcode::mov) || is_special_register(m_f, from))
        return false;
      if (m_uses[size_t(writer)].reads.empty()) return true;
      writer = m_writer[m_uses[size_t(writer)].reads[0]];
    }
    return false;
  }

  // The power of two that divides what a register holds, as far as the code shows it.
  uint64_t alignment_of(uint32_t reg, int depth = 0) const {
    const int64_t writer = m_writer[reg];
    if (writer < 0 || depth > 8) return 1;
    const ptx::Instruction& i = m_f.instructions[size_t(writer)];
    const auto of = [&](const ptx::Operand& operand) -> uint64_t {
      if (operand.kind == ptx::OperandKind::reg) return alignment_of(operand.index, depth + 1);
      if (operand.kind == ptx::OperandKind::immediate)
        return operand.bits == 0 ? 256 : operand.bits & -operand.bits;
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
        return has(m_f, i, Modifier::hi) ? 1 : of(operands[1]) * of(operands[2]);
      case Opcode::mad:
        return has(m_f, i, Modifier::hi) ? 1 : std::min(of(operands[1]) * of(operands[2]), of(operands[3]));
      case Opcode::shl:
        return operands[2].kind == ptx::OperandKind::immediate
                   ? of(operands[1]) << std::min<uint64_t>(operands[2].bits, 16)
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
    for (uint32_t n = 0; n < m_uses.size(); ++n) {
      const ptx::Instruction& i = m_f.instructions[n];
      if (i.opcode != Opcode::ld || i.guarded || !is_shared(m_f, i) || !is_word(i)) continue;
      const ptx::Operand* address = address_of(i);
      if (address == nullptr || address->base != ptx::OperandKind::reg || m_writer[address->index] < 0)
        continue;
      if (alignment_of(address->index) < 16) continue;
      groups[{m_program.flow.block_of[m_first + n], address->index, address->offset >> 4}].emplace_back(
          address->offset, n);
    }
    for (auto& [group, loads] : groups) {
      std::ranges::sort(loads);
      for (size_t k = 1; k < loads.size(); ++k)
        if (loads[k].first == loads[k - 1].first + 4 && loads[k].first % 8 != 0 &&
            !m_wider[loads[k - 1].second])
          m_wider[loads[k].second] = true;
      if (loads.size() == 4)  // one of 16 bytes
        for (size_t k = 1; k < 4; ++k) m_wider[loads[k].second] = true;
      for (size_t k = 1; k < loads.size(); ++k)
        if (m_wider[loads[k].second])
          m_with[loads[k].second] = loads.size() == 4 ? loads[0].second : loads[k - 1].second;
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

  void put(Instruction i, const std::vector<uint32_t>& reads, const std::vector<uint32_t>& writes) {
    i.first_read = static_cast<uint32_t>(m_out.registers.size());
    i.reads = static_cast<uint32_t>(reads.size());
    for (const uint32_t r : reads) m_out.registers.push_back(m_first_register + r);
    i.first_write = static_cast<uint32_t>(m_out.registers.size());
    i.writes = static_cast<uint32_t>(writes.size());
    for (const uint32_t r : writes) m_out.registers.push_back(m_first_register + r);
    m_out.instructions.push_back(i);
  }

  const program::Program& m_program;
  const ptx::Function& m_f;
  uint32_t m_first;
  const Figures& m_figures;
  Code& m_out;
  uint32_t m_first_register;
  std::vector<program::Uses> m_uses;
  std::vector<int64_t> m_writer;  // of each register: its only writer, or -1
  std::vector<bool> m_joined, m_sums, m_loaded, m_half, m_both, m_wider;
  std::vector<uint32_t> m_with;      // of a load that another one does as well: that one
  std::vector<uint32_t> m_reads_of;  // by register: how many instructions need it
  // by instruction
  bool m_described = false;  // the descriptor of global memory is loaded
};

// What ptxas predicates in place of a branch around it.
constexpr uint32_t most_predicated = 7;

bool can_be_predicated(const program::Program& program, const program::BasicBlock& block) {
  if (block.count > most_predicated || block.successors.size() != 1) return false;
  for (uint32_t n = block.first; n < block.first + block.count; ++n) {
    const ptx::Function& f = *program.code_of(n).function;
    const ptx::Instruction& i = program.instruction(n);
    if (program::is_block_barrier(f, i) || is_exit(i.opcode) || i.opcode == Opcode::call) return false;
    if (i.opcode == Opcode::bra && i.guarded) return false;
  }
  return true;
}

// Whether the block is in a loop, and `to` behind it.
bool leaves_loop(const std::vector<program::BasicBlock>& blocks, uint32_t block, uint32_t to) {
  for (uint32_t n = block; n < to; ++n)
    for (const uint32_t next : blocks[n].successors)
      if (next <= block) return true;
  return false;
}

// How the branches of a program become machine code.
struct Branches {
  std::vector<bool> meets, parts, skips;  // by basic block
  std::vector<uint32_t> predicated;
};

Branches branches_of(const program::Program& program) {
  const std::vector<program::BasicBlock>& blocks = program.flow.blocks;
  Branches all{std::vector<bool>(blocks.size()), std::vector<bool>(blocks.size()),
               std::vector<bool>(blocks.size()), std::vector<uint32_t>(blocks.size(), program::no_block)};
  for (size_t b = 0; b < blocks.size(); ++b) {
    const program::BasicBlock& block = blocks[b];
    if (block.count == 0 || block.successors.size() != 2 || block.post_dominator == program::no_block)
      continue;
    const uint32_t to = block.post_dominator;
    if (to <= b) continue;  // the end of a loop
    if (leaves_loop(blocks, static_cast<uint32_t>(b), to)) {
      all.meets[to] = true;
      continue;
    }
    // A branch to the end of the kernel is an exit under a condition.
    const program::BasicBlock& end = blocks[to];
    if (end.count == 1 && is_exit(program.instruction(end.first).opcode)) continue;
    const uint32_t other = block.successors[0] == to ? block.successors[1] : block.successors[0];
    const bool around = block.successors[0] == to || block.successors[1] == to;
    if (around && can_be_predicated(program, blocks[other]) && blocks[other].successors[0] == to) {
      all.skips[b] = true;
      all.predicated[b] = other;
    } else {
      all.parts[b] = all.meets[to] = true;
    }
  }
  return all;
}

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
