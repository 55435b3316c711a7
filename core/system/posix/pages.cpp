#include "core/system/pages.h"

#include <sys/mman.h>

#include <cstring>

namespace warplens {

void prefer_large_pages([[maybe_unused]] std::byte* memory, [[maybe_unused]] uint64_t bytes) {
#ifdef MADV_HUGEPAGE
  ::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

std::byte* make_code_pages(std::span<const uint8_t> code) {
  void* const pages =
      ::mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  std::memcpy(pages, code.data(), code.size());
  if (::mprotect(pages, code.size(), PROT_READ | PROT_EXEC) == 0) return static_cast<std::byte*>(pages);
  ::munmap(pages, code.size());
  return nullptr;
}

void free_code_pages(std::byte* pages, size_t bytes) { ::munmap(pages, bytes); }

}  // namespace warplens
