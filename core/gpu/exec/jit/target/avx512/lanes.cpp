// Lanes of a warp: what the functors of core/gpu/exec/ops do, in vector instructions with the same results,
// bit by bit. The result's registers are none of the sources', but where reuses_source() says so.
#include <algorithm>
#include <bit>

#include "core/gpu/exec/jit/alloc/immediate.h"
#include "core/gpu/exec/jit/ir/shuffle.h"
#include "core/gpu/exec/jit/lower/rows.h"
#include "core/gpu/exec/jit/target/avx512/code.h"
#include "core/gpu/exec/jit/target/x64/lane_instructions.h"

namespace warplens::exec::jit::avx512 {

namespace {

constexpr uint32_t sign_bit = 0x80000000, two_to_31 = 0x4f000000, largest_s32 = 0x7fffffff,
                   not_a_number = 0x7fffffff, lowest_normal = 0x00800000, two_to_32 = 0x4f800000,
                   two_to_minus_94 = 0x10800000, one = 0x3f800000;
constexpr uint64_t sign_64 = uint64_t{1} << 63, quiet_64 = uint64_t{1} << 51;
constexpr uint64_t bits_of(double number) { return std::bit_cast<uint64_t>(number); }

class Lanes {
 public:
  Lanes(WarpCode& code, const Instruction& i, const Action& action)
      : m_code(code), m_out(code.assembler), m_i(i), m_action(action) {}
  void compute();

 private:
  x86::Zmm d(uint32_t part = 0) const { return lanes(m_action.result[part]); }
  x86::Zmm source(uint32_t n, uint32_t part) const { return lanes(m_action.sources[n][part]); }
  x86::Zmm a(uint32_t part = 0) const { return source(0, part); }
  x86::Zmm b(uint32_t part = 0) const { return source(1, part); }
  x86::Zmm c(uint32_t part = 0) const { return source(2, part); }
  x86::KReg result_mask() const { return mask(m_action.result[0]); }
  x86::KReg source_mask(uint32_t n) const { return mask(m_action.sources[n][0]); }
  const Instruction& maker(uint32_t n) const { return m_code.maker(m_i.sources[n]); }
  uint32_t parts() const { return different_parts(m_i); }
  void each(Id code, uint32_t sources = 2) {
    for (uint32_t part = 0; part < parts(); ++part) {
      if (sources == 1)
        m_out.emit(code, d(part), a(part));
      else
        m_out.emit(code, d(part), a(part), b(part));
    }
  }
  void masks(Id code) { m_out.emit(code, result_mask(), source_mask(0), source_mask(1)); }
  void widen(x86::Zmm to, uint32_t n, uint32_t quarter, bool is_signed);
  x86::Zmm factor(x86::Zmm to, uint32_t n, uint32_t quarter, bool is_signed);
  x86::Zmm odd_lanes(x86::Zmm to, uint32_t n, uint32_t part);
  void multiply_and_add(Id multiply, Id add);
  void multiply_wide(bool is_signed);
  void multiply_high(bool is_signed);
  void negate(Id subtract);
  void shift();
  void copy(const x86::Zmm& to, const x86::Zmm& from);
  void by_table(uint8_t table);
  void select();
  void shuffle();
  void match_any();
  void canonical();
  void fuse(Id multiply_and_add);
  void flush();
  void multiply_flushed();
  void flush_scaled(uint32_t part) const;
  void reciprocal();
  void change_sign_64(bool negates);
  void quieten(uint32_t part, const x86::KReg& lanes) {
    m_out.k(lanes).vporq(d(part), d(part), m_code.number_64(quiet_64)._1to8());
  }
  void extreme_64(Id code, Id combine_equal);
  void integer_of_f64(Id code, uint32_t bits, bool is_signed);
  void divide(bool is_signed, bool wants_rest);
  void funnel(bool left, bool wraps);
  void extract();
  void change_sign(bool negates);
  void extreme(Id code, Id combine_equal);
  void round(const x64::Rounding& rounding);
  void integer_s32(int rounding);
  void integer_u32(int rounding);
  void extend(Id code);
  void narrow(Id code, uint32_t sources);
  void compare();
  void run_function(const WarpCode::Keeper& keeper) const;
  void divide_64(bool is_signed, bool wants_rest);
  bool compute_integer();
  bool compute_bits();
  bool compute_float();
  bool compute_double();
  void compute_other();

