// Small parts that all pictures share: tags, chips, headings, legends. Each returns where the next part may
// begin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/base/draw/style.h"
#include "core/base/provenance.h"

namespace warplens {

// A text colour that is readable on `ground`.
uint32_t ink_on(uint32_t ground);
// The line around a filled shape of a colour of warps or blocks. In the light theme it is dark, since yellow
// alone is not visible there.
uint32_t outline_of(const Style& style, uint32_t fill);
uint32_t colour_of(const Palette& palette, Provenance source);

// A small word on a coloured background that says where a number comes from. `formula` is the hover text.
// Returns its right edge.
float draw_source_tag(Picture& picture, const Style& style, Point at, Provenance source,
                      std::string formula = {});
float source_tag_width(const Style& style, Provenance source);

// "WRITTEN BY". Returns the y below it.
float draw_heading(Picture& picture, const Style& style, Point at, std::string_view words);

// A rounded button. A chosen one has an outline in `accent`. Returns its right edge.
float draw_chip(Picture& picture, const Style& style, Point at, std::string_view label, bool chosen,
                Click click, std::string hint = {});
float chip_width(const Style& style, std::string_view label);
float chip_height(const Style& style);
// The kind of a button: an action; an action in a group of tools, which are close together; one of several
// modes, which are joined in one frame; or on and off, with a box that says which.
enum class ChipKind : uint8_t { action, tool, mode, on_off };
// Several chips in rows. Returns the y below them.
struct Chip {
  std::string label;
  Click click;
  std::string hint;
  bool chosen = false;
  Colour line;  // if invisible, it follows from `chosen`
  ChipKind kind = ChipKind::action;
  bool begins = false;  // another group of tools: more room before it
};
float chip_width(const Style& style, const Chip& chip);
float draw_chips(Picture& picture, const Style& style, Box box, const std::vector<Chip>& chips);

// A viridis bar from `low` to `high`; `width` includes its labels. Returns the y below it.
float draw_amount_legend(Picture& picture, const Style& style, Point at, float width, std::string_view low,
                         std::string_view high);

// A sample of a cell, and its meaning.
enum class Swatch : uint8_t { filled, hollow, hatched };
float draw_key(Picture& picture, const Style& style, Point at, Swatch swatch, Colour colour,
               std::string_view words);

}  // namespace warplens
