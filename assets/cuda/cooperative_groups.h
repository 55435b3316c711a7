// Groups of threads: CUDA C++ Programming Guide, "Cooperative Groups". The block, tiles of it, and the lanes
// that are together, and a grid that was launched cooperatively.
#pragma once
#include "warplens_cuda.h"

namespace cooperative_groups {

// Shared by the threads of several warps: barriers, and room for a value of each tile.
struct WarplensTileRoom {
  unsigned int arrived[16];
  unsigned long long value[16];
};
// Memory that a program reserves for tiles of more than 32 threads.
template <unsigned int MostThreads = 1024>
struct block_tile_memory {
  WarplensTileRoom room;
};

class thread_block {
  WarplensTileRoom* m_room = nullptr;

 public:
  thread_block() = default;
  // All threads of the block run this: no thread may arrive at a tile's barrier before it is empty.
  __device__ WARPLENS_UNSEEN explicit thread_block(WarplensTileRoom* room) : m_room(room) {
    __syncthreads();
    if (thread_rank() < 16) room->arrived[thread_rank()] = 0;
    __syncthreads();
  }
  __device__ WARPLENS_UNSEEN WarplensTileRoom* room() const { return m_room; }
  WARPLENS_DEVICE void sync() { __syncthreads(); }
  WARPLENS_DEVICE void barrier_arrive_and_wait() { __syncthreads(); }
  WARPLENS_DEVICE unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  WARPLENS_DEVICE unsigned int num_threads() { return size(); }
  WARPLENS_DEVICE unsigned int thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  WARPLENS_DEVICE dim3 group_index() { return blockIdx; }
  WARPLENS_DEVICE dim3 thread_index() { return threadIdx; }
  WARPLENS_DEVICE dim3 group_dim() { return blockDim; }
  WARPLENS_DEVICE dim3 dim_threads() { return blockDim; }
};
WARPLENS_DEVICE thread_block this_thread_block() { return thread_block(); }
template <unsigned int MostThreads>
WARPLENS_DEVICE thread_block this_thread_block(block_tile_memory<MostThreads>& memory) {
  return thread_block(&memory.room);
}

class grid_group {
 public:
  WARPLENS_DEVICE unsigned long long num_blocks() {
    return (unsigned long long)(gridDim.x) * gridDim.y * gridDim.z;
  }
  WARPLENS_DEVICE unsigned long long block_rank() {
    return ((unsigned long long)(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  WARPLENS_DEVICE unsigned long long size() { return num_blocks() * thread_block::size(); }
  WARPLENS_DEVICE unsigned long long num_threads() { return size(); }
  WARPLENS_DEVICE unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  WARPLENS_DEVICE dim3 group_dim() { return gridDim; }
  // A cooperative launch gives the grid a word of memory, initially zero, four bytes after the address in
  // %envreg1 (upper half) and %envreg2. Each block adds to it, and all blocks together add 2^31: the topmost
  // bit changes when the last block has arrived.
  WARPLENS_DEVICE void sync() {
    unsigned int high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    const unsigned long long workspace = (unsigned long long)(high) << 32 | low;
    if (workspace == 0) __trap();  // not a cooperative launch
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      volatile unsigned int* word = (volatile unsigned int*)(workspace + 4);
      const unsigned int mine = block_rank() == 0 ? 0x80000000u - (unsigned int)(num_blocks() - 1) : 1u;
      __threadfence();
      const unsigned int before = atomicAdd((unsigned int*)word, mine);
      while (((before ^ *word) & 0x80000000u) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }
  WARPLENS_DEVICE bool is_valid() {
    unsigned int high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return (high | low) != 0;
  }
};
WARPLENS_DEVICE grid_group this_grid() { return grid_group(); }

// A group of Size consecutive threads of a warp.
template <unsigned int Size>
class WarplensLaneTile {
  __device__ WARPLENS_UNSEEN static unsigned int first() {
    return thread_block::thread_rank() % 32 / Size * Size;
  }

 public:
  __device__ WARPLENS_UNSEEN static unsigned int mask() {
    return Size == 32 ? 0xffffffffu : ((1u << Size % 32) - 1) << first();
  }
  WARPLENS_DEVICE void sync() { __syncwarp(mask()); }
  WARPLENS_DEVICE unsigned int size() { return Size; }
  WARPLENS_DEVICE unsigned int num_threads() { return Size; }
  WARPLENS_DEVICE unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
  WARPLENS_DEVICE unsigned int meta_group_rank() { return thread_block::thread_rank() / Size; }
  WARPLENS_DEVICE unsigned int meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  template <class T>
  WARPLENS_DEVICE T shfl(T value, int lane) {
    return __shfl_sync(mask(), value, lane, Size);
  }
  template <class T>
  WARPLENS_DEVICE T shfl_up(T value, unsigned int by) {
    return __shfl_up_sync(mask(), value, by, Size);
  }
  template <class T>
  WARPLENS_DEVICE T shfl_down(T value, unsigned int by) {
    return __shfl_down_sync(mask(), value, by, Size);
  }
  template <class T>
  WARPLENS_DEVICE T shfl_xor(T value, unsigned int by) {
    return __shfl_xor_sync(mask(), value, int(by), Size);
  }
  WARPLENS_DEVICE int any(int holds) { return __any_sync(mask(), holds); }
  WARPLENS_DEVICE int all(int holds) { return __all_sync(mask(), holds); }
  WARPLENS_DEVICE unsigned int ballot(int holds) {
    return (__ballot_sync(mask(), holds) & mask()) >> first();
  }
};

// A group of Size consecutive threads of several warps.
template <unsigned int Size>
class WarplensWarpTile {
  WarplensTileRoom* m_room;
  static constexpr unsigned int warps = Size / 32;

 public:
  // If the program reserves no memory, the block has some, on GPUs from compute capability 8.0 on.
  __device__ WARPLENS_UNSEEN explicit WarplensWarpTile(const thread_block& block) : m_room(block.room()) {
    static __shared__ WarplensTileRoom own;
    if (m_room == nullptr) m_room = thread_block(&own).room();
  }
  // Each warp counts itself, and waits until all warps of this turn have arrived.
  __device__ WARPLENS_UNSEEN void sync() const {
    __syncwarp();
    if (thread_rank() % 32 == 0) {
      unsigned int* counter = &m_room->arrived[meta_group_rank()];
      __threadfence_block();
      const unsigned int all_of_turn = (atomicAdd(counter, 1u) / warps + 1) * warps;
      while (int(*(volatile unsigned int*)(counter)-all_of_turn) < 0) {
      }
      __threadfence_block();
    }
    __syncwarp();
  }
  WARPLENS_DEVICE unsigned int size() { return Size; }
  WARPLENS_DEVICE unsigned int num_threads() { return Size; }
  WARPLENS_DEVICE unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
  WARPLENS_DEVICE unsigned int meta_group_rank() { return thread_block::thread_rank() / Size; }
  WARPLENS_DEVICE unsigned int meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
  // No thread reads the room before it is written, or writes it again before all threads have read it.
  template <class T>
  __device__ WARPLENS_UNSEEN T shfl(T value, unsigned int rank) const {
    static_assert(sizeof(T) <= 8, "tiles of more than 32 threads exchange values of up to 8 bytes");
    unsigned long long* word = &m_room->value[meta_group_rank()];
    if (thread_rank() == rank) __builtin_memcpy(word, &value, sizeof value);
    sync();
    const unsigned long long found = *(volatile unsigned long long*)(word);
    sync();
    __builtin_memcpy(&value, &found, sizeof value);
    return value;
  }
  __device__ WARPLENS_UNSEEN int any(int holds) const {
    unsigned long long* word = &m_room->value[meta_group_rank()];
    if (thread_rank() == 0) *word = 0;
    sync();
    if (holds != 0) atomicOr(word, 1ull);
    sync();
    const int result = int(*(volatile unsigned long long*)(word));
    sync();
    return result;
  }
  __device__ WARPLENS_UNSEEN int all(int holds) const { return any(holds == 0) == 0; }
};

template <bool IsOfWarps, unsigned int Size>
struct WarplensTile {
  using type = WarplensLaneTile<Size>;
};
template <unsigned int Size>
struct WarplensTile<true, Size> {
  using type = WarplensWarpTile<Size>;
};
template <unsigned int Size, class Parent = void>
class thread_block_tile : public WarplensTile<(Size > 32), Size>::type {
  static_assert(Size > 0 && Size <= 512 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8 … or 512 threads");
  using Base = typename WarplensTile<(Size > 32), Size>::type;

 public:
  using Base::Base;
  thread_block_tile() = default;
  // A tile whose type does not name the group that it is a part of.
  template <class Other>
  __device__ WARPLENS_UNSEEN thread_block_tile(const thread_block_tile<Size, Other>& other)
      : Base(static_cast<const Base&>(other)) {}
};
template <unsigned int Size, class Group>
WARPLENS_DEVICE thread_block_tile<Size, Group> tiled_partition(const Group& group) {
  if constexpr (Size > 32)
    return thread_block_tile<Size, Group>(group);
  else
    return thread_block_tile<Size, Group>();
}

// The lanes that are active together at the construction.
class coalesced_group {
  unsigned int m_mask;
  __device__ WARPLENS_UNSEEN static unsigned int lane() {
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  }
  // The warp's lane number of the group's n-th lane.
  __device__ WARPLENS_UNSEEN int lane_of(unsigned int n) const {
    unsigned int left = m_mask;
    for (unsigned int i = 0; i < n; ++i) left &= left - 1;
    return __ffs(int(left)) - 1;
  }

 public:
  __device__ WARPLENS_UNSEEN explicit coalesced_group(unsigned int mask) : m_mask(mask) {}
  __device__ WARPLENS_UNSEEN unsigned int mask() const { return m_mask; }
  __device__ WARPLENS_UNSEEN void sync() const { __syncwarp(m_mask); }
  __device__ WARPLENS_UNSEEN unsigned int size() const { return (unsigned int)(__popc(m_mask)); }
  __device__ WARPLENS_UNSEEN unsigned int num_threads() const { return size(); }
  __device__ WARPLENS_UNSEEN unsigned int thread_rank() const {
    return (unsigned int)(__popc(m_mask & ((1u << lane()) - 1)));
  }
  template <class T>
  __device__ WARPLENS_UNSEEN T shfl(T value, unsigned int n) const {
    return __shfl_sync(m_mask, value, lane_of(n % size()));
  }
  __device__ WARPLENS_UNSEEN int any(int holds) const { return __any_sync(m_mask, holds); }
  __device__ WARPLENS_UNSEEN int all(int holds) const { return __all_sync(m_mask, holds); }
};
WARPLENS_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Any of these, for functions that take one: the block, or lanes of a warp.
class thread_group {
  unsigned int m_size, m_rank, m_mask;  // mask: of the lanes; 0 for the block

 public:
  __device__ WARPLENS_UNSEEN thread_group(unsigned int size, unsigned int rank, unsigned int mask)
      : m_size(size), m_rank(rank), m_mask(mask) {}
  __device__ WARPLENS_UNSEEN thread_group(const thread_block&)
      : m_size(thread_block::size()), m_rank(thread_block::thread_rank()), m_mask(0) {}
  template <unsigned int Size, class Parent>
  __device__ WARPLENS_UNSEEN thread_group(const thread_block_tile<Size, Parent>& tile)
      : m_size(Size), m_rank(tile.thread_rank()), m_mask(tile.mask()) {}
  __device__ WARPLENS_UNSEEN thread_group(const coalesced_group& group)
      : m_size(group.size()), m_rank(group.thread_rank()), m_mask(group.mask()) {}
  __device__ WARPLENS_UNSEEN void sync() const {
    if (m_mask == 0)
      __syncthreads();
    else
      __syncwarp(m_mask);
  }
  __device__ WARPLENS_UNSEEN unsigned int size() const { return m_size; }
  __device__ WARPLENS_UNSEEN unsigned int num_threads() const { return m_size; }
  __device__ WARPLENS_UNSEEN unsigned int thread_rank() const { return m_rank; }
};
// Size: 1, 2, 4, 8, 16 or 32.
WARPLENS_DEVICE thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  const unsigned int rank = parent.thread_rank(), first = thread_block::thread_rank() % 32 / size * size;
  return thread_group(size, rank % size, size == 32 ? 0xffffffffu : ((1u << size % 32) - 1) << first);
}

template <class Group>
WARPLENS_DEVICE void sync(Group& group) {
  group.sync();
}
template <class Group>
WARPLENS_DEVICE auto thread_rank(const Group& group) {
  return group.thread_rank();
}

template <class T>
struct plus {
  __device__ WARPLENS_UNSEEN T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  __device__ WARPLENS_UNSEEN T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  __device__ WARPLENS_UNSEEN T operator()(T a, T b) const { return a < b ? b : a; }
};
// A reduction over the threads of a tile; each thread gets the result.
template <unsigned int Size, class Parent, class T, class Op>
WARPLENS_DEVICE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Op op) {
  static_assert(Size <= 32,
                "clang has reduce and scan for tiles of a warp alone here: take tiles of 32 threads");
  for (unsigned int by = Size / 2; by > 0; by /= 2) value = op(value, tile.shfl_xor(value, by));
  return value;
}
template <unsigned int Size, class Parent, class T, class Op>
WARPLENS_DEVICE T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Op op) {
  static_assert(Size <= 32,
                "clang has reduce and scan for tiles of a warp alone here: take tiles of 32 threads");
  for (unsigned int by = 1; by < Size; by *= 2) {
    const T before = tile.shfl_up(value, by);
    if (tile.thread_rank() >= by) value = op(before, value);
  }
  return value;
}
template <unsigned int Size, class Parent, class T>
WARPLENS_DEVICE T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value) {
  return inclusive_scan(tile, value, plus<T>());
}
// The first thread gets T().
template <unsigned int Size, class Parent, class T, class Op>
WARPLENS_DEVICE T exclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Op op) {
  const T before = tile.shfl_up(inclusive_scan(tile, value, op), 1);
  return tile.thread_rank() == 0 ? T() : before;
}
template <unsigned int Size, class Parent, class T>
WARPLENS_DEVICE T exclusive_scan(const thread_block_tile<Size, Parent>& tile, T value) {
  return exclusive_scan(tile, value, plus<T>());
}

}  // namespace cooperative_groups
