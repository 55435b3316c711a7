#include "app/window/fonts.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "core/base/system/embedded.h"

namespace warplens {
namespace {

uint32_t big_endian(std::string_view bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = at; i < at + count; ++i)
    value = value << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
  return value;
}

// The offset of a table in an OpenType file (OpenType specification, "Table Directory"). Empty if there is
// none.
std::optional<size_t> table_at(std::string_view bytes, std::string_view tag) {
  constexpr size_t directory = 12, record = 16;
  const uint32_t tables = big_endian(bytes, 4, 2);
  for (size_t i = 0; i < tables && directory + (i + 1) * record <= bytes.size(); ++i)
    if (bytes.substr(directory + i * record, 4) == tag)
      return big_endian(bytes, directory + i * record + 8, 4);
  return std::nullopt;
}

// The height of a font's lines in em, from the font file. Dear ImGui takes the size of a font for this
// height. It is used to make the lines of all fonts line_share em high, so that the same size gives letters
// of the same size in each.
float lines_in_em(std::string_view bytes) {
  const std::optional<size_t> head = table_at(bytes, "head"), hhea = table_at(bytes, "hhea");
  if (!head || !hhea) return line_share;
  const auto units = static_cast<float>(big_endian(bytes, *head + 18, 2));
  const auto ascender = static_cast<int16_t>(big_endian(bytes, *hhea + 4, 2));
  const auto descender = static_cast<int16_t>(big_endian(bytes, *hhea + 6, 2));
  const float lines = units > 0 ? static_cast<float>(ascender - descender) / units : 0;
  return lines >= 0.5f && lines <= 3 ? lines : line_share;
}

// Dear ImGui reads the bytes where they are, and does not change them.
ImFont* add(std::string_view bytes, bool merge) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.MergeMode = merge;
  if (!merge) config.OversampleH = 2;
  config.ExtraSizeScale = lines_in_em(bytes) / line_share;
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(bytes.data()),
                                                    static_cast<int>(bytes.size()), body_size, &config);
}

// Signs that the first font lacks (⌈ ⌉ in Inter, ⁻ in JetBrains Mono) come from the second one.
ImFont* load(std::string_view name, std::string_view signs) {
  const std::string_view bytes = find_embedded(name), more = find_embedded(signs);
  if (bytes.empty()) return ImGui::GetIO().Fonts->AddFontDefaultVector();  // built without a window's fonts
  ImFont* font = add(bytes, false);
  if (!more.empty()) add(more, true);
  return font;
}

}  // namespace

void load_fonts(Look& look) {
  constexpr std::string_view mono = "fonts/JetBrainsMono-Regular", words = "fonts/Inter-Regular";
  look.words = load(words, mono);
  look.strong = load("fonts/Inter-SemiBold", mono);
  look.mono = load(mono, words);
  ImGui::GetIO().FontDefault = look.words;
}

}  // namespace warplens
