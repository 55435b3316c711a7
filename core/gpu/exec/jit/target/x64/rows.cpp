// Rows: the first lane is computed in one register of the processor, and the step is known.
#include "core/gpu/exec/jit/target/x64/code.h"

namespace warplens::exec::jit::x64 {

namespace {

x86::Gp sized(x86::Gp r, uint32_t bytes) {
  if (bytes == 8) return r.r64();
  return r.r32();
}

uint32_t bytes_of_source(const Instruction& i) { return info_of(i.opcode).sources[0] == Type::b64 ? 8 : 4; }

void load_wide(Assembler& out, x86::Gp to, const x86::Mem& from, bool is_signed) {
  if (is_signed) {
    out.movsxd(to.r64(), from);
  } else {
    out.mov(to.r32(), from);
  }
}

Id set_if(Condition condition, bool is_signed) {
  switch (condition) {
    case Condition::eq:
      return Inst::kIdSete;
    case Condition::ne:
      return Inst::kIdSetne;
    case Condition::lt:
      return is_signed ? Inst::kIdSetl : Inst::kIdSetb;
    case Condition::le:
      return is_signed ? Inst::kIdSetle : Inst::kIdSetbe;
    case Condition::gt:
      return is_signed ? Inst::kIdSetg : Inst::kIdSeta;
    default:
      return is_signed ? Inst::kIdSetge : Inst::kIdSetae;
  }
}

// Where the first and the last lanes of all rows agree, all lanes do.
void compare(Code& code, const Instruction& i) {
  Assembler& out = code.assembler;
  const bool is_signed = i.opcode == Opcode::setp_s32 || i.opcode == Opcode::setp_s64;
  const uint32_t bytes = bytes_of_source(i);
  const Instruction& compared = code.maker(i.sources[0]);
  const int64_t step = *compared.step;
  const uint32_t rows = compared.rows.firsts();
  const x86::Mem b = code.row(i.sources[1]);
  const x86::Gp lane = sized(x86::rcx, bytes);
  Id set = set_if(i.condition, is_signed);
  const asmjit::Label parts = out.newLabel(), done = out.newLabel();
  const auto set_of_lane = [&](const x86::Gp& to) {
    out.cmp(lane, b);
    out.emit(set, to);
  };
  const auto compare_with_first = [&] {
    set_of_lane(x86::dl);
    out.cmp(x86::al, x86::dl);
    out.jnz(parts);
  };
  for (uint32_t row = 0; row < rows; ++row) {
    if (code.row_in_rax == i.sources[0]) {
      out.mov(lane, sized(x86::rax, bytes));
    } else {
      out.mov(lane, code.row(i.sources[0], row));
    }
    if (row == 0) {
      set_of_lane(x86::al);
    } else {
      compare_with_first();
    }
    if (step == 0) continue;
    out.add(lane, asmjit::Imm((compared.rows.lanes - 1) * step));
    compare_with_first();
  }
  out.movzx(x86::eax, x86::al);
  out.neg(x86::eax);
  out.bind(done);
  out.mov(code.row(i.result), x86::eax);
  if (step == 0 && rows == 1) return;
  code.cold_paths.emplace_back([&code, &i, parts, done] {
    code.assembler.bind(parts);
    code.compare_rows(i);
    code.assembler.jmp(done);
  });
}

Id plain_instruction(Opcode opcode) {
  switch (opcode) {
    case Opcode::add_b32:
    case Opcode::add_b64:
      return Inst::kIdAdd;
    case Opcode::sub_b32:
    case Opcode::sub_b64:
      return Inst::kIdSub;
    case Opcode::and_b32:
    case Opcode::and_b64:
    case Opcode::and_pred:
      return Inst::kIdAnd;
    case Opcode::or_b32:
    case Opcode::or_b64:
    case Opcode::or_pred:
      return Inst::kIdOr;
    case Opcode::xor_b32:
    case Opcode::xor_b64:
    case Opcode::xor_pred:
      return Inst::kIdXor;
    default:
      return Inst::kIdImul;
  }
}

// The first source, in rax.
void load_source(Code& code, const Instruction& i, uint32_t row) {
  if (code.row_in_rax == i.sources[0]) return;
  code.assembler.mov(sized(x86::rax, bytes_of_source(i)), code.row(i.sources[0], row));
}

void load_source_wide(Code& code, const Instruction& i, uint32_t row, bool is_signed) {
  if (code.row_in_rax != i.sources[0])
    return load_wide(code.assembler, x86::rax, code.row(i.sources[0], row), is_signed);
  if (is_signed) code.assembler.movsxd(x86::rax, x86::eax);  // else the upper half is 0
}

void multiply_wide(Code& code, const Instruction& i, uint32_t row, bool is_signed) {
  Assembler& out = code.assembler;
  load_source_wide(code, i, row, is_signed);
  load_wide(out, x86::rcx, code.row(i.sources[1], row), is_signed);
  out.imul(x86::rax, x86::rcx);
  if (i.sources[2] != no_value) out.add(x86::rax, code.row(i.sources[2], row));
}

// The first lane of one row. setp looks at all of them.
void compute_first(Code& code, const Instruction& i, uint32_t row) {
  Assembler& out = code.assembler;
  const uint32_t bytes = bytes_of_source(i);
  const x86::Gp result = sized(x86::rax, info_of(i.opcode).result == Type::b64 ? 8 : 4);
  switch (i.opcode) {
    case Opcode::constant_pred:
      out.mov(result, static_cast<uint32_t>(i.number));
      break;
    case Opcode::mul_wide_s32:
    case Opcode::mad_wide_s32:
    case Opcode::mul_wide_u32:
    case Opcode::mad_wide_u32:
      multiply_wide(code, i, row, i.opcode == Opcode::mul_wide_s32 || i.opcode == Opcode::mad_wide_s32);
      break;
    case Opcode::extend_s32:
    case Opcode::extend_u32:
      load_source_wide(code, i, row, i.opcode == Opcode::extend_s32);
      break;
    case Opcode::low_b64:
      load_source(code, i, row);
      break;
    case Opcode::not_pred:
      load_source(code, i, row);
      out.not_(result);
      break;
    case Opcode::shl_b32:
    case Opcode::shl_b64:
    case Opcode::shr_u32:
    case Opcode::shr_u64:
    case Opcode::shr_s32:
    case Opcode::shr_s64: {
      const bool left = i.opcode == Opcode::shl_b32 || i.opcode == Opcode::shl_b64;
      const bool is_signed = i.opcode == Opcode::shr_s32 || i.opcode == Opcode::shr_s64;
      load_source(code, i, row);
      out.emit(left        ? Inst::kIdShl
               : is_signed ? Inst::kIdSar
                           : Inst::kIdShr,
               result, asmjit::Imm(code.maker(i.sources[1]).number));
      break;
    }
    default:
      load_source(code, i, row);
      out.emit(plain_instruction(i.opcode), result, code.row(i.sources[1], row));
      if (i.sources[2] != no_value) out.add(sized(x86::rax, bytes), code.row(i.sources[2], row));
  }
  out.mov(code.row(i.result, row), result);
  code.row_in_rax = no_value;
}

}  // namespace

void compute_row(Code& code, const Instruction& i) {
  if (kind_of(i.opcode) == Kind::setp) {
    compare(code, i);
  } else {
    for (uint32_t row = 0; row < i.rows.firsts(); ++row) compute_first(code, i, row);
  }
  code.row_in_rax = i.rows.firsts() == 1 ? i.result : no_value;
}

}  // namespace warplens::exec::jit::x64
