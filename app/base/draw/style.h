// The parameters of a drawing's layout: colours, text size, and the width of words.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/base/language.h"
#include "app/base/palette.h"

namespace warplens {

using MeasureText = std::function<float(std::string_view words, Font font, float size)>;

struct Style {
  Palette palette{};
  Theme theme = Theme::dark;
  float scale = 1;  // text size, 0.8 to 2.5; lengths of parts with text scale with it
  MeasureText measure;

  float px(float length) const { return length * scale; }
  float body() const { return px(15); }
  float small() const { return px(13); }
  float line() const { return px(22); }  // from one line of body text to the next
  // The width of the words as they are shown, in the chosen language.
  float width(std::string_view words, Font font, float size) const {
    return measure(font == Font::mono ? shown_amount(words) : shown(words), font, size);
  }
};

// Breaks text into lines at spaces. A word that is wider than `width` gets its own line.
std::vector<std::string> wrapped(const Style& style, std::string_view words, Font font, float size,
                                 float width);
// Shortens text with "…" to fit. Empty if nothing fits.
std::string shortened(const Style& style, std::string_view words, Font font, float size, float width);

// Draws wrapped text and returns the y below it.
float draw_paragraph(Picture& picture, const Style& style, Point at, std::string_view words, Font font,
                     float size, Colour colour, float width);

}  // namespace warplens
