#include "app/base/palette.h"

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr Palette dark_palette = {
    .window = 0x0e1217,
    .panel = 0x161b22,
    .raised = 0x1d242d,
    .line = 0x2a333e,
    .text = 0xe6edf3,
    .quiet = 0xbbc6d0,
    .accent = 0x4cc2ff,
    .action = 0x1f6feb,
    .on_action = 0xffffff,
    .fault = 0xff5c5c,
    .warning = 0xffb02e,
    .right = 0x56d364,
    .counted = 0x4fd6a0,
    .derived = 0x8fb3ff,
    .modelled = 0xb58cff,
    .measured = 0x5fd7e6,
};

constexpr Palette light_palette = {
    .window = 0xe7ebf0,
    .panel = 0xfbfcfd,
    .raised = 0xeef1f5,
    .line = 0xccd4dd,
    .text = 0x17202a,
    .quiet = 0x3c4753,
    .accent = 0x0a62a8,
    .action = 0x1f6feb,
    .on_action = 0xffffff,
    .fault = 0xc4201f,
    .warning = 0x8a5a00,
    .right = 0x176b2c,
    .counted = 0x0c6b4a,
    .derived = 0x2a55b8,
    .modelled = 0x6a35c9,
    .measured = 0x0b6472,
};

double linear(uint32_t channel) {
  const double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(uint32_t colour) {
  return 0.2126 * linear(colour >> 16 & 255) + 0.7152 * linear(colour >> 8 & 255) +
         0.0722 * linear(colour & 255);
}

}  // namespace

const Palette& palette_of(Theme theme) { return theme == Theme::dark ? dark_palette : light_palette; }

uint32_t mix(uint32_t from, uint32_t to, double share) {
  uint32_t result = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    const double a = from >> shift & 255, b = to >> shift & 255;
    const double value = std::clamp(a + (b - a) * share, 0.0, 255.0);
    result |= static_cast<uint32_t>(std::lround(value)) << shift;
  }
  return result;
}

uint32_t readable(uint32_t ink, uint32_t ground, uint32_t text) {
  for (double share = 0; share < 1; share += 0.05)
    if (const uint32_t mixed = mix(ink, text, share); contrast(mixed, ground) >= readable_contrast)
      return mixed;
  return text;
}

double contrast(uint32_t a, uint32_t b) {
  const double la = luminance(a), lb = luminance(b);
  return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace warplens
