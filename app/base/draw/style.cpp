#include "app/base/draw/style.h"

#include "core/base/text.h"

namespace warplens {

std::vector<std::string> wrapped(const Style& style, std::string_view english, Font font, float size,
                                 float width) {
  const std::string words = font == Font::mono ? shown_amount(english) : shown(english);
  std::vector<std::string> lines;
  std::string line;
  size_t at = 0;
  while (at < words.size()) {
    const size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = std::string_view(words).substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    std::string longer = line.empty() ? std::string(word) : line + " " + std::string(word);
    if (!line.empty() && style.measure(longer, font, size) > width) {
      lines.push_back(std::move(line));
      longer = word;
    }
    line = std::move(longer);
  }
  if (!line.empty()) lines.push_back(std::move(line));
  for (const std::string& shown : lines) shown_already(shown);
  return lines;
}

std::string shortened(const Style& style, std::string_view english, Font font, float size, float width) {
  if (style.width(english, font, size) <= width) return std::string(english);
  std::string cut = font == Font::mono ? shown_amount(english) : shown(english);
  while (!cut.empty()) {
    remove_last_letter(cut);
    while (!cut.empty() && cut.back() == ' ') cut.pop_back();
    if (cut.empty() || style.measure(cut + "…", font, size) > width) continue;
    cut += "…";
    shown_already(cut);
    return cut;
  }
  return {};
}

float draw_paragraph(Picture& picture, const Style& style, Point at, std::string_view words, Font font,
                     float size, Colour colour, float width) {
  for (const std::string& line : wrapped(style, words, font, size, width)) {
    picture.text(at, line, font, size, colour);
    at.y += size * 1.4f;
  }
  return at.y;
}

}  // namespace warplens
