// The .approx functions and div.full of f32 and f64, PTX ISA 9.7.3: the special function unit with what ptxas
// puts around it, the same from sm_75 to sm_90 (CUDA 13.0, read from its machine code).
#include "core/exec/ops/common.h"

#include "core/exec/isa_begin.h"
#include "core/exec/ops/float_lane.h"
#include "core/exec/ops/lanes.h"
#include "core/exec/ops/special_functions.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

constexpr float lowest_normal = 0x1p-126f, up = 0x1p24f;

uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }
bool is_subnormal(float x) { return __builtin_fabsf(x) < lowest_normal; }

struct Rcp {
  static float unit(float a) { return float_of(mufu::rcp<mufu::Single>(bits_of(a))); }
  static float flushed(float a) { return unit(a); }
  static float apply(float a) {
    const float scale = __builtin_fabsf(a) > 0x1p126f ? 0.25f : is_subnormal(a) ? up : 1.0f;
    return scale * unit(a * scale);
  }
};
struct Sqrt {
  static float flushed(float a) { return float_of(mufu::sqrt(bits_of(a))); }
  static float apply(float a) {
    const bool scaled = is_subnormal(a);
    return flushed(scaled ? a * up : a) * (scaled ? 0x1p-12f : 1.0f);
  }
};
struct Rsqrt {
  static float flushed(float a) { return float_of(mufu::rsqrt<mufu::Single>(bits_of(a))); }
  static float apply(float a) {
    const bool scaled = is_subnormal(a);
    return flushed(scaled ? a * up : a) * (scaled ? 0x1p12f : 1.0f);
  }
};
struct Lg2 {
  static float flushed(float a) { return float_of(mufu::lg2(bits_of(a))); }
  static float apply(float a) {
    const bool scaled = is_subnormal(a);
    return flushed(scaled ? a * up : a) - (scaled ? 24.0f : 0.0f);
  }
};
struct Ex2 {
  static float flushed(float a) { return float_of(mufu::ex2(bits_of(a))); }
  static float apply(float a) {
    const bool scaled = a < -126.0f;
    const float result = flushed(scaled ? a * 0.5f : a);
    return result * (scaled ? result : 1.0f);
  }
};
// The argument in turns: a product rounded toward zero. Below 2^-64 no bit of it counts.
inline uint32_t turns(float a) {
  const uint32_t bits = bits_of(a), size = bits & ~mufu::sign_bit;
  const double product = double{float_of(size)} * 0x1.45f306p-3;
  const uint32_t result = mufu::either(size < 0x1f800000u, 0, mufu::cut<0>(product));
  return mufu::either(size >= mufu::infinity, size, result) | (bits & mufu::sign_bit);
}
template <bool Cosine>
struct Sine {
  static float flushed(float a) { return float_of(mufu::sine<Cosine>(turns(a))); }
  static float apply(float a) { return flushed(a); }
};
struct Tanh {
  static float flushed(float a) { return float_of(mufu::tanh(bits_of(a))); }
  static float apply(float a) { return flushed(a); }
};

float multiply_flushed(float a, float b) { return Flushed<Mul, false>::apply(a, b); }

// Full: large divisors are scaled, whose reciprocals are subnormal; .approx takes them for 0.
template <bool Full>
struct Div {
  static float flushed(float a, float b) {
    const bool scaled = Full && __builtin_fabsf(b) > 0x1p126f;
    const float divisor = scaled ? b * 0.25f : b, dividend = scaled ? multiply_flushed(a, 0.25f) : a;
    return multiply_flushed(dividend, Rcp::unit(divisor));
  }
  static float apply(float a, float b) {
    const float scale = Full && __builtin_fabsf(b) > 0x1p126f ? 0.25f : is_subnormal(b) ? up : 1.0f;
    return (a * scale) * Rcp::unit(b * scale);
  }
};

template <class F, bool Ftz>
struct Rounded {
  template <class... T>
  static float apply(T... x) {
    if constexpr (Ftz) return canonical(F::flushed(x...));
    return canonical(F::apply(x...));
  }
};

// The upper word of an f64 in, the upper word out (PTX ISA 9.7.3.14, 9.7.3.17).
template <uint32_t (*Function)(uint32_t)>
struct UpperWord {
  static double apply(double a) {
    return std::bit_cast<double>(uint64_t{Function(static_cast<uint32_t>(std::bit_cast<uint64_t>(a) >> 32))}
                                 << 32);
  }
};
// rsqrt.approx.f64: a step of third order from there, for normal positive numbers.
struct RsqrtDouble {
  static double refined(double a) {
    const double guess = UpperWord<&mufu::rsqrt<mufu::Upper>>::apply(a);
    const double error = __builtin_fma(a, -(guess * guess), 1.0);
    return __builtin_fma(__builtin_fma(error, 0.375, 0.5), guess * error, guess);
  }
  static double apply(double a) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    if (a != a) return quiet(a);
    if (a == 0) return __builtin_copysign(infinite, a);
    if (a < 0) return -std::numeric_limits<double>::quiet_NaN();
    if (a == infinite) return 0;
    return a < 0x1p-1022 ? refined(a * 0x1p54) * 0x1p27 : refined(a);
  }
};

template <class F, class... S>
Handlers pick_flush(const Selector& s) {
  return s.ftz ? Lanes<Rounded<F, true>, float, S...>::handlers()
               : Lanes<Rounded<F, false>, float, S...>::handlers();
}

Handlers pick_single(const Selector& s) {
  using ptx::Opcode;
  switch (s.opcode) {
    case Opcode::rcp:
      return pick_flush<Rcp, float>(s);
    case Opcode::sqrt:
      return pick_flush<Sqrt, float>(s);
    case Opcode::rsqrt:
      return pick_flush<Rsqrt, float>(s);
    case Opcode::sin:
      return pick_flush<Sine<false>, float>(s);
    case Opcode::cos:
      return pick_flush<Sine<true>, float>(s);
    case Opcode::lg2:
      return pick_flush<Lg2, float>(s);
    case Opcode::ex2:
      return pick_flush<Ex2, float>(s);
    case Opcode::tanh:
      return pick_flush<Tanh, float>(s);
    case Opcode::div:
      return s.full ? pick_flush<Div<true>, float, float>(s) : pick_flush<Div<false>, float, float>(s);
    default:
      return {};
  }
}

Handlers pick_double(const Selector& s) {
  using ptx::Opcode;
  if (s.opcode == Opcode::rcp) return Lanes<UpperWord<&mufu::rcp<mufu::Upper>>, double, double>::handlers();
  if (s.opcode != Opcode::rsqrt) return {};
  return s.ftz ? Lanes<UpperWord<&mufu::rsqrt<mufu::Upper>>, double, double>::handlers()
               : Lanes<RsqrtDouble, double, double>::handlers();
}

}  // namespace

Handlers pick_approximate(const Selector& s) {
  if (s.type == ptx::Modifier::f32) return pick_single(s);
  return s.type == ptx::Modifier::f64 ? pick_double(s) : Handlers{};
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/exec/isa_end.h"
