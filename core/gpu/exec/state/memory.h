// The device memory of one run: allocations at fixed guest addresses, each with its own host memory. There
// are guard gaps between allocations, so an access past an end is always outside of any allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/exec/state/program.h"
#include "core/gpu/exec/state/texture.h"
#include "core/program/op/address_space.h"

namespace warplens::exec {

// For each byte of an allocation, 1 once the launch that runs has read, written or atomically changed it; and
// whether any byte has a note.
struct Touched {
  uint8_t *loads = nullptr, *stores = nullptr, *atomics = nullptr;
  bool any_load = false, any_store = false, any_atomic = false;
};

struct Allocation {
  uint64_t begin = 0, end = 0;  // guest addresses
  std::byte* host = nullptr;
  std::string name;
  int32_t buffer = -1;  // index in LaunchRequest::buffers
  bool read_only = false;
  uint64_t* writers = nullptr;  // last writer of each element + 1; null: not recorded
  uint32_t writer_shift = 0;    // log2 of the element's size in bytes
  // For each byte, 1 once a kernel has stored to it. Null: not recorded.
  uint8_t* stored = nullptr;
  // Becomes 1 when a kernel reads a byte for which `stored` has 0. Null: not recorded.
  uint8_t* read_unwritten = nullptr;
  Touched* touched = nullptr;  // null: not recorded

  // Notes bytes that a kernel has read or written, where notes are kept.
  template <bool Store>
  void note(uint64_t address, uint64_t bytes) const {
    if (Store && stored != nullptr) std::memset(stored + (address - begin), 1, bytes);
    if (touched == nullptr) return;
    (Store ? touched->any_store : touched->any_load) = true;
    std::memset((Store ? touched->stores : touched->loads) + (address - begin), 1, bytes);
  }

  // The host address of a guest address within [begin, end].
  std::byte* at(uint64_t address) const { return host + (address - begin); }
  // Of a store, whether more is noted than that its bytes are stored.
  bool notes_stores_in_detail() const { return writers != nullptr || touched != nullptr; }
  bool notes_bytes() const { return stored != nullptr || touched != nullptr; }
  bool notes_loads() const { return read_unwritten != nullptr || touched != nullptr; }
  // host address = origin + guest address. A number and no pointer, since the origin is inside no object.
  uintptr_t origin() const { return reinterpret_cast<uintptr_t>(host) - begin; }
};

enum class FreeResult : uint8_t { done, twice, unknown };

class Memory {
 public:
  // The system zero-fills host memory on first use, so untouched pages cost nothing.
  Allocation* allocate_at(uint64_t begin, uint64_t bytes, std::string name);
  Allocation* allocate(uint64_t bytes,
                       std::string name);  // at the next free heap address, aligned to 512 bytes
  // Adds memory that the caller owns and that outlives this object, such as host pages that a kernel may use.
  // Null if the addresses are already in use.
  Allocation* adopt(uint64_t begin, std::byte* host, uint64_t bytes, std::string name);
  // Reserves heap addresses, for allocations that the caller makes with allocate_at. 0 if none are left.
  uint64_t reserve(uint64_t bytes);
  // Makes the heap begin after this address, if module variables extend that far.
  void keep_free(uint64_t end);
  void free(const Allocation* allocation);

  // malloc and free of kernels: 0 if the heap is full. Must not be called while another thread searches for
  // an allocation. A freed allocation keeps its address with size 0, so that a later access is outside of it.
  uint64_t allocate_from_kernel(uint64_t bytes);
  // Memory of the runtime for kernels, which is no part of the heap: the parameters of launches. It is there
  // until the grid has ended.
  uint64_t allocate_parameters(uint64_t bytes);
  void forget_parameters();
  FreeResult free_from_kernel(uint64_t address);

  // The allocation that contains the address, or null.
  Allocation* find(uint64_t address) const;
  // The nearest allocation that ends at or before the address, for messages. Null if there is none.
  const Allocation* nearest_below(uint64_t address) const;

  std::vector<const Allocation*> allocations() const;  // sorted by address

  // The memory that kernels have taken with malloc, so that it can be restored. The contents are not
  // included: if a restore changes the heap, all of it becomes zero.
  struct KernelHeap {
    struct HeapRange {
      uint64_t begin = 0, end = 0;
      bool freed = false;
      bool operator==(const HeapRange&) const = default;
    };
    std::vector<HeapRange> pieces;
    uint64_t next = kernel_heap_base, used = 0;
    bool operator==(const KernelHeap&) const = default;
  };
  KernelHeap kernel_heap() const;
  void restore(const KernelHeap& heap);

  // Texture and surface objects. They have no address but a handle.
  void forget_textures() {
    m_textures.clear();
    m_removed_textures.clear();
  }
  uint64_t add_texture(Texture texture);  // reuses the entry of a removed texture if there is one
  void remove_texture(uint64_t handle);
  // The limit of all memory from malloc in kernels (cudaLimitMallocHeapSize).
  void limit_kernel_heap(uint64_t bytes) { m_kernel_limit = bytes; }
  uint64_t kernel_heap_limit() const { return m_kernel_limit; }
  const Texture* texture(uint64_t handle) const;  // null: not a valid handle

 private:
  struct Block {
    Allocation allocation;
    bool freed = false;  // freed by the kernel
    std::unique_ptr<std::byte, void (*)(void*)> storage{nullptr, nullptr};
  };
  Allocation* insert(std::unique_ptr<Block> block);
  Block* block_at(uint64_t begin) const;  // null if none begins there

  std::vector<std::unique_ptr<Block>> m_blocks;  // sorted by address
  std::vector<Texture> m_textures;
  std::vector<uint64_t> m_removed_textures;  // handles of removed textures
  uint64_t m_kernel_limit = kernel_heap_bytes;
  uint64_t m_next = heap_base;
  uint64_t m_kernel_next = kernel_heap_base, m_kernel_used = 0;
  std::vector<uint64_t> m_parameters;  // addresses
};

}  // namespace warplens::exec