  WarpCode& m_code;
  Assembler& m_out;
  const Instruction& m_i;
  const Action& m_action;
};

// 32 bits to 64. Quarter i of the lanes, each in the low half of its 64 bits.
void Lanes::widen(x86::Zmm to, uint32_t n, uint32_t quarter, bool is_signed) {
  x86::Ymm from = source(n, quarter / 2).ymm();
  if (quarter % 2 != 0) {
    m_out.vextracti64x4(to.ymm(), source(n, quarter / 2), 1);
    from = to.ymm();
  }
  m_out.emit(is_signed ? Inst::kIdVpmovsxdq : Inst::kIdVpmovzxdq, to, from);
}

// What is the same in all lanes is in the low half of each 64 bits already.
x86::Zmm Lanes::factor(x86::Zmm to, uint32_t n, uint32_t quarter, bool is_signed) {
  if (is_uniform(maker(n))) return source(n, 0);
  widen(to, n, quarter, is_signed);
  return to;
}

void Lanes::multiply_and_add(Id multiply, Id add) {
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.emit(multiply, d(part), a(part), b(part));
    m_out.emit(add, d(part), d(part), c(part));
  }
}

// The number of bits by which a product with it is shifted.
std::optional<uint8_t> power_of_two(const Instruction& maker, bool is_signed) {
  if (maker.opcode != Opcode::constant_b32) return {};
  const auto number = static_cast<uint32_t>(maker.number);
  if (!std::has_single_bit(number) || (is_signed && number > INT32_MAX)) return {};
  return static_cast<uint8_t>(std::countr_zero(number));
}

void Lanes::multiply_wide(bool is_signed) {
  const auto bits = power_of_two(maker(1), is_signed);
  for (uint32_t part = 0; part < 4; ++part) {
    if (bits) {
      widen(d(part), 0, part, is_signed);
      m_out.vpsllq(d(part), d(part), *bits);
    } else {
      const x86::Zmm x = factor(scratch0, 0, part, is_signed), y = factor(scratch1, 1, part, is_signed);
      m_out.emit(is_signed ? Inst::kIdVpmuldq : Inst::kIdVpmuludq, d(part), x, y);
    }
    if (m_i.sources[2] != no_value) m_out.vpaddq(d(part), d(part), c(part));
  }
}

// The odd lanes where the even ones are.
x86::Zmm Lanes::odd_lanes(x86::Zmm to, uint32_t n, uint32_t part) {
  if (is_uniform(maker(n))) return source(n, 0);
  m_out.vpsrlq(to, source(n, part), 32);
  return to;
}

// The upper halves of the odd lanes' products are already in place. Those of the even lanes are moved to
// their lanes.
void Lanes::multiply_high(bool is_signed) {
  Id product = is_signed ? Inst::kIdVpmuldq : Inst::kIdVpmuludq;
  m_out.mov(x86::eax, 0x5555);
  m_out.kmovd(mask_scratch0, x86::eax);
  for (uint32_t part = 0; part < parts(); ++part) {
    const x86::Zmm x = odd_lanes(scratch0, 0, part), y = odd_lanes(scratch1, 1, part);
    m_out.emit(product, d(part), x, y);
    m_out.emit(product, scratch0, a(part), b(part));
    m_out.k(mask_scratch0).vmovshdup(d(part), scratch0);
  }
}

void Lanes::negate(Id subtract) {
  m_out.vpxord(scratch0, scratch0, scratch0);
  for (uint32_t part = 0; part < parts(); ++part) m_out.emit(subtract, d(part), scratch0, a(part));
}

// The amount has 32 bits a lane, also where the value has 64.
void Lanes::shift() {
  const auto& [opcode, by_number, by_lane] = x64::shift_instruction(m_i.opcode);
  const bool wide = info_of(m_i.opcode).result == Type::b64;
  for (uint32_t part = 0; part < parts(); ++part) {
    if (takes_number(m_i, 1, m_code.makers)) {
      m_out.emit(by_number, d(part), a(part), asmjit::Imm(std::min<uint64_t>(maker(1).number, 255)));
      continue;
    }
    const x86::Zmm by = wide ? factor(scratch0, 1, part, false) : b(part);
    if (wide && is_uniform(maker(1))) {
      // Both halves of each 64 bits have it.
      m_out.vpmovzxdq(scratch0, by.ymm());
      m_out.emit(by_lane, d(part), a(part), scratch0);
    } else {
      m_out.emit(by_lane, d(part), a(part), by);
    }
  }
}

void Lanes::copy(const x86::Zmm& to, const x86::Zmm& from) {
  if (to != from) m_out.vmovdqa32(to, from);
}

void Lanes::by_table(uint8_t table) {
  for (uint32_t part = 0; part < parts(); ++part) {
    copy(d(part), a(part));
    m_out.vpternlogd(d(part), b(part), c(part), table);
  }
}

// Lanes whose bit is set take the second source of the instruction.
void Lanes::select() {
  const bool wide = m_i.opcode == Opcode::selp_b64;
  const uint32_t bits = 32 / parts_of(info_of(m_i.opcode).result);
  for (uint32_t part = 0; part < parts(); ++part) {
    x86::KReg chosen = source_mask(2);
    if (part != 0) {
      m_out.kshiftrd(mask_scratch0, chosen, static_cast<uint8_t>(part * bits));
      chosen = mask_scratch0;
    }
    m_out.k(chosen).emit(wide ? Inst::kIdVpblendmq : Inst::kIdVpblendmd, d(part), b(part), a(part));
  }
}

// VPERMI2D takes the numbers of lanes in both vectors, and puts these lanes in their place.
void Lanes::shuffle() {
  if (m_i.opcode == Opcode::shuffle_by_b32) {
    for (uint32_t part = 0; part < parts(); ++part) {
      find_source_lanes(m_code, m_i.number, part, d(part), b(part), mask_scratch0);
      m_out.vpermi2d(d(part), a(0), a(1));
    }
    return;
  }
  const x86::Mem numbers = m_code.words_of(KnownShuffle::of(m_i.number).lanes());
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.vmovdqu32(d(part), numbers.cloneAdjusted(static_cast<int32_t>(part) * vector_bytes));
    m_out.vpermi2d(d(part), a(0), a(1));
  }
}

