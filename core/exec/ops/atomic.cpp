// atom and red, PTX ISA 9.7.13.5: lane after lane in ascending order, which is one of the orders that the
// hardware may take. Where other workers touch device memory each lane's update is a host atomic.
#include "core/exec/ops/common.h"
#include "core/observe/coalescing.h"

#include "core/exec/isa_begin.h"
#include "core/exec/ops/access.h"
#include "core/exec/ops/float_lane.h"
#include "core/exec/ops/lanes.h"

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

template <class F, class T>
struct Atomic {
  static void apply(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at, bool exclusive) {
    const T* b = warp.reg<T>(op->b);
    const T* c = op->c == no_slot ? b : warp.reg<T>(op->c);
    T* d = op->d == no_slot ? nullptr : warp.reg<T>(op->d);
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      std::byte* host = at.origin + address[lane];
      if (at.origin == nullptr) {
        const Allocation* allocation = warp.block->memory->find(address[lane]);
        host = allocation->host + (address[lane] - allocation->begin);
      }
      const T old = update<F, T>(host, b[lane], c[lane], exclusive);
      if (d != nullptr) d[lane] = old;
    }
  }
  static bool run_shared(const Op* op, Warp& warp, const uint64_t* address) {
    const Resolved at = resolve_shared(op, warp, address);
    if (at.ok) apply(op, warp, address, at, true);
    return at.ok;
  }
  static bool run_global(const Op* op, Warp& warp, const uint64_t* address) {
    const Resolved at = resolve_global(op, warp, address);
    if (at.ok) apply(op, warp, address, at, warp.block->exclusive);
    return at.ok;
  }
  // A thread's own memory, by a generic address: nobody else is there.
  static bool run_local(const Op* op, Warp& warp, const uint64_t* address) {
    const BlockContext& block = *warp.block;
    const Resolved at = resolve_range(op, warp, address, warp.local, block.local_bytes, Space::local);
    if (!at.ok) return false;
    if (block.count_memory) count_local(op, warp, address);
    if (block.recorder != nullptr)
      block.recorder->record(*op, warp.index, warp.mask, Space::local, kind_of(op), address);
    alignas(64) Addresses own;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      own[lane] = address[lane] + uint64_t{lane} * block.local_bytes;
    apply(op, warp, own, at, true);
    return true;
  }
  template <Space S>
  static const Op* run(const Op* op, Warp& warp) {
    alignas(64) Addresses address;
    gather_addresses(op, warp, address);
    if constexpr (S == Space::shared) return run_shared(op, warp, address) ? op + 1 : nullptr;
    if constexpr (S == Space::global) return run_global(op, warp, address) ? op + 1 : nullptr;
    // Generic: lane by lane in one of three spaces.
    uint32_t in_shared = 0, in_local = 0;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      in_shared |= uint32_t{address[lane] - shared_window < window_bytes} << lane;
      in_local |= uint32_t{address[lane] - local_window < window_bytes} << lane;
    }
    const uint32_t all = warp.mask;
    const uint32_t parts[3] = {all & ~in_shared & ~in_local, all & in_shared, all & in_local};
    const uint64_t bases[3] = {0, shared_window, local_window};
    for (uint32_t part = 0; part < 3; ++part) {
      if (parts[part] == 0) continue;
      if (parts[part] != all) set_mask(warp, parts[part]);
      alignas(64) Addresses relative;
      const auto first = static_cast<uint32_t>(std::countr_zero(parts[part]));
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
        relative[lane] = address[parts[part] >> lane & 1u ? lane : first] - bases[part];
      }
      Op counted = *op;
      counted.state += part;  // each space has its counter
      const bool ok = part == 0   ? run_global(op, warp, relative)
                      : part == 1 ? run_shared(&counted, warp, relative)
                                  : run_local(&counted, warp, relative);
      if (!ok) warp.fault.op = op;
      if (parts[part] != all) set_mask(warp, all);
      if (!ok) return nullptr;
    }
    return op + 1;
  }
  static Handlers handlers(const Selector& s) {
    switch (s.source_type) {  // the space
      case ptx::Modifier::global:
        return {{&run<Space::global>, &run<Space::global>}};
      case ptx::Modifier::shared:
        return {{&run<Space::shared>, &run<Space::shared>}};
      default:
        return {{&run<Space::generic>, &run<Space::generic>}};
    }
  }
};

template <class T>
Handlers pick_numeric(const Selector& s) {
  using ptx::Modifier;
  switch (s.operation) {
    case Modifier::add:
      if constexpr (std::is_same_v<T, float>) {
        if (s.source_type != Modifier::shared) return Atomic<AddFlushed, T>::handlers(s);
      }
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
