// cp.async, PTX ISA 9.7.9.25.3: a copy reads at once and writes only when its lane waits for it, so that a
// kernel that forgets to wait sees what was there before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/gpu/exec/state/program.h"

namespace warplens::exec {

struct Warp;

struct AsyncCopy {
  uint32_t mask = 0;                  // lanes whose bytes are not written yet
  uint32_t bytes = 0;                 // size of a lane's copy
  std::array<uint32_t, 32> group{};   // per lane: groups that it had committed before this copy
  std::array<uint32_t, 32> target{};  // offsets in shared memory
  std::array<uint64_t, 32> source{};
  std::array<std::byte, 32 * 16> data{};
};

struct AsyncCopies {
  std::vector<AsyncCopy> pending;
  std::array<uint32_t, 32> committed{};  // per lane: number of committed groups
};

// Writes what the active lanes copied in groups before `committed - newest`. With `all`, copies that are in
// no group yet are written too.
void finish_copies(Warp& warp, uint32_t newest, bool all);

// cp.async.commit_group, wait_group (`immediate` groups may be left) and wait_all (immediate -1).

}  // namespace warplens::exec
