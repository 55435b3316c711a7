// Lanes of a strip: what the functors of core/gpu/exec/ops do, in vector instructions with the same results,
// bit by bit. The result's registers are none of the sources'.
#include "core/gpu/exec/jit/alloc/immediate.h"
#include "core/gpu/exec/jit/target/avx2/code.h"

namespace warplens::exec::jit::avx2 {

namespace {

constexpr uint32_t sign_bit = 0x80000000, two_to_31 = 0x4f000000, two_to_32 = 0x4f800000,
                   two_to_16 = 0x47800000, not_a_number = 0x7fffffff;

class Strip {
 public:
  Strip(LaneCode& code, const Instruction& i, const Action& action)
      : m_code(code), m_out(code.assembler), m_i(i), m_action(action) {}
  void compute();

 private:
  x86::Ymm d(uint32_t half = 0) const { return lanes(m_action.result[half]); }
  x86::Ymm source(uint32_t n, uint32_t half = 0) const { return lanes(m_action.sources[n][half]); }
  x86::Ymm a(uint32_t half = 0) const { return source(0, half); }
  x86::Ymm b(uint32_t half = 0) const { return source(1, half); }
  x86::Ymm c(uint32_t half = 0) const { return source(2, half); }
  uint32_t halves() const { return info_of(m_i.opcode).result == Type::b64 ? 2 : 1; }
  void each(Id code);
  void all_ones(x86::Ymm to) { m_out.vpcmpeqd(to, to, to); }
  void invert(x86::Ymm to, x86::Ymm from) {
    all_ones(scratch0);
    m_out.vpxor(to, from, scratch0);
  }
  // Half of the strip's 32 bits, widened.
  void widen(x86::Ymm to, x86::Ymm from, uint32_t half, bool is_signed);
  void low_words(x86::Ymm to, x86::Ymm low, x86::Ymm high);
  void multiply_64();
  void multiply_wide(bool is_signed);
  void multiply_high(bool is_signed);
  void extreme_64(bool is_signed, bool is_min);
  void shift(Id by_number, Id by_lane, bool wide);
  void shift_right_s64();
  void lop3();
  void add_minterm(uint32_t term);
  void select_64();
  void fuse();
  void extreme_f32(Id code, Id combine_equal);
  void float_of_u32();
  void integer_s32(int rounding);
  void integer_u32(int rounding);
  void low_half_words();
  bool compute_integer();
  bool compute_float();
  void compute_other();

