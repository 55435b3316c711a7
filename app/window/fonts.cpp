#include "app/window/fonts.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

namespace warplens {
namespace {

// Debian, Ubuntu, Fedora, Arch, macOS and Windows, in this order.
std::vector<std::string> inter_files(const std::string& weight) {
  return {"/usr/share/fonts/opentype/inter/Inter-" + weight + ".otf",
          "/usr/share/fonts/truetype/inter/Inter-" + weight + ".ttf",
          "/usr/share/fonts/rsms-inter-fonts/Inter-" + weight + ".otf",
          "/usr/share/fonts/inter/Inter-" + weight + ".otf",
          "/usr/share/fonts/TTF/Inter-" + weight + ".ttf",
          "/Library/Fonts/Inter-" + weight + ".otf",
          "C:\\Windows\\Fonts\\Inter-" + weight + ".ttf"};
}

std::vector<std::string> other_words(bool bold) {
  const std::string dejavu = bold ? "DejaVuSans-Bold.ttf" : "DejaVuSans.ttf";
  const std::string noto = bold ? "NotoSans-Bold.ttf" : "NotoSans-Regular.ttf";
  return {"/usr/share/fonts/truetype/noto/" + noto, "/usr/share/fonts/truetype/dejavu/" + dejavu,
          "/usr/share/fonts/TTF/" + dejavu,
          "/usr/share/fonts/truetype/liberation/" +
              std::string(bold ? "LiberationSans-Bold.ttf" : "LiberationSans-Regular.ttf"),
          bold ? "C:\\Windows\\Fonts\\segoeuib.ttf" : "C:\\Windows\\Fonts\\segoeui.ttf"};
}

std::vector<std::string> mono_files() {
  return {"/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
          "/usr/share/fonts/jetbrains-mono/JetBrainsMono-Regular.otf",
          "/usr/share/fonts/TTF/JetBrainsMono-Regular.ttf", "/Library/Fonts/JetBrainsMono-Regular.ttf"};
}

std::vector<std::string> other_mono() {
  return {"/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf", "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
          "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
          "C:\\Windows\\Fonts\\consola.ttf"};
}

uint32_t big_endian(const std::string& bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = at; i < at + count; ++i)
    value = value << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u);
  return value;
}

// The offset of a table in an OpenType file (OpenType specification, "Table Directory"). Empty if there is
// none.
std::optional<size_t> table_at(const std::string& bytes, std::string_view tag) {
  constexpr size_t directory = 12, record = 16;
  const uint32_t tables = big_endian(bytes, 4, 2);
  for (size_t i = 0; i < tables && directory + (i + 1) * record <= bytes.size(); ++i)
    if (std::string_view(bytes).substr(directory + i * record, 4) == tag)
      return big_endian(bytes, directory + i * record + 8, 4);
  return std::nullopt;
}

// The height of a font's lines in em, from the font file. Dear ImGui takes the size of a font for this
// height. It is used to make the lines of all fonts line_share em high, so that the same size gives letters
// of the same size in each.
float lines_in_em(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const std::optional<size_t> head = table_at(bytes, "head"), hhea = table_at(bytes, "hhea");
  if (!head || !hhea) return line_share;
  const auto units = static_cast<float>(big_endian(bytes, *head + 18, 2));
  const auto ascender = static_cast<int16_t>(big_endian(bytes, *hhea + 4, 2));
  const auto descender = static_cast<int16_t>(big_endian(bytes, *hhea + 6, 2));
  const float lines = units > 0 ? static_cast<float>(ascender - descender) / units : 0;
  return lines >= 0.5f && lines <= 3 ? lines : line_share;
}

// Loads the family, or else another one. Signs that it lacks (⌈ ⌉ → ▲) come from the further fonts.
ImFont* load(const std::vector<std::string>& wanted, const std::vector<std::string>& else_take,
             const std::vector<std::string>& signs, bool& found) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  std::string file = first_file(wanted);
  found = !file.empty();
  if (!found) file = first_file(else_take);
  ImFontConfig config;
  config.OversampleH = 2;
  if (!file.empty()) config.ExtraSizeScale = lines_in_em(file) / line_share;
  ImFont* font = file.empty() ? atlas->AddFontDefaultVector()
                              : atlas->AddFontFromFileTTF(file.c_str(), body_size, &config);
  for (const std::string& sign_file : signs) {
    if (sign_file.empty() || sign_file == file) continue;
    ImFontConfig merged;
    merged.MergeMode = true;
    merged.ExtraSizeScale = lines_in_em(sign_file) / line_share;
    atlas->AddFontFromFileTTF(sign_file.c_str(), body_size, &merged);
  }
  return font;
}

}  // namespace

std::string first_file(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    std::error_code error;
    if (std::filesystem::is_regular_file(path, error)) return path;
  }
  return "";
}

std::vector<std::string> load_fonts(Look& look) {
  std::vector<std::string> missing;
  bool found = false;
  const std::vector<std::string> signs = {first_file(mono_files()), first_file(other_words(false))};
  look.words = load(inter_files("Regular"), other_words(false), signs, found);
  if (!found) missing.emplace_back("Inter (fonts-inter)");
  look.strong = load(inter_files("SemiBold"), other_words(true), signs, found);
  look.mono =
      load(mono_files(), other_mono(), {first_file(other_mono()), first_file(other_words(false))}, found);
  if (!found) missing.emplace_back("JetBrains Mono (fonts-jetbrains-mono)");
  ImGui::GetIO().FontDefault = look.words;
  return missing;
}

}  // namespace warplens
