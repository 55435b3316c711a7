// The .approx functions and div.full of f32 and f64, PTX ISA 9.7.3: the special function unit and the code
// that ptxas puts around it, the same from sm_75 to sm_90 (CUDA 13.0, read from its machine code).
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/float_lane.h"
#include "core/gpu/exec/ops/lanes.h"
#include "core/gpu/exec/ops/special_function_lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

constexpr float lowest_normal = 0x1p-126f, up = 0x1p24f;

uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }
bool is_subnormal(float x) { return __builtin_fabsf(x) < lowest_normal; }

// The code before and after the unit: it prepares the argument, and corrects the result.
struct Rcp {
  using Unit = mufu::Rcp<mufu::Single>;
  static float scale(float a) { return __builtin_fabsf(a) > 0x1p126f ? 0.25f : is_subnormal(a) ? up : 1.0f; }
  template <bool Ftz>
  static float before(float a) {
    return Ftz ? a : a * scale(a);
  }
  template <bool Ftz>
  static float behind(float unit, float a) {
    return Ftz ? unit : scale(a) * unit;
  }
};
struct Sqrt {
  using Unit = mufu::Sqrt;
  template <bool Ftz>
  static float before(float a) {
    return !Ftz && is_subnormal(a) ? a * up : a;
  }
  template <bool Ftz>
  static float behind(float unit, float a) {
    return unit * (!Ftz && is_subnormal(a) ? 0x1p-12f : 1.0f);
  }
};
struct Rsqrt {
  using Unit = mufu::Rsqrt<mufu::Single>;
  template <bool Ftz>
  static float before(float a) {
    return Sqrt::before<Ftz>(a);
  }
  template <bool Ftz>
  static float behind(float unit, float a) {
    return unit * (!Ftz && is_subnormal(a) ? 0x1p12f : 1.0f);
  }
};
struct Lg2 {
  using Unit = mufu::Lg2;
  template <bool Ftz>
  static float before(float a) {
    return Sqrt::before<Ftz>(a);
  }
  template <bool Ftz>
  static float behind(float unit, float a) {
    return unit - (!Ftz && is_subnormal(a) ? 24.0f : 0.0f);
  }
};
struct Ex2 {
  using Unit = mufu::Ex2;
  template <bool Ftz>
  static float before(float a) {
    return !Ftz && a < -126.0f ? a * 0.5f : a;
  }
  template <bool Ftz>
  static float behind(float unit, float a) {
    return unit * (!Ftz && a < -126.0f ? unit : 1.0f);
  }
};
// The argument in turns: a product rounded toward zero. Bits below 2^-64 have no effect.
inline uint32_t turns(float a) {
  const uint32_t bits = bits_of(a), size = bits & ~mufu::sign_bit;
  const double product = double{float_of(size)} * 0x1.45f306p-3;
  const uint32_t result = mufu::either(size < 0x1f800000u, 0, mufu::cut<0>(mufu::leading(product)));
  return mufu::either(size >= mufu::infinity, size, result) | (bits & mufu::sign_bit);
}
template <bool Cosine>
struct Sine {
  using Unit = mufu::Sine<Cosine>;
  template <bool Ftz>
  static float before(float a) {
    return float_of(turns(a));
  }
  template <bool Ftz>
  static float behind(float unit, float) {
    return unit;
  }
};
struct Tanh {
  using Unit = mufu::Tanh;
  template <bool Ftz>
  static float before(float a) {
    return a;
  }
  template <bool Ftz>
  static float behind(float unit, float) {
    return unit;
  }
};

float multiply_flushed(float a, float b) { return Flushed<Mul, false>::apply(a, b); }

