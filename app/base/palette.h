// The colours of the program as plain numbers (0xRRGGBB), for both the window and the exported pictures.
#pragma once

#include <array>
#include <cstdint>

namespace warplens {

enum class Theme : uint8_t { dark, light };

struct Palette {
  uint32_t window, panel, raised, line;  // surfaces, from back to front, and thin lines
  uint32_t text, quiet;                  // text, and less important text
  uint32_t accent, action;               // links and selection; the main button
  uint32_t on_action;                    // text on `action`
  uint32_t fault;                        // faults only
  uint32_t warning;  // warnings, and answers that are not right: always with a glyph and a word
  uint32_t right;    // right answers and goals that are reached
  uint32_t counted, derived, modelled, measured;  // provenance tags
};

const Palette& palette_of(Theme theme);

// Colours of warps and blocks in this order, safe for colour-blind people (Okabe and Ito).
constexpr std::array<uint32_t, 8> group_colours = {0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7,
                                                   0xF0E442, 0x0072B2, 0xD55E00, 0x9AA5B1};

// A mixture of two colours: `from` for share 0, `to` for share 1.
uint32_t mix(uint32_t from, uint32_t to, double share);
// WCAG 2 contrast of two colours, 1 to 21.
double contrast(uint32_t a, uint32_t b);

// Small words (13 px) are read at this contrast from the last row too (WCAG 2, AAA).
constexpr double readable_contrast = 7;
// The ink, with as much of the text's colour as small words on this ground need.
uint32_t readable(uint32_t ink, uint32_t ground, uint32_t text);

}  // namespace warplens
