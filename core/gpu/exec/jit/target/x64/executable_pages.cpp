#include "core/gpu/exec/jit/target/x64/executable_pages.h"

#include <utility>

#include "core/system/pages.h"

namespace warplens::exec::jit::x64 {

ExecutablePages::ExecutablePages(const std::vector<uint8_t>& code)
    : m_data(make_code_pages(code)), m_bytes(code.size()) {}

ExecutablePages::ExecutablePages(ExecutablePages&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0)) {}

ExecutablePages& ExecutablePages::operator=(ExecutablePages&& other) noexcept {
  std::swap(m_data, other.m_data);
  std::swap(m_bytes, other.m_bytes);
  return *this;
}

ExecutablePages::~ExecutablePages() {
  if (m_data != nullptr) free_code_pages(m_data, m_bytes);
}

}  // namespace warplens::exec::jit::x64
