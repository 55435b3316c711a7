// Plain values about a warp that code outside of the virtual GPU needs too.
#pragma once

#include <cstdint>

namespace warplens::exec {

enum class WarpState : uint8_t { ready, barrier, finished, fault };

// A turn is short, so that a warp that spins on the flag of another warp does not spin for long.
constexpr int64_t longest_turn = 1 << 16, shortest_turn = 1 << 10;

}  // namespace warplens::exec
