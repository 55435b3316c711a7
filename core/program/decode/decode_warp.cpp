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

// The mask is the last operand of forms with .sync; other forms do not wait. False if it is not a value.
bool set_mask(Emitter& emitter, CollectiveOp& collective, std::span<const Operand> operands, bool is_sync) {
  if (is_sync && operands.back().kind != OperandKind::immediate) {
    collective.mask_is_constant = false;
    collective.mask_slot = emitter.source(operands.back(), 32);
    return collective.mask_slot != no_slot;
  }
  if (is_sync) collective.mask = static_cast<uint32_t>(operands.back().bits);
  return true;
}

void set_results(Emitter& emitter, CollectiveOp& collective, const Operand& results, bool is_vote) {
  const bool pair = results.kind == OperandKind::pair;
  const uint32_t first = emitter.destination(pair ? emitter.children(results)[0] : results);
  (is_vote ? collective.result_predicate : collective.result) = first;
  if (pair) collective.result_predicate = emitter.destination(emitter.children(results)[1]);
}

}  // namespace

void decode_collective(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  const auto modifiers = emitter.modifiers(instruction);
  const bool is_sync = has(modifiers, Modifier::sync);
  const bool is_vote = instruction.opcode == Opcode::vote, is_shuffle = instruction.opcode == Opcode::shfl;
  // The forms from before Volta use the lanes that are active.
  if ((is_shuffle || is_vote) && !is_sync) emitter.program().needs_whole_warps = true;
  CollectiveOp collective;
  collective.kind = collective_of(instruction.opcode, modifiers);
  if (!set_mask(emitter, collective, operands, is_sync)) return emitter.refuse(instruction);
  if (collective.kind != Collective::warp_sync)
    set_results(emitter, collective, operands[0], is_vote && collective.kind != Collective::vote_ballot);
  if (is_vote) {
    collective.value = emitter.predicate_source(operands[1]);
    collective.negated = operands[1].negated;
  } else if (operands.size() > 2) {
    collective.value = emitter.source(operands[1], has(modifiers, Modifier::b64) ? 64 : 32);
  }
  if (is_shuffle) {
    collective.b = emitter.source(operands[2], 32);
    collective.c = emitter.source(operands[3], 32);
  }
  for (const uint32_t slot : {collective.value, collective.b, collective.c}) {
    if (slot == no_slot) return emitter.refuse(instruction);
  }
  Op op{.handlers = emitter.table().warp(collective.kind)};
  collective.write(op);
  const size_t guard = emitter.begin_guard(index, instruction);
  watch_collective(emitter, index, op, WatchJob::sync_before);
  emitter.append(index, op);
  watch_collective(emitter, index, op, WatchJob::sync_after);
  emitter.finish_guard(guard);
}

}  // namespace warplens::program