  LaneCode& m_code;
  Assembler& m_out;
  const Instruction& m_i;
  const Action& m_action;
};

void Strip::each(Id code) {
  for (uint32_t half = 0; half < halves(); ++half) m_out.emit(code, d(half), a(half), b(half));
}

void Strip::widen(x86::Ymm to, x86::Ymm from, uint32_t half, bool is_signed) {
  x86::Xmm source = from.xmm();
  if (half == 1) {
    m_out.vextracti128(to.xmm(), from, 1);
    source = to.xmm();
  }
  m_out.emit(is_signed ? Inst::kIdVpmovsxdq : Inst::kIdVpmovzxdq, to, source);
}

// The lower half of each of eight numbers of 64 bits, in order.
void Strip::low_words(x86::Ymm to, x86::Ymm low, x86::Ymm high) {
  m_out.vshufps(scratch0, low, high, 0x88);
  m_out.vpermq(to, scratch0, 0xd8);
}

void Strip::multiply_64() {
  for (uint32_t half = 0; half < 2; ++half) {
    m_out.vpsrlq(scratch0, a(half), 32);
    m_out.vpmuludq(scratch0, scratch0, b(half));
    m_out.vpsrlq(scratch1, b(half), 32);
    m_out.vpmuludq(scratch1, scratch1, a(half));
    m_out.vpaddq(scratch0, scratch0, scratch1);
    m_out.vpsllq(scratch0, scratch0, 32);
    m_out.vpmuludq(d(half), a(half), b(half));
    m_out.vpaddq(d(half), d(half), scratch0);
    if (m_i.sources[2] != no_value) m_out.vpaddq(d(half), d(half), c(half));
  }
}

void Strip::multiply_wide(bool is_signed) {
  for (uint32_t half = 0; half < 2; ++half) {
    widen(scratch0, a(), half, is_signed);
    widen(scratch1, b(), half, is_signed);
    m_out.emit(is_signed ? Inst::kIdVpmuldq : Inst::kIdVpmuludq, d(half), scratch0, scratch1);
    if (m_i.sources[2] != no_value) m_out.vpaddq(d(half), d(half), c(half));
  }
}

// The products of the odd lanes have their upper halves where these belong.
void Strip::multiply_high(bool is_signed) {
  Id product = is_signed ? Inst::kIdVpmuldq : Inst::kIdVpmuludq;
  m_out.vpsrlq(scratch0, a(), 32);
  m_out.vpsrlq(scratch1, b(), 32);
  m_out.emit(product, d(), scratch0, scratch1);
  m_out.emit(product, scratch0, a(), b());
  m_out.vpsrlq(scratch0, scratch0, 32);
  m_out.vpblendd(d(), scratch0, d(), 0xaa);
}

void Strip::extreme_64(bool is_signed, bool is_min) {
  for (uint32_t half = 0; half < 2; ++half) {
    x86::Ymm x = a(half), y = b(half);
    if (!is_signed) {
      all_ones(scratch2);
      m_out.vpsllq(scratch2, scratch2, 63);
      m_out.vpxor(scratch0, x, scratch2);
      m_out.vpxor(scratch1, y, scratch2);
      x = scratch0;
      y = scratch1;
    }
    m_out.vpcmpgtq(scratch0, x, y);
    m_out.vblendvpd(d(half), is_min ? a(half) : b(half), is_min ? b(half) : a(half), scratch0);
  }
}

// The amount has 32 bits a lane, also where the value has 64.
void Strip::shift(Id by_number, Id by_lane, bool wide) {
  for (uint32_t half = 0; half < halves(); ++half) {
    if (takes_number(m_i, 1, m_code.makers)) {
      const uint64_t by = std::min<uint64_t>(m_code.maker(m_i.sources[1]).number, 255);
      m_out.emit(by_number, d(half), a(half), asmjit::Imm(by));
      continue;
    }
    if (wide) widen(scratch0, b(), half, false);
    m_out.emit(by_lane, d(half), a(half), wide ? scratch0 : b());
  }
}

// The bits of negative lanes are inverted before the shift and after it.
void Strip::shift_right_s64() {
  for (uint32_t half = 0; half < 2; ++half) {
    m_out.vpxor(scratch1, scratch1, scratch1);
    m_out.vpcmpgtq(scratch1, scratch1, a(half));
    m_out.vpxor(scratch2, a(half), scratch1);
    if (takes_number(m_i, 1, m_code.makers)) {
      m_out.vpsrlq(scratch2, scratch2,
                   static_cast<uint8_t>(std::min<uint64_t>(m_code.maker(m_i.sources[1]).number, 255)));
    } else {
      widen(scratch0, b(), half, false);
      m_out.vpsrlvq(scratch2, scratch2, scratch0);
    }
    m_out.vpxor(d(half), scratch2, scratch1);
  }
}

// One combination of bits for which the table has a 1.
void Strip::add_minterm(uint32_t term) {
  const bool has_b = (term & 2) != 0, has_c = (term & 1) != 0;
  if (has_b && has_c) {
    m_out.vpand(scratch0, b(), c());
  } else if (has_b) {
    m_out.vpandn(scratch0, c(), b());
  } else if (has_c) {
    m_out.vpandn(scratch0, b(), c());
  } else {
    m_out.vpor(scratch0, b(), c());
    all_ones(scratch1);
    m_out.vpxor(scratch0, scratch0, scratch1);
  }
  if ((term & 4) != 0) {
    m_out.vpand(scratch0, scratch0, a());
  } else {
    m_out.vpandn(scratch0, a(), scratch0);
  }
  m_out.vpor(d(), d(), scratch0);
}

void Strip::lop3() {
  constexpr uint64_t exclusive_or = 0x96;
  if (m_i.number == exclusive_or) {
    m_out.vpxor(d(), a(), b());
    m_out.vpxor(d(), d(), c());
    return;
  }
  m_out.vpxor(d(), d(), d());
  for (uint32_t term = 0; term < 8; ++term)
    if ((m_i.number >> term & 1) != 0) add_minterm(term);
}

void Strip::select_64() {
  for (uint32_t half = 0; half < 2; ++half) {
    widen(scratch0, c(), half, true);
    m_out.vblendvpd(d(half), b(half), a(half), scratch0);
  }
}

void Strip::fuse() {
  m_out.vmovaps(d(), c());
  m_out.vfmadd231ps(d(), a(), b());
}

// The instruction gives its second source if one is NaN, or if both are zeros. Of equal lanes,
// `combine_equal` makes the zero that counts as smaller or larger; it changes no others.
void Strip::extreme_f32(Id code, Id combine_equal) {
  m_out.emit(code, scratch0, a(), b());
  m_out.emit(code, scratch1, b(), a());
  m_out.emit(combine_equal, scratch0, scratch0, scratch1);
  m_out.vcmpps(scratch1, a(), a(), 0x03);
  m_out.vblendvps(scratch0, scratch0, b(), scratch1);
  m_out.vcmpps(scratch1, b(), b(), 0x03);
  m_out.vblendvps(d(), scratch0, a(), scratch1);
}

// Both halves are exact as f32, so only their sum is rounded.
void Strip::float_of_u32() {
  m_out.vpsrld(scratch0, a(), 16);
  m_out.vcvtdq2ps(scratch0, scratch0);
  m_out.vmulps(scratch0, scratch0, m_code.filled(two_to_16));
  m_out.vpand(scratch1, a(), m_code.filled(0xffff));
  m_out.vcvtdq2ps(scratch1, scratch1);
  m_out.vaddps(d(), scratch0, scratch1);
}

// What is too large or too small becomes the nearest value, NaN becomes 0. VCVTTPS2DQ gives the smallest
// integer for all that it cannot.
void Strip::integer_s32(int rounding) {
  m_out.vroundps(scratch0, a(), rounding);
  m_out.vcvttps2dq(scratch1, scratch0);
  m_out.vcmpps(scratch2, scratch0, scratch0, 0x07);  // no NaN
  m_out.vpand(scratch1, scratch1, scratch2);
  m_out.vcmpps(scratch2, scratch0, m_code.filled(two_to_31), 0x1d);  // at least that
  m_out.vblendvps(d(), scratch1, m_code.filled(0x7fffffff), scratch2);
}

// VMAXPS gives its second source where one is NaN. What is 2^31 or more is converted without it.
void Strip::integer_u32(int rounding) {
  m_out.vroundps(scratch0, a(), rounding);
  m_out.vpxor(scratch1, scratch1, scratch1);
  m_out.vmaxps(scratch0, scratch0, scratch1);
  m_out.vcmpps(scratch1, scratch0, m_code.filled(two_to_31), 0x1d);
  m_out.vandps(scratch2, scratch1, m_code.filled(two_to_31));
  m_out.vsubps(scratch2, scratch0, scratch2);
  m_out.vcvttps2dq(scratch2, scratch2);
  m_out.vandps(scratch1, scratch1, m_code.filled(sign_bit));
  m_out.vpxor(scratch2, scratch2, scratch1);
  m_out.vcmpps(scratch1, scratch0, m_code.filled(two_to_32), 0x1d);
  m_out.vpor(d(), scratch2, scratch1);
}

void Strip::low_half_words() {
  m_out.vpand(scratch0, a(), m_code.filled(0xffff));
  m_out.vextracti128(scratch1.xmm(), scratch0, 1);
  m_out.vpackusdw(d().xmm(), scratch0.xmm(), scratch1.xmm());
}

bool Strip::compute_integer() {
  switch (m_i.opcode) {
    case Opcode::add_b32:
      return each(Inst::kIdVpaddd), true;
    case Opcode::add_b64:
      return each(Inst::kIdVpaddq), true;
    case Opcode::sub_b32:
      return each(Inst::kIdVpsubd), true;
    case Opcode::sub_b64:
      return each(Inst::kIdVpsubq), true;
    case Opcode::mul_b32:
      return each(Inst::kIdVpmulld), true;
    case Opcode::mad_b32:
      each(Inst::kIdVpmulld);
      m_out.vpaddd(d(), d(), c());
      return true;
    case Opcode::mul_b64:
    case Opcode::mad_b64:
      return multiply_64(), true;
    case Opcode::mul_wide_u32:
    case Opcode::mad_wide_u32:
      return multiply_wide(false), true;
    case Opcode::mul_wide_s32:
    case Opcode::mad_wide_s32:
      return multiply_wide(true), true;
    case Opcode::mul_hi_u32:
    case Opcode::mul_hi_s32:
      return multiply_high(m_i.opcode == Opcode::mul_hi_s32), true;
    case Opcode::min_u32:
      return each(Inst::kIdVpminud), true;
    case Opcode::min_s32:
      return each(Inst::kIdVpminsd), true;
    case Opcode::max_u32:
      return each(Inst::kIdVpmaxud), true;
    case Opcode::max_s32:
      return each(Inst::kIdVpmaxsd), true;
    case Opcode::min_u64:
    case Opcode::min_s64:
      return extreme_64(m_i.opcode == Opcode::min_s64, true), true;
    case Opcode::max_u64:
    case Opcode::max_s64:
      return extreme_64(m_i.opcode == Opcode::max_s64, false), true;
    case Opcode::neg_b32:
    case Opcode::neg_b64:
      m_out.vpxor(scratch0, scratch0, scratch0);
      for (uint32_t half = 0; half < halves(); ++half)
        m_out.emit(halves() == 2 ? Inst::kIdVpsubq : Inst::kIdVpsubd, d(half), scratch0, a(half));
      return true;
    case Opcode::abs_s32:
      m_out.vpabsd(d(), a());
      return true;
    case Opcode::and_b32:
    case Opcode::and_b64:
    case Opcode::and_pred:
      return each(Inst::kIdVpand), true;
    case Opcode::or_b32:
    case Opcode::or_b64:
    case Opcode::or_pred:
      return each(Inst::kIdVpor), true;
    case Opcode::xor_b32:
    case Opcode::xor_b64:
    case Opcode::xor_pred:
      return each(Inst::kIdVpxor), true;
    case Opcode::not_b32:
    case Opcode::not_b64:
    case Opcode::not_pred:
      for (uint32_t half = 0; half < halves(); ++half) invert(d(half), a(half));
      return true;
    case Opcode::shl_b32:
      return shift(Inst::kIdVpslld, Inst::kIdVpsllvd, false), true;
    case Opcode::shl_b64:
      return shift(Inst::kIdVpsllq, Inst::kIdVpsllvq, true), true;
    case Opcode::shr_u32:
      return shift(Inst::kIdVpsrld, Inst::kIdVpsrlvd, false), true;
    case Opcode::shr_u64:
      return shift(Inst::kIdVpsrlq, Inst::kIdVpsrlvq, true), true;
    case Opcode::shr_s32:
      return shift(Inst::kIdVpsrad, Inst::kIdVpsravd, false), true;
    case Opcode::shr_s64:
      return shift_right_s64(), true;
    case Opcode::lop3_b32:
      return lop3(), true;
    default:
      return false;
  }
}

bool Strip::compute_float() {
  constexpr int even = 8, minus = 9, plus = 10, zero = 11;  // of VROUNDPS, without exceptions
  switch (m_i.opcode) {
    case Opcode::canonical:
      m_out.vcmpps(scratch0, a(), a(), 0x03);
      m_out.vblendvps(d(), a(), m_code.filled(not_a_number), scratch0);
      return true;
    case Opcode::add_f32:
      return each(Inst::kIdVaddps), true;
    case Opcode::sub_f32:
      return each(Inst::kIdVsubps), true;
    case Opcode::mul_f32:
      return each(Inst::kIdVmulps), true;
    case Opcode::div_f32:
      return each(Inst::kIdVdivps), true;
    case Opcode::fma_f32:
      return fuse(), true;
    case Opcode::sqrt_f32:
      m_out.vsqrtps(d(), a());
      return true;
    case Opcode::neg_f32:
      m_out.vxorps(d(), a(), m_code.filled(sign_bit));
      return true;
    case Opcode::abs_f32:
      m_out.vandps(d(), a(), m_code.filled(~sign_bit));
      return true;
    case Opcode::min_f32:
      return extreme_f32(Inst::kIdVminps, Inst::kIdVorps), true;
    case Opcode::max_f32:
      return extreme_f32(Inst::kIdVmaxps, Inst::kIdVandps), true;
    case Opcode::round_even_f32:
      m_out.vroundps(d(), a(), even);
      return true;
    case Opcode::round_zero_f32:
      m_out.vroundps(d(), a(), zero);
      return true;
    case Opcode::round_minus_f32:
      m_out.vroundps(d(), a(), minus);
      return true;
    case Opcode::round_plus_f32:
      m_out.vroundps(d(), a(), plus);
      return true;
    case Opcode::int_even_s32:
      return integer_s32(even), true;
    case Opcode::int_zero_s32:
      return integer_s32(zero), true;
    case Opcode::int_minus_s32:
      return integer_s32(minus), true;
    case Opcode::int_plus_s32:
      return integer_s32(plus), true;
    case Opcode::int_even_u32:
      return integer_u32(even), true;
    case Opcode::int_zero_u32:
      return integer_u32(zero), true;
    case Opcode::int_minus_u32:
      return integer_u32(minus), true;
    case Opcode::int_plus_u32:
      return integer_u32(plus), true;
    default:
      return false;
  }
}

void Strip::compute_other() {
  switch (m_i.opcode) {
    case Opcode::setp_u32:
    case Opcode::setp_s32:
    case Opcode::setp_u64:
    case Opcode::setp_s64:
    case Opcode::setp_f32:
      return compare_lanes(m_code, m_i.opcode, m_i.condition, m_action.sources[0], m_action.sources[1], d());
    case Opcode::selp_b32:
      return static_cast<void>(m_out.vblendvps(d(), b(), a(), c()));
    case Opcode::selp_b64:
      return select_64();
    case Opcode::extend_s32:
    case Opcode::extend_u32:
      for (uint32_t half = 0; half < 2; ++half) widen(d(half), a(), half, m_i.opcode == Opcode::extend_s32);
      return;
    case Opcode::extend_s16:
      return static_cast<void>(m_out.vpmovsxwd(d(), a().xmm()));
    case Opcode::extend_u16:
      return static_cast<void>(m_out.vpmovzxwd(d(), a().xmm()));
    case Opcode::low_b64:
      return low_words(d(), a(0), a(1));
    case Opcode::low_b32:
      return low_half_words();
    case Opcode::float_s16:
      m_out.vpmovsxwd(d(), a().xmm());
      return static_cast<void>(m_out.vcvtdq2ps(d(), d()));
    case Opcode::float_u16:
      m_out.vpmovzxwd(d(), a().xmm());
      return static_cast<void>(m_out.vcvtdq2ps(d(), d()));
    case Opcode::float_s32:
      return static_cast<void>(m_out.vcvtdq2ps(d(), a()));
    case Opcode::float_u32:
      return float_of_u32();
    default:
      m_out.ud2();  // no such row
  }
}

void Strip::compute() {
  if (!compute_integer() && !compute_float()) compute_other();
}

// Whether the comparison is the opposite of equality or of "greater", and whether its sources change places.
struct Way {
  bool is_equality, inverted, swapped;
};
Way way_of(Condition condition) {
  switch (condition) {
    case Condition::eq:
      return {true, false, false};
    case Condition::ne:
      return {true, true, false};
    case Condition::lt:
      return {false, false, true};
    case Condition::le:
      return {false, true, false};
    case Condition::gt:
      return {false, false, false};
    default:
      return {false, true, true};
  }
}

}  // namespace

void compare_lanes(LaneCode& code, Opcode setp, Condition condition, const Registers& a, const Registers& b,
                   x86::Ymm to) {
  Assembler& out = code.assembler;
  if (setp == Opcode::setp_f32)
    return static_cast<void>(out.vcmpps(to, lanes(a[0]), lanes(b[0]), x64::float_comparison(condition)));
  const bool wide = setp == Opcode::setp_u64 || setp == Opcode::setp_s64;
  const bool is_unsigned = setp == Opcode::setp_u32 || setp == Opcode::setp_u64;
  const Way way = way_of(condition);
  const x86::Ymm results[2] = {wide ? scratch1 : to, scratch2};
  for (uint32_t half = 0; half < (wide ? 2u : 1u); ++half) {
    x86::Ymm x = lanes(way.swapped ? b[half] : a[half]), y = lanes(way.swapped ? a[half] : b[half]);
    const x86::Ymm result = results[half];
    if (way.is_equality) {
      out.emit(wide ? Inst::kIdVpcmpeqq : Inst::kIdVpcmpeqd, result, x, y);
      continue;
    }
    if (is_unsigned) {
      // The sign bit turned around makes signed numbers in the same order.
      out.vpcmpeqd(scratch0, scratch0, scratch0);
      out.emit(wide ? Inst::kIdVpsllq : Inst::kIdVpslld, scratch0, scratch0, asmjit::Imm(wide ? 63 : 31));
      out.vpxor(result, x, scratch0);
      out.vpxor(scratch0, y, scratch0);
      x = result;
      y = scratch0;
    }
    out.emit(wide ? Inst::kIdVpcmpgtq : Inst::kIdVpcmpgtd, result, x, y);
  }
  if (wide) {
    out.vshufps(scratch0, scratch1, scratch2, 0x88);
    out.vpermq(to, scratch0, 0xd8);
  }
  if (!way.inverted) return;
  out.vpcmpeqd(scratch0, scratch0, scratch0);
  out.vpxor(to, to, scratch0);
}

void compute_lanes(LaneCode& code, const Instruction& i, const Action& action) {
  Strip(code, i, action).compute();
}

}  // namespace warplens::exec::jit::avx2
