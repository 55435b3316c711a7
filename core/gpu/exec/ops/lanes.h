#pragma once

// The only loops with masks: they make a warp's handler from a functor that computes one lane. Included
// between isa_begin.h and isa_end.h, once per instruction set.
//
// Two registers are either the same or do not overlap, so every loop is free of dependences between lanes.
#if defined(__clang__)
#define WARPLENS_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define WARPLENS_LANES _Pragma("GCC ivdep")
#endif

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

template <size_t N>
inline uint32_t source_slot(const Op* op) {
  if constexpr (N == 0) return op->a;
  if constexpr (N == 1) return op->b;
  if constexpr (N == 2) return op->c;
  if constexpr (N == 3) return op->e;
}

template <Mode M, class D, class F>
inline void for_lanes(const Warp& warp, D* __restrict destination, F value_of) {
  if constexpr (M == all_lanes) {
    WARPLENS_LANES
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) destination[lane] = value_of(lane);
  } else {
    const uint32_t* active = warp.lanes.data();
    WARPLENS_LANES
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const D value = value_of(lane);
      destination[lane] = active[lane] ? value : destination[lane];
    }
  }
}

template <size_t Sources>
Handlers lanewise(Handler all, Handler some) {
  return {.run = {all, some}, .sources = Sources, .is_lanewise = true};
}
// Sources that are not lanes alone: predicates, flags.
template <size_t Sources>
Handlers reading(Handler all, Handler some) {
  return {.run = {all, some}, .sources = Sources};
}

// destination = F(sources…), lane by lane. D and S are the types of the registers' lanes.
template <class F, class D, class... S>
struct Lanes {
  template <Mode M, size_t... I>
  static void loop(const Op* op, Warp& warp, std::index_sequence<I...>) {
    const std::tuple<const S*...> sources{warp.reg<S>(source_slot<I>(op))...};
    for_lanes<M>(warp, warp.reg<D>(op->d),
                 [=](uint32_t lane) { return static_cast<D>(F::apply(std::get<I>(sources)[lane]...)); });
  }
  template <Mode M>
  static const Op* run(const Op* op, Warp& warp) {
    loop<M>(op, warp, std::index_sequence_for<S...>{});
    return op + 1;
  }
  static Handlers handlers() { return lanewise<sizeof...(S)>(&run<all_lanes>, &run<some_lanes>); }
};

// The lanes that execute get the value's bits. Without a slot there is nothing to write.
inline void write_predicate(Warp& warp, uint32_t slot, uint32_t value) {
  if (slot == no_slot) return;
  uint32_t& destination = warp.predicate(slot);
  destination = (destination & ~warp.mask) | (value & warp.mask);
}

// Bit l of the result: flags[l] is not 0.
inline uint32_t pack_flags(const uint32_t* flags) {
#if defined(__x86_64__) && WARPLENS_ISA_CODE == 2
  const __m512i low = _mm512_loadu_si512(flags);
  const __m512i high = _mm512_loadu_si512(flags + 16);
  return static_cast<uint32_t>(_mm512_test_epi32_mask(low, low)) |
         static_cast<uint32_t>(_mm512_test_epi32_mask(high, high)) << 16;
#elif defined(__x86_64__) && WARPLENS_ISA_CODE == 1
  uint32_t packed = 0;
  for (uint32_t i = 0; i < warp_lanes; i += 8) {
    const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(flags + i));
    const __m256i zero = _mm256_cmpeq_epi32(eight, _mm256_setzero_si256());
    packed |= (static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(zero))) ^ 255u) << i;
  }
  return packed;
#elif defined(__x86_64__)
  uint32_t packed = 0;
  for (uint32_t i = 0; i < warp_lanes; i += 4) {
    const __m128i four = _mm_loadu_si128(reinterpret_cast<const __m128i*>(flags + i));
    const __m128i zero = _mm_cmpeq_epi32(four, _mm_setzero_si128());
    packed |= (static_cast<uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(zero))) ^ 15u) << i;
  }
  return packed;
#else
  uint32_t packed = 0;
  for (uint32_t i = 0; i < warp_lanes; ++i) packed |= (flags[i] != 0 ? 1u : 0u) << i;
  return packed;
#endif
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
