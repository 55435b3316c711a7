// A read-only hash table from names to numbers, built at compile time. The lexer's words are looked up in it
// without an allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warplens::ptx {

constexpr uint32_t hash_name(std::string_view name) {
  uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 16777619u;
  return hash ^ (hash >> 15);
}

template <size_t count, size_t buckets = 4 * count>
class NameTable {
 public:
  constexpr explicit NameTable(const std::array<std::string_view, count>& names) : m_names(names) {
    for (size_t i = 0; i < count; ++i) {
      size_t bucket = hash_name(names[i]) % buckets;
      while (m_slots[bucket] != 0) bucket = (bucket + 1) % buckets;
      m_slots[bucket] = static_cast<uint16_t>(i + 1);
    }
  }

  constexpr std::optional<uint16_t> find(std::string_view name) const {
    size_t bucket = hash_name(name) % buckets;
    while (m_slots[bucket] != 0) {
      const uint16_t index = static_cast<uint16_t>(m_slots[bucket] - 1);
      if (m_names[index] == name) return index;
      bucket = (bucket + 1) % buckets;
    }
    return std::nullopt;
  }

  constexpr std::string_view name(size_t index) const { return m_names[index]; }
  constexpr size_t size() const { return count; }

 private:
  std::array<std::string_view, count> m_names;
  std::array<uint16_t, buckets> m_slots{};
};

}  // namespace warplens::ptx
