#include "core/system/pages.h"

namespace warplens {

void prefer_large_pages(std::byte*, uint64_t) {}
std::byte* make_code_pages(std::span<const uint8_t>) { return nullptr; }
void free_code_pages(std::byte*, size_t) {}

}  // namespace warplens
