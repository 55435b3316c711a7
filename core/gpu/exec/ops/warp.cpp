// shfl, vote, match, redux, activemask, elect and bar.warp.sync, PTX ISA 9.7.9.6 and 9.7.13, if all named
// lanes have arrived together. core/gpu/exec/control/collective.h has the other cases: lanes that arrive on
// several paths, and several masks.
#include "core/gpu/exec/ops/common.h"

#include "core/gpu/exec/control/collective.h"

#include "core/gpu/exec/isa/isa_begin.h"
#include "core/gpu/exec/ops/lanes.h"

namespace warplens::exec::WARPLENS_ISA_NAMESPACE {

namespace {

// The lane that a lane reads, and whether it is in the same segment.
struct Source {
  uint32_t lane, inside;
};
struct Up {
  static Source of(uint32_t lane, uint32_t b, uint32_t clamp, uint32_t segment) {
    const auto last = static_cast<int32_t>((lane & segment) | (clamp & ~segment));
    return {lane - b, static_cast<uint32_t>(static_cast<int32_t>(lane - b) >= last)};
  }
};
struct Down {
  static Source of(uint32_t lane, uint32_t b, uint32_t clamp, uint32_t segment) {
    return {lane + b, static_cast<uint32_t>(lane + b <= ((lane & segment) | (clamp & ~segment)))};
  }
};
struct Butterfly {
  static Source of(uint32_t lane, uint32_t b, uint32_t clamp, uint32_t segment) {
    return {lane ^ b, static_cast<uint32_t>((lane ^ b) <= ((lane & segment) | (clamp & ~segment)))};
  }
};
struct Index {
  static Source of(uint32_t lane, uint32_t b, uint32_t clamp, uint32_t segment) {
    const uint32_t from = (lane & segment) | (b & ~segment);
    return {from, static_cast<uint32_t>(from <= ((lane & segment) | (clamp & ~segment)))};
  }
};

template <class Mode_>
struct Shuffle {
  template <Mode M>
  static const Op* run(const Op* op, Warp& warp) {
    if (!is_complete(op, warp)) [[unlikely]]
      return meet(op, warp);
    warp.paths[warp.current].met_live = warp.live;
    const uint32_t* a = warp.reg<uint32_t>(collective_value(*op));
    const uint32_t* b = warp.reg<uint32_t>(shuffle_b(*op));
    const uint32_t* c = warp.reg<uint32_t>(shuffle_c(*op));
    [[maybe_unused]] const uint32_t* active = warp.lanes.data();
    // The destination may be the source.
    alignas(64) uint32_t value[warp_lanes];
    alignas(64) uint32_t inside[warp_lanes];
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      const Source source = Mode_::of(lane, b[lane] & 31, c[lane] & 31, c[lane] >> 8 & 31);
      const uint32_t from = source.inside != 0 ? source.lane & 31 : lane;
      // The value of lanes that take no part is 0.
      value[lane] = M == all_lanes ? a[from] : a[from] & active[from];
      inside[lane] = source.inside;
    }
    if (collective_result(*op) != no_slot) {
      for_lanes<M>(warp, warp.reg<uint32_t>(collective_result(*op)),
                   [&](uint32_t lane) { return value[lane]; });
    }
    if (collective_predicate(*op) != no_slot) {
      uint32_t& predicate = warp.predicate(collective_predicate(*op));
      predicate = (predicate & ~warp.mask) | (pack_flags(inside) & warp.mask);
    }
    return op + 1;
  }
  static Handlers handlers() { return {{&run<all_lanes>, &run<some_lanes>}}; }
};

template <Collective K>
struct Vote {
  static const Op* run(const Op* op, Warp& warp) {
    if (!is_complete(op, warp)) [[unlikely]]
      return meet(op, warp);
    warp.paths[warp.current].met_live = warp.live;
    const uint32_t yes = warp.mask & taken_by(*op, warp.predicate(collective_value(*op)));
    if constexpr (K == Collective::vote_ballot) {
      uint32_t* result = warp.reg<uint32_t>(collective_result(*op));
      const uint32_t* active = warp.lanes.data();
      for (uint32_t lane = 0; lane < warp_lanes; ++lane) result[lane] = active[lane] ? yes : result[lane];
    } else {
      bool verdict = yes == warp.mask;
      if constexpr (K == Collective::vote_any) verdict = yes != 0;
      if constexpr (K == Collective::vote_uni) verdict = yes == warp.mask || yes == 0;
      uint32_t& result = warp.predicate(collective_predicate(*op));
      result = (result & ~warp.mask) | (verdict ? warp.mask : 0);
    }
    return op + 1;
  }
  static Handlers handlers() { return {{&run, &run}}; }
};

const Op* run_other(const Op* op, Warp& warp) {
  if (!is_complete(op, warp)) [[unlikely]]
    return meet(op, warp);
  warp.paths[warp.current].met_live = warp.live;
  if (collective_of(*op) == Collective::warp_sync) return op + 1;
  Exchange exchange;
  gather(op, warp, warp.mask, exchange);
  combine(collective_of(*op), exchange);
  scatter(op, warp, warp.mask, exchange);
  return op + 1;
}

}  // namespace

Handlers pick_warp(Collective kind) {
  switch (kind) {
    case Collective::shfl_up:
      return Shuffle<Up>::handlers();
    case Collective::shfl_down:
      return Shuffle<Down>::handlers();
    case Collective::shfl_bfly:
      return Shuffle<Butterfly>::handlers();
    case Collective::shfl_idx:
      return Shuffle<Index>::handlers();
    case Collective::vote_all:
      return Vote<Collective::vote_all>::handlers();
    case Collective::vote_any:
      return Vote<Collective::vote_any>::handlers();
    case Collective::vote_uni:
      return Vote<Collective::vote_uni>::handlers();
    case Collective::vote_ballot:
      return Vote<Collective::vote_ballot>::handlers();
    default:
      return {{&run_other, &run_other}};
  }
}

}  // namespace warplens::exec::WARPLENS_ISA_NAMESPACE

#include "core/gpu/exec/isa/isa_end.h"
