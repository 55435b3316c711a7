// Tables of translations for tests, in the form of msgfmt --endianness=little.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warplens {

using TableEntries = std::vector<std::pair<std::string, std::string>>;

// Keys and values as they stand in a table: "context\4english\0plural".
inline std::string table_of(const TableEntries& entries) {
  std::string table, texts;
  const auto word = [&](size_t value) {
    for (int i = 0; i < 4; ++i) table += static_cast<char>(value >> 8 * i & 0xff);
  };
  constexpr size_t head = 28;
  const size_t count = entries.size(), begin = head + 16 * count;
  for (const size_t value : {size_t{0x950412de}, size_t{0}, count, head, head + 8 * count, size_t{0}, begin})
    word(value);
  const auto text = [&](const std::string& bytes) {
    word(bytes.size());
    word(begin + texts.size());
    texts += bytes + '\0';
  };
  for (const auto& [english, translated] : entries) text(english);
  for (const auto& [english, translated] : entries) text(translated);
  return table + texts;
}

}  // namespace warplens
