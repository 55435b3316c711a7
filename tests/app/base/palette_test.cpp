#include "app/base/palette.h"

#include <gtest/gtest.h>

namespace warplens {
namespace THIS_FILE {

TEST(Palette, WordsAreReadableOnEverySurface) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Palette& p = palette_of(theme);
    for (const uint32_t surface : {p.window, p.panel, p.raised}) {
      for (const uint32_t ink : {p.text, p.quiet, p.accent, p.fault, p.warning}) {
        EXPECT_GE(contrast(ink, surface), 4.5) << std::hex << ink << " on " << surface;
      }
    }
    EXPECT_GE(contrast(p.on_action, p.action), 4.5);
    // The background of a tag is tinted with the tag's own colour.
    for (const uint32_t tag : {p.counted, p.derived, p.modelled, p.measured}) {
      EXPECT_GE(contrast(tag, mix(p.panel, tag, theme == Theme::dark ? 0.2 : 0.12)), 4.5) << std::hex << tag;
    }
  }
}

// Secondary words have 13 px: on every surface, and on a row that is lit.
TEST(Palette, SecondaryWordsAreReadFromTheLastRow) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    const Palette& p = palette_of(theme);
    for (const uint32_t surface : {p.window, p.panel, p.raised, mix(p.raised, p.accent, 0.12)})
      EXPECT_GE(contrast(p.quiet, surface), readable_contrast) << std::hex << surface;
    EXPECT_GT(contrast(p.text, p.panel), contrast(p.quiet, p.panel)) << "and are still secondary";
    for (const uint32_t tag : {p.counted, p.derived, p.modelled, p.measured}) {
      const uint32_t ground = mix(p.panel, tag, 0.16);
      EXPECT_GE(contrast(readable(tag, ground, p.text), ground), readable_contrast) << std::hex << tag;
    }
    EXPECT_EQ(readable(p.text, p.panel, p.text), p.text);
  }
}

TEST(Palette, MeasuresContrastAsWcagDoes) {
  EXPECT_NEAR(contrast(0x000000, 0xffffff), 21.0, 0.01);
  EXPECT_NEAR(contrast(0x777777, 0xffffff), 4.48, 0.01);
  EXPECT_EQ(mix(0x000000, 0xffffff, 0.5), 0x808080u);
  EXPECT_EQ(mix(0x102030, 0x405060, 0), 0x102030u);
}

}  // namespace THIS_FILE
}  // namespace warplens
