// atom and red, PTX ISA 9.7.13.5: lane after lane in ascending order, which is one of the orders that the
// hardware may use. If other workers access device memory, each lane's update is an atomic of the host.
#include "core/gpu/exec/ops/common.h"
#include "core/gpu/observe/coalescing.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/access.h"
#include "core/gpu/exec/ops/atomic_spaces.h"
#include "core/gpu/exec/ops/float_lane.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

// b is the operand; c is the new value of cas.
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
template <>
struct Add<double> {
  static double apply(double old, double b, double) { return of_numbers(old + b, old, b); }
};
// Single-precision sums are flushed in global memory, and not in shared memory (PTX ISA 9.7.13.5).
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

// Lanes with the same address, one after the other: computes each one's old value and the final value.
template <class F, class T>
T chain(T value, uint32_t lanes, const T* b, const T* c, T* old) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    old[lane] = value;
    value = F::apply(value, b[lane], c[lane]);
  }
  return value;
}

// All lanes in one update: under contention, the cell is taken once, not once for each lane.
template <class F, class T>
void update(std::byte* host, uint32_t lanes, const T* b, const T* c, T* old, bool exclusive) {
  auto* cell = reinterpret_cast<Bits<T>*>(host);
  if (exclusive) {
    *cell = std::bit_cast<Bits<T>>(chain<F>(std::bit_cast<T>(*cell), lanes, b, c, old));
    return;
  }
  Bits<T> seen = __atomic_load_n(cell, __ATOMIC_RELAXED);
  for (;;) {
    const auto wanted = std::bit_cast<Bits<T>>(chain<F>(std::bit_cast<T>(seen), lanes, b, c, old));
    if (__atomic_compare_exchange_n(cell, &seen, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
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
    for (uint32_t rest = warp.mask; rest != 0;) {
      const uint64_t here = address[std::countr_zero(rest)];
      uint32_t lanes = 0;
      for (; rest != 0 && address[std::countr_zero(rest)] == here; rest &= rest - 1)
        lanes |= rest & (0 - rest);
      T old[warp_lanes];
      update<Operation, T>(host_address(warp, at, here), lanes, b, c, old, exclusive);
      if (d == nullptr) continue;
      for (; lanes != 0; lanes &= lanes - 1) d[std::countr_zero(lanes)] = old[std::countr_zero(lanes)];
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
    case Modifier::max:
      if constexpr (std::is_integral_v<T>)
        return s.operation == Modifier::min ? Atomic<Min<T>, T>::handlers(s) : Atomic<Max<T>, T>::handlers(s);
      break;
    default:
      break;
  }
  return {};
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
  if ((s.opcode != Opcode::atom && s.opcode != Opcode::red) || s.vector > 1) return {};
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

#include "core/gpu/exec/isa/isa_end.h"
