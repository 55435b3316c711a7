#include "core/exec/memory.h"

#include <algorithm>
#include <cstdlib>

namespace warplens::exec {

Allocation* Memory::allocate_at(uint64_t begin, uint64_t bytes, std::string name) {
  // calloc takes large blocks from the system, which hands out zero pages on first touch. A few bytes more
  // let vector code read a whole register at the end.
  void* host = std::calloc(bytes + 64, 1);
  if (host == nullptr) return nullptr;
  auto block = std::make_unique<Block>();
  block->storage = {static_cast<std::byte*>(host), std::free};
  block->allocation.begin = begin;
  block->allocation.end = begin + bytes;
  block->allocation.host = static_cast<std::byte*>(host);
  block->allocation.name = std::move(name);
  Allocation* result = &block->allocation;
  const auto place = std::lower_bound(m_blocks.begin(), m_blocks.end(), begin,
                                      [](const auto& b, uint64_t at) { return b->allocation.begin < at; });
  m_blocks.insert(place, std::move(block));
  return result;
}

Allocation* Memory::allocate(uint64_t bytes, std::string name) {
  const uint64_t begin = m_next;
  Allocation* result = allocate_at(begin, bytes, std::move(name));
  if (result != nullptr) m_next = (begin + bytes + guard_bytes + 511) / 512 * 512;
  return result;
}

void Memory::free(const Allocation* allocation) {
  std::erase_if(m_blocks, [&](const auto& b) { return &b->allocation == allocation; });
}

Allocation* Memory::find(uint64_t address) const {
  const auto after = std::upper_bound(m_blocks.begin(), m_blocks.end(), address,
                                      [](uint64_t at, const auto& b) { return at < b->allocation.begin; });
  if (after == m_blocks.begin()) return nullptr;
  Allocation& candidate = (*std::prev(after))->allocation;
  return address < candidate.end ? &candidate : nullptr;
}

const Allocation* Memory::nearest_below(uint64_t address) const {
  const auto after = std::upper_bound(m_blocks.begin(), m_blocks.end(), address,
                                      [](uint64_t at, const auto& b) { return at < b->allocation.begin; });
  return after == m_blocks.begin() ? nullptr : &(*std::prev(after))->allocation;
}

}  // namespace warplens::exec