// Compares each lane with all lanes. It reads the lane from the stack and puts the result there. The stack
// has room, because no handler runs now.
void Lanes::match_any() {
  const auto on_stack = [](int32_t at) { return x86::ptr(x86::rsp, x86::rcx, 2, at, 4); };
  constexpr int32_t results_at = kept_at + 2 * vector_bytes;
  const auto half = [](int32_t at, uint32_t part) {
    return x86::ptr(x86::rsp, at + static_cast<int32_t>(part) * vector_bytes);
  };
  for (uint32_t part = 0; part < 2; ++part) m_out.vmovdqu32(half(kept_at, part), a(part));
  const asmjit::Label next = m_out.newLabel();
  m_out.xor_(x86::ecx, x86::ecx);
  m_out.bind(next);
  m_out.vpcmpeqd(mask_scratch0, a(0), on_stack(kept_at)._1to16());
  m_out.vpcmpeqd(mask_scratch1, a(1), on_stack(kept_at)._1to16());
  m_out.kunpckwd(mask_scratch0, mask_scratch1, mask_scratch0);
  m_out.kmovd(on_stack(results_at), mask_scratch0);
  m_out.inc(x86::ecx);
  m_out.cmp(x86::ecx, warp_lanes);
  m_out.jnz(next);
  for (uint32_t part = 0; part < parts(); ++part) m_out.vmovdqu32(d(part), half(results_at, part));
}

void Lanes::canonical() {
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.vcmpps(mask_scratch0, a(part), a(part), 0x03);
    copy(d(part), a(part));
    m_out.k(mask_scratch0).vpbroadcastd(d(part), m_code.word(not_a_number));
  }
}

void Lanes::fuse(Id multiply_and_add) {
  for (uint32_t part = 0; part < parts(); ++part) {
    copy(d(part), c(part));
    m_out.emit(multiply_and_add, d(part), a(part), b(part));
  }
}

// Subnormal numbers are rare: code beside makes zeros of them.
void Lanes::flush() {
  const x86::KReg masks[] = {mask_scratch0, mask_scratch1};
  constexpr int subnormal = 0x20;  // of VFPCLASSPS
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.vfpclassps(masks[part], a(part), subnormal);
    copy(d(part), a(part));
  }
  const asmjit::Label some = m_out.newLabel(), done = m_out.newLabel();
  m_out.kortestw(masks[0], masks[parts() - 1]);
  m_out.jnz(some);
  m_out.bind(done);
  m_code.cold_paths.emplace_back([lanes = *this, masks = std::to_array(masks), some, done] {
    lanes.m_out.bind(some);
    for (uint32_t part = 0; part < lanes.parts(); ++part)
      lanes.m_out.k(masks[part]).vpandd(lanes.d(part), lanes.d(part), lanes.m_code.word(sign_bit)._1to16());
    lanes.m_out.jmp(done);
  });
}

// A result of the smallest normal size may be one that was rounded up to it. Scaled by 2^32, it rounds as if
// the exponent had no limit. Such results, and subnormal ones, are rare: code beside looks at them.
void Lanes::multiply_flushed() {
  Id code = m_i.opcode == Opcode::div_ftz_f32 ? Inst::kIdVdivps : Inst::kIdVmulps;
  if (m_i.opcode == Opcode::fma_ftz_f32) {
    fuse(Inst::kIdVfmadd231ps);
  } else {
    each(code);
  }
  // Twice the bits lack the sign. Less one, zeros are the largest numbers.
  m_out.vpternlogd(scratch1, scratch1, scratch1, 0xff);
  const x86::KReg masks[] = {mask_scratch0, mask_scratch1};
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.vpaddd(scratch0, d(part), d(part));
    m_out.vpaddd(scratch0, scratch0, scratch1);
    m_out.vpcmpud(masks[part], scratch0, m_code.word(2 * lowest_normal)._1to16(), 0x01);
  }
  const asmjit::Label some = m_out.newLabel(), done = m_out.newLabel();
  m_out.kortestw(masks[0], masks[parts() - 1]);
  m_out.jnz(some);
  m_out.bind(done);
  m_code.cold_paths.emplace_back([lanes = *this, some, done] {
    lanes.m_out.bind(some);
    for (uint32_t part = 0; part < lanes.parts(); ++part) lanes.flush_scaled(part);
    lanes.m_out.jmp(done);
  });
}

