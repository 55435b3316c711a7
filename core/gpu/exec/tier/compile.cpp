// From the ops of basic blocks to machine code.
//
// The way in saves what the caller needs and takes the addresses that all code uses into registers; a block
// begins with nothing in vector registers and ends with everything in the frame that is read behind it. What
// is not known here runs by its handler, or ends the code: then the op's address goes back to who called, as
// a handler returns the next op.
#include "core/gpu/exec/tier/compile.h"
#include "core/gpu/exec/tier/block_compiler.h"
#include "core/gpu/exec/tier/layout.h"
#include "core/gpu/exec/tier/piece.h"

namespace warplens::exec::tier {

namespace {

constexpr x86::Gp saved[] = {x86::rbx, x86::rbp, x86::r12, x86::r13, x86::r14, x86::r15};

// const Op* enter(Warp*, where to go on)
void write_way_in(Piece& piece) {
  Assembler& code = piece.code;
  for (const x86::Gp& r : saved) code.push(r);
  code.sub(x86::rsp, stack_bytes);
  code.mov(warp_register, x86::rdi);
  code.mov(frame_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, frame)));
  code.mov(block_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, block)));
  code.mov(steps_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, steps)));
  code.mov(counts_register, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, counts)));
  code.mov(counters_register, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, memory_ops)));
  piece.find_active_lanes();
  piece.forget_steps_of_shapes();
  code.jmp(x86::rsi);
}

// In a chain the next warp begins (Block::run_chain), with a turn of its own.
void write_exit(Piece& piece) {
  Assembler& code = piece.code;
  const auto chain = [](int32_t member) {
    return x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, chain) + member);
  };
  const asmjit::Label alone = code.newLabel(), last = code.newLabel();
  code.bind(piece.exit);
  if (piece.mode == all_lanes) {
    code.mov(x86::rax, chain(WARPLENS_OFFSET(Chain, end)));
    code.test(x86::rax, x86::rax);
    code.jz(alone);
    code.mov(x86::rcx, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, slice)));
    code.sub(x86::rcx, steps_register);
    code.add(x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, clock)), x86::rcx);
    code.sub(chain(WARPLENS_OFFSET(Chain, steps)), x86::rcx);
    code.add(warp_register, static_cast<int32_t>(sizeof(Warp)));
    code.mov(chain(WARPLENS_OFFSET(Chain, at)), warp_register);
    code.cmp(warp_register, x86::rax);
    code.jz(last);
    code.mov(steps_register, chain(WARPLENS_OFFSET(Chain, steps)));
    code.mov(x86::rcx, chain(WARPLENS_OFFSET(Chain, turn)));
    code.cmp(steps_register, x86::rcx);
    code.cmovg(steps_register, x86::rcx);
    code.mov(x86::ptr(warp_register, WARPLENS_OFFSET(Warp, slice)), steps_register);
    code.mov(frame_register, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, frame)));
    code.jmp(chain(WARPLENS_OFFSET(Chain, entry)));
    code.bind(last);
    code.sub(warp_register, static_cast<int32_t>(sizeof(Warp)));
  }
  code.bind(alone);
  code.mov(x86::byte_ptr(warp_register, WARPLENS_OFFSET(Warp, signal)), static_cast<uint8_t>(Signal::exit));
  code.xor_(x86::eax, x86::eax);
  code.jmp(piece.leave_at_end);
}

void write_way_out(Piece& piece) {
  Assembler& code = piece.code;
  code.bind(piece.leave);
  piece.complete_frames();
  code.bind(piece.leave_at_end);
  code.mov(x86::ptr(warp_register, WARPLENS_OFFSET(Warp, steps)), steps_register);
  code.vzeroupper();
  code.add(x86::rsp, stack_bytes);
  for (size_t i = std::size(saved); i-- > 0;) code.pop(saved[i]);
  code.ret();
  code.bind(piece.not_a_number);
  code.embedUInt32(0x7fffffff);
  piece.constants.write();
}

}  // namespace

bool can_compile() { return true; }

Compiled compile_blocks(const program::Program& program, const Op* ops, const std::vector<uint32_t>& starts,
                        Mode mode, const Lookers& lookers, bool checks,
                        const std::atomic<const void*>* entries, StepsOfShapes& steps_of_shapes) {
  Piece piece(program, ops, mode, lookers, checks, steps_of_shapes);
  piece.find_uniform();
  write_way_in(piece);
  BlockCompiler blocks(piece, starts, entries);
  for (const uint32_t start : starts) blocks.compile(start);
  for (const auto& write_beside : piece.beside) write_beside();  // none adds another one
  write_exit(piece);
  write_way_out(piece);
  Compiled compiled;
  compiled.bytes = piece.code.finish();
  if (compiled.bytes.empty()) return {};
  for (const auto& [op, label] : blocks.entered)
    compiled.entered.emplace_back(op, piece.code.offset_of(label));
  return compiled;
}

}  // namespace warplens::exec::tier
