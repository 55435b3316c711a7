// Comparison and selection, PTX ISA 9.7.6.
#include "core/gpu/exec/control/branch.h"
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/float_lane.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

using ptx::Modifier;

// `integer` and `real` are the codes of x86's vector comparisons (Intel SDM, VPCMPD and VCMPPS: quiet ones).
struct Eq {
  [[maybe_unused]] static constexpr int integer = 0, real = 0x00;
  template <class T>
  static bool apply(T a, T b) {
    return a == b;
  }
};
struct Ne {
  [[maybe_unused]] static constexpr int integer = 4, real = 0x0c;
  template <class T>
  static bool apply(T a, T b) {
    return a < b || a > b;
  }  // ordered: false where a or b is NaN
};
struct Lt {
  [[maybe_unused]] static constexpr int integer = 1, real = 0x11;
  template <class T>
  static bool apply(T a, T b) {
    return a < b;
  }
};
struct Le {
  [[maybe_unused]] static constexpr int integer = 2, real = 0x12;
  template <class T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};
struct Gt {
  [[maybe_unused]] static constexpr int integer = 6, real = 0x1e;
  template <class T>
  static bool apply(T a, T b) {
    return a > b;
  }
};
struct Ge {
  [[maybe_unused]] static constexpr int integer = 5, real = 0x1d;
  template <class T>
  static bool apply(T a, T b) {
    return a >= b;
  }
};
// The unordered forms are true where a or b is NaN.
template <class Opposite>
struct Not {
  [[maybe_unused]] static constexpr int integer = Opposite::integer ^ 4, real = Opposite::real ^ 4;
  template <class T>
  static bool apply(T a, T b) {
    return !Opposite::apply(a, b);
  }
};
struct Num {
  [[maybe_unused]] static constexpr int integer = 7, real = 0x07;
  template <class T>
  static bool apply(T a, T b) {
    return a == a && b == b;
  }
};

enum class Combine { none, and_, or_, xor_ };

#if defined(__x86_64__) && WARPLENS_ISA_CODE == 2
// Bit l: F(a[l], b[l]). AVX-512 compares into masks.
template <class F, class T>
uint32_t compare_into_mask(const T* a, const T* b) {
  constexpr uint32_t step = 64 / sizeof(T);
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < warp_lanes; lane += step) {
    uint32_t part = 0;
    if constexpr (std::is_same_v<T, float>) {
      part = _mm512_cmp_ps_mask(_mm512_loadu_ps(a + lane), _mm512_loadu_ps(b + lane), F::real);
    } else if constexpr (std::is_same_v<T, double>) {
      part = _mm512_cmp_pd_mask(_mm512_loadu_pd(a + lane), _mm512_loadu_pd(b + lane), F::real);
    } else {
      const __m512i x = _mm512_loadu_si512(a + lane), y = _mm512_loadu_si512(b + lane);
      if constexpr (std::is_same_v<T, int32_t>) part = _mm512_cmp_epi32_mask(x, y, F::integer);
      if constexpr (std::is_same_v<T, uint32_t>) part = _mm512_cmp_epu32_mask(x, y, F::integer);
      if constexpr (std::is_same_v<T, int64_t>) part = _mm512_cmp_epi64_mask(x, y, F::integer);
      if constexpr (std::is_same_v<T, uint64_t>) part = _mm512_cmp_epu64_mask(x, y, F::integer);
    }
    mask |= part << lane;
  }
  return mask;
}
#endif

// setp.CmpOp.BoolOp p|q, a, b, {!}c: p = cmp BoolOp c, q = !cmp BoolOp c. d: p, e: q, c: c. Op::flags: c is
// negated.
template <Combine C>
const Op* finish_setp(const Op* op, Warp& warp, uint32_t cmp) {
  uint32_t p = cmp, q = ~cmp;
  if constexpr (C != Combine::none) {
    const uint32_t c = op->flags & flag_negated ? ~warp.predicate(op->c) : warp.predicate(op->c);
    p = C == Combine::and_ ? cmp & c : C == Combine::or_ ? cmp | c : cmp ^ c;
    q = C == Combine::and_ ? ~cmp & c : C == Combine::or_ ? ~cmp | c : ~cmp ^ c;
  }
  write_predicate(warp, op->d, p);
  write_predicate(warp, op->e, q);
  return op->flags & flag_chained ? follow_branch(op + 1, warp) : op + 1;
}

template <class F, class T, bool Ftz>
struct Setp {
  [[gnu::always_inline]] static uint32_t compare_lanes(const T* a, const T* b) {
#if defined(__x86_64__) && WARPLENS_ISA_CODE == 2
    if constexpr (sizeof(T) >= 4 && !Ftz) return compare_into_mask<F>(a, b);
#endif
    alignas(64) uint32_t flags[warp_lanes];
    WARPLENS_LANES
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      flags[lane] = F::apply(input<Ftz>(a[lane]), input<Ftz>(b[lane])) ? 0xffffffffu : 0u;
    }
    return pack_flags(flags);
  }
  static const Op* run(const Op* op, Warp& warp) {
    return finish_setp<Combine::none>(op, warp, compare_lanes(warp.reg<T>(op->a), warp.reg<T>(op->b)));
  }
  // Forms with a third source are rare: they share one copy of the comparison.
  [[gnu::noinline]] static uint32_t compare(const Op* op, const Warp& warp) {
    return compare_lanes(warp.reg<T>(op->a), warp.reg<T>(op->b));
  }
  template <Combine C>
  static const Op* combine(const Op* op, Warp& warp) {
    return finish_setp<C>(op, warp, compare(op, warp));
  }
  static Handlers handlers(const Selector& s) {
    if (!s.has_boolean) return {{&run, &run}};
    switch (s.boolean) {
      case Modifier::and_:
        return {{&combine<Combine::and_>, &combine<Combine::and_>}};
      case Modifier::or_:
        return {{&combine<Combine::or_>, &combine<Combine::or_>}};
      case Modifier::xor_:
        return {{&combine<Combine::xor_>, &combine<Combine::xor_>}};
      default:
        return {};
    }
  }
};

