// A race within a block, run in both orders.
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/stepping/block_stepper.h"

namespace warplens::stepping {

// What a finding says about a race: the bytes, and the accesses and lines on both sides.
struct RacedBytes {
  Space space = Space::shared;
  uint64_t address = 0, bytes = 4;  // as the block sees them
  uint32_t warps[2]{};
  uint32_t lines[2]{};
};

struct RacingAccess {
  uint32_t warp = 0, line = 0;
  uint32_t lanes = 0;  // that touch the bytes
  AccessKind kind = AccessKind::load;
};

// The two accesses in both orders, and the contents of memory afterwards.
struct TwoOrders {
  RacedBytes raced;
  uint64_t position = 0;  // before the first access, in the order in which the block runs
  RacingAccess first, second;
  struct Difference {
    std::string place;           // "out[0]"
    std::string before, behind;  // with the first access first; with the second one first
  };
  std::vector<Difference> differences;  // the first ones, most_differences at most
  uint64_t count = 0;                   // of all elements that differ
  std::array<std::string, 2> ends;  // why the block does not run to its end in that order; empty if it does
  bool differ() const { return count != 0 || ends[0] != ends[1]; }
};
constexpr size_t most_differences = 8;

// Runs the block of `request` in both orders. An Error says why there are not two orders: both threads are in
// one warp, or one waits for the other.
Result<TwoOrders> two_orders_of(const std::shared_ptr<const LaunchRequest>& request, Dim3 block,
                                const Options& options, const RacedBytes& raced,
                                const std::stop_token& stop = {});
// Goes to the position after both accesses in one of the orders. The stepper must be at its start and have no
// breakpoints.
void take_order(BlockStepper& stepper, const TwoOrders& orders, bool second_first,
                const std::stop_token& stop = {});

}  // namespace warplens::stepping
