#include "core/gpu/machine/chains.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/gpu/machine/issue_unit.h"
#include "core/program/flow/cfg.h"
#include "core/program/flow/liveness.h"

namespace warplens {
namespace {

using ptx::Opcode;

// Cycles that are only used to rank the chains of a block. They are those of an H200, approximately; the cost
// of a link on a device is a parameter of the time model.
constexpr std::array<uint32_t, chain_links> usual_cycles = {4,  8,  18, 10, 5,   8,   60, 200,
                                                            40, 24, 30, 30, 500, 700, 60, 20};

struct At {
  uint64_t cycles = 0;
  int64_t link = -1;  // index of the last link of the chain
};
struct Node {
  ChainLink link = ChainLink::arithmetic;
  int64_t before = -1;
};

bool has(const ptx::Function& function, const ptx::Instruction& instruction, ptx::Modifier wanted) {
  const auto modifiers = function.modifiers_of(instruction);
  return std::find(modifiers.begin(), modifiers.end(), wanted) != modifiers.end();
}

bool is_shared(const ptx::Function& function, const ptx::Instruction& instruction) {
  return has(function, instruction, ptx::Modifier::shared) ||
         has(function, instruction, ptx::Modifier::shared_cta);
}

ChainLink memory_link(const ptx::Function& function, const ptx::Instruction& instruction) {
  const bool shared = is_shared(function, instruction);
  if (instruction.opcode == Opcode::atom) return shared ? ChainLink::shared_atomic : ChainLink::atomic;
  return shared || instruction.opcode == Opcode::ldmatrix ? ChainLink::shared : ChainLink::global;
}

std::optional<ChainLink> link_of(const ptx::Function& function, const ptx::Instruction& instruction) {
  if (program::is_block_barrier(function, instruction)) return ChainLink::barrier;
  switch (issue_cost(function, instruction).unit) {
    case IssueUnit::removed:
      return std::nullopt;
    case IssueUnit::fp64:
      return ChainLink::fp64;
    case IssueUnit::special:
      return ChainLink::special;
    case IssueUnit::convert:
      return ChainLink::convert;
    case IssueUnit::multiply:
      return ChainLink::multiply;
    case IssueUnit::wide_integer:
    case IssueUnit::wide_multiply:
      return ChainLink::wide;
    case IssueUnit::divide:
      return ChainLink::divide;
    case IssueUnit::wide_divide:
      return ChainLink::wide_divide;
    case IssueUnit::float_divide:
      return ChainLink::float_divide;
    case IssueUnit::warp:
      return ChainLink::warp;
    case IssueUnit::tensor:
      return ChainLink::tensor;
    case IssueUnit::memory:
      return memory_link(function, instruction);
    default:
      return ChainLink::arithmetic;
  }
}

bool is_store(Opcode opcode) { return opcode == Opcode::st || opcode == Opcode::red; }

class Walk {
 public:
  void take(const ptx::Function& function, const ptx::Instruction& instruction) {
    const program::Uses uses = program::uses_of(function, instruction);
    At ready;
    for (const uint32_t reg : uses.reads)
      if (const auto found = m_registers.find(reg); found != m_registers.end())
        ready = later(ready, found->second);
    const bool shared = is_shared(function, instruction);
    if (is_store(instruction.opcode)) {
      m_stored[shared] = later(m_stored[shared], ready);
      m_last = later(m_last, ready);
      return;
    }
    const std::optional<ChainLink> link = link_of(function, instruction);
    const bool loads = link == ChainLink::global || link == ChainLink::shared;
    if (loads && !has(function, instruction, ptx::Modifier::nc)) ready = later(ready, m_stored[shared]);
    At done = ready;
    if (link) {
      m_nodes.push_back({*link, ready.link});
      done = {ready.cycles + usual_cycles[static_cast<size_t>(*link)],
              static_cast<int64_t>(m_nodes.size()) - 1};
    }
    for (const uint32_t reg : uses.writes) m_registers[reg] = done;
    m_last = later(m_last, done);
  }

  Chain chain() const {
    Chain chain{};
    for (int64_t at = m_last.link; at >= 0; at = m_nodes[static_cast<size_t>(at)].before)
      ++chain[static_cast<size_t>(m_nodes[static_cast<size_t>(at)].link)];
    return chain;
  }

 private:
  static At later(const At& a, const At& b) { return b.cycles > a.cycles ? b : a; }

  std::vector<Node> m_nodes;
  std::unordered_map<uint32_t, At> m_registers;
  std::array<At, 2> m_stored;  // global and local; shared
  At m_last;
};

}  // namespace

Chain chain_of(const program::Program& program, const program::BasicBlock& block) {
  Walk walk;
  for (uint32_t i = block.first; i < block.first + block.count; ++i)
    walk.take(*program.code_of(i).function, program.instruction(i));
  return walk.chain();
}

}  // namespace warplens