void Lanes::flush_scaled(uint32_t part) const {
  const x86::Mem scale = m_code.word(two_to_32)._1to16();
  m_out.vmulps(scratch0, a(part), scale);
  if (m_i.opcode == Opcode::fma_ftz_f32) {
    m_out.vmulps(scratch1, c(part), scale);
    m_out.vfmadd213ps(scratch0, b(part), scratch1);
  } else {
    m_out.emit(m_i.opcode == Opcode::div_ftz_f32 ? Inst::kIdVdivps : Inst::kIdVmulps, scratch0, scratch0,
               b(part));
  }
  m_out.vpandd(scratch0, scratch0, m_code.word(~sign_bit)._1to16());
  m_out.vcmpps(mask_scratch0, scratch0, m_code.word(two_to_minus_94)._1to16(), 0x11);
  m_out.k(mask_scratch0).vpandd(d(part), d(part), m_code.word(sign_bit)._1to16());
}

void Lanes::reciprocal() {
  const bool wide = m_i.opcode == Opcode::rcp_f64;
  if (wide) {
    m_out.vbroadcastsd(scratch0, m_code.number_64(bits_of(1)));
  } else {
    m_out.vbroadcastss(scratch0, m_code.word(one));
  }
  for (uint32_t part = 0; part < parts(); ++part)
    m_out.emit(wide ? Inst::kIdVdivpd : Inst::kIdVdivps, d(part), scratch0, a(part));
}

// A NaN keeps its sign.
void Lanes::change_sign_64(bool negates) {
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.vcmppd(mask_scratch0, a(part), a(part), 0x03);
    m_out.vcmppd(mask_scratch1, a(part), a(part), 0x07);
    copy(d(part), a(part));
    m_out.k(mask_scratch1)
        .emit(negates ? Inst::kIdVpxorq : Inst::kIdVpandq, d(part), d(part),
              m_code.number_64(negates ? sign_64 : ~sign_64)._1to8());
    quieten(part, mask_scratch0);
  }
}

// As extreme(). If both are NaN, the result is the first one.
void Lanes::extreme_64(Id code, Id combine_equal) {
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.emit(code, scratch0, a(part), b(part));
    m_out.emit(code, scratch1, b(part), a(part));
    m_out.emit(combine_equal, scratch0, scratch0, scratch1);
    m_out.vcmppd(mask_scratch0, a(part), a(part), 0x03);
    m_out.vcmppd(mask_scratch1, b(part), b(part), 0x03);
    m_out.k(mask_scratch0).vmovapd(scratch0, b(part));
    m_out.k(mask_scratch1).vblendmpd(d(part), scratch0, a(part));
    m_out.kandw(mask_scratch0, mask_scratch0, mask_scratch1);
    quieten(part, mask_scratch0);
  }
}

// Cut. What is out of range becomes the nearest value first, as far as f64 has that; what the instruction
// cannot convert, and NaN, becomes the integer in which only the top bit is set, or all ones if it is
// unsigned.
void Lanes::integer_of_f64(Id code, uint32_t bits, bool is_signed) {
  const bool wide = bits == 64;
  const double limit = bits == 64 ? (is_signed ? 0x1p63 : 0x1p64) : is_signed ? 0x1p31 - 1 : 0x1p32 - 1;
  for (uint32_t part = 0; part < 4; ++part) {
    x86::Zmm from = a(part);
    if (!wide) {
      m_out.vbroadcastsd(scratch0, m_code.number_64(bits_of(limit)));
      m_out.vminpd(scratch0, scratch0, from);  // the second one, where one is NaN
      from = scratch0;
    }
    if (!is_signed) {
      m_out.vcmppd(mask_scratch0, from, from, 0x03);
      m_out.vpxorq(scratch1, scratch1, scratch1);
      m_out.vmaxpd(scratch0, from, scratch1);
      m_out.k(mask_scratch0).vbroadcastsd(scratch0, m_code.number_64(bits_of(wide ? 0x1p63 : 0x1p31)));
      from = scratch0;
    }
    if (!wide) {
      m_out.emit(code, part % 2 == 0 ? d(part / 2).ymm() : scratch0.ymm(), from);
      if (part % 2 != 0) m_out.vinserti64x4(d(part / 2), d(part / 2), scratch0.ymm(), 1);
      continue;
    }
    m_out.emit(code, d(part), from);
    if (!is_signed) continue;
    m_out.vcmppd(mask_scratch0, a(part), m_code.number_64(bits_of(limit))._1to8(), 0x1d);
    m_out.k(mask_scratch0).vpbroadcastq(d(part), m_code.number_64(~sign_64));
  }
}

