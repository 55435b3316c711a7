// atom and red, PTX ISA 9.7.13.5: lane after lane in ascending order, which is one of the orders that the
// hardware may take. Where other workers touch device memory each lane's update is a host atomic.
#include "core/exec/ops/common.h"
#include "core/observe/coalescing.h"

#include "core/exec/isa_begin.h"
#include "core/exec/ops/access.h"
#include "core/exec/ops/atomic_spaces.h"
#include "core/exec/ops/float_lane.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

// b is the operand; c the new value of cas.
template <class T>
struct Add {
  static T apply(T old, T b, T) {
    if constexpr (std::is_integral_v<T>) {
      // Integers wrap.
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
    } else {
      return old + b;
    }
  }
};
template <>
struct Add<float> {
  static float apply(float old, float b, float) { return canonical(old + b); }
};
// In global memory single-precision sums are flushed, in shared memory they are not (PTX ISA 9.7.13.5).
struct AddFlushed {
  static float apply(float old, float b, float) { return canonical(flush(flush(old) + flush(b))); }
};
template <class T>
struct Min {
  static T apply(T old, T b, T) { return b < old ? b : old; }
};
template <class T>
struct Max {
  static T apply(T old, T b, T) { return old < b ? b : old; }
};
template <class T>
struct And {
  static T apply(T old, T b, T) { return old & b; }
};
template <class T>
struct Or {
  static T apply(T old, T b, T) { return old | b; }
};
template <class T>
struct Xor {
  static T apply(T old, T b, T) { return old ^ b; }
};
template <class T>
struct Exch {
  static T apply(T, T b, T) { return b; }
};
template <class T>
struct Cas {
  static T apply(T old, T b, T c) { return old == b ? c : old; }
};
struct Inc {
  static uint32_t apply(uint32_t old, uint32_t b, uint32_t) { return old >= b ? 0 : old + 1; }
};
struct Dec {
  static uint32_t apply(uint32_t old, uint32_t b, uint32_t) { return old == 0 || old > b ? b : old - 1; }
};

template <class T>
using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <class F, class T>
T update(std::byte* host, T b, T c, bool exclusive) {
  auto* cell = reinterpret_cast<Bits<T>*>(host);
  if (exclusive) {
    const T old = std::bit_cast<T>(*cell);
    *cell = std::bit_cast<Bits<T>>(F::apply(old, b, c));
    return old;
  }
  Bits<T> seen = __atomic_load_n(cell, __ATOMIC_RELAXED);
  for (;;) {
    const auto wanted = std::bit_cast<Bits<T>>(F::apply(std::bit_cast<T>(seen), b, c));
    if (__atomic_compare_exchange_n(cell, &seen, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return std::bit_cast<T>(seen);
    }
  }
}

template <class T, class F, class FShared>
struct Update {
  static void global(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at) {
    apply<F>(op, warp, address, at, warp.block->exclusive);
  }
  static void shared(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at) {
    apply<FShared>(op, warp, address, at, true);
  }
  template <class Operation>
  static void apply(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at, bool exclusive) {
    const T* b = warp.reg<T>(op->b);
    const T* c = op->c == no_slot ? b : warp.reg<T>(op->c);
    T* d = op->d == no_slot ? nullptr : warp.reg<T>(op->d);
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      const T old = update<Operation, T>(host_address(warp, at, address[lane]), b[lane], c[lane], exclusive);
      if (d != nullptr) d[lane] = old;
    }
  }
};

template <class F, class T, class FShared = F>
using Atomic = AtSpaces<Update<T, F, FShared>>;

template <class T>
Handlers pick_numeric(const Selector& s) {
  using ptx::Modifier;
  switch (s.operation) {
    case Modifier::add:
      if constexpr (std::is_same_v<T, float>) return Atomic<AddFlushed, T, Add<T>>::handlers(s);
      return Atomic<Add<T>, T>::handlers(s);
    case Modifier::min:
      if constexpr (std::is_integral_v<T>) return Atomic<Min<T>, T>::handlers(s);
      return {};
    case Modifier::max:
      if constexpr (std::is_integral_v<T>) return Atomic<Max<T>, T>::handlers(s);
      return {};
    default:
      return {};
  }
}
template <class T>
Handlers pick_bits(const Selector& s) {
  using ptx::Modifier;
  switch (s.operation) {
    case Modifier::and_:
      return Atomic<And<T>, T>::handlers(s);
    case Modifier::or_:
      return Atomic<Or<T>, T>::handlers(s);
    case Modifier::xor_:
      return Atomic<Xor<T>, T>::handlers(s);
    case Modifier::exch:
      return Atomic<Exch<T>, T>::handlers(s);
    case Modifier::cas:
      return Atomic<Cas<T>, T>::handlers(s);
    default:
      return {};
  }
}

}  // namespace

// Selector::operation is the operation, source_type the state space.
Handlers pick_atomic(const Selector& s) {
  using ptx::Modifier;
  using ptx::Opcode;
  if (s.opcode != Opcode::atom && s.opcode != Opcode::red) return {};
  if (s.operation == Modifier::inc) return Atomic<Inc, uint32_t>::handlers(s);
  if (s.operation == Modifier::dec) return Atomic<Dec, uint32_t>::handlers(s);
  switch (s.type) {
    case Modifier::u32:
      return pick_numeric<uint32_t>(s);
    case Modifier::s32:
      return pick_numeric<int32_t>(s);
    case Modifier::u64:
      return pick_numeric<uint64_t>(s);
    case Modifier::s64:
      return pick_numeric<int64_t>(s);
    case Modifier::f32:
      return pick_numeric<float>(s);
    case Modifier::f64:
      return pick_numeric<double>(s);
    case Modifier::b32:
      return pick_bits<uint32_t>(s);
    case Modifier::b64:
      return pick_bits<uint64_t>(s);
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/exec/isa_end.h"
