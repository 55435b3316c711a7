// The fonts' tables of characters are read by stb_truetype. Its functions are static here, because Dear ImGui
// brings its own copy.
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include "core/lesson/format/glyphs.h"

#include <fmt/format.h>
#include <stb/stb_truetype.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/system/embedded.h"

namespace warplens::lesson {
namespace {

constexpr size_t most_characters = 8;  // that are reported one by one

// A font of the program, as the window takes it (app/window/fonts.cpp).
std::optional<stbtt_fontinfo> font_called(std::string_view name) {
  const std::string_view bytes = find_embedded(name);
  if (bytes.empty()) return std::nullopt;
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  stbtt_fontinfo font;
  if (stbtt_InitFont(&font, data, stbtt_GetFontOffsetForIndex(data, 0)) == 0) return std::nullopt;
  return font;
}

struct Fonts {
  std::vector<stbtt_fontinfo> all;
  Fonts() {
    for (const char* name : {"fonts/Inter-Regular", "fonts/JetBrainsMono-Regular"})
      if (const auto font = font_called(name)) all.push_back(*font);
  }
  // Characters that one font lacks are taken from the other.
  bool has(char32_t character) const {
    return all.empty() || std::ranges::any_of(all, [&](const stbtt_fontinfo& font) {
             return stbtt_FindGlyphIndex(&font, static_cast<int>(character)) != 0;
           });
  }
};

const Fonts& fonts() {
  static const Fonts all;
  return all;
}

// Blocks of Unicode whose scripts need more than placing a glyph for each character.
enum class Writing : uint8_t { leftwards, shaped, combining };
struct Script {
  char32_t first, last;
  const char* name;
  Writing writing;
};
constexpr Script scripts[] = {
    {0x0300, 0x036f, "a mark that joins the letter before it", Writing::combining},
    {0x0590, 0x05ff, "Hebrew", Writing::leftwards},
    {0x0600, 0x06ff, "Arabic", Writing::leftwards},
    {0x0700, 0x074f, "Syriac", Writing::leftwards},
    {0x0750, 0x077f, "Arabic", Writing::leftwards},
    {0x0780, 0x07bf, "Thaana", Writing::leftwards},
    {0x07c0, 0x07ff, "N'Ko", Writing::leftwards},
    {0x0800, 0x083f, "Samaritan", Writing::leftwards},
    {0x0840, 0x085f, "Mandaic", Writing::leftwards},
    {0x0860, 0x086f, "Syriac", Writing::leftwards},
    {0x0870, 0x08ff, "Arabic", Writing::leftwards},
    {0x0900, 0x097f, "Devanagari", Writing::shaped},
    {0x0980, 0x09ff, "Bengali", Writing::shaped},
    {0x0a00, 0x0a7f, "Gurmukhi", Writing::shaped},
    {0x0a80, 0x0aff, "Gujarati", Writing::shaped},
    {0x0b00, 0x0b7f, "Oriya", Writing::shaped},
    {0x0b80, 0x0bff, "Tamil", Writing::shaped},
    {0x0c00, 0x0c7f, "Telugu", Writing::shaped},
    {0x0c80, 0x0cff, "Kannada", Writing::shaped},
    {0x0d00, 0x0d7f, "Malayalam", Writing::shaped},
    {0x0d80, 0x0dff, "Sinhala", Writing::shaped},
    {0x0e00, 0x0e7f, "Thai", Writing::shaped},
    {0x0e80, 0x0eff, "Lao", Writing::shaped},
    {0x0f00, 0x0fff, "Tibetan", Writing::shaped},
    {0x1000, 0x109f, "Burmese", Writing::shaped},
    {0x1780, 0x17ff, "Khmer", Writing::shaped},
    {0x1800, 0x18af, "Mongolian", Writing::shaped},
    {0xfb1d, 0xfb4f, "Hebrew", Writing::leftwards},
    {0xfb50, 0xfdff, "Arabic", Writing::leftwards},
    {0xfe70, 0xfeff - 1, "Arabic", Writing::leftwards},
};

const Script* script_of(char32_t character) {
  const auto found = std::ranges::find_if(
      scripts, [&](const Script& one) { return character >= one.first && character <= one.last; });
  return found == std::end(scripts) ? nullptr : &*found;
}

// The character that begins at `at`; moves `at` past it. Invalid UTF-8 is reported elsewhere: here each byte
// counts as a blank.
char32_t next_character(std::string_view text, size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  const size_t length = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0;
  if (length == 0 || at + length > text.size()) {
    ++at;
    return U' ';
  }
  char32_t character = length == 1 ? byte : byte & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    const auto more = static_cast<unsigned char>(text[at + i]);
    if ((more & 0xc0) != 0x80) {
      ++at;
      return U' ';
    }
    character = character << 6 | (more & 0x3fu);
  }
  at += length;
  return character;
}

// The first place of a character, and how often it occurs in the text.
struct Found {
  std::string bytes;
  char32_t character = 0;
  uint32_t line = 0, column = 0;
  size_t count = 0;
};

void count(Found& found, std::string_view bytes, char32_t character, uint32_t line, uint32_t column) {
  if (found.count++ == 0) found = {std::string(bytes), character, line, column, 1};
}

std::string times(size_t count) {
  if (count < 3) return count == 1 ? "" : ", here and once more";
  return fmt::format(", here and {} times more", count - 1);
}

std::string shown(const Found& found) {
  // By itself, a combining mark would combine with the quotation mark before it.
  const Script* script = script_of(found.character);
  const bool joins = script != nullptr && script->writing == Writing::combining;
  return joins ? fmt::format("U+{:04X}", uint32_t{found.character})
               : fmt::format("{} (U+{:04X})", found.bytes, uint32_t{found.character});
}

std::string why_not(const std::string& name, const Found& found) {
  const std::string many = times(found.count);
  switch (script_of(found.character)->writing) {
    case Writing::leftwards:
      return fmt::format(
          "{} is {}{}: the window writes from left to right and joins no letters, so it does not "
          "draw this script rightly",
          shown(found), name, many);
    case Writing::shaped:
      return fmt::format(
          "{} is {}{}: its letters change with their neighbours, and the window only puts one character "
          "after the other, so it does not draw this script correctly",
          shown(found), name, many);
    default:
      return fmt::format(
          "{} is {}{}: the window draws it after that letter instead of on it. Save the file with letters "
          "that "
          "have their marks (Unicode's form NFC)",
          shown(found), name, many);
  }
}

}  // namespace

