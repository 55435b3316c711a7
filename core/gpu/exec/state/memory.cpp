#include "core/gpu/exec/state/memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace warplens::exec {

namespace {

constexpr const char* freed_name = "memory that was freed";
// As far as the addresses of a process go, and so far from the end of the numbers that sums do not overflow.
constexpr uint64_t window_of_all = uint64_t{1} << 56;

}  // namespace

Allocation* Memory::allocate_at(uint64_t begin, uint64_t bytes, std::string name) {
  if (bytes > window_of_all - begin) return nullptr;
  // calloc takes large blocks from the system, which hands out zero pages on first touch. A few bytes more
  // let vector code read a whole register at the end.
  auto block = std::make_unique<Block>();
  void* host = std::calloc(bytes + 64, 1);
  if (host == nullptr) return nullptr;
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
  const uint64_t end = kernel_heap_base - guard_bytes;
  if (begin > end || bytes > end - begin) return nullptr;
  Allocation* result = allocate_at(begin, bytes, std::move(name));
  if (result != nullptr) m_next = (begin + bytes + guard_bytes + 511) / 512 * 512;
  return result;
}

void Memory::keep_free(uint64_t end) { m_next = std::max(m_next, (end + guard_bytes + 511) / 512 * 512); }

void Memory::free(const Allocation* allocation) {
  std::erase_if(m_blocks, [&](const auto& b) { return &b->allocation == allocation; });
}

uint64_t Memory::allocate_from_kernel(uint64_t bytes) {
  // A block costs its bytes, rounded up to 16, and 16 of the heap's own.
  if (bytes > kernel_heap_bytes) return 0;
  const uint64_t cost = (bytes + 15) / 16 * 16 + 16;
  if (m_kernel_used + cost > kernel_heap_bytes) return 0;
  const Allocation* made = allocate_at(m_kernel_next, bytes, "malloc");
  if (made == nullptr) return 0;
  m_kernel_used += cost;
  m_kernel_next = (made->end + guard_bytes + 15) / 16 * 16;  // also of 0 bytes, as on an H200
  return made->begin;
}

FreeResult Memory::free_from_kernel(uint64_t address) {
  if (address == 0) return FreeResult::done;
  const auto place = std::lower_bound(m_blocks.begin(), m_blocks.end(), address,
                                      [](const auto& b, uint64_t at) { return b->allocation.begin < at; });
  if (address < kernel_heap_base || place == m_blocks.end() || (*place)->allocation.begin != address)
    return FreeResult::unknown;
  Allocation& allocation = (*place)->allocation;
  if ((*place)->freed) return FreeResult::twice;
  (*place)->freed = true;
  m_kernel_used -= (allocation.end - allocation.begin + 15) / 16 * 16 + 16;
  allocation.end = allocation.begin;
  allocation.name = freed_name;
  return FreeResult::done;
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

std::vector<const Allocation*> Memory::allocations() const {
  std::vector<const Allocation*> all;
  for (const auto& block : m_blocks) all.push_back(&block->allocation);
  return all;
}

Memory::KernelHeap Memory::kernel_heap() const {
  KernelHeap heap{{}, m_kernel_next, m_kernel_used};
  for (const auto& block : m_blocks) {
    const Allocation& allocation = block->allocation;
    if (allocation.begin >= kernel_heap_base)
      heap.pieces.push_back({allocation.begin, allocation.end, block->freed});
  }
  return heap;
}

void Memory::restore(const KernelHeap& heap) {
  if (heap == kernel_heap()) return;
  std::erase_if(m_blocks, [](const auto& block) { return block->allocation.begin >= kernel_heap_base; });
  m_kernel_next = heap.next;
  m_kernel_used = heap.used;
  for (const KernelHeap::Piece& piece : heap.pieces) {
    if (allocate_at(piece.begin, piece.end - piece.begin, piece.freed ? freed_name : "malloc") == nullptr)
      throw std::bad_alloc();
    m_blocks.back()->freed = piece.freed;  // the heap lies above everything else
  }
}

uint64_t Memory::add_texture(Texture texture) {
  if (texture.spec.shape != TextureShape::linear && texture.spec.pitch == 0)
    texture.address = texture_window + m_textures.size() * texture_window_step;
  m_textures.push_back(std::move(texture));
  return first_texture_handle + m_textures.size() - 1;
}

const Texture* Memory::texture(uint64_t handle) const {
  const uint64_t index = handle - first_texture_handle;
  return index < m_textures.size() ? &m_textures[static_cast<size_t>(index)] : nullptr;
}

}  // namespace warplens::exec