// The quotient of f64 is never rounded up to the next integer, since the dividend has less than 53 bits.
// Division by zero gives all ones, as the quotient and as the rest.
void Lanes::divide(bool is_signed, bool wants_rest) {
  Id widens = is_signed ? Inst::kIdVcvtdq2pd : Inst::kIdVcvtudq2pd;
  Id cuts = is_signed ? Inst::kIdVcvttpd2dq : Inst::kIdVcvttpd2udq;
  const auto quarter = [&](x86::Zmm to, uint32_t n, uint32_t part, uint32_t half) {
    if (half == 0) return static_cast<void>(m_out.emit(widens, to, source(n, part).ymm()));
    m_out.vextracti64x4(to.ymm(), source(n, part), 1);
    m_out.emit(widens, to, to.ymm());
  };
  for (uint32_t part = 0; part < parts(); ++part) {
    for (uint32_t half = 0; half < 2; ++half) {
      quarter(scratch0, 0, part, half);
      quarter(scratch1, 1, part, half);
      m_out.vdivpd(scratch0, scratch0, scratch1);
      if (half == 0) {
        m_out.emit(cuts, d(part).ymm(), scratch0);
      } else {
        m_out.emit(cuts, scratch0.ymm(), scratch0);
        m_out.vinserti64x4(d(part), d(part), scratch0.ymm(), 1);
      }
    }
    if (wants_rest) {
      m_out.vpmulld(scratch0, d(part), b(part));
      m_out.vpsubd(d(part), a(part), scratch0);
    }
    m_out.vptestnmd(mask_scratch0, b(part), b(part));
    m_out.k(mask_scratch0).vpternlogd(d(part), d(part), d(part), 0xff);
  }
}

// Shifts by 32 and more give 0.
void Lanes::funnel(bool left, bool wraps) {
  m_out.vpbroadcastd(scratch2, m_code.word(wraps ? 31 : 32));
  m_out.vpbroadcastd(scratch3, m_code.word(32));
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.emit(wraps ? Inst::kIdVpandd : Inst::kIdVpminud, scratch0, c(part), scratch2);
    m_out.vpsubd(scratch1, scratch3, scratch0);
    m_out.vpsllvd(d(part), b(part), left ? scratch0 : scratch1);
    m_out.vpsrlvd(scratch0, a(part), left ? scratch1 : scratch0);
    m_out.vpord(d(part), d(part), scratch0);
  }
}

void Lanes::extract() {
  m_out.vpternlogd(scratch2, scratch2, scratch2, 0xff);
  m_out.vpbroadcastd(scratch3, m_code.word(255));
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.vpandd(scratch0, b(part), scratch3);
    m_out.vpsrlvd(d(part), a(part), scratch0);
    m_out.vpandd(scratch0, c(part), scratch3);
    m_out.vpsllvd(scratch0, scratch2, scratch0);
    m_out.vpandnd(d(part), scratch0, d(part));
  }
}

void Lanes::change_sign(bool negates) {
  m_out.vpbroadcastd(scratch0, m_code.word(negates ? sign_bit : ~sign_bit));
  for (uint32_t part = 0; part < parts(); ++part)
    m_out.emit(negates ? Inst::kIdVpxord : Inst::kIdVpandd, d(part), a(part), scratch0);
}

// The instruction gives its second source if one is NaN, or if both are zeros. Of equal lanes,
// `combine_equal` makes the zero that counts as smaller or larger; it changes no others.
void Lanes::extreme(Id code, Id combine_equal) {
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.emit(code, scratch0, a(part), b(part));
    m_out.emit(code, scratch1, b(part), a(part));
    m_out.emit(combine_equal, scratch0, scratch0, scratch1);
    m_out.vcmpps(mask_scratch0, a(part), a(part), 0x03);
    m_out.vcmpps(mask_scratch1, b(part), b(part), 0x03);
    m_out.k(mask_scratch0).vmovaps(scratch0, b(part));
    m_out.k(mask_scratch1).vblendmps(d(part), scratch0, a(part));
  }
}

// What is too large or too small becomes the nearest value, NaN becomes 0. VCVTTPS2DQ gives the smallest
// integer for all that it cannot, which is right for what is too small.
void Lanes::integer_s32(int rounding) {
  m_out.vpbroadcastd(scratch0, m_code.word(two_to_31));
  m_out.vpbroadcastd(scratch1, m_code.word(largest_s32));
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.vrndscaleps(d(part), a(part), rounding);
    m_out.vcmpps(mask_scratch0, d(part), scratch0, 0x1d);  // at least 2^31
    m_out.vcmpps(mask_scratch1, d(part), d(part), 0x07);   // no NaN
    m_out.k(mask_scratch1).z().vcvttps2dq(d(part), d(part));
    m_out.k(mask_scratch0).vmovdqa32(d(part), scratch1);
  }
}

// VMAXPS gives its second source where one is NaN, and VCVTTPS2UDQ all ones where the value is too large.
void Lanes::integer_u32(int rounding) {
  m_out.vpxord(scratch0, scratch0, scratch0);
  for (uint32_t part = 0; part < parts(); ++part) {
    m_out.vrndscaleps(d(part), a(part), rounding);
    m_out.vmaxps(d(part), d(part), scratch0);
    m_out.vcvttps2udq(d(part), d(part));
  }
}

// To lanes twice as wide.
void Lanes::extend(Id code) {
  for (uint32_t part = 0; part < parts(); ++part) {
    if (part % 2 == 0) {
      m_out.emit(code, d(part), a(part / 2).ymm());
      continue;
    }
    m_out.vextracti64x4(scratch0.ymm(), a(part / 2), 1);
    m_out.emit(code, d(part), scratch0.ymm());
  }
}

