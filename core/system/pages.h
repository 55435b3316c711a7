// Pages of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warplens {

// Asks for large pages: one at the first touch in place of 512. Where the system has none, nothing changes.
void prefer_large_pages(std::byte* memory, uint64_t bytes);

// Pages with this code: written first, then readable and executable, and never both. Null: the system gives
// none.
std::byte* make_code_pages(std::span<const uint8_t> code);
void free_code_pages(std::byte* pages, size_t bytes);

}  // namespace warplens