std::vector<Diagnostic> undrawn_characters(std::string_view text, const std::string& file) {
  std::map<std::string, Found> by_script;
  std::map<char32_t, Found> without_sign;
  uint32_t line = 1, column = 1;
  for (size_t at = 0; at < text.size(); ++column) {
    const size_t begin = at;
    const char32_t character = next_character(text, at);
    if (character == U'\n') {
      ++line;
      column = 0;
    }
    if (character < 0x80) continue;
    const std::string_view bytes = text.substr(begin, at - begin);
    if (const Script* script = script_of(character))
      count(by_script[script->name], bytes, character, line, column);
    else if (!fonts().has(character))
      count(without_sign[character], bytes, character, line, column);
  }
  std::vector<Diagnostic> said;
  said.reserve(by_script.size() + most_characters + 1);
  for (const auto& [name, found] : by_script)
    said.push_back({Severity::warning, file, found.line, found.column, why_not(name, found)});
  std::vector<Found> missing;
  missing.reserve(without_sign.size());
  for (const auto& [character, found] : without_sign) missing.push_back(found);
  std::ranges::stable_sort(missing, [](const Found& a, const Found& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  for (size_t i = 0; i < std::min(missing.size(), most_characters); ++i)
    said.push_back(
        {Severity::warning, file, missing[i].line, missing[i].column,
         fmt::format("the program's fonts have no sign for {}{}: the window shows another one in its "
                     "place. Write it with letters, or show it as a picture",
                     shown(missing[i]), times(missing[i].count))});
  if (missing.size() > most_characters)
    said.push_back(
        {Severity::warning, file, missing[most_characters].line, missing[most_characters].column,
         fmt::format("the program's fonts have no sign for {} other characters either, beginning here",
                     missing.size() - most_characters)});
  std::ranges::stable_sort(said, {}, &Diagnostic::line);
  return said;
}

std::vector<Diagnostic> undrawn_in(const Folder& folder, std::string_view language) {
  std::vector<Diagnostic> said;
  for (const auto& [name, text] : folder.files) {
    bool read = name == "lesson.md" || name == "challenge.md" || name.ends_with(".cu");
    for (const char* stem : {"lesson", "challenge"})
      read = read || (!language.empty() && name == fmt::format("{}.{}.md", stem, language));
    if (!read) continue;
    const std::vector<Diagnostic> here = undrawn_characters(text, name);
    said.insert(said.end(), here.begin(), here.end());
  }
  return said;
}

}  // namespace warplens::lesson
