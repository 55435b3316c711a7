// Notes the instructions of a traced run (core/gpu/exec/state/trace_log.h).
#include "core/gpu/exec/jit/target/x64/code.h"
#include "core/gpu/exec/state/trace_log.h"

namespace warplens::exec::jit::x64 {

namespace {

static_assert(std::is_standard_layout_v<TraceLog>);

// On the cold path: there is no room, or the recording ends.
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

// The last eight bytes of the run, without the warp.
uint32_t packed_of(const Instruction& i) {
  const Space space = i.access.bytes == 0  ? Space::generic
                      : i.access.is_shared ? Space::shared
                                           : Space::global;
  return TracedRun::pack(0, NotedRun::of(i).count) | static_cast<uint32_t>(i.access.bytes) << 16 |
         static_cast<uint32_t>(space) << 24;
}

// r8: the lanes for which the last one's guard holds.
void find_executed(Code& code, const Instruction& i) {
  Assembler& out = code.assembler;
  const x86::Mem mask = of_warp(WARPLENS_OFFSET(Warp, mask));
  if (i.sources[0] == no_value && i.slot == no_slot) {
    code.is_whole() ? out.mov(x86::r8d, -1) : out.mov(x86::r8d, mask);
    return;
  }
  code.load_predicate(i);
  out.mov(x86::r8d, x86::eax);
  if (i.negated) out.not_(x86::r8d);
  if (!code.is_whole()) out.and_(x86::r8d, mask);
}

}  // namespace

void write_note(Code& code, const Instruction& i) {
  Assembler& out = code.assembler;
  const asmjit::Label full = out.newLabel(), back = out.newLabel();
  const x86::Gp log = x86::rax, at = x86::rcx, scratch = x86::edx;
  const NotedRun run = NotedRun::of(i);
  const auto count = static_cast<int32_t>(run.count);
  const uint32_t what = packed_of(i);
  const auto of_log = [&](int32_t member) { return x86::qword_ptr(log, member); };
  const auto of_run = [&](int32_t member) { return x86::dword_ptr(at, member); };
  find_executed(code, i);
  out.mov(log, of_block(WARPLENS_OFFSET(BlockContext, trace)));
  out.mov(at, of_log(WARPLENS_OFFSET(TraceLog, at)));
  out.cmp(of_log(WARPLENS_OFFSET(TraceLog, left)), count);
  out.jl(full);
  out.cmp(at, of_log(WARPLENS_OFFSET(TraceLog, end)));
  out.jz(full);
  out.sub(of_log(WARPLENS_OFFSET(TraceLog, left)), count);
  out.mov(of_run(WARPLENS_OFFSET(TracedRun, first)), run.first);
  out.mov(of_run(WARPLENS_OFFSET(TracedRun, executed)), x86::r8d);
  if (code.is_whole()) {
    out.mov(of_run(WARPLENS_OFFSET(TracedRun, active)), -1);
  } else {
    out.mov(scratch, of_warp(WARPLENS_OFFSET(Warp, mask)));
    out.mov(of_run(WARPLENS_OFFSET(TracedRun, active)), scratch);
  }
  out.mov(scratch, what);
  out.or_(scratch, of_warp(WARPLENS_OFFSET(Warp, index)));
  out.mov(of_run(WARPLENS_OFFSET(TracedRun, warp_and_count)), scratch);
  out.add(of_log(WARPLENS_OFFSET(TraceLog, at)), static_cast<int32_t>(sizeof(TracedRun)));
  out.bind(back);
  code.cold_paths.emplace_back([&code, full, back, what, first = run.first, put_state = code.state_writer(i),
                                keeper = code.keeper(i)] {
    Assembler& cold = code.assembler;
    cold.bind(full);
    cold.mov(x86::r9, x86::rax);
    put_state();
    keeper.save();
    cold.mov(x86::rdi, x86::r9);
    cold.mov(x86::rsi, warp_register);
    cold.mov(x86::edx, first);
    cold.mov(x86::ecx, what);
    cold.mov(x86::rax, asmjit::imm(&add_run));
    cold.vzeroupper();
    cold.call(x86::rax);
    cold.movzx(x86::eax, x86::al);
    cold.test(x86::eax, x86::eax);
    cold.jz(code.leave);
    keeper.restore();
    cold.jmp(back);
  });
}

}  // namespace warplens::exec::jit::x64
