// What concerns the warp as a whole: the start of a basic block, branches, handlers, and where the code ends.
#include "core/gpu/exec/jit/target/x64/code.h"
#include "core/gpu/exec/state/counters.h"

#include "core/gpu/exec/jit/target/x64/executable_pages.h"
#include "core/gpu/exec/state/routines.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec::jit::x64 {

namespace {

class WarpCode {
 public:
  WarpCode(Code& code, const Unit& unit) : m_code(code), m_out(code.assembler), m_unit(unit) {}
  void write(const Instruction& i);

 private:
  void enter(const Instruction& i);
  void enter_side(const Instruction& i);
  void divergent(const Instruction& i);
  void change_lanes(const Instruction& i);
  void set_lanes(bool outermost = false);
  void count_divergence(const Instruction& i, bool is_sure);
  void branch(const Instruction& i);
  void call(const Instruction& i);
  void check_ascending(const Instruction& i);
  void check_whole(const Instruction& i);
  void go_on_by_handlers(const Instruction& i, const asmjit::Label& from);
  void test_all() const;
  void part(const Instruction& i, const asmjit::Label& parts);

  Code& m_code;
  Assembler& m_out;
  const Unit& m_unit;
};

// Where all lanes are, there may be none here.
void WarpCode::enter_side(const Instruction& i) {
  const Op& op = m_code.asked.program->ops[i.at];
  const auto count = static_cast<int32_t>(program::entered_block(op) * sizeof(BlockCount));
  const x86::Mem warps = x86::qword_ptr(counts_register, count + WARPLENS_OFFSET(BlockCount, warps)),
                 threads = x86::qword_ptr(counts_register, count + WARPLENS_OFFSET(BlockCount, threads));
  m_out.mov(x86::ecx, of_warp(WARPLENS_OFFSET(Warp, active)));
  m_out.add(threads, x86::rcx);
  const auto steps = static_cast<int32_t>(steps_of(i));
  if (m_code.depth == 1) {  // no side is empty
    m_out.inc(warps);
    m_out.sub(steps_register, steps);
    return;
  }
  m_out.xor_(x86::eax, x86::eax);
  m_out.cmp(x86::eax, x86::ecx);  // carry: there are some
  m_out.adc(warps, 0);
  m_out.cmp(x86::eax, x86::ecx);
  m_out.sbb(x86::rax, x86::rax);
  m_out.and_(x86::rax, steps);
  m_out.sub(steps_register, x86::rax);
}

// Schedules with a seed choose which side is next.
void WarpCode::divergent(const Instruction& i) {
  const asmjit::Label parts = m_out.newLabel();
  m_out.cmp(steps_register, static_cast<int32_t>(steps_of(i)));
  m_out.jl(parts);
  m_out.cmp(x86::byte_ptr(warp_register, WARPLENS_OFFSET(Warp, in_order)), 0);
  m_out.jz(parts);
  part(i, parts);
}

// The mask is in eax. Overwrites rcx.
void WarpCode::set_lanes(bool outermost) {
  m_out.mov(of_warp(WARPLENS_OFFSET(Warp, mask)), x86::eax);
  m_out.popcnt(x86::ecx, x86::eax);
  m_out.mov(of_warp(WARPLENS_OFFSET(Warp, active)), x86::ecx);
  m_code.write_active_lanes(outermost);
}

// As follow_branch() does. eax: the lanes that take the branch; ecx: the others.
void WarpCode::count_divergence(const Instruction& i, bool is_sure) {
  const uint32_t counter = program::branch_counter(m_code.asked.program->ops[i.at]);
  const x86::Mem of_branch = x86::qword_ptr(counters_register, static_cast<int32_t>(counter) * state_bytes +
                                                                   WARPLENS_OFFSET(MemoryOpState, requests));
  x86::Mem of_all = of_block(WARPLENS_OFFSET(BlockContext, block_divergences));
  of_all.setSize(8);
  if (is_sure) {
    m_out.inc(of_all);
    m_out.inc(of_branch);
    return;
  }
  m_out.xor_(x86::edx, x86::edx);
  m_out.xor_(x86::esi, x86::esi);
  m_out.test(x86::eax, x86::eax);
  m_out.setnz(x86::dl);
  m_out.test(x86::ecx, x86::ecx);
  m_out.setnz(x86::sil);
  m_out.and_(x86::edx, x86::esi);
  m_out.add(of_all, x86::rdx);
  m_out.add(of_branch, x86::rdx);
}

void WarpCode::change_lanes(const Instruction& i) {
  const x86::Mem mode = x86::byte_ptr(warp_register, WARPLENS_OFFSET(Warp, mode));
  const uint32_t depth = depth_of(i);
  const bool is_first = depth == 0 && !m_code.asked.live;
  if (i.opcode == Opcode::rejoin) {
    m_out.mov(x86::eax, outer_lanes(depth));
    if (is_first) m_out.mov(mode, static_cast<uint8_t>(program::all_lanes));
    set_lanes(depth == 0);
    m_code.depth = depth;
    return;
  }
  if (i.opcode == Opcode::part_pred) {
    m_code.load_predicate(i);
    if (i.negated) m_out.not_(x86::eax);
    m_out.mov(x86::ecx, of_warp(WARPLENS_OFFSET(Warp, mask)));
    m_out.mov(outer_lanes(depth), x86::ecx);
    m_out.and_(x86::eax, x86::ecx);
    m_out.mov(taken_lanes(depth), x86::eax);
    m_out.xor_(x86::ecx, x86::eax);
    count_divergence(i, depth == 0);
    m_out.mov(x86::eax, x86::ecx);
    if (is_first) m_out.mov(mode, static_cast<uint8_t>(program::some_lanes));
    m_code.depth = depth + 1;
  } else {
    m_out.mov(x86::eax, taken_lanes(depth));
  }
  m_out.mov(m_code.row(i.result), x86::eax);
  set_lanes();
}

// As enter_block() does.
void WarpCode::enter(const Instruction& i) {
  if (m_code.is_whole() && m_code.depth != 0) return enter_side(i);
  const Op& op = m_code.asked.program->ops[i.at];
  const asmjit::Label arrives = m_out.newLabel(), pauses = m_out.newLabel();
  m_code.load_op(x86::rax, i.at);
  m_out.cmp(x86::rax, of_warp(WARPLENS_OFFSET(Warp, join_op)));
  m_out.jz(arrives);
  const auto count = static_cast<int32_t>(program::entered_block(op) * sizeof(BlockCount));
  m_out.inc(x86::qword_ptr(counts_register, count + WARPLENS_OFFSET(BlockCount, warps)));
  const x86::Mem threads = x86::qword_ptr(counts_register, count + WARPLENS_OFFSET(BlockCount, threads));
  if (m_code.has_all_lanes()) {
    m_out.add(threads, warp_lanes);
  } else {
    m_out.mov(x86::ecx, of_warp(WARPLENS_OFFSET(Warp, active)));
    m_out.add(threads, x86::rcx);
  }
  const int64_t steps = steps_of(i);
  if (steps == static_cast<int32_t>(steps)) {
    m_out.sub(steps_register, static_cast<int32_t>(steps));
  } else {
    m_out.mov(x86::rcx, steps);
    m_out.sub(steps_register, x86::rcx);
  }
  m_out.js(pauses);
  m_code.cold_paths.emplace_back([&code = m_code, &i, arrives, pauses, put_state = m_code.state_writer(i)] {
    code.assembler.bind(arrives);
    put_state();
    code.change_path(Signal::arrive);
    code.assembler.bind(pauses);
    put_state();
    code.load_op(x86::rax, i.at + 1);
    code.assembler.mov(of_warp(WARPLENS_OFFSET(Warp, next)), x86::rax);
    code.signal(Signal::slice);
  });
}

// Flags: equal, where all active lanes are in eax.
void WarpCode::test_all() const {
  if (m_code.has_all_lanes()) {
    m_out.cmp(x86::eax, -1);
  } else {
    m_out.cmp(x86::eax, of_warp(WARPLENS_OFFSET(Warp, mask)));
  }
}

void WarpCode::part(const Instruction& i, const asmjit::Label& parts) {
  m_code.cold_paths.emplace_back([&code = m_code, &i, parts, put_state = m_code.state_writer(i)] {
    code.assembler.bind(parts);
    put_state();
    const auto divergent = code.divergent.find(i.at);
    if (i.opcode == Opcode::divergent || divergent == code.divergent.end()) return code.part_lanes(i.at);
    code.assembler.jmp(divergent->second);
  });
}

void WarpCode::branch(const Instruction& i) {
  const asmjit::Label stays = m_out.newLabel(), parts = m_out.newLabel();
  m_code.load_predicate(i);
  if (i.negated) m_out.not_(x86::eax);
  if (m_code.has_all_lanes()) {
    m_out.test(x86::eax, x86::eax);
  } else {
    m_out.and_(x86::eax, of_warp(WARPLENS_OFFSET(Warp, mask)));
  }
  part(i, parts);
  if (i.state.empty()) {
    m_out.jz(stays);
    test_all();
    m_out.jnz(parts);
    m_code.go_to(target_of(i));
    m_out.bind(stays);
    return;
  }
  const asmjit::Label others = m_out.newLabel();
  m_out.jnz(others);
  m_code.cold_paths.emplace_back([warp = *this, &i, others, parts, put_state = m_code.state_writer(i)] {
    warp.m_out.bind(others);
    warp.test_all();
    warp.m_out.jnz(parts);
    put_state();
    warp.m_code.go_to(target_of(i));
  });
}

void WarpCode::call(const Instruction& i) {
  const program::Mode mode = m_code.asked.live ? program::some_lanes : m_unit.mode;
  m_code.call_handler(m_code.asked.ops + i.at, m_code.asked.program->ops[i.at].handlers.run[mode]);
  m_code.known_shapes.clear();
  m_code.load_op(x86::rcx, target_of(i));
  m_out.cmp(x86::rax, x86::rcx);
  m_out.jnz(m_code.leave);
}

void WarpCode::check_ascending(const Instruction& i) {
  const bool wide = i.opcode == Opcode::ascends_s64 || i.opcode == Opcode::ascends_u64;
  const bool is_signed = i.opcode == Opcode::ascends_s32 || i.opcode == Opcode::ascends_s64;
  const Instruction& maker = m_code.maker(i.sources[0]);
  const int64_t way = (maker.rows.lanes - 1) * *maker.step;
  const asmjit::Label wraps = m_out.newLabel();
  const x86::Gp to = wide ? x86::Gp(x86::rax) : x86::Gp(x86::eax);
  for (uint32_t row = 0; row < maker.rows.firsts(); ++row) {
    m_out.mov(to, m_code.row(i.sources[0], row));
    if (is_signed || way >= 0) {
      m_out.add(to, asmjit::Imm(way));
    } else {
      m_out.sub(to, asmjit::Imm(-way));
    }
    if (is_signed) {
      m_out.jo(wraps);
    } else {
      m_out.jc(wraps);
    }
  }
  go_on_by_handlers(i, wraps);
}

void WarpCode::check_whole(const Instruction& i) {
  const Instruction& maker = m_code.maker(i.sources[0]);
  const asmjit::Label others = m_out.newLabel();
  if (!maker.step) {
    m_code.check_whole(i, others);
  } else if (is_same_in_all_lanes(maker)) {
    m_out.cmp(m_code.row(i.sources[0]), -1);
    m_out.jnz(others);
  } else {
    m_out.jmp(others);
  }
  go_on_by_handlers(i, others);
}

// From the instruction's op on.
void WarpCode::go_on_by_handlers(const Instruction& i, const asmjit::Label& from) {
  m_code.cold_paths.emplace_back(
      [&code = m_code, &i, from, put_state = m_code.state_writer(i), counted = m_code.counted] {
        code.assembler.bind(from);
        put_state();
        code.take_back(counted);
        code.load_op(x86::rax, i.at);
        code.assembler.jmp(code.leave);
      });
}

void WarpCode::write(const Instruction& i) {
  if (is_access(i.opcode)) return m_code.write_access(i);
  if (is_ascends(i.opcode)) return check_ascending(i);
  if (is_gathering(i.opcode)) return write_gathering(m_code, i);
  switch (i.opcode) {
    case Opcode::cut:
      return;
    case Opcode::whole_b32:
      return check_whole(i);
    case Opcode::note:
      return write_note(m_code, i);
    case Opcode::divergent:
      return divergent(i);
    case Opcode::part_pred:
    case Opcode::other_pred:
    case Opcode::rejoin:
      return change_lanes(i);
    case Opcode::enter:
      return enter(i);
    case Opcode::branch:
      return branch(i);
    case Opcode::call:
      return call(i);
    case Opcode::jump:
      return m_code.go_to(target_of(i));
    case Opcode::barrier:
      return m_code.write_barrier(i.at);
    case Opcode::exit:
      return static_cast<void>(m_out.jmp(m_code.exit));
    default:  // leave
      m_code.load_op(x86::rax, i.at);
      m_out.jmp(m_code.leave);
  }
}

}  // namespace

