// atom and red of 16-bit floats, of vectors, and of 16 and 128 bits, PTX ISA 9.7.13.5. Op::extra elements of
// T are contiguous in memory, and their registers follow one another. Blocks of such kernels run in order
// (decode ensures it), so no other worker accesses the memory at the same time.
#include "core/base/half.h"

#include "core/gpu/exec/ops/common.h"
#include "core/gpu/observe/coalescing.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/access.h"
#include "core/gpu/exec/ops/atomic_spaces.h"
#include "core/gpu/exec/ops/float_lane.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

struct Bits128 {
  uint64_t low, high;
  bool operator==(const Bits128&) const = default;
};

template <SmallFloat Format>
struct HalfAdd {
  static uint16_t apply(uint16_t old, uint16_t b) {
    // The sum of two 16-bit floats is exact in f64, or they differ so much that f64 rounds to the larger one.
    return static_cast<uint16_t>(narrow<Format>(double{widen<Format>(old)} + double{widen<Format>(b)}));
  }
};
template <SmallFloat Format, bool Max>
struct HalfExtreme {
  static uint16_t apply(uint16_t old, uint16_t b) {
    const bool nan_old = (old & 0x7fff) > Format.infinity, nan_b = (b & 0x7fff) > Format.infinity;
    if (nan_old && nan_b) return static_cast<uint16_t>(Format.nan);
    const int order_old = old & 0x8000 ? -1 - (old & 0x7fff) : old,
              order_b = b & 0x8000 ? -1 - (b & 0x7fff) : b;
    const bool keep = nan_b || (!nan_old && (Max ? order_old > order_b : order_old < order_b));
    return keep ? old : b;
  }
};
template <class F>
struct Pair {
  static uint32_t apply(uint32_t old, uint32_t b) {
    return F::apply(static_cast<uint16_t>(old), static_cast<uint16_t>(b)) |
           uint32_t{F::apply(static_cast<uint16_t>(old >> 16), static_cast<uint16_t>(b >> 16))} << 16;
  }
};
// Sums in global memory are flushed. Vectors of f32 exist only there.
struct FloatAdd {
  static float apply(float old, float b) { return canonical(flush(flush(old) + flush(b))); }
};
struct Exchange {
  static Bits128 apply(Bits128, Bits128 b) { return b; }
};

template <class F, class T>
struct Elements {
  static void global(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at) {
    const T* b = warp.reg<T>(op->b);
    T* d = op->d == no_slot ? nullptr : warp.reg<T>(op->d);
    // Frame::lanes gives each register's lanes at least 64 bytes.
    constexpr uint32_t stride = warp_lanes;
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      std::byte* host = host_address(warp, at, address[lane]);
      for (uint32_t i = 0; i < atomic_elements(*op); ++i, host += sizeof(T)) {
        T old;
        std::memcpy(&old, host, sizeof old);
        const T value = F::apply(old, b[i * stride + lane]);
        std::memcpy(host, &value, sizeof value);
        if (d != nullptr) d[i * stride + lane] = old;
      }
    }
  }
  static void shared(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at) {
    global(op, warp, address, at);
  }
};
template <class T>
struct CompareAndSwap {
  static void global(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at) {
    const T *b = warp.reg<T>(op->b), *c = warp.reg<T>(op->c);
    T* d = op->d == no_slot ? nullptr : warp.reg<T>(op->d);
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      std::byte* host = host_address(warp, at, address[lane]);
      T old;
      std::memcpy(&old, host, sizeof old);
      if (old == b[lane]) std::memcpy(host, &c[lane], sizeof(T));
      if (d != nullptr) d[lane] = old;
    }
  }
  static void shared(const Op* op, Warp& warp, const uint64_t* address, const Resolved& at) {
    global(op, warp, address, at);
  }
};

template <SmallFloat Format>
Handlers pick_one(const Selector& s) {
  using ptx::Modifier;
  if (s.operation == Modifier::add) return AtSpaces<Elements<HalfAdd<Format>, uint16_t>>::handlers(s);
  if (s.operation == Modifier::min)
    return AtSpaces<Elements<HalfExtreme<Format, false>, uint16_t>>::handlers(s);
  if (s.operation == Modifier::max)
    return AtSpaces<Elements<HalfExtreme<Format, true>, uint16_t>>::handlers(s);
  return {};
}
template <SmallFloat Format>
Handlers pick_pair(const Selector& s) {
  using ptx::Modifier;
  if (s.operation == Modifier::add) return AtSpaces<Elements<Pair<HalfAdd<Format>>, uint32_t>>::handlers(s);
  if (s.operation == Modifier::min)
    return AtSpaces<Elements<Pair<HalfExtreme<Format, false>>, uint32_t>>::handlers(s);
  if (s.operation == Modifier::max)
    return AtSpaces<Elements<Pair<HalfExtreme<Format, true>>, uint32_t>>::handlers(s);
  return {};
}

}  // namespace

// Selector::operation is the operation, source_type the state space, vector the number of elements.
Handlers pick_atomic_half(const Selector& s) {
  using ptx::Modifier;
  using ptx::Opcode;
  if (s.opcode != Opcode::atom && s.opcode != Opcode::red) return {};
  switch (s.type) {
    case Modifier::f16:
      return pick_one<f16_format>(s);
    case Modifier::bf16:
      return pick_one<bf16_format>(s);
    case Modifier::f16x2:
      return pick_pair<f16_format>(s);
    case Modifier::bf16x2:
      return pick_pair<bf16_format>(s);
    case Modifier::f32:
      return s.vector > 1 ? AtSpaces<Elements<FloatAdd, float>>::handlers(s) : Handlers{};
    case Modifier::b16:
      return AtSpaces<CompareAndSwap<uint16_t>>::handlers(s);
    case Modifier::b128:
      return s.operation == Modifier::cas ? AtSpaces<CompareAndSwap<Bits128>>::handlers(s)
                                          : AtSpaces<Elements<Exchange, Bits128>>::handlers(s);
    default:
      return {};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
