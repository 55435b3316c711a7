#include "core/lesson/goals/goal_nouns.h"

#include <algorithm>
#include <iterator>

namespace warplens::lesson {
namespace {

constexpr GoalNoun goal_nouns[] = {
    {"launch.blocks", "blocks launched", "block"},
    {"launch.threads", "threads launched", "thread"},
    {"launch.warps", "warps launched", "warp"},
    {"launch.shared_bytes", "bytes of dynamic shared memory for a block", "byte of dynamic shared memory"},
    {"launch.block.x", "threads of a block in x"},
    {"launch.block.y", "threads of a block in y"},
    {"launch.block.z", "threads of a block in z"},
    {"block_x", "threads of a block in x"},
    {"block_y", "threads of a block in y"},
    {"block_z", "threads of a block in z"},
    {"launch.grid.x", "blocks of the grid in x"},
    {"launch.grid.y", "blocks of the grid in y"},
    {"launch.grid.z", "blocks of the grid in z"},
    {"occupancy.percent", "theoretical occupancy", {}, true, " %"},
    {"occupancy.blocks", "blocks on an SM at once"},
    {"occupancy.warps", "warps on an SM at once"},
    {"occupancy.waves", "waves of blocks", {}, true},
    {"resources.registers", "registers for a thread"},
    {"resources.shared_static_bytes", "bytes of static shared memory for a block"},
    {"resources.local_bytes", "bytes of local memory for a thread"},
    {"device.sms", "SMs of the device", "SM"},
    {"faults", "faults", "fault"},
    {"findings", "findings", "finding"},
    {"warnings", "warnings", "warning"},
    {"mismatches", "wrong elements", "wrong element"},
    {"order", "order of warps and blocks", {}, true},
    {"counters.warp_instructions", "warp instructions", "warp instruction"},
    {"counters.thread_instructions", "thread instructions", "thread instruction"},
    {"counters.branches", "branches", "branch"},
    {"counters.divergent_branches", "divergent branches", "divergent branch"},
    {"counters.barriers", "barriers that warps arrive at", "barrier that a warp arrives at"},
    {"reads.global_sectors", "sectors read from global memory", "sector read from global memory"},
    {"reads.global_requests", "requests to read from global memory", "request to read from global memory"},
    {"counters.global_load_requests", "requests to load from global memory",
     "request to load from global memory"},
    {"counters.global_load_sectors", "sectors loaded from global memory", "sector loaded from global memory"},
    {"counters.global_store_requests", "requests to store to global memory",
     "request to store to global memory"},
    {"counters.global_store_sectors", "sectors stored to global memory", "sector stored to global memory"},
    {"counters.shared_load_requests", "requests to load from shared memory",
     "request to load from shared memory"},
    {"counters.shared_load_wavefronts", "wavefronts for loads from shared memory",
     "wavefront for loads from shared memory"},
    {"counters.shared_load_bank_conflicts", "bank conflicts of loads from shared memory"},
    {"counters.shared_store_requests", "requests to store to shared memory",
     "request to store to shared memory"},
    {"counters.shared_store_wavefronts", "wavefronts for stores to shared memory",
     "wavefront for stores to shared memory"},
    {"counters.shared_store_bank_conflicts", "bank conflicts of stores to shared memory"},
    {"counters.shared_atomic_requests", "atomic requests to shared memory",
     "atomic request to shared memory"},
    {"counters.shared_atomic_wavefronts", "wavefronts for atomics on shared memory",
     "wavefront for atomics on shared memory"},
    {"counters.shared_atomic_bank_conflicts", "bank conflicts of atomics on shared memory"},
    {"counters.async_copy_requests", "requests of background copies", "request of a background copy"},
    {"counters.async_copy_global_sectors", "sectors loaded by background copies"},
    {"counters.async_copy_shared_wavefronts", "wavefronts of background copies to shared memory"},
    {"counters.async_copy_bank_conflicts", "bank conflicts of background copies"},
    {"counters.local_load_sectors", "sectors loaded from local memory"},
    {"counters.local_store_sectors", "sectors stored to local memory"},
    {"counters.constant_load_requests", "requests to load from constant memory",
     "request to load from constant memory"},
    {"counters.texture_requests", "requests to read a texture", "request to read a texture"},
    {"counters.texture_sectors", "sectors read from textures"},
    {"counters.atomic_requests", "atomic requests to global memory", "atomic request to global memory"},
    {"counters.atomic_sectors", "sectors of atomics on global memory"},
    {"counters.l1_hit_sectors", "sectors found in the L1 cache"},
    {"counters.l2_read_sectors", "sectors read from the L2 cache"},
    {"counters.dram_read_bytes", "bytes read from device memory"},
    {"counters.dram_write_bytes", "bytes written to device memory"},
};

}  // namespace

const GoalNoun* goal_noun(std::string_view name) {
  const auto found = std::ranges::find(goal_nouns, name, &GoalNoun::name);
  return found == std::end(goal_nouns) ? nullptr : &*found;
}

}  // namespace warplens::lesson
