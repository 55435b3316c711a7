// The contents of memory at each checkpoint of a block: copies of the pieces that changed since the previous
// one.
//
// The block's own memory is compared at each checkpoint. Device memory can be large and a block changes
// little of it, so every store first calls touch() for the piece that it changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/gpu/exec/state/memory.h"

namespace warplens::stepping {

class MemoryHistory {
 public:
  static constexpr uint32_t piece_bytes = 1024;

  // Host memory that is compared at each checkpoint. Its contents now are those at checkpoint 0.
  void watch(std::span<std::byte> bytes);
  // Like watch(), but the contents at earlier checkpoints are zeros.
  void watch_zeros(std::span<std::byte> bytes);
  // Watches a whole allocation of the device.
  void watch_device(const exec::Allocation& allocation);
  // Call it before the bytes at a device address change.
  void touch(const exec::Memory& memory, uint64_t address, uint32_t bytes);

  // Takes a checkpoint at this index, which is after all others. The first index is 0.
  void take(uint64_t index, const exec::Memory& memory);
  // Goes back or forward to a checkpoint.
  void restore(uint64_t index, const exec::Memory& memory) const;
  // Forgets all checkpoints except these, which are ascending and begin with 0.
  void keep(const std::vector<uint64_t>& indices);

  size_t bytes() const { return m_bytes; }          // of all copies
  uint64_t hash(const exec::Memory& memory) const;  // of the current contents of all pieces

 private:
  struct Version {
    uint64_t index = 0;
    std::unique_ptr<std::byte[]> bytes;
  };
  struct Chunk {
    std::byte* host = nullptr;  // null for device memory
    uint64_t address = 0;
    uint32_t bytes = 0;
    bool dirty = false;  // changed since the last checkpoint; only for device memory
    std::vector<Version> versions;
  };
  static std::byte* place_of(const Chunk& piece, const exec::Memory& memory);
  void add(Chunk piece, const std::byte* from);
  void push(Chunk& piece, uint64_t index, const std::byte* from);
  void note(const exec::Memory& memory, uint64_t piece_address);

  std::vector<Chunk> m_pieces;
  std::vector<uint32_t> m_dirty;                        // device pieces
  std::unordered_map<uint64_t, uint32_t> m_by_address;  // a device piece's first address
  size_t m_bytes = 0;
  uint64_t m_noted = UINT64_MAX;  // the last touched piece, which is dirty
};

// FNV-1a over 64-bit words. It distinguishes states; it is not a cryptographic hash.
struct Hash {
  uint64_t value = 0xcbf29ce484222325;
  void add(uint64_t word) {
    value = (value ^ word) * 0x100000001b3;
    value ^= value >> 29;
  }
  void add(const std::byte* bytes, size_t count);
};

}  // namespace warplens::stepping
