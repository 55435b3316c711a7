// A hash that only who has the key can compute: for names that must not be guessed from what is printed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warplens {

using HashKey = std::array<std::byte, 16>;

// SipHash-2-4 (Aumasson and Bernstein, 2012).
uint64_t keyed_hash(const HashKey& key, std::string_view bytes);

}  // namespace warplens
