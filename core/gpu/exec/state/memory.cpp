#include "core/gpu/exec/state/memory.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

#include "core/system/pages.h"

namespace warplens::exec {

namespace {

constexpr const char* freed_name = "memory that was freed";
// An allocation has the same offset in a cache line of the host as in the device's memory: a vector that is
// in two lines takes twice as long.
constexpr uint64_t host_line = 64;
constexpr uint64_t large_page = 2 << 20;
// The limit of a process' addresses, and far enough from 2^64 that sums do not overflow.
constexpr uint64_t window_of_all = uint64_t{1} << 56;

bool in_kernel_heap(uint64_t address) { return address >= kernel_heap_base && address < kernel_heap_end; }

}  // namespace

Allocation* Memory::insert(std::unique_ptr<Block> block) {
  Allocation* result = &block->allocation;
  const auto place = std::lower_bound(m_blocks.begin(), m_blocks.end(), result->begin,
                                      [](const auto& b, uint64_t at) { return b->allocation.begin < at; });
  m_blocks.insert(place, std::move(block));
  return result;
}

Allocation* Memory::allocate_at(uint64_t begin, uint64_t bytes, std::string name) {
  if (bytes > window_of_all - begin) return nullptr;
  // calloc takes large blocks from the system, which provides zero pages on first touch. The few extra bytes
  // let vector code read a whole register at the end.
  auto block = std::make_unique<Block>();
  const bool is_large = bytes >= large_page;
  const uint64_t alignment = is_large ? large_page : host_line;
  const uint64_t room = 64 + alignment;
  if (bytes > std::numeric_limits<size_t>::max() - room) return nullptr;  // addresses have 32 bits
  void* const storage = std::calloc(static_cast<size_t>(bytes + room), 1);
  if (storage == nullptr) return nullptr;
  block->storage = {static_cast<std::byte*>(storage), std::free};
  std::byte* const host =
      block->storage.get() + (begin % host_line - reinterpret_cast<uintptr_t>(storage)) % alignment;
  if (is_large) prefer_large_pages(host, bytes);
  block->allocation.begin = begin;
  block->allocation.end = begin + bytes;
  block->allocation.host = host;
  block->allocation.name = std::move(name);
  return insert(std::move(block));
}

Allocation* Memory::adopt(uint64_t begin, std::byte* host, uint64_t bytes, std::string name) {
  if (bytes == 0 || begin > window_of_all || bytes > window_of_all - begin) return nullptr;
  const Allocation* below = nearest_below(begin + bytes - 1);
  if (below != nullptr && below->end > begin) return nullptr;
  auto block = std::make_unique<Block>();
  block->allocation.begin = begin;
  block->allocation.end = begin + bytes;
  block->allocation.host = host;
  block->allocation.name = std::move(name);
  return insert(std::move(block));
}

uint64_t Memory::reserve(uint64_t bytes) {
  const uint64_t begin = m_next;
  const uint64_t end = kernel_heap_base - guard_bytes;
  if (begin > end || bytes > end - begin) return 0;
  m_next = (begin + bytes + guard_bytes + 511) / 512 * 512;
  return begin;
}

Allocation* Memory::allocate(uint64_t bytes, std::string name) {
  const uint64_t before = m_next;
  const uint64_t begin = reserve(bytes);
  if (begin == 0) return nullptr;
  Allocation* result = allocate_at(begin, bytes, std::move(name));
  if (result == nullptr) m_next = before;
  return result;
}

Memory::Block* Memory::block_at(uint64_t begin) const {
  const auto place = std::lower_bound(m_blocks.begin(), m_blocks.end(), begin,
                                      [](const auto& b, uint64_t at) { return b->allocation.begin < at; });
  return place == m_blocks.end() || (*place)->allocation.begin != begin ? nullptr : place->get();
}

void Memory::keep_free(uint64_t end) { m_next = std::max(m_next, (end + guard_bytes + 511) / 512 * 512); }

void Memory::free(const Allocation* allocation) {
  const auto place =
      std::find_if(std::lower_bound(m_blocks.begin(), m_blocks.end(), allocation->begin,
                                    [](const auto& b, uint64_t at) { return b->allocation.begin < at; }),
                   m_blocks.end(), [&](const auto& b) { return &b->allocation == allocation; });
  if (place != m_blocks.end()) m_blocks.erase(place);
}

uint64_t Memory::allocate_from_kernel(uint64_t bytes) {
  // A block costs its bytes, rounded up to 16, plus 16 for the heap's own data.
  if (bytes > m_kernel_limit) return 0;
  const uint64_t cost = (bytes + 15) / 16 * 16 + 16;
  if (m_kernel_used + cost > m_kernel_limit || cost > kernel_heap_end - guard_bytes - m_kernel_next) return 0;
  const Allocation* made = allocate_at(m_kernel_next, bytes, "malloc");
  if (made == nullptr) return 0;
  m_kernel_used += cost;
  m_kernel_next = (made->end + guard_bytes + 15) / 16 * 16;  // also for 0 bytes, as on an H200
  return made->begin;
}

uint64_t Memory::allocate_parameters(uint64_t bytes) {
  if (bytes > kernel_heap_end - guard_bytes - m_kernel_next) return 0;
  const Allocation* made = allocate_at(m_kernel_next, bytes, "parameters of a launch");
  if (made == nullptr) return 0;
  m_kernel_next = (made->end + guard_bytes + 15) / 16 * 16;
  m_parameters.push_back(made->begin);
  return made->begin;
}

void Memory::forget_parameters() {
  if (m_parameters.empty()) return;
  std::ranges::sort(m_parameters);
  std::erase_if(m_blocks, [&](const auto& block) {
    return std::ranges::binary_search(m_parameters, block->allocation.begin);
  });
  m_parameters.clear();
}

FreeResult Memory::free_from_kernel(uint64_t address) {
  if (address == 0) return FreeResult::done;
  if (!in_kernel_heap(address)) return FreeResult::unknown;
  Block* block = block_at(address);
  if (block == nullptr) return FreeResult::unknown;
  Allocation& allocation = block->allocation;
  if (block->freed) return FreeResult::twice;
  block->freed = true;
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
    if (in_kernel_heap(allocation.begin))
      heap.pieces.push_back({allocation.begin, allocation.end, block->freed});
  }
  return heap;
}