void write_warp(Code& code, const Unit& unit, const Instruction& i) { WarpCode(code, unit).write(i); }

namespace {

// Sets `too_large` to the number of a unit that cannot be compiled.
Made compile_units(Code& code, const std::vector<Unit>& units, std::optional<size_t>& too_large) {
  for (const Unit& unit : units)
    (is_divergent(unit) ? code.divergent : code.labels).emplace(unit.start, code.assembler.newLabel());
  code.write_way_in();
  Entered entered;
  for (const Unit& unit : units) {
    code.begin_unit(unit);
    const bool fits = code.write_unit(unit, entered);
    while (!code.cold_paths.empty()) {  // some add others
      const auto paths = std::exchange(code.cold_paths, {});
      for (const auto& write_beside : paths) write_beside();
    }
    code.cold_paths.clear();
    if (!fits || code.places_of_rows > most_rows) {
      too_large = &unit - units.data();
      return {};
    }
  }
  code.write_exit();
  code.write_way_out();
  code.write_constants();
  const std::vector<uint8_t> bytes = code.assembler.finish();
  if (bytes.empty()) return {};
  auto pages = std::make_shared<ExecutablePages>(bytes);
  if (pages->data() == nullptr) return {};
  const std::byte* const begin = pages->data();
  Made made{reinterpret_cast<Enter>(reinterpret_cast<uintptr_t>(begin)), {}, std::move(pages)};
  for (const auto& [op, label] : entered)
    made.entered.emplace_back(op, begin + code.assembler.offset_of(label));
  return made;
}

}  // namespace

Made compile(std::vector<Unit> units, const std::function<std::unique_ptr<Code>()>& make_code) {
  for (;;) {
    std::optional<size_t> too_large;
    const std::unique_ptr<Code> code = make_code();
    Made made = compile_units(*code, units, too_large);
    if (!too_large) return made;
    units.erase(units.begin() + static_cast<std::ptrdiff_t>(*too_large));
  }
}

}  // namespace warplens::exec::jit::x64

namespace warplens::exec::jit {

bool can_compile() { return true; }

}  // namespace warplens::exec::jit
