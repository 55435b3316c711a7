#include "core/image/jpeg_tables.h"

#include <cstdint>

namespace warplens {

namespace {

uint32_t byte_at(std::span<const std::byte> bytes, size_t at) {
  return at < bytes.size() ? std::to_integer<uint32_t>(bytes[at]) : 0;  // what stb_image reads past the end
}

// Several tables may share one segment: a byte of class and number, 16 counts, and as many values as their
// sum. The check ends at anything that the reader rejects itself.
bool segment_is_sound(std::span<const std::byte> bytes, size_t at) {
  constexpr uint32_t head = 17, most_codes = 256;
  int64_t left = int64_t{byte_at(bytes, at) << 8 | byte_at(bytes, at + 1)} - 2;
  at += 2;
  while (left > 0) {
    const uint32_t table = byte_at(bytes, at);
    if (table >> 4 > 1 || (table & 15) > 3) return true;
    uint32_t codes = 0;
    for (uint32_t i = 1; i < head; ++i) codes += byte_at(bytes, at + i);
    if (codes > most_codes) return false;
    at += head + codes;
    left -= head + codes;
  }
  return true;
}

}  // namespace

// Checks every place where the reader could see the marker of a table, including places within other
// segments. There these two bytes are rare, and a match that also looks like a table is rarer still.
bool jpeg_tables_are_sound(std::span<const std::byte> bytes) {
  constexpr uint32_t marker = 0xff, start_of_image = 0xd8, define_tables = 0xc4;
  if (byte_at(bytes, 0) != marker || byte_at(bytes, 1) != start_of_image) return true;
  for (size_t at = 2; at + 1 < bytes.size(); ++at)
    if (byte_at(bytes, at) == marker && byte_at(bytes, at + 1) == define_tables &&
        !segment_is_sound(bytes, at + 2))
      return false;
  return true;
}

}  // namespace warplens