template <class T, bool Ftz = false>
Handlers pick_ordered(const Selector& s) {
  switch (s.compare) {
    case Modifier::eq:
      return Setp<Eq, T, Ftz>::handlers(s);
    case Modifier::ne:
      return Setp<Ne, T, Ftz>::handlers(s);
    case Modifier::lt:
    case Modifier::lo:
      return Setp<Lt, T, Ftz>::handlers(s);
    case Modifier::le:
    case Modifier::ls:
      return Setp<Le, T, Ftz>::handlers(s);
    case Modifier::gt:
    case Modifier::hi:
      return Setp<Gt, T, Ftz>::handlers(s);
    case Modifier::ge:
    case Modifier::hs:
      return Setp<Ge, T, Ftz>::handlers(s);
    default:
      return {};
  }
}

template <class T, bool Ftz>
Handlers pick_float(const Selector& s) {
  switch (s.compare) {
    case Modifier::equ:
      return Setp<Not<Ne>, T, Ftz>::handlers(s);
    case Modifier::neu:
      return Setp<Not<Eq>, T, Ftz>::handlers(s);
    case Modifier::ltu:
      return Setp<Not<Ge>, T, Ftz>::handlers(s);
    case Modifier::leu:
      return Setp<Not<Gt>, T, Ftz>::handlers(s);
    case Modifier::gtu:
      return Setp<Not<Le>, T, Ftz>::handlers(s);
    case Modifier::geu:
      return Setp<Not<Lt>, T, Ftz>::handlers(s);
    case Modifier::num:
      return Setp<Num, T, Ftz>::handlers(s);
    case Modifier::nan:
      return Setp<Not<Num>, T, Ftz>::handlers(s);
    default:
      return pick_ordered<T, Ftz>(s);
  }
}

Handlers pick_comparison(const Selector& s) {
  switch (s.source_type) {
    case Modifier::u16:
    case Modifier::b16:
      return pick_ordered<uint16_t>(s);
    case Modifier::s16:
      return pick_ordered<int16_t>(s);
    case Modifier::u32:
    case Modifier::b32:
      return pick_ordered<uint32_t>(s);
    case Modifier::s32:
      return pick_ordered<int32_t>(s);
    case Modifier::u64:
    case Modifier::b64:
      return pick_ordered<uint64_t>(s);
    case Modifier::s64:
      return pick_ordered<int64_t>(s);
    case Modifier::f32:
      return s.ftz ? pick_float<float, true>(s) : pick_float<float, false>(s);
    case Modifier::f64:
      return pick_float<double, false>(s);
    default:
      return {};
  }
}

// selp d, a, b, c: c ? a : b.
template <class T>
struct Selp {
  template <Mode M>
  static const Op* run(const Op* op, Warp& warp) {
    const uint32_t predicate = op->flags & flag_negated ? ~warp.predicate(op->c) : warp.predicate(op->c);
    const T* a = warp.reg<T>(op->a);
    const T* b = warp.reg<T>(op->b);
    for_lanes<M>(warp, warp.reg<T>(op->d),
                 [=](uint32_t lane) { return predicate >> lane & 1u ? a[lane] : b[lane]; });
    return op + 1;
  }
  static Handlers handlers() { return {{&run<all_lanes>, &run<some_lanes>}}; }
};

// slct d, a, b, c: c >= 0 ? a : b. A NaN selects b, −0 selects a, and so does a value that .ftz flushes to
// −0.
template <class C, bool Ftz>
struct Slct {
  template <class T>
  static T apply(T a, T b, C c) {
    return input<Ftz>(c) >= 0 ? a : b;
  }
};
template <class C, bool Ftz>
Handlers pick_slct(const Selector& s) {
  switch (ptx::bits_of(s.type)) {
    case 16:
      return Lanes<Slct<C, Ftz>, uint16_t, uint16_t, uint16_t, C>::handlers();
    case 32:
      return Lanes<Slct<C, Ftz>, uint32_t, uint32_t, uint32_t, C>::handlers();
    case 64:
      return Lanes<Slct<C, Ftz>, uint64_t, uint64_t, uint64_t, C>::handlers();
    default:
      return {};
  }
}

}  // namespace

Handlers pick_compare(const Selector& s) {
  using ptx::Opcode;
  switch (s.opcode) {
    case Opcode::setp:
      return pick_comparison(s);
    case Opcode::selp:
      switch (ptx::bits_of(s.type)) {
        case 16:
          return Selp<uint16_t>::handlers();
        case 32:
          return Selp<uint32_t>::handlers();
        case 64:
          return Selp<uint64_t>::handlers();
        default:
          return {};
      }
    case Opcode::slct:
      if (s.source_type != Modifier::f32) return pick_slct<int32_t, false>(s);
      return s.ftz ? pick_slct<float, true>(s) : pick_slct<float, false>(s);
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
