// The computations of the collective instructions.
#include "core/gpu/exec/state/exchange.h"
#include "core/base/bits.h"

#include <bit>

namespace warplens::exec {

namespace {

bool is_wide(Collective kind) { return kind == Collective::match_any64 || kind == Collective::match_all64; }
bool is_vote(Collective kind) { return kind >= Collective::vote_all && kind <= Collective::vote_ballot; }
bool has_value(Collective kind) { return !is_vote(kind) && kind < Collective::active_mask; }

// The value read from a lane that takes no part is undefined; on the H200 it is 0.
void shuffle(Collective kind, Exchange& x) {
  for_each_bit(x.lanes, [&](uint32_t lane) {
    const auto [from, inside] = shuffle_source(kind, lane, x.b[lane], x.c[lane]);
    x.result[lane] = (x.lanes >> from & 1) != 0 ? static_cast<uint32_t>(x.value[from]) : 0;
    x.result_predicates |= static_cast<uint32_t>(inside) << lane;
  });
}

void vote(Collective kind, Exchange& x) {
  const uint32_t yes = x.predicates & x.lanes;
  bool verdict = yes == x.lanes;
  if (kind == Collective::vote_any) verdict = yes != 0;
  if (kind == Collective::vote_uni) verdict = yes == x.lanes || yes == 0;
  x.result.fill(yes);
  x.result_predicates = verdict ? x.lanes : 0;
}

void match_any(Exchange& x) {
  for (uint32_t rest = x.lanes; rest != 0;) {
    const uint64_t value = x.value[static_cast<uint32_t>(std::countr_zero(rest))];
    uint32_t equal = 0;
    for_each_bit(rest,
                 [&](uint32_t lane) { equal |= static_cast<uint32_t>(x.value[lane] == value) << lane; });
    for_each_bit(equal, [&](uint32_t lane) { x.result[lane] = equal; });
    rest &= ~equal;
  }
}

void match_all(Exchange& x) {
  const uint64_t value = x.value[static_cast<uint32_t>(std::countr_zero(x.lanes))];
  bool all = true;
  for_each_bit(x.lanes, [&](uint32_t lane) { all = all && x.value[lane] == value; });
  x.result.fill(all ? x.lanes : 0);
  x.result_predicates = all ? x.lanes : 0;
}

template <class F>
void reduce(Exchange& x, F f) {
  auto total = static_cast<uint32_t>(x.value[static_cast<uint32_t>(std::countr_zero(x.lanes))]);
  for_each_bit(x.lanes & (x.lanes - 1),
               [&](uint32_t lane) { total = f(total, static_cast<uint32_t>(x.value[lane])); });
  x.result.fill(total);
}

int32_t as_signed(uint32_t a) { return static_cast<int32_t>(a); }

void combine_reduction(Collective kind, Exchange& x) {
  switch (kind) {
    case Collective::redux_add:
      return reduce(x, [](uint32_t a, uint32_t b) { return a + b; });
    case Collective::redux_min_unsigned:
      return reduce(x, [](uint32_t a, uint32_t b) { return a < b ? a : b; });
    case Collective::redux_max_unsigned:
      return reduce(x, [](uint32_t a, uint32_t b) { return a > b ? a : b; });
    case Collective::redux_min_signed:
      return reduce(x, [](uint32_t a, uint32_t b) { return as_signed(a) < as_signed(b) ? a : b; });
    case Collective::redux_max_signed:
      return reduce(x, [](uint32_t a, uint32_t b) { return as_signed(a) > as_signed(b) ? a : b; });
    case Collective::redux_and:
      return reduce(x, [](uint32_t a, uint32_t b) { return a & b; });
    case Collective::redux_or:
      return reduce(x, [](uint32_t a, uint32_t b) { return a | b; });
    default:
      return reduce(x, [](uint32_t a, uint32_t b) { return a ^ b; });
  }
}

}  // namespace

// c holds the clamp in bits 0 to 4 and the segment mask in bits 8 to 12.
void gather(const Op* op, const Warp& warp, uint32_t lanes, Exchange& exchange) {
  const CollectiveOp from = CollectiveOp::of(*op);
  exchange.lanes |= lanes;
  if (is_vote(from.kind)) {
    exchange.predicates |= lanes & taken_by(*op, warp.predicate(from.value));
  } else if (is_wide(from.kind)) {
    for_each_bit(lanes, [&](uint32_t lane) { exchange.value[lane] = warp.reg<uint64_t>(from.value)[lane]; });
  } else if (has_value(from.kind)) {
    for_each_bit(lanes, [&](uint32_t lane) { exchange.value[lane] = warp.reg<uint32_t>(from.value)[lane]; });
  }
  if (!is_shuffle(from.kind)) return;
  for_each_bit(lanes, [&](uint32_t lane) {
    exchange.b[lane] = warp.reg<uint32_t>(from.b)[lane];
    exchange.c[lane] = warp.reg<uint32_t>(from.c)[lane];
  });
}

void combine(Collective kind, Exchange& exchange) {
  switch (kind) {
    case Collective::shfl_up:
    case Collective::shfl_down:
    case Collective::shfl_bfly:
    case Collective::shfl_idx:
      return shuffle(kind, exchange);
    case Collective::vote_all:
    case Collective::vote_any:
    case Collective::vote_uni:
    case Collective::vote_ballot:
      return vote(kind, exchange);
    case Collective::match_any32:
    case Collective::match_any64:
      return match_any(exchange);
    case Collective::match_all32:
    case Collective::match_all64:
      return match_all(exchange);
    case Collective::active_mask:
      exchange.result.fill(exchange.lanes);
      return;
    case Collective::elect:
      exchange.result.fill(static_cast<uint32_t>(std::countr_zero(exchange.lanes)));
      exchange.result_predicates = exchange.lanes & (0u - exchange.lanes);
      return;
    case Collective::warp_sync:
      return;
    default:
      return combine_reduction(kind, exchange);
  }
}

void scatter(const Op* op, Warp& warp, uint32_t lanes, const Exchange& exchange) {
  const CollectiveOp to = CollectiveOp::of(*op);
  if (to.result != no_slot) {
    uint32_t* destination = warp.reg<uint32_t>(to.result);
    for_each_bit(lanes, [&](uint32_t lane) { destination[lane] = exchange.result[lane]; });
  }
  if (to.result_predicate != no_slot) {
    uint32_t& predicate = warp.predicate(to.result_predicate);
    predicate = (predicate & ~lanes) | (exchange.result_predicates & lanes);
  }
}

}  // namespace warplens::exec
