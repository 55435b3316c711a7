// Code for units, one behind the other. The way in saves what the caller needs and takes the addresses that
// all code uses into registers; a unit begins with nothing but the frame. What concerns the warp as a whole
// stands between its regions.
#include "core/gpu/exec/jit/target/avx2/compile.h"

#include "core/gpu/exec/jit/lower/units.h"
#include "core/gpu/exec/jit/target/avx2/code.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/tier/executable_pages.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec::jit::avx2 {

namespace {

class UnitCode {
 public:
  UnitCode(Code& code, const Unit& unit) : m_code(code), m_out(code.assembler), m_unit(unit) {}
  // False: it needs more of the stack than there is.
  bool write();
  std::vector<std::pair<uint32_t, asmjit::Label>> entered;

 private:
  void write_warp(const Instruction& i);
  void enter(const Instruction& i);
  void branch(const Instruction& i);
  void call(const Instruction& i);
  void check_ascending(const Instruction& i);
  void test_all();
  void part(const Instruction& i, const asmjit::Label& parts);

  Code& m_code;
  Assembler& m_out;
  const Unit& m_unit;
};

// As enter_block() does.
void UnitCode::enter(const Instruction& i) {
  const Op& op = m_code.asked.program->ops[i.at];
  const asmjit::Label arrives = m_out.newLabel(), pauses = m_out.newLabel();
  m_code.load_op(x86::rax, i.at);
  m_out.cmp(x86::rax, of_warp(WARPLENS_OFFSET(Warp, join_op)));
  m_out.jz(arrives);
  const auto count = static_cast<int32_t>(program::entered_block(op) * sizeof(BlockCount));
  m_out.inc(x86::qword_ptr(counts_register, count + WARPLENS_OFFSET(BlockCount, warps)));
  const x86::Mem threads = x86::qword_ptr(counts_register, count + WARPLENS_OFFSET(BlockCount, threads));
  if (m_code.is_whole()) {
    m_out.add(threads, warp_lanes);
  } else {
    m_out.mov(x86::ecx, of_warp(WARPLENS_OFFSET(Warp, active)));
    m_out.add(threads, x86::rcx);
  }
  const auto steps = static_cast<int64_t>(i.number);
  if (steps == static_cast<int32_t>(steps)) {
    m_out.sub(steps_register, static_cast<int32_t>(steps));
  } else {
    m_out.mov(x86::rcx, i.number);
    m_out.sub(steps_register, x86::rcx);
  }
  m_out.js(pauses);
  m_code.beside.emplace_back([&code = m_code, &i, arrives, pauses] {
    code.assembler.bind(arrives);
    put_state(code, i.state);
    code.signal(Signal::arrive);
    code.assembler.bind(pauses);
    put_state(code, i.state);
    code.load_op(x86::rax, i.at + 1);
    code.assembler.mov(of_warp(WARPLENS_OFFSET(Warp, next)), x86::rax);
    code.signal(Signal::slice);
  });
}

// Flags: equal, where all active lanes are in eax.
void UnitCode::test_all() {
  if (m_code.is_whole()) {
    m_out.cmp(x86::eax, -1);
  } else {
    m_out.cmp(x86::eax, of_warp(WARPLENS_OFFSET(Warp, mask)));
  }
}

void UnitCode::part(const Instruction& i, const asmjit::Label& parts) {
  m_code.beside.emplace_back([&code = m_code, &i, parts] {
    code.assembler.bind(parts);
    put_state(code, i.state);
    code.call_handler(code.asked.ops + i.at, &run_branch);
    code.assembler.jmp(code.leave);
  });
}

void UnitCode::branch(const Instruction& i) {
  const asmjit::Label stays = m_out.newLabel(), parts = m_out.newLabel();
  m_out.mov(x86::eax, of_frame(i.slot));
  if (i.negated) m_out.not_(x86::eax);
  if (m_code.is_whole()) {
    m_out.test(x86::eax, x86::eax);
  } else {
    m_out.and_(x86::eax, of_warp(WARPLENS_OFFSET(Warp, mask)));
  }
  part(i, parts);
  if (i.state.empty()) {
    m_out.jz(stays);
    test_all();
    m_out.jnz(parts);
    m_code.go_to(static_cast<uint32_t>(i.number));
    m_out.bind(stays);
    return;
  }
  const asmjit::Label others = m_out.newLabel();
  m_out.jnz(others);
  m_code.beside.emplace_back([this, &i, others, parts] {
    m_out.bind(others);
    test_all();
    m_out.jnz(parts);
    put_state(m_code, i.state);
    m_code.go_to(static_cast<uint32_t>(i.number));
  });
}

// The handlers of chained and linked ops would run the next ones as well.
void UnitCode::call(const Instruction& i) {
  const program::Program& program = *m_code.asked.program;
  Handler handler = program.ops[i.at].handlers.run[m_unit.mode];
  if (i.at < program.selectors.size() && program.selectors[i.at].has_value())
    handler = program::find_handlers(*program.table, *program.selectors[i.at]).run[m_unit.mode];
  m_code.call_handler(m_code.asked.ops + i.at, handler);
  m_code.shapes_of_slots.clear();
  m_code.load_op(x86::rcx, static_cast<uint32_t>(i.number));
  m_out.cmp(x86::rax, x86::rcx);
  m_out.jnz(m_code.leave);
}

void UnitCode::check_ascending(const Instruction& i) {
  const bool wide = i.opcode == Opcode::ascends_s64 || i.opcode == Opcode::ascends_u64;
  const bool is_signed = i.opcode == Opcode::ascends_s32 || i.opcode == Opcode::ascends_s64;
  const int64_t way = 31 * *m_code.maker(i.sources[0]).step;
  const asmjit::Label wraps = m_out.newLabel();
  const x86::Gp to = wide ? x86::Gp(x86::rax) : x86::Gp(x86::eax);
  m_out.mov(to, m_code.row(i.sources[0]));
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
  m_code.beside.emplace_back([&code = m_code, &i, wraps] {
    code.assembler.bind(wraps);
    put_state(code, i.state);
    code.load_op(x86::rax, i.at);
    code.assembler.jmp(code.leave);
  });
}

void UnitCode::write_warp(const Instruction& i) {
  if (is_access(i.opcode)) return write_access(m_code, i);
  if (is_ascends(i.opcode)) return check_ascending(i);
  switch (i.opcode) {
    case Opcode::cut:
      return;
    case Opcode::enter:
      return enter(i);
    case Opcode::branch:
      return branch(i);
    case Opcode::call:
      return call(i);
    case Opcode::jump:
      return m_code.go_to(static_cast<uint32_t>(i.number));
    case Opcode::barrier:
      m_code.load_op(x86::rax, i.at + 1);
      m_out.mov(of_warp(WARPLENS_OFFSET(Warp, next)), x86::rax);
      return m_code.signal(Signal::barrier);
    case Opcode::exit:
      return static_cast<void>(m_out.jmp(m_code.exit));
    default:  // leave
      m_code.load_op(x86::rax, i.at);
      m_out.jmp(m_code.leave);
  }
}

bool UnitCode::write() {
  m_code.makers.assign(m_unit.values, nullptr);
  for (const Instruction& i : m_unit.code)
    if (i.result != no_value) m_code.makers[i.result] = &i;
  m_code.row_places.clear();
  m_code.shapes_of_slots.clear();
  m_out.bind(m_code.labels.at(m_unit.start));
  const auto entries = entries_of(m_unit.code.front(), m_unit);
  const std::span<const Instruction> code(m_unit.code);
  size_t first = 0;
  bool fits = true;
  for (size_t at = 0; at < code.size(); ++at) {
    for (const auto& [op, place] : entries) {
      if (place != at) continue;
      const asmjit::Label label = at == 0 ? m_code.labels.at(m_unit.start) : m_out.newLabel();
      if (at != 0) m_out.bind(label);
      m_code.shapes_of_slots.clear();
      entered.emplace_back(op, label);
    }
    if (!ends_region(code[at].opcode)) continue;
    fits = compute_region(m_code, code.subspan(first, at - first)) && fits;
    write_warp(code[at]);
    first = at + 1;
  }
  for (const auto& write_beside : m_code.beside) write_beside();  // none adds another one
  m_code.beside.clear();
  return fits && m_code.row_places.size() <= most_rows;
}

// Sets `too_large` to the number of a unit that cannot be compiled.
Made compile_units(const CompileRequest& request, const std::vector<Unit>& units,
                   std::optional<size_t>& too_large) {
  Code code(request, request.checks);
  for (const Unit& unit : units) code.labels.emplace(unit.start, code.assembler.newLabel());
  code.write_way_in();
  std::vector<std::pair<uint32_t, asmjit::Label>> entered;
  for (const Unit& unit : units) {
    UnitCode written(code, unit);
    if (!written.write()) {
      too_large = &unit - units.data();
      return {};
    }
    entered.insert(entered.end(), written.entered.begin(), written.entered.end());
  }
  code.write_exit();
  code.write_way_out();
  code.write_constants();
  const std::vector<uint8_t> bytes = code.assembler.finish();
  if (bytes.empty()) return {};
  auto pages = std::make_shared<tier::ExecutablePages>(bytes);
  if (pages->data() == nullptr) return {};
  const std::byte* const begin = pages->data();
  Made made{reinterpret_cast<Enter>(reinterpret_cast<uintptr_t>(begin)), {}, std::move(pages)};
  for (const auto& [op, label] : entered)
    made.entered.emplace_back(op, begin + code.assembler.offset_of(label));
  return made;
}

}  // namespace

// What is too large for the stack is left to the handlers.
Made compile(const CompileRequest& request) {
  std::vector<Unit> units = units_of(request);
  for (;;) {
    std::optional<size_t> too_large;
    Made made = compile_units(request, units, too_large);
    if (!too_large) return made;
    units.erase(units.begin() + static_cast<std::ptrdiff_t>(*too_large));
  }
}

}  // namespace warplens::exec::jit::avx2