// To lanes half as wide.
void Lanes::narrow(Id code, uint32_t sources) {
  for (uint32_t part = 0; part < sources; part += 2) {
    m_out.emit(code, d(part / 2).ymm(), a(part));
    m_out.emit(code, scratch0.ymm(), a(part + 1));
    m_out.vinserti64x4(d(part / 2), d(part / 2), scratch0.ymm(), 1);
  }
}

void Lanes::compare() {
  const uint32_t parts = parts_of(info_of(m_i.opcode).sources[0]);
  const auto part = [&](uint32_t at, const x86::KReg& to) {
    compare_part(m_code, m_i.opcode, m_i.condition, a(at), b(at), to);
  };
  part(0, result_mask());
  part(1, mask_scratch0);
  if (parts == 2) return static_cast<void>(m_out.kunpckwd(result_mask(), mask_scratch0, result_mask()));
  m_out.kunpckbw(result_mask(), mask_scratch0, result_mask());
  part(2, mask_scratch0);
  part(3, mask_scratch1);
  m_out.kunpckbw(mask_scratch0, mask_scratch1, mask_scratch0);
  m_out.kunpckwd(result_mask(), mask_scratch0, result_mask());
}

bool Lanes::compute_integer() {
  switch (m_i.opcode) {
    case Opcode::mad_b32:
      return multiply_and_add(Inst::kIdVpmulld, Inst::kIdVpaddd), true;
    case Opcode::mad_b64:
      return multiply_and_add(Inst::kIdVpmullq, Inst::kIdVpaddq), true;
    case Opcode::mul_wide_u32:
    case Opcode::mad_wide_u32:
      return multiply_wide(false), true;
    case Opcode::mul_wide_s32:
    case Opcode::mad_wide_s32:
      return multiply_wide(true), true;
    case Opcode::mul_hi_u32:
    case Opcode::mul_hi_s32:
      return multiply_high(m_i.opcode == Opcode::mul_hi_s32), true;
    case Opcode::neg_b32:
      return negate(Inst::kIdVpsubd), true;
    case Opcode::neg_b64:
      return negate(Inst::kIdVpsubq), true;
    case Opcode::div_u32:
    case Opcode::rem_u32:
      return divide(false, m_i.opcode == Opcode::rem_u32), true;
    case Opcode::div_s32:
    case Opcode::rem_s32:
      return divide(true, m_i.opcode == Opcode::rem_s32), true;
    default:
      return false;
  }
}

bool Lanes::compute_bits() {
  switch (m_i.opcode) {
    case Opcode::not_b32:
    case Opcode::not_b64:
      for (uint32_t part = 0; part < parts(); ++part) m_out.vpternlogd(d(part), a(part), a(part), 0x55);
      return true;
    case Opcode::and_pred:
      return masks(Inst::kIdKandd), true;
    case Opcode::or_pred:
      return masks(Inst::kIdKord), true;
    case Opcode::xor_pred:
      return masks(Inst::kIdKxord), true;
    case Opcode::not_pred:
      m_out.knotd(result_mask(), source_mask(0));
      return true;
    case Opcode::lop3_b32:
      return by_table(table_of(m_i)), true;
    case Opcode::shf_left_wrap_b32:
    case Opcode::shf_left_clamp_b32:
      return funnel(true, m_i.opcode == Opcode::shf_left_wrap_b32), true;
    case Opcode::shf_right_wrap_b32:
    case Opcode::shf_right_clamp_b32:
      return funnel(false, m_i.opcode == Opcode::shf_right_wrap_b32), true;
    case Opcode::bfe_u32:
      return extract(), true;
    default:
      return false;
  }
}

bool Lanes::compute_float() {
  switch (m_i.opcode) {
    case Opcode::shuffle_b32:
    case Opcode::shuffle_by_b32:
      return shuffle(), true;
    case Opcode::match_any_b32:
      return match_any(), true;
    case Opcode::canonical:
      return canonical(), true;
    case Opcode::fma_f32:
      return fuse(Inst::kIdVfmadd231ps), true;
    case Opcode::rcp_f32:
    case Opcode::rcp_f64:
      return reciprocal(), true;
    case Opcode::flush_f32:
      return flush(), true;
    case Opcode::mul_ftz_f32:
    case Opcode::div_ftz_f32:
    case Opcode::fma_ftz_f32:
      return multiply_flushed(), true;
    case Opcode::neg_f32:
      return change_sign(true), true;
    case Opcode::abs_f32:
      return change_sign(false), true;
    case Opcode::min_f32:
      return extreme(Inst::kIdVminps, Inst::kIdVpord), true;
    case Opcode::max_f32:
      return extreme(Inst::kIdVmaxps, Inst::kIdVpandd), true;
    default:
      return false;
  }
}

