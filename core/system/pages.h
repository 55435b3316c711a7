// Pages of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warplens {

// Requests large pages: one page fault in place of 512. If the system has none, nothing changes.
void prefer_large_pages(std::byte* memory, uint64_t bytes);

// Makes pages that contain this code: first writable, then readable and executable, never both. Null if the
// system does not allow it.
std::byte* make_code_pages(std::span<const uint8_t> code);
void free_code_pages(std::byte* pages, size_t bytes);

}  // namespace warplens
