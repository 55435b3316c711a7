#include "core/gpu/exec/jit/lower/reads.h"

#include <algorithm>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/ir/overlap.h"
#include "core/gpu/exec/jit/lower/rows.h"
#include "core/gpu/exec/state/routines.h"
#include "core/program/op/collective_op.h"
#include "core/program/op/flow_op.h"
#include "core/program/op/memory_op.h"
#include "core/program/op/ops_table.h"

namespace warplens::exec::jit {

namespace {

using program::Op;
using program::Selector;
using ptx::Modifier;

// One register to another one of the same width.
bool is_plain_move(const Selector& s) {
  const bool moves = s.opcode == ptx::Opcode::cvta || s.opcode == ptx::Opcode::mov;
  return program::family_of(s) == program::Family::move && moves && s.vector == 1 &&
         ptx::bits_of(s.type) != 128;
}

// Of the register that each lane brings, if that is one of lanes.
std::optional<uint32_t> value_bytes(program::Collective kind) {
  if (kind >= program::Collective::active_mask) return {};
  if (kind >= program::Collective::vote_all && kind <= program::Collective::vote_ballot) return {};
  return row_bytes(kind == program::Collective::match_any64 || kind == program::Collective::match_all64
                       ? Type::b64
                       : Type::b32);
}

}  // namespace

bool runs(const Op& op, program::Handler handler) { return op.handlers.run[program::some_lanes] == handler; }

bool starts_block(const program::Program& program, uint32_t at) {
  return at >= program.ops.size() || runs(program.ops[at], &run_enter);
}

bool is_unpacking(const Selector& s) {
  return s.opcode == ptx::Opcode::mov && s.vector == 2 && ptx::bits_of(s.type) == 64 && s.source_bits == 64 &&
         s.destination_bits == 32;
}

bool is_plain_access(const Selector& s) {
  return program::family_of(s) == program::Family::memory && s.vector == 1 &&
         (s.opcode == ptx::Opcode::ld || s.opcode == ptx::Opcode::st) &&
         (s.operation == Modifier::shared || s.operation == Modifier::global ||
          s.operation == Modifier::constant);
}

bool is_collective(const program::Program& program, const Op& op) {
  const program::Collective kind = program::collective_of(op);
  return kind <= program::Collective::warp_sync &&
         runs(op, program.table->warp(kind).run[program::some_lanes]);
}

void BlockReads::add(uint32_t slot, uint32_t bytes, uint32_t at) {
  if (slot != no_slot) m_reads.push_back({slot, bytes, at});
}

// False if it is not known here what the op reads.
bool BlockReads::add(const program::Program& program, uint32_t at) {
  const Op& op = program.ops[at];
  // For branches and guards, this is a predicate.
  if (runs(op, &run_guard)) {
    // Lanes that are not guarded keep what they have.
    const uint32_t behind = at + static_cast<uint32_t>(program::branch_jump(op));
    for (uint32_t guarded = at + 1; guarded < behind; ++guarded)
      add(program.ops[guarded].d, widest_row_bytes, guarded);
    return true;
  }
  if (runs(op, &run_nothing) || runs(op, &run_branch) || runs(op, &run_barrier) || runs(op, &run_exit))
    return true;
  if (is_collective(program, op)) {
    const auto collective = program::CollectiveOp::of(op);
    // Of a vote that is a predicate.
    if (const auto bytes = value_bytes(collective.kind)) add(collective.value, *bytes, at);
    if (program::is_shuffle(collective.kind))
      for (const uint32_t slot : {collective.b, collective.c}) add(slot, row_bytes(Type::b32), at);
    if (!collective.mask_is_constant) add(collective.mask_slot, row_bytes(Type::b32), at);
    return true;
  }
  if (at >= program.selectors.size() || !program.selectors[at]) return false;
  const Selector& s = *program.selectors[at];
  if (is_plain_access(s)) {
    if (!program::has_known_address(op))
      add(program::address_base(op), program::has_narrow_address(op) ? 128 : 256, at);
    if (s.opcode == ptx::Opcode::st) add(op.d, 4u * s.destination_bits, at);
    return true;
  }
  const uint32_t slots[3] = {op.a, op.b, op.c};
  if (is_plain_move(s)) {
    for (const uint32_t slot : {op.a, op.b}) add(slot, std::max(4u, 4 * ptx::bits_of(s.type)), at);
    return true;
  }
  if (is_unpacking(s)) {
    add(op.a, row_bytes(Type::b64), at);
    return true;
  }
  const auto row = lane_row_of(s);
  if (!row) return false;
  for (size_t n = 0; n < 3; ++n)
    if (row->source(n) != Type::none) add(slots[n], row_bytes(row->source(n)), at);
  return true;
}

BlockReads::BlockReads(const program::Program& program, uint32_t first) {
  uint32_t at = first;
  if (runs(program.ops[at], &run_enter)) ++at;
  for (; m_is_known && at < program.ops.size() && !runs(program.ops[at], &run_enter); ++at)
    m_is_known = add(program, at);
  std::ranges::sort(m_reads, {}, &Read::slot);
}

std::optional<uint32_t> BlockReads::last(uint32_t slot, uint32_t bytes) const {
  if (!m_is_known) return {};
  uint32_t last = 0;
  const uint32_t from = slot < widest_row_bytes ? 0 : slot - widest_row_bytes + 1;
  for (auto read = std::ranges::lower_bound(m_reads, from, {}, &Read::slot);
       read != m_reads.end() && read->slot < slot + bytes; ++read)
    if (slot < read->slot + read->bytes) last = std::max(last, read->op);
  return last;
}

}  // namespace warplens::exec::jit
