// What the lanes of a warp compute together: shfl, vote, match, redux, activemask and elect, PTX ISA 9.7.9.6
// and 9.7.13.
#pragma once

#include <array>
#include <cstdint>

#include "core/gpu/exec/state/shuffle_source.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/op/collective_op.h"

namespace warplens::exec {

// One group at its instruction: the values that its lanes pass in, and the results.
struct Exchange {
  uint32_t lanes = 0;  // the lanes that take part
  std::array<uint64_t, warp_lanes> value{};
  std::array<uint32_t, warp_lanes> b{}, c{};
  uint32_t predicates = 0;
  std::array<uint32_t, warp_lanes> result{};
  uint32_t result_predicates = 0;
};

// Reads the values of these lanes.
void gather(const Op* op, const Warp& warp, uint32_t lanes, Exchange& exchange);
// Computes the results of all lanes that take part.
void combine(Collective kind, Exchange& exchange);
// Writes the results of these lanes.
void scatter(const Op* op, Warp& warp, uint32_t lanes, const Exchange& exchange);

}  // namespace warplens::exec