void Memory::restore(const KernelHeap& heap) {
  if (heap == kernel_heap()) return;
  std::erase_if(m_blocks, [](const auto& block) { return in_kernel_heap(block->allocation.begin); });
  m_kernel_next = heap.next;
  m_kernel_used = heap.used;
  for (const KernelHeap::HeapRange& piece : heap.pieces) {
    if (allocate_at(piece.begin, piece.end - piece.begin, piece.freed ? freed_name : "malloc") == nullptr)
      throw std::bad_alloc();
    block_at(piece.begin)->freed = piece.freed;
  }
}

uint64_t Memory::add_texture(Texture texture) {
  const bool again =
      !m_removed_textures.empty() && m_removed_textures.back() - first_texture_handle < m_textures.size();
  const uint64_t index = again ? m_removed_textures.back() - first_texture_handle : m_textures.size();
  if (texture.spec.shape != TextureShape::linear && texture.spec.pitch == 0)
    texture.address = texture_window + index * texture_window_step;
  if (again) {
    m_removed_textures.pop_back();
    m_textures[static_cast<size_t>(index)] = std::move(texture);
  } else {
    m_textures.push_back(std::move(texture));
  }
  return first_texture_handle + index;
}

void Memory::remove_texture(uint64_t handle) {
  const uint64_t index = handle - first_texture_handle;
  if (index >= m_textures.size() || m_textures[static_cast<size_t>(index)].texels == nullptr) return;
  m_textures[static_cast<size_t>(index)] = {};
  m_removed_textures.push_back(handle);
}

const Texture* Memory::texture(uint64_t handle) const {
  const uint64_t index = handle - first_texture_handle;
  if (index >= m_textures.size() || m_textures[static_cast<size_t>(index)].texels == nullptr) return nullptr;
  return &m_textures[static_cast<size_t>(index)];
}

}  // namespace warplens::exec
