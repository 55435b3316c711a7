// The few building blocks that every panel shares, so that all look alike. They draw; they keep nothing.
#pragma once

#include <string>
#include <string_view>

#include "app/state/state.h"
#include "app/widgets/look.h"
#include "core/base/source.h"

namespace warplens {

// "WRITTEN BY": small capitals, quiet.
void heading(std::string_view words);
void title(std::string_view words);       // 19 px
void quiet_text(std::string_view words);  // wrapped
void small_text(std::string_view words);  // 13 px, quiet, wrapped
void body_text(std::string_view words);   // wrapped
void mono_text(std::string_view code);    // indices, code, amounts; not wrapped
void mono_text(std::string_view code, uint32_t rgb);
// Small word on a tinted ground: where a number comes from. `hover` is its formula with the numbers put in.
void source_tag(Source source, std::string_view hover = {});
// Hover text for the last item, wrapped at a readable width.
void hover_text(std::string_view words);
// 30 px number, its label and its tag below; the formula in the hover text. `ghost`: what it was before, or
// empty.
void key_figure(const Figure& figure, std::string_view ghost = {});
// Small rounded button of a toolbar; accent outline where it is chosen.
bool chip(std::string_view label, bool chosen = false, bool enabled = true);
// Starts a new line where the next item of `width` would not fit beside the last one; call between chips.
void wrap_before(float width);
float chip_width(std::string_view label);
// Blue words that act.
bool link(std::string_view label);
// A card with a coloured edge: amber for warnings, red for faults. Every begin has its end.
void begin_card(std::string_view id, uint32_t edge_rgb);
void end_card();
// A square of colour (a pixel's value).
void swatch(uint32_t rgb, float size);
// Draws a bitmap-free glyph of the level: ● fault, ▲ warning, … in its colour.
void level_glyph(ProblemLevel level);

}  // namespace warplens
