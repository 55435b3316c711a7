// One pass over the instructions of a function in program order. Each becomes an op, or several (a guard or a
// rounding mode before it, a narrowing of a wide source), or none: a copy of a launch constant only renames
// its register. After that, the passes over the finished ops.
#include "core/program/decode/decode_function.h"

#include "core/program/decode/families.h"
#include "core/program/decode/passed.h"
#include "core/program/decode/passes.h"
#include "core/program/decode/watch_ops.h"
#include "core/program/flow/liveness.h"
#include "core/program/flow/step_weight.h"
#include "core/program/op/flow_op.h"

namespace warplens::program {

namespace {

// Further errors of one function are not reported.
constexpr size_t most_diagnostics = 20;

// Appends the op after the last instruction: reaching it returns.
void append_end(Emitter& emitter) {
  const Routine end = emitter.function().is_entry ? Routine::exit : Routine::ret;
  emitter.append(0, {.handlers = emitter.routine(end)});
}

void append_enter(Emitter& emitter, uint32_t b) {
  const BasicBlock& block = emitter.flow().blocks[b];
  int64_t weight = 0;
  for (uint32_t i = block.first; i < block.first + block.count; ++i)
    weight += step_weight(emitter.function(), emitter.function().instructions[i]);
  Op op{.handlers = emitter.routine(Routine::enter)};
  EnterOp{.block = emitter.code().first_block + b, .steps = weight}.write(op);
  emitter.append(block.first, op);
}

void decode_block(Emitter& emitter, WatchOps& watch, uint32_t b) {
  const BasicBlock& block = emitter.flow().blocks[b];
  append_enter(emitter, b);
  for (uint32_t i = block.first; i < block.first + block.count; ++i) {
    const Instruction& instruction = emitter.function().instructions[i];
    emitter.begin_instruction(i);
    const size_t first_op = emitter.next_op();
    watch.before(i, instruction);
    decoder_of(instruction.opcode)(emitter, i, instruction);
    if (emitter.program().for_stepping && emitter.next_op() == first_op)
      emitter.append(i, {.handlers = emitter.routine(Routine::nothing)});
    watch.after(i, instruction);
  }
}

void clear_uninitialised(Emitter& emitter) {
  for (const uint32_t r : maybe_uninitialised(emitter.function(), emitter.live_at_start())) {
    const DecodedRegister& at = emitter.register_at(r);
    if (at.alias != no_slot || at.is_constant) continue;  // set once for all blocks
    const ptx::Register& reg = emitter.function().registers[r];
    const uint32_t bytes =
        is_predicate(reg.type) ? 4 : Frame::exec_bytes(register_bits(reg.type)) * reg.vector;
    emitter.program().cleared.emplace_back(at.slot, bytes);
  }
}

// The program's control flow is that of all functions, numbered continuously.
void append_flow(Emitter& emitter) {
  ControlFlow& all = emitter.program().flow;
  const FunctionCode& code = emitter.code();
  for (BasicBlock block : emitter.flow().blocks) {
    block.first += code.first_instruction;
    for (uint32_t& successor : block.successors) successor += code.first_block;
    if (block.post_dominator != no_block) block.post_dominator += code.first_block;
    all.blocks.push_back(std::move(block));
  }
  for (const uint32_t block : emitter.flow().block_of) all.block_of.push_back(block + code.first_block);
  const std::vector<bool>& reachable = emitter.flow().reachable;
  all.reachable.insert(all.reachable.end(), reachable.begin(), reachable.end());
}

}  // namespace

std::vector<Diagnostic> decode_function(Emitter& emitter) {
  emitter.code().entry_op = static_cast<uint32_t>(emitter.next_op());
  spill_parameters(emitter);
  WatchOps watch(emitter);
  const auto blocks = static_cast<uint32_t>(emitter.flow().blocks.size());
  for (uint32_t b = 0; b < blocks && emitter.diagnostics().size() < most_diagnostics; ++b)
    decode_block(emitter, watch, b);
  append_end(emitter);
  append_flow(emitter);
  if (!emitter.diagnostics().empty()) return emitter.diagnostics();  // these ops are never run
  patch_branches(emitter);
  mark_dead_results(emitter);
  clear_uninitialised(emitter);
  if (emitter.program().for_stepping) {
    for (uint32_t r = 0; r < emitter.function().registers.size(); ++r)
      emitter.code().register_slots.push_back(emitter.register_at(r).slot);
  }
  return {};
}

}  // namespace warplens::program
