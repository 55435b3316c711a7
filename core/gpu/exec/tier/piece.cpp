#include "core/gpu/exec/tier/piece.h"

#include <algorithm>
#include <utility>

#include "core/gpu/exec/jit/lower/special_rows.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/trace_log.h"
#include "core/gpu/exec/tier/layout.h"

namespace warplens::exec::tier {

bool Piece::has_selector(const Op& op) const {
  const size_t at = index_of(op);
  return at < program.selectors.size() && program.selectors[at].has_value();
}

const program::Selector& Piece::selector(const Op& op) const { return *program.selectors[index_of(op)]; }

void Piece::call_handler(const Op& op, Handler handler, bool may_throw) {
  call_handler_at(ops + index_of(op), handler, may_throw);
}

void Piece::call_beside(const Op& op, Handler handler) {
  if (lookers.traced) {
    code.mov(x86::rax, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, trace)));
    code.mov(x86::rax, x86::ptr(x86::rax, WARPLENS_OFFSET(TraceLog, at)));
    code.mov(
        x86::byte_ptr(x86::rax, WARPLENS_OFFSET(TracedRun, bytes) - static_cast<int32_t>(sizeof(TracedRun))),
        0);
    code.mov(
        x86::byte_ptr(x86::rax, WARPLENS_OFFSET(TracedRun, space) - static_cast<int32_t>(sizeof(TracedRun))),
        static_cast<uint8_t>(Space::generic));
  }
  // The op whose own handler notes nothing.
  call_handler_at(&op, handler, false);
}

void Piece::complete_frames() {
  if (!has_lines) return;
  const asmjit::Label complete = code.newLabel();
  code.cmp(x86::byte_ptr(block_register, WARPLENS_OFFSET(BlockContext, frames_lack_specials)), 0);
  code.jz(complete);
  const x86::Mem saved = x86::ptr(x86::rsp, stack_bytes - 8);
  code.mov(saved, x86::rax);
  code.mov(x86::rdi, block_register);
  code.mov(x86::rax, asmjit::imm(&fill_block_specials));
  code.vzeroupper();
  code.call(x86::rax);
  code.mov(x86::rax, saved);
  code.bind(complete);
}

void Piece::call_handler_at(const Op* op, Handler handler, bool may_throw) {
  complete_frames();
  code.mov(x86::ptr(warp_register, WARPLENS_OFFSET(Warp, steps)), steps_register);
  code.mov(x86::rdi, asmjit::imm(op));
  code.mov(x86::rsi, warp_register);
  if (may_throw || lookers.recorded) {
    code.mov(x86::rdx, asmjit::imm(handler));
    code.mov(x86::rax, asmjit::imm(&run_and_catch));
  } else {
    code.mov(x86::rax, asmjit::imm(handler));
  }
  code.vzeroupper();
  code.call(x86::rax);
  code.mov(steps_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, steps)));
  find_active_lanes();
  forget_steps_of_shapes();
}

std::optional<uint32_t> Piece::place_of_step(int64_t step, uint32_t lane_bytes) {
  const auto found = std::ranges::find(steps_of_shapes, std::pair(step, lane_bytes));
  const auto place = static_cast<uint32_t>(found - steps_of_shapes.begin());
  if (place == most_steps) return {};
  if (found == steps_of_shapes.end()) steps_of_shapes.emplace_back(step, lane_bytes);
  return place;
}

// A handler may learn another shape, which comes to lie where this one was.
void Piece::forget_steps_of_shapes() {
  static_assert(8 * most_steps == vector_bytes);
  if (!has_lines) return;
  code.vpxord(scratch0, scratch0, scratch0);
  code.vmovdqu32(x86::ptr(x86::rsp, steps_at), scratch0);
}

void Piece::find_active_lanes() {
  if (mode == all_lanes) return;
  code.kmovw(lower_lanes, x86::word_ptr(warp_register, WARPLENS_OFFSET(Warp, mask)));
  code.kmovw(upper_lanes, x86::word_ptr(warp_register, WARPLENS_OFFSET(Warp, mask) + 2));
}

void Piece::write_predicate(uint32_t slot, x86::Gp from) {
  const x86::Mem word = x86::ptr(frame_register, static_cast<int32_t>(slot));
  if (mode == all_lanes) return static_cast<void>(code.mov(word, from));
  code.mov(x86::esi, word);
  code.xor_(from, x86::esi);
  code.and_(from, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, mask)));
  code.xor_(from, x86::esi);
  code.mov(word, from);
}

// Slots that hold one value in all lanes of a warp or grow from lane to lane.
void Piece::find_uniform() {
  for (const auto& [slot, row] : jit::frame_rows(program, lookers.in_rows)) {
    if (row.step == 0) uniform.insert(slot);
    if (row.constant) known.emplace(slot, *row.constant);
    if (!has_lines) continue;
    x86::Mem first = x86::ptr(frame_register, static_cast<int32_t>(slot));
    if (row.special)
      first = x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, special_values) +
                                           static_cast<int32_t>(*row.special * sizeof(uint64_t)));
    fixed_lines.emplace(slot, Line{first, row.step, true, true});
  }
}

}  // namespace warplens::exec::tier
