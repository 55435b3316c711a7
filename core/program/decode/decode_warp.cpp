// Instructions in which lanes work together: shfl, vote, match, redux, activemask, elect and bar.warp.sync.
#include <optional>

#include "core/program/decode/families.h"
#include "core/program/decode/watch_ops.h"
#include "core/program/op/collective_op.h"

namespace warplens::program {

namespace {

using Modifiers = std::span<const Modifier>;

Collective shuffle_of(Modifiers modifiers) {
  if (has(modifiers, Modifier::up)) return Collective::shfl_up;
  if (has(modifiers, Modifier::down)) return Collective::shfl_down;
  return has(modifiers, Modifier::bfly) ? Collective::shfl_bfly : Collective::shfl_idx;
}

Collective vote_of(Modifiers modifiers) {
  if (has(modifiers, Modifier::ballot)) return Collective::vote_ballot;
  if (has(modifiers, Modifier::all)) return Collective::vote_all;
  return has(modifiers, Modifier::any) ? Collective::vote_any : Collective::vote_uni;
}

Collective match_of(Modifiers modifiers) {
  const bool wide = has(modifiers, Modifier::b64);
  if (has(modifiers, Modifier::any)) return wide ? Collective::match_any64 : Collective::match_any32;
  return wide ? Collective::match_all64 : Collective::match_all32;
}

Collective reduction_of(Modifiers modifiers) {
  const bool is_signed = has(modifiers, Modifier::s32);
  if (has(modifiers, Modifier::add)) return Collective::redux_add;
  if (has(modifiers, Modifier::min))
    return is_signed ? Collective::redux_min_signed : Collective::redux_min_unsigned;
  if (has(modifiers, Modifier::max))
    return is_signed ? Collective::redux_max_signed : Collective::redux_max_unsigned;
  if (has(modifiers, Modifier::and_)) return Collective::redux_and;
  return has(modifiers, Modifier::or_) ? Collective::redux_or : Collective::redux_xor;
}

Collective collective_of(Opcode opcode, Modifiers modifiers) {
  switch (opcode) {
    case Opcode::shfl:
      return shuffle_of(modifiers);
    case Opcode::vote:
      return vote_of(modifiers);
    case Opcode::match:
      return match_of(modifiers);
    case Opcode::redux:
      return reduction_of(modifiers);
    case Opcode::activemask:
      return Collective::active_mask;
    case Opcode::elect:
      return Collective::elect;
    default:
      return Collective::warp_sync;
  }
}

// The mask is the last operand of forms with .sync; the others wait for nobody.
bool set_mask(Emitter& emitter, Op& op, std::span<const Operand> operands, bool is_sync) {
  if (is_sync && operands.back().kind != OperandKind::immediate) {
    op.e = emitter.source(operands.back(), 32);
    return op.e != no_slot;
  }
  op.flags |= flag_constant;
  op.immediate = is_sync ? static_cast<int64_t>(truncated(operands.back().bits, 32)) : 0;
  return true;
}

}  // namespace

void decode_collective(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  const Collective kind = collective_of(instruction.opcode, modifiers);
  const bool is_sync = has(modifiers, Modifier::sync);
  // Those of before Volta work together with whoever is there.
  if ((instruction.opcode == Opcode::shfl || instruction.opcode == Opcode::vote) && !is_sync)
    emitter.program().needs_whole_warps = true;
  Op op{.d = no_slot, .state = no_slot, .extra = static_cast<uint8_t>(kind)};
  if (!set_mask(emitter, op, operands, is_sync)) return emitter.refuse(instruction);
  const bool is_vote = instruction.opcode == Opcode::vote && kind != Collective::vote_ballot;
  if (kind != Collective::warp_sync) {
    const bool pair = operands[0].kind == OperandKind::pair;
    const Operand& first = pair ? emitter.children(operands[0])[0] : operands[0];
    (is_vote ? op.state : op.d) = emitter.destination(first);
    if (pair) op.state = emitter.destination(emitter.children(operands[0])[1]);
  }
  if (instruction.opcode == Opcode::vote) {
    op.a = emitter.predicate_source(operands[1]);
    if (operands[1].negated) op.flags |= flag_negated;
  } else if (operands.size() > 2) {
    const uint32_t bits = has(modifiers, Modifier::b64) ? 64 : 32;
    op.a = emitter.source(operands[1], bits);
  }
  if (instruction.opcode == Opcode::shfl) {
    op.b = emitter.source(operands[2], 32);
    op.c = emitter.source(operands[3], 32);
  }
  if (op.a == no_slot || op.b == no_slot || op.c == no_slot) return emitter.refuse(instruction);
  op.handlers = emitter.table().warp(kind);
  const size_t guard = emitter.begin_guard(index, instruction);
  watch_collective(emitter, index, op, WatchJob::sync_before);
  emitter.append(index, op);
  watch_collective(emitter, index, op, WatchJob::sync_after);
  emitter.finish_guard(guard);
}

}  // namespace warplens::program
