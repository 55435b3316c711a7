#include "core/gpu/exec/jit/target/x64/code.h"

#include <algorithm>

#include "core/gpu/exec/state/in_code.h"
#include "core/program/op/barrier_op.h"

namespace warplens::exec::jit::x64 {

int float_comparison(Condition condition) {
  constexpr int numbers[] = {0,    0x00, 0x0c, 0x11, 0x12, 0x1e, 0x1d, 0x07,
                             0x03, 0x08, 0x04, 0x19, 0x1a, 0x16, 0x15};
  return numbers[static_cast<size_t>(condition)];
}

namespace {
constexpr x86::Gp saved[] = {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};
}

void Code::begin_unit(const Unit& unit) {
  makers.assign(unit.values, nullptr);
  for (const Instruction& i : unit.code)
    if (i.result != no_value) makers[i.result] = &i;
  row_places.clear();
  places_of_rows = 0;
  known_shapes.clear();
  depth = 0;
  row_in_rax = no_value;
  groups.clear();
  counted.clear();
  find_groups(*this, unit);
}

x86::Mem Code::row(uint32_t value, uint32_t number) {
  const Instruction& i = maker(value);
  const uint32_t bytes = info_of(i.opcode).result == Type::b64 ? 8 : 4;
  if (i.rows.firsts() == 1) number = 0;
  if (i.opcode == Opcode::special_b32 || i.opcode == Opcode::special_b64)
    return x86::ptr(block_register,
                    WARPLENS_OFFSET(BlockContext, special_values) + static_cast<int32_t>(8 * i.number),
                    bytes);
  if (is_fixed(i.opcode)) return of_frame(i.slot, number * i.rows.lanes * bytes, bytes);
  const auto [place, is_new] = row_places.emplace(value, places_of_rows);
  if (is_new) places_of_rows += i.rows.firsts();
  return x86::ptr(x86::rsp, static_cast<int32_t>(8 * (place->second + number)), bytes);
}

void Code::go_to(uint32_t at) {
  if (const auto found = labels.find(at); found != labels.end())
    return static_cast<void>(assembler.jmp(found->second));
  load_op(x86::rax, at);
  assembler.mov(x86::rcx, asmjit::imm(&asked.entries[at]));
  assembler.mov(x86::rcx, x86::ptr(x86::rcx, 0));
  assembler.test(x86::rcx, x86::rcx);
  assembler.jz(leave);
  assembler.jmp(x86::rcx);
}

// If the handler returned null, the code returns; warp.signal says why.
void Code::signal(Signal what) {
  assembler.mov(x86::byte_ptr(warp_register, WARPLENS_OFFSET(Warp, signal)), static_cast<uint8_t>(what));
  assembler.xor_(x86::eax, x86::eax);
  assembler.jmp(leave);
}

void Code::part_lanes(uint32_t branch) {
  complete_frames();
  assembler.mov(x86::rdi, asmjit::imm(asked.ops + branch));
  assembler.mov(x86::rsi, warp_register);
  go_on_with_path(reinterpret_cast<uint64_t>(&part_in_code));
}

void Code::change_path(Signal what) {
  complete_frames();
  assembler.mov(x86::byte_ptr(warp_register, WARPLENS_OFFSET(Warp, signal)), static_cast<uint8_t>(what));
  assembler.mov(x86::rdi, warp_register);
  go_on_with_path(reinterpret_cast<uint64_t>(&go_on_in_code));
}

void Code::take_back(const std::vector<GroupUse>& uses) {
  for (const GroupUse& use : uses) {
    assembler.mov(x86::rdi, block_register);
    assembler.mov(x86::rsi, asmjit::imm(use.accesses));
    assembler.mov(x86::edx, use.member);
    assembler.mov(x86::rcx, use.first());
    if (use.may_be_halves()) assembler.or_(x86::rcx, use.first(true));
    assembler.mov(x86::rax, asmjit::imm(&exec::take_back));
    assembler.vzeroupper();
    assembler.call(x86::rax);
  }
}

// The arguments are set. The other code has the same stack and registers.
void Code::go_on_with_path(uint64_t function) {
  assembler.mov(of_warp(WARPLENS_OFFSET(Warp, steps)), steps_register);
  assembler.mov(x86::rax, function);
  assembler.vzeroupper();
  assembler.call(x86::rax);
  assembler.mov(steps_register, of_warp(WARPLENS_OFFSET(Warp, steps)));
  const asmjit::Label returns = assembler.newLabel();
  assembler.test(x86::rdx, x86::rdx);
  assembler.jz(returns);
  // Code of whole warps may be next. Handlers may have learnt other shapes since it ran last.
  clear_shapes();
  assembler.jmp(x86::rdx);
  assembler.bind(returns);
  assembler.xor_(x86::eax, x86::eax);
  assembler.jmp(leave);
}

void Code::write_predicate(uint32_t slot, x86::Gp from) {
  const x86::Mem word = of_frame(slot);
  if (!is_whole()) {
    assembler.mov(x86::esi, word);
    assembler.xor_(from, x86::esi);
    assembler.and_(from, of_warp(WARPLENS_OFFSET(Warp, mask)));
    assembler.xor_(from, x86::esi);
  }
  assembler.mov(word, from);
}

void Code::complete_frames() {
  if (!is_whole()) return;
  const asmjit::Label complete = assembler.newLabel();
  assembler.cmp(x86::byte_ptr(block_register, WARPLENS_OFFSET(BlockContext, frames_lack_specials)), 0);
  assembler.jz(complete);
  const x86::Mem saved_rax = x86::ptr(x86::rsp, m_stack_bytes - 8);
  assembler.mov(saved_rax, x86::rax);
  assembler.mov(x86::rdi, block_register);
  assembler.mov(x86::rax, asmjit::imm(&fill_block_specials));
  assembler.vzeroupper();
  assembler.call(x86::rax);
  assembler.mov(x86::rax, saved_rax);
  assembler.bind(complete);
}

// No exception passes compiled code: what a recorder or a watch throws waits in the block.
void Code::call_handler(const Op* op, Handler handler) {
  complete_frames();
  assembler.mov(of_warp(WARPLENS_OFFSET(Warp, steps)), steps_register);
  assembler.mov(x86::rdi, asmjit::imm(op));
  assembler.mov(x86::rsi, warp_register);
  if (asked.observers->recorded || asked.program->watching != program::Watching::nothing) {
    assembler.mov(x86::rdx, asmjit::imm(handler));
    assembler.mov(x86::rax, asmjit::imm(&run_and_catch));
  } else {
    assembler.mov(x86::rax, asmjit::imm(handler));
  }
  assembler.vzeroupper();
  assembler.call(x86::rax);
  assembler.mov(steps_register, of_warp(WARPLENS_OFFSET(Warp, steps)));
  forget_shapes();
}

std::optional<x86::Mem> Code::place_of_step(const StepOfShape& step) {
  StepsOfShapes& steps_of_shapes = *asked.steps_of_shapes;
  const auto found = std::ranges::find(steps_of_shapes, step);
  const auto place = static_cast<int32_t>(found - steps_of_shapes.begin());
  if (place == static_cast<int32_t>(most_steps)) return {};
  if (found == steps_of_shapes.end()) steps_of_shapes.push_back(step);
  return x86::ptr(x86::rsp, steps_at + 8 * place);
}

std::optional<std::pair<x86::Mem, bool>> Code::place_of_shape(uint32_t key) {
  const auto found = known_shapes.find(key);
  const bool is_known = found != known_shapes.end();
  uint32_t place = 0;
  if (is_known) {
    place = found->second;
  } else {
    if (known_shapes.size() == most_shapes) return {};
    while (std::ranges::any_of(known_shapes, [&](const auto& taken) { return taken.second == place; }))
      ++place;
    known_shapes.emplace(key, place);
  }
  return std::pair(x86::ptr(x86::rsp, shapes_at + static_cast<int32_t>(8 * place)), is_known);
}

void Code::forget_shapes() {
  if (is_whole()) clear_shapes();
}

void Code::clear_shapes() {
  constexpr int32_t vector_bytes = 32;
  static_assert((masks_at - shapes_at) % vector_bytes == 0);
  assembler.vpxor(m_scratch, m_scratch, m_scratch);
  for (int32_t at = shapes_at; at < masks_at; at += vector_bytes)
    assembler.vmovdqu(x86::ptr(x86::rsp, at), m_scratch);
}

// const Op* enter(Warp*, where to go on)
void Code::write_way_in() {
  for (const x86::Gp& r : saved) assembler.push(r);
  assembler.sub(x86::rsp, m_stack_bytes);
  assembler.mov(warp_register, x86::rdi);
  assembler.mov(frame_register, of_warp(WARPLENS_OFFSET(Warp, frame)));
  assembler.mov(block_register, of_warp(WARPLENS_OFFSET(Warp, block)));
  assembler.mov(steps_register, of_warp(WARPLENS_OFFSET(Warp, steps)));
  assembler.mov(counts_register, of_block(WARPLENS_OFFSET(BlockContext, counts)));
  assembler.mov(counters_register, of_block(WARPLENS_OFFSET(BlockContext, memory_ops)));
  forget_shapes();
  assembler.jmp(x86::rsi);
}

void Code::write_way_out() {
  assembler.bind(leave);
  complete_frames();
  assembler.bind(leave_at_end);
  assembler.mov(of_warp(WARPLENS_OFFSET(Warp, steps)), steps_register);
  assembler.vzeroupper();
  assembler.add(x86::rsp, m_stack_bytes);
  for (size_t i = std::size(saved); i-- > 0;) assembler.pop(saved[i]);
  assembler.ret();
}

// As Block::end_turn() and begin_turn() do, for the warp in warp_register. They overwrite rcx.
void Code::end_turn() {
  assembler.mov(x86::rcx, of_warp(WARPLENS_OFFSET(Warp, slice)));
  assembler.sub(x86::rcx, steps_register);
  assembler.add(of_block(WARPLENS_OFFSET(BlockContext, clock)), x86::rcx);
  assembler.sub(chain(WARPLENS_OFFSET(Chain, steps)), x86::rcx);
}

void Code::begin_turn() {
  assembler.mov(steps_register, chain(WARPLENS_OFFSET(Chain, steps)));
  assembler.mov(x86::rcx, chain(WARPLENS_OFFSET(Chain, turn)));
  assembler.cmp(steps_register, x86::rcx);
  assembler.cmovg(steps_register, x86::rcx);
  assembler.mov(of_warp(WARPLENS_OFFSET(Warp, slice)), steps_register);
  assembler.mov(frame_register, of_warp(WARPLENS_OFFSET(Warp, frame)));
}

// In a chain the next warp begins (Block::run_chain), with a turn of its own.
void Code::write_exit() {
  const asmjit::Label alone = assembler.newLabel(), last = assembler.newLabel();
  assembler.bind(exit);
  if (is_whole()) {
    assembler.mov(x86::rax, chain(WARPLENS_OFFSET(Chain, end)));
    assembler.test(x86::rax, x86::rax);
    assembler.jz(alone);
    x86::Mem met = chain(WARPLENS_OFFSET(Chain, met));
    met.setSize(8);
    assembler.cmp(met, 0);
    assembler.jnz(alone);
    end_turn();
    assembler.add(warp_register, static_cast<int32_t>(sizeof(Warp)));
    assembler.mov(chain(WARPLENS_OFFSET(Chain, at)), warp_register);
    assembler.cmp(warp_register, x86::rax);
    assembler.jz(last);
    begin_turn();
    assembler.jmp(chain(WARPLENS_OFFSET(Chain, entry)));
    assembler.bind(last);
    assembler.sub(warp_register, static_cast<int32_t>(sizeof(Warp)));
  }
  assembler.bind(alone);
  if (!is_whole()) return change_path(Signal::exit);
  assembler.mov(x86::byte_ptr(warp_register, WARPLENS_OFFSET(Warp, signal)),
                static_cast<uint8_t>(Signal::exit));
  assembler.xor_(x86::eax, x86::eax);
  assembler.jmp(leave_at_end);
}

void Code::write_barrier(uint32_t at) {
  const auto barrier = program::BarrierOp::of(asked.program->ops[at]);
  const bool may_go_on = is_whole() && barrier.kind == program::BarrierKind::sync && barrier.are_constants &&
                         barrier.threads == program::no_slot && !is_watched(*asked.observers, *asked.program);
  const asmjit::Label alone = assembler.newLabel();
  if (may_go_on) {
    const asmjit::Label others = assembler.newLabel(), comes = assembler.newLabel(),
                        last = assembler.newLabel();
    const x86::Mem met = chain(WARPLENS_OFFSET(Chain, met)), first = chain(WARPLENS_OFFSET(Chain, begin));
    assembler.mov(x86::rax, chain(WARPLENS_OFFSET(Chain, end)));
    assembler.test(x86::rax, x86::rax);
    assembler.jz(alone);
    load_op(x86::rdx, at);
    assembler.cmp(x86::rdx, met);
    assembler.jnz(others);
    assembler.bind(comes);
    end_turn();
    assembler.add(warp_register, static_cast<int32_t>(sizeof(Warp)));
    assembler.cmp(warp_register, x86::rax);
    assembler.jz(last);
    assembler.mov(chain(WARPLENS_OFFSET(Chain, at)), warp_register);
    begin_turn();
    assembler.jmp(chain(WARPLENS_OFFSET(Chain, entry)));
    assembler.bind(others);
    // The first warp says which barrier it is.
    assembler.cmp(warp_register, first);
    assembler.jnz(alone);
    assembler.mov(met, x86::rdx);
    assembler.jmp(comes);
    assembler.bind(last);
    assembler.mov(warp_register, first);
    assembler.mov(chain(WARPLENS_OFFSET(Chain, at)), warp_register);
    assembler.xor_(x86::eax, x86::eax);
    assembler.mov(met, x86::rax);
    begin_turn();
    load_op(x86::rax, at + 1);
    assembler.mov(chain(WARPLENS_OFFSET(Chain, from)), x86::rax);
    if (const auto next = labels.find(at + 1); next != labels.end()) {
      assembler.lea(x86::rcx, x86::ptr(next->second));
    } else {
      assembler.mov(x86::rcx, asmjit::imm(&asked.entries[at + 1]));
      assembler.mov(x86::rcx, x86::ptr(x86::rcx, 0));
      assembler.test(x86::rcx, x86::rcx);
      assembler.jz(leave);
    }
    assembler.mov(chain(WARPLENS_OFFSET(Chain, entry)), x86::rcx);
    assembler.jmp(x86::rcx);
    assembler.bind(alone);
  }
  load_op(x86::rax, at + 1);
  assembler.mov(of_warp(WARPLENS_OFFSET(Warp, next)), x86::rax);
  signal(Signal::barrier);
}

}  // namespace warplens::exec::jit::x64
