// What memory held at each checkpoint of a block: copies of the pieces that had changed since the one before.
//
// Memory of the block itself is compared at each checkpoint. Device memory can be large and a block changes
// little of it, so who sees the stores says what they are about to change, once for each piece.
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

  // Host memory that is compared at each checkpoint. It holds now what it held at checkpoint 0 …
  void watch(std::span<std::byte> bytes);
  // … or did not count yet: it was zeros.
  void watch_zeros(std::span<std::byte> bytes);
  // An allocation of the device as a whole.
  void watch_device(const exec::Allocation& allocation);
  // Before the bytes at a device address change.
  void touch(const exec::Memory& memory, uint64_t address, uint32_t bytes);

  // A checkpoint at this index, behind all others; the first one is 0.
  void take(uint64_t index, const exec::Memory& memory);
  // Back, or forward, to a checkpoint.
  void restore(uint64_t index, const exec::Memory& memory) const;
  // Forgets all checkpoints but these, which are ascending and begin with 0.
  void keep(const std::vector<uint64_t>& indices);

  size_t bytes() const { return m_bytes; }          // of all copies
  uint64_t hash(const exec::Memory& memory) const;  // of what all pieces hold now

 private:
  struct Version {
    uint64_t index = 0;
    std::unique_ptr<std::byte[]> bytes;
  };
  struct Piece {
    std::byte* host = nullptr;  // null: device memory
    uint64_t address = 0;
    uint32_t bytes = 0;
    bool dirty = false;  // since the last checkpoint; host memory may always be
    std::vector<Version> versions;
  };
  static std::byte* place_of(const Piece& piece, const exec::Memory& memory);
  void add(Piece piece, const std::byte* from);
  void push(Piece& piece, uint64_t index, const std::byte* from);
  void note(const exec::Memory& memory, uint64_t piece_address);

  std::vector<Piece> m_pieces;
  std::vector<uint32_t> m_dirty;                        // device pieces
  std::unordered_map<uint64_t, uint32_t> m_by_address;  // a device piece's first address
  size_t m_bytes = 0;
  uint64_t m_noted = UINT64_MAX;  // the piece that was touched last, and is dirty
};

// FNV-1a over 64-bit words: to tell states apart, not to keep them safe.
struct Hash {
  uint64_t value = 0xcbf29ce484222325;
  void add(uint64_t word) {
    value = (value ^ word) * 0x100000001b3;
    value ^= value >> 29;
  }
  void add(const std::byte* bytes, size_t count);
};

}  // namespace warplens::stepping
