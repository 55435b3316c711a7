// Accesses of whole warps whose relative addresses are unchanged since the last time (AccessShape): the test
// for this, and the copying of the bytes. Included between isa_begin.h and isa_end.h, after access.h.
#pragma once

#include "core/gpu/exec/ops/access.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

inline uint64_t first_address(const Op* op, const Warp& warp) {
  if (has_known_address(*op)) return address_offset(*op);
  if (has_narrow_address(*op)) return address_at(*op, *warp.reg<uint32_t>(address_base(*op)));
  return address_at(*op, *warp.reg<uint64_t>(address_base(*op)));
}

// Whether base[lane] = base[0] + relative[lane] for all lanes, without a carry out of the type.
template <class B>
inline bool lies_as(const B* base, const B* relative) {
#if defined(__x86_64__) && WARPLENS_ISA_CODE == 2
  uint32_t off = 0;
  if constexpr (sizeof(B) == 8) {
    const __m512i first = _mm512_set1_epi64(static_cast<int64_t>(base[0]));
    for (uint32_t lane = 0; lane < warp_lanes; lane += 8)
      off |= _mm512_cmpneq_epi64_mask(_mm512_loadu_si512(base + lane),
                                      _mm512_add_epi64(first, _mm512_loadu_si512(relative + lane)));
  } else {
    const __m512i first = _mm512_set1_epi32(static_cast<int32_t>(base[0]));
    for (uint32_t lane = 0; lane < warp_lanes; lane += 16)
      off |= _mm512_cmpneq_epi32_mask(_mm512_loadu_si512(base + lane),
                                      _mm512_add_epi32(first, _mm512_loadu_si512(relative + lane)));
  }
  return off == 0;
#else
  B different = 0;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) different |= base[lane] ^ (base[0] + relative[lane]);
  return different == 0;
#endif
}

inline bool has_shape(const Op* op, const Warp& warp, const AccessShape& shape) {
  if (has_known_address(*op)) return true;  // known for this instruction: all lanes have one address
  if (!has_narrow_address(*op)) return lies_as(warp.reg<uint64_t>(address_base(*op)), shape.relative.data());
  const uint32_t* base = warp.reg<uint32_t>(address_base(*op));
  if (!lies_as(base, shape.narrow.data())) return false;
  // In a wider space, no lane's register may wrap around. In a short one, all sums are inside if the first
  // lane's is (Extent).
  const uint64_t low = base[0] + shape.low, high = base[0] + shape.high;
  return is_in_short_space(*op) || ((low | high) >> 32) == 0;
}

#if defined(__x86_64__) && WARPLENS_ISA_CODE == 2
// Bytes that no lane asks for are not touched: they may be outside of every allocation.
template <class T, class R>
inline void load_window(const AccessShape::Window& window, uintptr_t first, R* to) {
  __m512i words = _mm512_maskz_loadu_epi8(window.bytes, reinterpret_cast<const void*>(first + window.start));
  words = _mm512_permutexvar_epi32(_mm512_load_si512(window.words.data()), words);
  if constexpr (sizeof(T) < 4) {
    constexpr uint32_t rest = 32 - 8 * sizeof(T);
    words = _mm512_sllv_epi32(words, _mm512_load_si512(window.shifts.data()));
    words = std::is_signed_v<T> ? _mm512_srai_epi32(words, rest) : _mm512_srli_epi32(words, rest);
  }
  if constexpr (sizeof(R) == 4) {
    _mm512_storeu_si512(to, words);
  } else {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_cvtepi32_epi16(words));
  }
}
#endif

// first: host address of the first lane's bytes.
template <class T, class R>
inline void load_shaped(const AccessShape& shape, uintptr_t first, R* __restrict to) {
#if defined(__x86_64__) && WARPLENS_ISA_CODE == 2
  if constexpr (sizeof(T) <= 4 && sizeof(R) <= 4) {
    if (shape.windowed) {
      load_window<T, R>(shape.windows[0], first, to);
      load_window<T, R>(shape.windows[1], first, to + AccessShape::half_lanes);
      return;
    }
  }
#endif
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    T value;
    __builtin_memcpy(&value, host_at(first, shape.relative[lane]), sizeof(T));
    to[lane] = static_cast<R>(value);
  }
}

// Where several lanes have one address, the last of them remains.
template <class T, class R>
inline void store_shaped(const AccessShape& shape, uintptr_t first, const R* from) {
  T values[warp_lanes];
  WARPLENS_LANES
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) values[lane] = static_cast<T>(from[lane]);
  if (shape.in_rows) {
    constexpr uint32_t half = AccessShape::half_lanes;
    __builtin_memcpy(host_at(first, shape.relative[0]), values, half * sizeof(T));
    __builtin_memcpy(host_at(first, shape.relative[half]), values + half, half * sizeof(T));
    return;
  }
  for (uint32_t lane = 0; lane < warp_lanes; ++lane)
    __builtin_memcpy(host_at(first, shape.relative[lane]), values + lane, sizeof(T));
}

template <class T, class R, bool Store>
inline void move_shaped(const Op* op, const Warp& warp, const AccessShape& shape, uintptr_t first) {
  if (op->d == no_slot) return;
  R* lanes = warp.reg<R>(op->d);
  if constexpr (Store) {
    store_shaped<T, R>(shape, first, lanes);
  } else {
    load_shaped<T, R>(shape, first, lanes);
  }
}

}  // namespace

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
