#pragma once

// Handlers that pass their result to the next op in vector registers. The next op then needs no load of the
// stored result, which would take longer than most ops do. Included between isa_begin.h and isa_end.h, after
// lanes.h.

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

#if defined(__x86_64__) && WARPLENS_ISA_CODE > 0

#if WARPLENS_ISA_CODE == 2
using Vector = __m512i;
#else
using Vector = __m256i;
#endif
// Four vectors are passed on: 32 lanes of 64 bits with AVX-512, of 32 bits with AVX2.
using LinkedForm = const Op* (*)(const Op*, Warp&, Vector, Vector, Vector, Vector);
constexpr size_t linked_bytes = 4 * sizeof(Vector);

// The size of a lane in bytes, if a result of this type can be passed on.
template <class T>
constexpr uint8_t linkable_bytes = sizeof(T) >= 4 && sizeof(T) * warp_lanes <= linked_bytes ? sizeof(T) : 0;

inline LinkedHandler linked_handler(LinkedForm form) { return reinterpret_cast<LinkedHandler>(form); }

// Called before other code of the program, which is slow while the upper halves of the vector registers are
// in use. Compilers insert this instruction, but not where a function has vectors as arguments.
[[gnu::always_inline]] inline void leave_vectors() { _mm256_zeroupper(); }

inline Vector load_vector(const void* from) {
#if WARPLENS_ISA_CODE == 2
  return _mm512_loadu_si512(from);
#else
  return _mm256_loadu_si256(static_cast<const Vector*>(from));
#endif
}

// Runs the op after `op` with this result. With memcpy, the result would go through the stack in smaller
// parts, and a load of a whole vector waits for those stores.
template <class D>
[[gnu::always_inline]] inline const Op* pass_on(const Op* op, Warp& warp, const D* result) {
  constexpr size_t vectors = sizeof(D) * warp_lanes / sizeof(Vector);
  constexpr size_t lanes = warp_lanes / vectors;
  const Op* next = op + 1;
  return reinterpret_cast<LinkedForm>(next->linked)(
      next, warp, load_vector(result), load_vector(result + 1 % vectors * lanes),
      load_vector(result + 2 % vectors * lanes), load_vector(result + 3 % vectors * lanes));
}

// Lanes<F, D, S…> with its links. `Taken` has one bit for each source that is the result of the op before.
template <class F, class D, class... S>
struct LinkedLanes {
  using Sources = std::index_sequence_for<S...>;

  template <uint32_t Taken, bool Keeps, size_t... I>
  [[gnu::always_inline]] static const D* compute(const Op* op, Warp& warp, const void* before, D* own,
                                                 std::index_sequence<I...>) {
    const std::tuple<const S*...> sources{Taken >> I & 1 ? static_cast<const S*>(before)
                                                         : warp.reg<S>(source_slot<I>(op))...};
    D* result = Keeps ? warp.reg<D>(op->d) : own;
    for_lanes<all_lanes>(
        warp, result, [=](uint32_t lane) { return static_cast<D>(F::apply(std::get<I>(sources)[lane]...)); });
    return result;
  }
  template <bool Keeps>
  static const Op* first(const Op* op, Warp& warp) {
    alignas(64) D own[warp_lanes];
    return pass_on(op, warp, compute<0, Keeps>(op, warp, nullptr, own, Sources{}));
  }
  template <uint32_t Taken, bool Keeps>
  static const Op* take(const Op* op, Warp& warp, Vector r0, Vector r1, Vector r2, Vector r3) {
    const Vector before[4] = {r0, r1, r2, r3};
    alignas(64) D own[warp_lanes];
    const D* result = compute<Taken, Keeps>(op, warp, before, own, Sources{});
    if (!Keeps || (op->flags & flag_linked)) return pass_on(op, warp, result);
    leave_vectors();
    return op + 1;
  }
  template <uint32_t Taken>
  static void add_form(Links& links) {
    links.takes[0][Taken] = linked_handler(&take<Taken, false>);
    links.takes[1][Taken] = linked_handler(&take<Taken, true>);
  }
  static Links make_links() {
    Links links{.first = {&first<false>, &first<true>}, .result_bytes = linkable_bytes<D>};
    const uint8_t bytes[] = {linkable_bytes<S>...};
    std::copy(std::begin(bytes), std::end(bytes), links.source_bytes);
    add_form<0>(links);
    add_form<1>(links);
    if constexpr (sizeof...(S) > 1) add_form<2>(links);
    if constexpr (sizeof...(S) > 1) add_form<3>(links);
    if constexpr (sizeof...(S) > 2) add_form<4>(links);
    return links;
  }
  static Handlers handlers() {
    Handlers handlers = Lanes<F, D, S...>::handlers();
    if constexpr (linkable_bytes<D> != 0 && (... && (linkable_bytes<S> != 0))) {
      static const Links links = make_links();
      handlers.links = &links;
    }
    return handlers;
  }
};

#else

template <class F, class D, class... S>
using LinkedLanes = Lanes<F, D, S...>;

#endif

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE
