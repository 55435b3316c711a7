// Lanes of a strip: what the functors of core/gpu/exec/ops do, in vector instructions with the same results,
// bit by bit. The result's registers are none of the sources'.
#include <bit>

#include "core/gpu/exec/jit/alloc/immediate.h"
#include "core/gpu/exec/jit/target/avx2/code.h"
#include "core/gpu/exec/jit/target/x64/lane_instructions.h"

namespace warplens::exec::jit::avx2 {

namespace {

constexpr uint32_t sign_bit = 0x80000000, two_to_31 = 0x4f000000, two_to_32 = 0x4f800000,
                   two_to_16 = 0x47800000, not_a_number = 0x7fffffff, exponent_bits = 0x7f800000,
                   lowest_normal = 0x00800000, two_to_minus_94 = 0x10800000, one = 0x3f800000;
constexpr uint64_t sign_64 = uint64_t{1} << 63, quiet_64 = uint64_t{1} << 51;
constexpr uint64_t bits_of(double number) { return std::bit_cast<uint64_t>(number); }

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
  void each(Id code, uint32_t sources = 2);
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
  void shift();
  void shift_right_s64();
  void lop3();
  void add_minterm(uint32_t term);
  void select_64();
  void fuse();
  void flush(x86::Ymm to, x86::Ymm from);
  void multiply_flushed();
  x86::Mem of_double(double number) { return m_code.filled_64(bits_of(number)); }
  void change_sign_64(bool negates);
  void extreme_64(Id code, Id combine_equal);
  void double_of_64(bool is_signed);
  void integer_of_f64(bool is_signed);
  void long_integer_of_f64(bool is_signed);
  void narrow_integer(Id code, x86::Ymm low, x86::Ymm high);
  void divide(bool is_signed, bool wants_rest);
  void funnel(bool left, bool wraps);
  void extract();
  bool compute_double();
  void extreme_f32(Id code, Id combine_equal);
  void float_of_u32();
  void round(const x64::Rounding& rounding);
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

void Strip::each(Id code, uint32_t sources) {
  for (uint32_t half = 0; half < halves(); ++half) {
    if (sources == 1)
      m_out.emit(code, d(half), a(half));
    else
      m_out.emit(code, d(half), a(half), b(half));
  }
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
void Strip::shift() {
  const auto& [opcode, by_number, by_lane] = x64::shift_instruction(m_i.opcode);
  const bool wide = halves() == 2;
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

// To `to` from `from`; they may be the same. Overwrites two scratch registers.
void Strip::flush(x86::Ymm to, x86::Ymm from) {
  m_out.vpand(scratch0, from, m_code.filled(exponent_bits));
  m_out.vpxor(scratch1, scratch1, scratch1);
  m_out.vpcmpeqd(scratch0, scratch0, scratch1);
  m_out.vpsrld(scratch0, scratch0, 1);
  m_out.vpandn(to, scratch0, from);
}

// A result of the smallest normal size may be one that was rounded up to it. Scaled by 2^32, it rounds as if
// the exponent had no limit. Such results, and subnormal ones, are rare: code beside looks at them.
void Strip::multiply_flushed() {
  if (m_i.opcode == Opcode::fma_ftz_f32) {
    fuse();
  } else {
    each(m_i.opcode == Opcode::div_ftz_f32 ? Inst::kIdVdivps : Inst::kIdVmulps);
  }
  // Zeros less one are the largest numbers.
  m_out.vpand(scratch0, d(), m_code.filled(~sign_bit));
  all_ones(scratch1);
  m_out.vpaddd(scratch0, scratch0, scratch1);
  m_out.vpminud(scratch1, scratch0, m_code.filled(lowest_normal - 1));
  m_out.vpcmpeqd(scratch0, scratch0, scratch1);
  const asmjit::Label smallest = m_out.newLabel(), done = m_out.newLabel();
  m_out.vptest(scratch0, scratch0);
  m_out.jnz(smallest);
  m_out.bind(done);
  m_code.cold_paths.emplace_back([&code = m_code, opcode = m_i.opcode, action = m_action, smallest, done] {
    Assembler& out = code.assembler;
    const x86::Ymm result = lanes(action.result[0]), b = lanes(action.sources[1][0]);
    out.bind(smallest);
    out.vmulps(scratch0, lanes(action.sources[0][0]), code.filled(two_to_32));
    if (opcode == Opcode::fma_ftz_f32) {
      out.vmulps(scratch1, lanes(action.sources[2][0]), code.filled(two_to_32));
      out.vfmadd213ps(scratch0, b, scratch1);
    } else {
      out.emit(opcode == Opcode::div_ftz_f32 ? Inst::kIdVdivps : Inst::kIdVmulps, scratch0, scratch0, b);
    }
    out.vpand(scratch0, scratch0, code.filled(~sign_bit));
    out.vcmpps(scratch0, scratch0, code.filled(two_to_minus_94), 0x11);
    out.vpsrld(scratch0, scratch0, 1);
    out.vpandn(result, scratch0, result);
    out.jmp(done);
  });
}

// A NaN keeps its sign.
void Strip::change_sign_64(bool negates) {
  for (uint32_t half = 0; half < 2; ++half) {
    m_out.vcmppd(scratch0, a(half), a(half), 0x03);
    m_out.vpor(scratch1, a(half), m_code.filled_64(quiet_64));
    m_out.emit(negates ? Inst::kIdVpxor : Inst::kIdVpand, d(half), a(half),
               m_code.filled_64(negates ? sign_64 : ~sign_64));
    m_out.vblendvpd(d(half), d(half), scratch1, scratch0);
  }
}

// As extreme_f32(). If both are NaN, the result is the first one.
void Strip::extreme_64(Id code, Id combine_equal) {
  for (uint32_t half = 0; half < 2; ++half) {
    m_out.emit(code, scratch0, a(half), b(half));
    m_out.emit(code, scratch1, b(half), a(half));
    m_out.emit(combine_equal, scratch0, scratch0, scratch1);
    m_out.vcmppd(scratch1, a(half), a(half), 0x03);
    m_out.vblendvpd(scratch0, scratch0, b(half), scratch1);
    m_out.vcmppd(scratch2, b(half), b(half), 0x03);
    m_out.vblendvpd(d(half), scratch0, a(half), scratch2);
    m_out.vpand(scratch1, scratch1, scratch2);
    m_out.vpand(scratch1, scratch1, m_code.filled_64(quiet_64));
    m_out.vpor(d(half), d(half), scratch1);
  }
}

// Both halves are exact as f64, so only their sum is rounded: the upper one as 2^84 and more, the lower one
// as 2^52 and more.
void Strip::double_of_64(bool is_signed) {
  const double upper = is_signed ? 0x1p84 + 0x1p63 : 0x1p84, lower = 0x1p52;
  for (uint32_t half = 0; half < 2; ++half) {
    m_out.vpsrlq(scratch0, a(half), 32);
    m_out.vpxor(scratch0, scratch0, m_code.filled_64(bits_of(upper)));
    m_out.vsubpd(scratch0, scratch0, of_double(upper + lower));
    m_out.vpblendd(scratch1, a(half), of_double(lower), 0xaa);
    m_out.vaddpd(d(half), scratch0, scratch1);
  }
}

// Two vectors of four numbers become one of eight, by an instruction that narrows them.
void Strip::narrow_integer(Id code, x86::Ymm low, x86::Ymm high) {
  m_out.emit(code, scratch2.xmm(), high);
  m_out.emit(code, d().xmm(), low);
  m_out.vinserti128(d(), d(), scratch2.xmm(), 1);
}

// What is out of range becomes the nearest value first; NaN becomes the integer in which only the top bit is
// set. VMINPD and VMAXPD give their second source where one is NaN.
void Strip::integer_of_f64(bool is_signed) {
  const x86::Ymm results[2] = {scratch0, is_signed ? scratch1 : scratch2};
  for (uint32_t half = 0; half < 2; ++half) {
    const x86::Ymm r = results[half];
    m_out.vmovupd(r, of_double(is_signed ? 0x1p31 - 1 : 0x1p32 - 1));
    m_out.vminpd(r, r, a(half));
    if (is_signed) continue;
    m_out.vxorpd(scratch1, scratch1, scratch1);
    m_out.vmaxpd(r, scratch1, r);
    m_out.vcmppd(scratch1, r, r, 0x03);
    m_out.vblendvpd(r, r, of_double(0x1p31), scratch1);
    m_out.vroundpd(r, r, 11);
    m_out.vaddpd(r, r, of_double(0x1p52));
  }
  if (is_signed) return narrow_integer(Inst::kIdVcvttpd2dq, scratch0, scratch1);
  m_out.vshufps(scratch0, scratch0, scratch2, 0x88);
  m_out.vpermq(d(), scratch0, 0xd8);
}

// Cut to an integer, which is divided into words of 32 bits; these are added to numbers whose lower bits
// they become.
void Strip::long_integer_of_f64(bool is_signed) {
  for (uint32_t half = 0; half < 2; ++half) {
    m_out.vroundpd(scratch0, a(half), 11);
    m_out.vmulpd(scratch1, scratch0, of_double(0x1p-32));
    m_out.vroundpd(scratch1, scratch1, 9);
    m_out.vfnmadd231pd(scratch0, scratch1, of_double(0x1p32));
    m_out.vaddpd(scratch1, scratch1, of_double(0x1.8p52));
    m_out.vaddpd(scratch0, scratch0, of_double(0x1p52));
    m_out.vpsllq(scratch1, scratch1, 32);
    m_out.vpblendd(d(half), scratch1, scratch0, 0x55);
    const auto set = [&](double limit, int compare, uint64_t number) {
      m_out.vcmppd(scratch0, a(half), of_double(limit), compare);
      m_out.vblendvpd(d(half), d(half), m_code.filled_64(number), scratch0);
    };
    constexpr int at_least = 0x1d, less = 0x11, not_a_number_too = 0x19;
    if (is_signed) {
      set(0x1p63, at_least, ~sign_64);
      set(-0x1p63, not_a_number_too, sign_64);
    } else {
      set(0x1p64, at_least, ~uint64_t{0});
      set(0, not_a_number_too, sign_64);
      set(0, less, 0);
    }
  }
}

// The quotient of f64 is never rounded up to the next integer, since the dividend has less than 53 bits.
// Division by zero gives all ones, as the quotient and as the rest.
void Strip::divide(bool is_signed, bool wants_rest) {
  const auto wide = [&](x86::Ymm to, uint32_t n, uint32_t half) {
    x86::Xmm from = source(n).xmm();
    if (half == 1) {
      m_out.vextracti128(to.xmm(), source(n), 1);
      from = to.xmm();
    }
    if (is_signed) return static_cast<void>(m_out.vcvtdq2pd(to, from));
    m_out.vpmovzxdq(to, from);
    m_out.vpor(to, to, of_double(0x1p52));
    m_out.vsubpd(to, to, of_double(0x1p52));
  };
  const x86::Ymm quotients[2] = {scratch0, scratch2};
  for (uint32_t half = 0; half < 2; ++half) {
    const x86::Ymm q = quotients[half];
    wide(q, 0, half);
    wide(scratch1, 1, half);
    m_out.vdivpd(q, q, scratch1);
    if (is_signed) continue;
    m_out.vroundpd(q, q, 11);
    m_out.vaddpd(q, q, of_double(0x1p52));
  }
  if (is_signed) {
    m_out.vcvttpd2dq(d().xmm(), scratch0);
    m_out.vcvttpd2dq(scratch2.xmm(), scratch2);
    m_out.vinserti128(d(), d(), scratch2.xmm(), 1);
  } else {
    m_out.vshufps(scratch0, scratch0, scratch2, 0x88);
    m_out.vpermq(d(), scratch0, 0xd8);
  }
  if (wants_rest) {
    m_out.vpmulld(scratch0, d(), b());
    m_out.vpsubd(d(), a(), scratch0);
  }
  m_out.vpxor(scratch0, scratch0, scratch0);
  m_out.vpcmpeqd(scratch0, scratch0, b());
  m_out.vpor(d(), d(), scratch0);
}

// Shifts by 32 and more give 0.
void Strip::funnel(bool left, bool wraps) {
  m_out.emit(wraps ? Inst::kIdVpand : Inst::kIdVpminud, scratch0, c(), m_code.filled(wraps ? 31 : 32));
  m_out.vmovdqu(scratch1, m_code.filled(32));
  m_out.vpsubd(scratch1, scratch1, scratch0);
  m_out.vpsllvd(d(), b(), left ? scratch0 : scratch1);
  m_out.vpsrlvd(scratch0, a(), left ? scratch1 : scratch0);
  m_out.vpor(d(), d(), scratch0);
}

void Strip::extract() {
  m_out.vpand(scratch0, b(), m_code.filled(255));
  m_out.vpsrlvd(d(), a(), scratch0);
  m_out.vpand(scratch0, c(), m_code.filled(255));
  all_ones(scratch1);
  m_out.vpsllvd(scratch0, scratch1, scratch0);
  m_out.vpandn(d(), scratch0, d());
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
    case Opcode::mad_b32:
      m_out.vpmulld(d(), a(), b());
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
    case Opcode::abs_s64:
      for (uint32_t half = 0; half < 2; ++half) {
        m_out.vpxor(scratch0, scratch0, scratch0);
        m_out.vpcmpgtq(scratch0, scratch0, a(half));
        m_out.vpxor(d(half), a(half), scratch0);
        m_out.vpsubq(d(half), d(half), scratch0);
      }
      return true;
    case Opcode::div_u32:
    case Opcode::rem_u32:
      return divide(false, m_i.opcode == Opcode::rem_u32), true;
    case Opcode::div_s32:
    case Opcode::rem_s32:
      return divide(true, m_i.opcode == Opcode::rem_s32), true;
    case Opcode::shf_left_wrap_b32:
    case Opcode::shf_left_clamp_b32:
      return funnel(true, m_i.opcode == Opcode::shf_left_wrap_b32), true;
    case Opcode::shf_right_wrap_b32:
    case Opcode::shf_right_clamp_b32:
      return funnel(false, m_i.opcode == Opcode::shf_right_wrap_b32), true;
    case Opcode::bfe_u32:
      return extract(), true;
    case Opcode::not_b32:
    case Opcode::not_b64:
    case Opcode::not_pred:
      for (uint32_t half = 0; half < halves(); ++half) invert(d(half), a(half));
      return true;
    case Opcode::shr_s64:
      return shift_right_s64(), true;
    case Opcode::lop3_b32:
      return lop3(), true;
    default:
      return false;
  }
}

bool Strip::compute_float() {
  switch (m_i.opcode) {
    case Opcode::canonical:
      m_out.vcmpps(scratch0, a(), a(), 0x03);
      m_out.vblendvps(d(), a(), m_code.filled(not_a_number), scratch0);
      return true;
    case Opcode::fma_f32:
      return fuse(), true;
    case Opcode::rcp_f32:
      m_out.vmovups(scratch0, m_code.filled(one));
      m_out.vdivps(d(), scratch0, a());
      return true;
    case Opcode::flush_f32:
      return flush(d(), a()), true;
    case Opcode::mul_ftz_f32:
    case Opcode::div_ftz_f32:
    case Opcode::fma_ftz_f32:
      return multiply_flushed(), true;
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
    default:
      return false;
  }
}

bool Strip::compute_double() {
  switch (m_i.opcode) {
    case Opcode::fma_f64:
      for (uint32_t half = 0; half < 2; ++half) {
        m_out.vmovapd(d(half), c(half));
        m_out.vfmadd231pd(d(half), a(half), b(half));
      }
      return true;
    case Opcode::rcp_f64:
      m_out.vmovupd(scratch0, of_double(1));
      for (uint32_t half = 0; half < 2; ++half) m_out.vdivpd(d(half), scratch0, a(half));
      return true;
    case Opcode::neg_f64:
      return change_sign_64(true), true;
    case Opcode::abs_f64:
      return change_sign_64(false), true;
    case Opcode::min_f64:
      return extreme_64(Inst::kIdVminpd, Inst::kIdVorpd), true;
    case Opcode::max_f64:
      return extreme_64(Inst::kIdVmaxpd, Inst::kIdVandpd), true;
    case Opcode::double_f32:
    case Opcode::double_s32:
      m_out.vextracti128(scratch0.xmm(), a(), 1);
      for (uint32_t half = 0; half < 2; ++half)
        m_out.emit(m_i.opcode == Opcode::double_f32 ? Inst::kIdVcvtps2pd : Inst::kIdVcvtdq2pd, d(half),
                   half == 0 ? a().xmm() : scratch0.xmm());
      return true;
    case Opcode::double_u32:
      for (uint32_t half = 0; half < 2; ++half) {
        widen(scratch0, a(), half, false);
        m_out.vpor(scratch0, scratch0, of_double(0x1p52));
        m_out.vsubpd(d(half), scratch0, of_double(0x1p52));
      }
      return true;
    case Opcode::double_s64:
    case Opcode::double_u64:
      return double_of_64(m_i.opcode == Opcode::double_s64), true;
    case Opcode::single_f64:
      return narrow_integer(Inst::kIdVcvtpd2ps, a(0), a(1)), true;
    case Opcode::int_zero_s32_f64:
    case Opcode::int_zero_u32_f64:
      return integer_of_f64(m_i.opcode == Opcode::int_zero_s32_f64), true;
    case Opcode::int_zero_s64_f64:
    case Opcode::int_zero_u64_f64:
      return long_integer_of_f64(m_i.opcode == Opcode::int_zero_s64_f64), true;
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
    case Opcode::setp_f64:
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
    case Opcode::high_b64:
      m_out.vshufps(scratch0, a(0), a(1), 0xdd);
      return static_cast<void>(m_out.vpermq(d(), scratch0, 0xd8));
    case Opcode::pair_b64:
      for (uint32_t half = 0; half < 2; ++half) {
        widen(scratch0, b(), half, false);
        m_out.vpsllq(scratch0, scratch0, 32);
        widen(d(half), a(), half, false);
        m_out.vpor(d(half), d(half), scratch0);
      }
      return;
    case Opcode::float_s16:
      m_out.vpmovsxwd(d(), a().xmm());
      return static_cast<void>(m_out.vcvtdq2ps(d(), d()));
    case Opcode::float_u16:
      m_out.vpmovzxwd(d(), a().xmm());
      return static_cast<void>(m_out.vcvtdq2ps(d(), d()));
    case Opcode::float_u32:
      return float_of_u32();
    default:
      m_out.ud2();  // no such row
  }
}

void Strip::round(const x64::Rounding& rounding) {
  switch (rounding.rounds) {
    case x64::Rounds::to_f32:
      return static_cast<void>(m_out.vroundps(d(), a(), rounding.how));
    case x64::Rounds::to_f64:
      for (uint32_t half = 0; half < 2; ++half) m_out.vroundpd(d(half), a(half), rounding.how);
      return;
    case x64::Rounds::to_s32:
      return integer_s32(rounding.how);
    case x64::Rounds::to_u32:
      return integer_u32(rounding.how);
  }
}

void Strip::compute() {
  const x64::LaneInstruction* const row = x64::lane_instruction(m_i.opcode);
  if (row != nullptr && row->avx2 != Inst::kIdNone) return each(row->avx2, row->sources);
  if (const x64::Rounding* const rounding = x64::rounding_of(m_i.opcode)) return round(*rounding);
  if (m_i.opcode == Opcode::shr_s64) return shift_right_s64();
  if (kind_of(m_i.opcode) == Kind::shift) return shift();
  if (!compute_integer() && !compute_float() && !compute_double()) compute_other();
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
  const bool wide = setp == Opcode::setp_u64 || setp == Opcode::setp_s64 || setp == Opcode::setp_f64;
  const bool is_unsigned = setp == Opcode::setp_u32 || setp == Opcode::setp_u64;
  const Way way = way_of(condition);
  const x86::Ymm results[2] = {wide ? scratch1 : to, scratch2};
  for (uint32_t half = 0; half < (wide ? 2u : 1u); ++half) {
    x86::Ymm x = lanes(way.swapped ? b[half] : a[half]), y = lanes(way.swapped ? a[half] : b[half]);
    const x86::Ymm result = results[half];
    if (setp == Opcode::setp_f64) {
      out.vcmppd(result, lanes(a[half]), lanes(b[half]), x64::float_comparison(condition));
      continue;
    }
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
  if (!way.inverted || setp == Opcode::setp_f64) return;
  out.vpcmpeqd(scratch0, scratch0, scratch0);
  out.vpxor(to, to, scratch0);
}

void compute_lanes(LaneCode& code, const Instruction& i, const Action& action) {
  Strip(code, i, action).compute();
}

}  // namespace warplens::exec::jit::avx2
