#include "core/gpu/exec/tier/executable_pages.h"

#include <sys/mman.h>

#include <cstring>
#include <utility>

namespace warplens::exec::tier {

ExecutablePages::ExecutablePages(const std::vector<uint8_t>& code) {
  void* const pages = mmap(nullptr, code.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return;
  std::memcpy(pages, code.data(), code.size());
  if (mprotect(pages, code.size(), PROT_READ | PROT_EXEC) != 0) {
    munmap(pages, code.size());
    return;
  }
  m_data = static_cast<std::byte*>(pages);
  m_bytes = code.size();
}

ExecutablePages::ExecutablePages(ExecutablePages&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0)) {}

ExecutablePages& ExecutablePages::operator=(ExecutablePages&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_bytes, other.m_bytes);
  return *this;
}

ExecutablePages::~ExecutablePages() {
  if (m_data != nullptr) munmap(m_data, m_bytes);
}

}  // namespace warplens::exec::tier
