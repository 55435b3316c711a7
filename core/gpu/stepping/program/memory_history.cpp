#include "core/gpu/stepping/program/memory_history.h"

#include <algorithm>
#include <cstring>

namespace warplens::stepping {

void Hash::add(const std::byte* bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    add(word);
  }
  uint64_t rest = count;
  std::memcpy(&rest, bytes, count);
  add(rest);
}

void MemoryHistory::push(Chunk& piece, uint64_t index, const std::byte* from) {
  Version version{index, std::make_unique<std::byte[]>(piece.bytes)};
  if (from != nullptr) std::memcpy(version.bytes.get(), from, piece.bytes);
  piece.versions.push_back(std::move(version));
  m_bytes += piece.bytes + sizeof(Version);
}

void MemoryHistory::add(Chunk piece, const std::byte* from) {
  push(piece, 0, from);
  m_pieces.push_back(std::move(piece));
}

void MemoryHistory::watch(std::span<std::byte> bytes) {
  for (size_t at = 0; at < bytes.size(); at += piece_bytes) {
    const auto size = static_cast<uint32_t>(std::min<size_t>(piece_bytes, bytes.size() - at));
    add({.host = bytes.data() + at, .bytes = size, .versions = {}}, bytes.data() + at);
  }
}

void MemoryHistory::watch_zeros(std::span<std::byte> bytes) {
  for (size_t at = 0; at < bytes.size(); at += piece_bytes) {
    const auto size = static_cast<uint32_t>(std::min<size_t>(piece_bytes, bytes.size() - at));
    add({.host = bytes.data() + at, .bytes = size, .versions = {}}, nullptr);
  }
}

void MemoryHistory::watch_device(const exec::Allocation& allocation) {
  watch({allocation.host, static_cast<size_t>(allocation.end - allocation.begin)});
}

// Pieces of the device begin at multiples of their size, or at the start of their allocation.
void MemoryHistory::touch(const exec::Memory& memory, uint64_t address, uint32_t bytes) {
  const uint64_t last = (address + bytes - 1) / piece_bytes;
  for (uint64_t number = address / piece_bytes; number <= last; ++number) {
    if (number == m_noted) continue;
    note(memory, number * piece_bytes);
    m_noted = number;
  }
}

void MemoryHistory::note(const exec::Memory& memory, uint64_t piece_address) {
  const auto known = m_by_address.find(piece_address);
  if (known != m_by_address.end()) {
    Chunk& piece = m_pieces[known->second];
    if (!piece.dirty) m_dirty.push_back(known->second);
    piece.dirty = true;
    return;
  }
  // Guards of 4 KiB separate allocations, so that no piece has parts of two.
  const exec::Allocation* allocation = memory.find(piece_address);
  if (allocation == nullptr) allocation = memory.find(piece_address + piece_bytes - 1);
  if (allocation == nullptr) {
    // The allocation may be smaller than a piece and begin within it.
    allocation = memory.nearest_below(piece_address + piece_bytes - 1);
    if (allocation == nullptr || allocation->end <= piece_address) return;
  }
  const uint64_t begin = std::max(piece_address, allocation->begin);
  const uint64_t end = std::min(piece_address + piece_bytes, allocation->end);
  const auto number = static_cast<uint32_t>(m_pieces.size());
  add({.address = begin, .bytes = static_cast<uint32_t>(end - begin), .dirty = true, .versions = {}},
      allocation->at(begin));
  m_dirty.push_back(number);
  m_by_address.emplace(piece_address, number);
}

std::byte* MemoryHistory::place_of(const Chunk& piece, const exec::Memory& memory) {
  if (piece.host != nullptr) return piece.host;
  const exec::Allocation* allocation = memory.find(piece.address);
  // Memory that the kernel had not allocated yet, or had freed.
  if (allocation == nullptr || allocation->end - piece.address < piece.bytes) return nullptr;
  return allocation->at(piece.address);
}

void MemoryHistory::take(uint64_t index, const exec::Memory& memory) {
  const auto compare = [&](Chunk& piece) {
    const std::byte* now = place_of(piece, memory);
    if (now == nullptr || std::memcmp(now, piece.versions.back().bytes.get(), piece.bytes) == 0) return;
    push(piece, index, now);
  };
  for (Chunk& piece : m_pieces) {
    if (piece.host != nullptr) compare(piece);
  }
  for (const uint32_t number : m_dirty) {
    compare(m_pieces[number]);
    m_pieces[number].dirty = false;
  }
  m_dirty.clear();
  m_noted = UINT64_MAX;
}

void MemoryHistory::restore(uint64_t index, const exec::Memory& memory) const {
  for (const Chunk& piece : m_pieces) {
    std::byte* to = place_of(piece, memory);
    if (to == nullptr) continue;
    auto version = piece.versions.rbegin();
    while (version->index > index) ++version;  // the first one is of 0
    std::memcpy(to, version->bytes.get(), piece.bytes);
  }
}

void MemoryHistory::keep(const std::vector<uint64_t>& indices) {
  // All allocations come first: if one fails, the history must be unchanged.
  std::vector<std::vector<Version>> all(m_pieces.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i].reserve(std::min(indices.size(), m_pieces[i].versions.size()));
  m_dirty.reserve(m_pieces.size());
  m_dirty.clear();
  m_bytes = 0;
  for (uint32_t number = 0; number < m_pieces.size(); ++number) {
    Chunk& piece = m_pieces[number];
    std::vector<Version>& kept = all[number];
    size_t at = 0;
    for (const uint64_t index : indices) {
      // The latest version that this checkpoint sees, unless the one before sees it too.
      size_t found = SIZE_MAX;
      while (at < piece.versions.size() && piece.versions[at].index <= index) found = at++;
      if (found == SIZE_MAX) continue;
      kept.push_back({index, std::move(piece.versions[found].bytes)});
    }
    piece.versions = std::move(kept);
    m_bytes += piece.versions.size() * (piece.bytes + sizeof(Version));
    // It may have changed since the checkpoint that is now the last one.
    piece.dirty = piece.host == nullptr;
    if (piece.dirty) m_dirty.push_back(number);
  }
}

// Includes only what differs from the start, independent of the order of pieces, since the list of pieces
// depends on how far the block has ever run.
uint64_t MemoryHistory::hash(const exec::Memory& memory) const {
  uint64_t sum = 0;
  for (const Chunk& piece : m_pieces) {
    const std::byte* now = place_of(piece, memory);
    if (now == nullptr || std::memcmp(now, piece.versions.front().bytes.get(), piece.bytes) == 0) continue;
    Hash own;
    own.add(piece.host != nullptr ? reinterpret_cast<uintptr_t>(piece.host) : piece.address);
    own.add(now, piece.bytes);
    sum += own.value;
  }
  return sum;
}

}  // namespace warplens::stepping
