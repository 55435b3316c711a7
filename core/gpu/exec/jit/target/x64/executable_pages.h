// Memory for machine code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::exec::jit::x64 {

// Code that can be run: written first, then readable and executable, and never both.
class ExecutablePages {
 public:
  ExecutablePages() = default;
  // Empty: the system gives none.
  explicit ExecutablePages(const std::vector<uint8_t>& code);
  ExecutablePages(ExecutablePages&& other) noexcept;
  ExecutablePages& operator=(ExecutablePages&& other) noexcept;
  ExecutablePages(const ExecutablePages&) = delete;
  ExecutablePages& operator=(const ExecutablePages&) = delete;
  ~ExecutablePages();

  const std::byte* data() const { return m_data; }

 private:
  std::byte* m_data = nullptr;
  size_t m_bytes = 0;
};

}  // namespace warplens::exec::jit::x64
