#include "core/gpu/exec/tier/trace_code.h"

#include "core/gpu/exec/state/instruction_starts.h"
#include "core/gpu/exec/tier/layout.h"
#include "core/program/op/memory_op.h"

namespace warplens::exec::tier {

namespace {

static_assert(std::is_standard_layout_v<TraceLog>);
constexpr x86::Gp executed_register = x86::r8;

// Beside the usual way: there is no room, or the recording ends.
bool add_run(TraceLog* log, const Warp* warp, uint32_t first, uint32_t packed, uint32_t executed) noexcept {
  TracedRun run{};
  run.first = first;
  run.active = warp->mask;
  run.executed = executed;
  run.warp_and_count = static_cast<uint16_t>(packed | warp->index);
  run.bytes = static_cast<uint8_t>(packed >> 16);
  run.space = static_cast<Space>(packed >> 24);
  return log->add(*log, *warp, run);
}

}  // namespace

TraceCode::TraceCode(Piece& piece) : m_piece(piece) {
  if (piece.lookers.traced) m_starts = instruction_starts(piece.program);
}

void TraceCode::add(uint32_t at) {
  if (m_starts.empty() || !m_starts[at]) return;
  const uint32_t instruction = m_piece.program.ops[at].instruction;
  if (m_count != 0 && (instruction != m_first + m_count || m_count == TracedRun::most_instructions)) note();
  if (m_count == 0) m_first = instruction;
  ++m_count;
  // Its guard's register may be its result.
  if (m_piece.program.instruction(instruction).guarded) note();
}

// The lanes for which the last one's guard holds.
void TraceCode::find_executed() {
  Assembler& code = m_piece.code;
  const x86::Mem mask = x86::ptr(warp_register, WARPLENS_OFFSET(Warp, mask));
  const x86::Gp executed = executed_register.r32();
  const uint32_t last = m_first + m_count - 1;
  const ptx::Instruction& instruction = m_piece.program.instruction(last);
  if (!instruction.guarded) {
    m_piece.mode == all_lanes ? code.mov(executed, -1) : code.mov(executed, mask);
    return;
  }
  const uint32_t slot = m_piece.program.code_of(last).register_slots[instruction.guard];
  code.mov(executed, x86::ptr(frame_register, static_cast<int32_t>(slot)));
  if (instruction.guard_negated) code.not_(executed);
  if (m_piece.mode == some_lanes) code.and_(executed, mask);
}

// The last eight bytes of the run, without the warp.
uint32_t TraceCode::packed(const Op* inlined) const {
  const Space space =
      inlined == nullptr ? Space::generic : m_piece.program.counted[program::access_counter(*inlined)].space;
  const uint32_t bytes = inlined == nullptr ? 0 : inlined->bytes;
  return TracedRun::pack(0, m_count) | bytes << 16 | static_cast<uint32_t>(space) << 24;
}

void TraceCode::note(const Op* inlined) {
  if (m_count == 0) return;
  Assembler& code = m_piece.code;
  const asmjit::Label full = code.newLabel(), back = code.newLabel();
  const x86::Gp log = x86::rax, at = x86::rcx, scratch = x86::edx;
  const auto of_log = [&](int32_t member) { return x86::qword_ptr(log, member); };
  const auto of_run = [&](int32_t member) { return x86::dword_ptr(at, member); };
  const uint32_t what = packed(inlined);
  find_executed();
  code.mov(log, x86::ptr(block_register, WARPLENS_OFFSET(BlockContext, trace)));
  code.mov(at, of_log(WARPLENS_OFFSET(TraceLog, at)));
  code.cmp(of_log(WARPLENS_OFFSET(TraceLog, left)), static_cast<int32_t>(m_count));
  code.jl(full);
  code.cmp(at, of_log(WARPLENS_OFFSET(TraceLog, end)));
  code.jz(full);
  code.sub(of_log(WARPLENS_OFFSET(TraceLog, left)), static_cast<int32_t>(m_count));
  code.mov(of_run(WARPLENS_OFFSET(TracedRun, first)), m_first);
  code.mov(of_run(WARPLENS_OFFSET(TracedRun, executed)), executed_register.r32());
  if (m_piece.mode == all_lanes) {
    code.mov(of_run(WARPLENS_OFFSET(TracedRun, active)), -1);
  } else {
    code.mov(scratch, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, mask)));
    code.mov(of_run(WARPLENS_OFFSET(TracedRun, active)), scratch);
  }
  code.mov(scratch, what);
  code.or_(scratch, x86::ptr(warp_register, WARPLENS_OFFSET(Warp, index)));
  code.mov(of_run(WARPLENS_OFFSET(TracedRun, warp_and_count)), scratch);
  code.add(of_log(WARPLENS_OFFSET(TraceLog, at)), static_cast<int32_t>(sizeof(TracedRun)));
  code.bind(back);
  m_piece.beside.emplace_back(
      [&piece = m_piece, full, back, what, first = m_first, held = m_piece.lanes.held()] {
        Assembler& beside = piece.code;
        beside.bind(full);
        piece.lanes.store_all(held, true);
        beside.mov(x86::rdi, x86::rax);
        beside.mov(x86::rsi, warp_register);
        beside.mov(x86::edx, first);
        beside.mov(x86::ecx, what);
        beside.mov(x86::rax, asmjit::imm(&add_run));
        beside.vzeroupper();
        beside.call(x86::rax);
        piece.find_active_lanes();
        beside.movzx(x86::eax, x86::al);
        beside.test(x86::eax, x86::eax);
        beside.jz(piece.leave);
        for (const auto& each : held) piece.lanes.load(each);
        beside.jmp(back);
      });
  m_count = 0;
}

}  // namespace warplens::exec::tier