// Full: large divisors are scaled, since their reciprocals are subnormal. .approx treats those as 0.
template <bool Full>
struct Div {
  using Unit = mufu::Rcp<mufu::Single>;
  static bool is_large(float b) { return Full && __builtin_fabsf(b) > 0x1p126f; }
  static float scale(float b) { return is_large(b) ? 0.25f : is_subnormal(b) ? up : 1.0f; }
  template <bool Ftz>
  static float before(float, float b) {
    if constexpr (Ftz) return is_large(b) ? b * 0.25f : b;
    return b * scale(b);
  }
  template <bool Ftz>
  static float behind(float unit, float a, float b) {
    if constexpr (Ftz && Full) {
      const float quarter = multiply_flushed(a, 0.25f);  // computed for all lanes: a vector has no branches
      return multiply_flushed(is_large(b) ? quarter : a, unit);
    }
    if constexpr (Ftz) return multiply_flushed(a, unit);
    return (a * scale(b)) * unit;
  }
};

template <class F, bool Ftz>
struct Rounded {
  template <class... T>
  static float apply(T... x) {
    const float unit = float_of(mufu::value<typename F::Unit>(bits_of(F::template before<Ftz>(x...))));
    return canonical(F::template behind<Ftz>(unit, x...));
  }
};

// As above, with the unit's sums of all lanes computed together.
template <class F, bool Ftz, class... S>
struct UnitLanes {
  using Unit = typename F::Unit;
  template <Mode M, size_t... I>
  static void loop(const Op* op, Warp& warp, std::index_sequence<I...>) {
    const std::tuple<const S*...> sources{warp.reg<S>(source_slot<I>(op))...};
    alignas(64) uint32_t argument[warp_lanes], segment[warp_lanes], x[warp_lanes], sum[warp_lanes];
    WARPLENS_LANES
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      argument[lane] = bits_of(F::template before<Ftz>(std::get<I>(sources)[lane]...));
      const mufu::Place place = Unit::place(argument[lane]);
      segment[lane] = place.segment;
      x[lane] = place.x;
    }
    mufu::leading_bits(Unit::table, segment, x, sum);
    const uint32_t *arguments = argument, *sums = sum;
    for_lanes<M>(warp, warp.reg<float>(op->d), [=](uint32_t lane) {
      const float unit = float_of(Unit::result(arguments[lane], sums[lane]));
      return canonical(F::template behind<Ftz>(unit, std::get<I>(sources)[lane]...));
    });
  }
  template <Mode M>
  static const Op* run(const Op* op, Warp& warp) {
    loop<M>(op, warp, std::index_sequence_for<S...>{});
    return op + 1;
  }
  static Handlers handlers() { return lanewise<sizeof...(S)>(&run<all_lanes>, &run<some_lanes>); }
};

// Takes the upper word of an f64, and returns the upper word (PTX ISA 9.7.3.14, 9.7.3.17).
template <uint32_t (*Function)(uint32_t)>
struct UpperWord {
  static double apply(double a) {
    return std::bit_cast<double>(uint64_t{Function(static_cast<uint32_t>(std::bit_cast<uint64_t>(a) >> 32))}
                                 << 32);
  }
};
// rsqrt.approx.f64: one step of a third-order method from the unit's result, for normal positive numbers.
struct RsqrtDouble {
  static double refined(double a) {
    const double guess = UpperWord<&mufu::value<mufu::Rsqrt<mufu::Upper>>>::apply(a);
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

template <class F, bool Ftz, class... S>
Handlers handlers_of() {
  if constexpr (std::is_same_v<F, Lg2>) {
    return Lanes<Rounded<F, Ftz>, float, S...>::handlers();
  } else {
    return UnitLanes<F, Ftz, S...>::handlers();
  }
}

template <class F, class... S>
Handlers pick_flush(const Selector& s) {
  return s.ftz ? handlers_of<F, true, S...>() : handlers_of<F, false, S...>();
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
  if (s.opcode == Opcode::rcp)
    return Lanes<UpperWord<&mufu::value<mufu::Rcp<mufu::Upper>>>, double, double>::handlers();
  if (s.opcode != Opcode::rsqrt) return {};
  return s.ftz ? Lanes<UpperWord<&mufu::value<mufu::Rsqrt<mufu::Upper>>>, double, double>::handlers()
               : Lanes<RsqrtDouble, double, double>::handlers();
}

}  // namespace

Handlers pick_approximate(const Selector& s) {
  if (s.type == ptx::Modifier::f32) return pick_single(s);
  return s.type == ptx::Modifier::f64 ? pick_double(s) : Handlers{};
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