bool Lanes::compute_double() {
  switch (m_i.opcode) {
    case Opcode::fma_f64:
      return fuse(Inst::kIdVfmadd231pd), true;
    case Opcode::neg_f64:
      return change_sign_64(true), true;
    case Opcode::abs_f64:
      return change_sign_64(false), true;
    case Opcode::min_f64:
      return extreme_64(Inst::kIdVminpd, Inst::kIdVporq), true;
    case Opcode::max_f64:
      return extreme_64(Inst::kIdVmaxpd, Inst::kIdVpandq), true;
    case Opcode::double_f32:
      return extend(Inst::kIdVcvtps2pd), true;
    case Opcode::double_s32:
      return extend(Inst::kIdVcvtdq2pd), true;
    case Opcode::double_u32:
      return extend(Inst::kIdVcvtudq2pd), true;
    case Opcode::single_f64:
      return narrow(Inst::kIdVcvtpd2ps, 4), true;
    case Opcode::int_zero_s32_f64:
      return integer_of_f64(Inst::kIdVcvttpd2dq, 32, true), true;
    case Opcode::int_zero_u32_f64:
      return integer_of_f64(Inst::kIdVcvttpd2udq, 32, false), true;
    case Opcode::int_zero_s64_f64:
      return integer_of_f64(Inst::kIdVcvttpd2qq, 64, true), true;
    case Opcode::int_zero_u64_f64:
      return integer_of_f64(Inst::kIdVcvttpd2uqq, 64, false), true;
    default:
      return false;
  }
}

void Lanes::compute_other() {
  switch (m_i.opcode) {
    case Opcode::setp_u32:
    case Opcode::setp_s32:
    case Opcode::setp_u64:
    case Opcode::setp_s64:
    case Opcode::setp_f32:
    case Opcode::setp_f64:
      return compare();
    case Opcode::selp_b32:
    case Opcode::selp_b64:
      return select();
    case Opcode::extend_s32:
      return extend(Inst::kIdVpmovsxdq);
    case Opcode::extend_u32:
      return extend(Inst::kIdVpmovzxdq);
    case Opcode::extend_s16:
      return extend(Inst::kIdVpmovsxwd);
    case Opcode::extend_u16:
      return extend(Inst::kIdVpmovzxwd);
    case Opcode::low_b64:
      return narrow(Inst::kIdVpmovqd, 4);
    case Opcode::low_b32:
      return narrow(Inst::kIdVpmovdw, 2);
    case Opcode::high_b64:
      for (uint32_t part = 0; part < 4; part += 2) {
        m_out.vpsrlq(scratch0, a(part), 32);
        m_out.vpmovqd(d(part / 2).ymm(), scratch0);
        m_out.vpsrlq(scratch0, a(part + 1), 32);
        m_out.vpmovqd(scratch0.ymm(), scratch0);
        m_out.vinserti64x4(d(part / 2), d(part / 2), scratch0.ymm(), 1);
      }
      return;
    case Opcode::pair_b64:
      for (uint32_t part = 0; part < 4; ++part) {
        widen(scratch0, 1, part, false);
        m_out.vpsllq(scratch0, scratch0, 32);
        widen(d(part), 0, part, false);
        m_out.vporq(d(part), d(part), scratch0);
      }
      return;
    case Opcode::float_s16:
    case Opcode::float_u16:
      extend(m_i.opcode == Opcode::float_s16 ? Inst::kIdVpmovsxwd : Inst::kIdVpmovzxwd);
      for (uint32_t part = 0; part < parts(); ++part) m_out.vcvtdq2ps(d(part), d(part));
      return;
    default:
      m_out.ud2();  // no such row
  }
}

// The handler finds its registers on the stack, as if they were the frame's. Other values stay in theirs.
void Lanes::run_function(const WarpCode::Keeper& keeper) const {
  const auto cell = [](uint32_t number, uint32_t part) {
    return x86::ptr(x86::rsp, cells_at + static_cast<int32_t>(number) * cell_bytes +
                                  static_cast<int32_t>(part) * vector_bytes);
  };
  keeper.save();
  for (uint32_t n = 0; n < m_i.sources.size() && m_i.sources[n] != no_value; ++n)
    for (uint32_t part = 0; part < parts_of(info_of(m_i.opcode).sources[n]); ++part)
      m_out.vmovdqu32(cell(n + 1, part), source(n, part));
  const x86::Mem frame = of_warp(WARPLENS_OFFSET(Warp, frame));
  m_out.lea(x86::rax, cell(0, 0));
  m_out.mov(frame, x86::rax);
  m_out.lea(x86::rdi, m_code.op_of_cells());
  m_out.mov(x86::rsi, x64::warp_register);
  const program::Selector selector = selector_of(m_i.opcode, Condition::none);
  const program::OpsTable& table = *m_code.asked.program->table;
  m_out.mov(x86::rax, asmjit::imm(program::find_handlers(table, selector).run[program::all_lanes]));
  m_out.vzeroupper();
  m_out.call(x86::rax);
  m_out.mov(frame, x64::frame_register);
  for (uint32_t part = 0; part < parts(); ++part) m_out.vmovdqu32(d(part), cell(0, part));
  keeper.restore();
}

