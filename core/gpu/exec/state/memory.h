// Device memory of one run: allocations at fixed guest addresses, each with its own host memory. Between two
// allocations lie guards, so that an access past an end hits nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/exec/state/program.h"
#include "core/gpu/exec/state/texture.h"
#include "core/program/op/address_space.h"

namespace warplens::exec {

struct Allocation {
  uint64_t begin = 0, end = 0;  // guest addresses
  std::byte* host = nullptr;
  std::string name;
  int32_t buffer = -1;  // index in LaunchRequest::buffers
  bool read_only = false;
  uint64_t* writers = nullptr;  // an element's last writer + 1; null: not recorded
  uint32_t writer_shift = 0;    // log2 of the element's bytes

  // Where a guest address lies that is in [begin, end].
  std::byte* at(uint64_t address) const { return host + (address - begin); }
  // + guest address = host address. As numbers: the origin lies in no object, so no pointer can be there.
  uintptr_t origin() const { return reinterpret_cast<uintptr_t>(host) - begin; }
};

enum class FreeResult : uint8_t { done, twice, unknown };

class Memory {
 public:
  // Host memory is zero-filled lazily by the system, so untouched pages cost nothing.
  Allocation* allocate_at(uint64_t begin, uint64_t bytes, std::string name);
  Allocation* allocate(uint64_t bytes,
                       std::string name);  // at the next free heap address, aligned to 512 bytes
  // Memory that somebody else owns and that outlives it here, such as pages of the host that a kernel may
  // use. Null: something is there already.
  Allocation* adopt(uint64_t begin, std::byte* host, uint64_t bytes, std::string name);
  // Addresses of the heap for what the caller puts there with allocate_at; 0: none are left.
  uint64_t reserve(uint64_t bytes);
  // Makes the heap begin behind this address, where module variables reach so far.
  void keep_free(uint64_t end);
  void free(const Allocation* allocation);

  // malloc and free of kernels: 0 where the heap is full. Not to be called while another thread looks for an
  // allocation. What was freed keeps its place, empty, so that a later access is outside of it.
  uint64_t allocate_from_kernel(uint64_t bytes);
  FreeResult free_from_kernel(uint64_t address);

  // The allocation that holds the address; null: none does.
  Allocation* find(uint64_t address) const;
  // The one that ends at or before the address and is nearest to it, for messages; null: none.
  const Allocation* nearest_below(uint64_t address) const;

  std::vector<const Allocation*> allocations() const;  // by address

  // What kernels have taken with malloc, to be set back to. What the memory holds is not part of it: where
  // the heap changes by a restore, all of it is zeros then.
  struct KernelHeap {
    struct Piece {
      uint64_t begin = 0, end = 0;
      bool freed = false;
      bool operator==(const Piece&) const = default;
    };
    std::vector<Piece> pieces;
    uint64_t next = kernel_heap_base, used = 0;
    bool operator==(const KernelHeap&) const = default;
  };
  KernelHeap kernel_heap() const;
  void restore(const KernelHeap& heap);

  // Texture and surface objects. They have no address; a handle stands for one.
  void forget_textures() {
    m_textures.clear();
    m_removed_textures.clear();
  }
  uint64_t add_texture(Texture texture);  // takes the place of one that was removed, where there is one
  void remove_texture(uint64_t handle);
  // What malloc of kernels may take together (cudaLimitMallocHeapSize).
  void limit_kernel_heap(uint64_t bytes) { m_kernel_limit = bytes; }
  uint64_t kernel_heap_limit() const { return m_kernel_limit; }
  const Texture* texture(uint64_t handle) const;  // null: not a handle

 private:
  struct Block {
    Allocation allocation;
    bool freed = false;  // by the kernel
    std::unique_ptr<std::byte, void (*)(void*)> storage{nullptr, nullptr};
  };
  Allocation* insert(std::unique_ptr<Block> block);
  Block* block_at(uint64_t begin) const;  // null: none begins there

  std::vector<std::unique_ptr<Block>> m_blocks;  // by address
  std::vector<Texture> m_textures;
  std::vector<uint64_t> m_removed_textures;  // handles
  uint64_t m_kernel_limit = kernel_heap_bytes;
  uint64_t m_next = heap_base;
  uint64_t m_kernel_next = kernel_heap_base, m_kernel_used = 0;
};

}  // namespace warplens::exec
