#include "app/window/open_type.h"

#include <cstdint>
#include <optional>

#include "app/widgets/look.h"

namespace warplens {
namespace {

uint32_t big_endian(std::string_view bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = at; i < at + count; ++i)
    value = value << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
  return value;
}

// Where the face's table directory begins; the tables' offsets count from the start of the file.
size_t directory_at(std::string_view bytes, int face) {
  return bytes.starts_with("ttcf") ? big_endian(bytes, 12 + 4 * static_cast<size_t>(face), 4) : 0;
}

// The offset of a table of a face. Empty if there is none.
std::optional<size_t> table_at(std::string_view bytes, std::string_view tag, int face) {
  constexpr size_t header = 12, record = 16;
  const size_t directory = directory_at(bytes, face);
  const uint32_t tables = big_endian(bytes, directory + 4, 2);
  for (size_t i = 0; i < tables; ++i) {
    const size_t at = directory + header + i * record;
    if (at + record > bytes.size()) break;
    if (bytes.substr(at, 4) == tag) return big_endian(bytes, at + 8, 4);
  }
  return std::nullopt;
}

}  // namespace

float lines_in_em(std::string_view bytes, int face) {
  const std::optional<size_t> head = table_at(bytes, "head", face), hhea = table_at(bytes, "hhea", face);
  if (!head || !hhea) return line_share;
  const auto units = static_cast<float>(big_endian(bytes, *head + 18, 2));
  const auto ascender = static_cast<int16_t>(big_endian(bytes, *hhea + 4, 2));
  const auto descender = static_cast<int16_t>(big_endian(bytes, *hhea + 6, 2));
  const float lines = units > 0 ? static_cast<float>(ascender - descender) / units : 0;
  return lines >= 0.5f && lines <= 3 ? lines : line_share;
}

}  // namespace warplens