// By f64, as divide(), where no lane has more than 53 bits and none is divided by zero; else by the handler.
void Lanes::divide_64(bool is_signed, bool wants_rest) {
  Id widens = is_signed ? Inst::kIdVcvtqq2pd : Inst::kIdVcvtuqq2pd;
  constexpr uint64_t too_large = ~((uint64_t{1} << 53) - 1);
  const asmjit::Label others = m_out.newLabel(), done = m_out.newLabel();
  m_out.vpxorq(scratch0, scratch0, scratch0);
  m_out.kxorw(mask_scratch1, mask_scratch1, mask_scratch1);
  for (uint32_t part = 0; part < 4; ++part) {
    for (const x86::Zmm& x : {a(part), b(part)}) {
      if (is_signed) m_out.vpabsq(scratch1, x);
      m_out.vporq(scratch0, scratch0, is_signed ? scratch1 : x);
    }
    m_out.vptestnmq(mask_scratch0, b(part), b(part));
    m_out.korw(mask_scratch1, mask_scratch1, mask_scratch0);
  }
  m_out.vptestmq(mask_scratch0, scratch0, m_code.number_64(too_large)._1to8());
  m_out.kortestw(mask_scratch0, mask_scratch1);
  m_out.jnz(others);
  for (uint32_t part = 0; part < 4; ++part) {
    m_out.emit(widens, scratch0, a(part));
    m_out.emit(widens, scratch1, b(part));
    m_out.vdivpd(scratch0, scratch0, scratch1);
    m_out.vcvttpd2qq(d(part), scratch0);
    if (!wants_rest) continue;
    m_out.vpmullq(scratch0, d(part), b(part));
    m_out.vpsubq(d(part), a(part), scratch0);
  }
  m_out.bind(done);
  m_code.cold_paths.emplace_back([lanes = *this, keeper = m_code.keeper(m_i), others, done] {
    lanes.m_out.bind(others);
    lanes.run_function(keeper);
    lanes.m_out.jmp(done);
  });
}

void Lanes::round(const x64::Rounding& rounding) {
  switch (rounding.rounds) {
    case x64::Rounds::to_f32:
      for (uint32_t part = 0; part < parts(); ++part) m_out.vrndscaleps(d(part), a(part), rounding.how);
      return;
    case x64::Rounds::to_f64:
      for (uint32_t part = 0; part < parts(); ++part) m_out.vrndscalepd(d(part), a(part), rounding.how);
      return;
    case x64::Rounds::to_s32:
      return integer_s32(rounding.how);
    case x64::Rounds::to_u32:
      return integer_u32(rounding.how);
  }
}

void Lanes::compute() {
  switch (m_i.opcode) {
    case Opcode::div_u64:
      return divide_64(false, false);
    case Opcode::div_s64:
      return divide_64(true, false);
    case Opcode::rem_u64:
      return divide_64(false, true);
    case Opcode::rem_s64:
      return divide_64(true, true);
    default:
      break;
  }
  const x64::LaneInstruction* const row = x64::lane_instruction(m_i.opcode);
  if (row != nullptr && row->avx512 != Inst::kIdNone) return each(row->avx512, row->sources);
  if (const x64::Rounding* const rounding = x64::rounding_of(m_i.opcode)) return round(*rounding);
  if (kind_of(m_i.opcode) == Kind::shift) return shift();
  if (is_function(m_i.opcode)) return run_function(m_code.keeper(m_i));
  if (!compute_integer() && !compute_bits() && !compute_float() && !compute_double()) compute_other();
}

// How VPCMPD and the like call it.
int integer_comparison(Condition condition) {
  constexpr int numbers[] = {0, 0, 4, 1, 2, 6, 5};
  return numbers[static_cast<size_t>(condition)];
}

}  // namespace

void compare_part(WarpCode& code, Opcode setp, Condition condition, x86::Zmm a, x86::Zmm b, x86::KReg to) {
  Assembler& out = code.assembler;
  if (setp == Opcode::setp_f32)
    return static_cast<void>(out.vcmpps(to, a, b, x64::float_comparison(condition)));
  if (setp == Opcode::setp_f64)
    return static_cast<void>(out.vcmppd(to, a, b, x64::float_comparison(condition)));
  Id compare = setp == Opcode::setp_u32   ? Inst::kIdVpcmpud
               : setp == Opcode::setp_s32 ? Inst::kIdVpcmpd
               : setp == Opcode::setp_u64 ? Inst::kIdVpcmpuq
                                          : Inst::kIdVpcmpq;
  out.emit(compare, to, a, b, asmjit::Imm(integer_comparison(condition)));
}

bool reuses_source(const Instruction& i, size_t source) {
  const x64::LaneInstruction* const row = x64::lane_instruction(i.opcode);
  if (row != nullptr && row->avx512 != Inst::kIdNone) return true;
  switch (i.opcode) {
    case Opcode::and_pred:
    case Opcode::or_pred:
    case Opcode::xor_pred:
    case Opcode::not_pred:
    case Opcode::neg_f32:
    case Opcode::abs_f32:
    case Opcode::canonical:
    case Opcode::rcp_f32:
    case Opcode::flush_f32:
    case Opcode::rcp_f64:
      return true;
    case Opcode::fma_f32:
    case Opcode::fma_f64:
      return source == 2;
    case Opcode::lop3_b32:
      return source == 0;
    default:
      return false;
  }
}

void compute_lanes(WarpCode& code, const Instruction& i, const Action& action) {
  Lanes(code, i, action).compute();
}

}  // namespace warplens::exec::jit::avx512
