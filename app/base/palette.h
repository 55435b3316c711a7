// The colours of the program as plain numbers (0xRRGGBB), so that the window and the picture exporters agree.
#pragma once

#include <array>
#include <cstdint>

namespace warplens {

enum class Theme : uint8_t { dark, light };

struct Palette {
  uint32_t window, panel, raised, line;           // surfaces, from far to near, and thin lines
  uint32_t text, quiet;                           // words, and words of less weight
  uint32_t accent, action;                        // links and selection; the one button that acts
  uint32_t on_action;                             // words on `action`
  uint32_t fault;                                 // faults only
  uint32_t warning;                               // warnings; always with a glyph
  uint32_t counted, derived, modelled, measured;  // provenance tags
};

const Palette& palette_of(Theme theme);

// Warps and blocks, colour-blind safe (Okabe and Ito), in this order.
constexpr std::array<uint32_t, 8> group_colours = {0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7,
                                                   0xF0E442, 0x0072B2, 0xD55E00, 0x9AA5B1};

// `share` 0: `from`, 1: `to`.
uint32_t mix(uint32_t from, uint32_t to, double share);
// WCAG 2 contrast of two colours, 1 to 21.
double contrast(uint32_t a, uint32_t b);

}  // namespace warplens
