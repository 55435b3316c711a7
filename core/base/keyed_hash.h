// A hash that can be computed only with the key: for names that must not be guessed from printed output.
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
