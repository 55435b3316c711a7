#include "app/draw/parts.h"

#include <algorithm>

#include "app/draw/amounts.h"

namespace warplens {

uint32_t ink_on(uint32_t ground) {
  return contrast(ground, 0x000000) >= contrast(ground, 0xffffff) ? 0x000000 : 0xffffff;
}

uint32_t outline_of(const Style& style, uint32_t fill) {
  return style.theme == Theme::light ? mix(fill, 0x000000, 0.55) : fill;
}

uint32_t colour_of(const Palette& palette, Source source) {
  switch (source) {
    case Source::measured:
      return palette.measured;
    case Source::counted:
      return palette.counted;
    case Source::derived:
      return palette.derived;
    case Source::modelled:
      return palette.modelled;
  }
  return palette.quiet;
}

float source_tag_width(const Style& style, Source source) {
  return style.width(source_words(source), Font::words, style.tiny()) + style.px(12);
}

float draw_source_tag(Picture& picture, const Style& style, Point at, Source source, std::string formula) {
  const uint32_t colour = colour_of(style.palette, source);
  const Box box{at.x, at.y, source_tag_width(style, source), style.px(18)};
  picture.rectangle(box, solid(mix(style.palette.panel, colour, 0.16)), style.px(4));
  picture.text({at.x + style.px(6), box.centre().y}, source_words(source), Font::words, style.tiny(),
               solid(colour), AlignX::left, AlignY::middle);
  if (!formula.empty()) picture.area(box, {}, std::move(formula));
  return box.right();
}

float draw_heading(Picture& picture, const Style& style, Point at, std::string_view words) {
  picture.text(at, words, Font::strong, style.px(12), solid(style.palette.quiet));
  return at.y + style.px(22);
}

float chip_height(const Style& style) { return style.px(28); }

float chip_width(const Style& style, std::string_view label) {
  return style.width(label, Font::words, style.small()) + style.px(24);
}

float draw_chip(Picture& picture, const Style& style, Point at, std::string_view label, bool chosen,
                std::string id, std::string hint) {
  const Palette& palette = style.palette;
  const Box box{at.x, at.y, chip_width(style, label), chip_height(style)};
  picture.rectangle(box, solid(chosen ? mix(palette.panel, palette.accent, 0.14) : palette.raised),
                    style.px(6), solid(chosen ? palette.accent : palette.line));
  picture.text(box.centre(), label, Font::words, style.small(), solid(chosen ? palette.accent : palette.text),
               AlignX::centre, AlignY::middle);
  picture.area(box, std::move(id), std::move(hint));
  return box.right();
}

float draw_chips(Picture& picture, const Style& style, Box box, const std::vector<Chip>& chips) {
  Point at{box.x, box.y};
  const float gap = style.px(8);
  for (const Chip& chip : chips) {
    const float width = chip_width(style, chip.label);
    if (at.x > box.x && at.x + width > box.right()) at = {box.x, at.y + chip_height(style) + gap};
    const size_t first = picture.shapes.size();
    draw_chip(picture, style, at, chip.label, chip.chosen, chip.id, chip.hint);
    if (chip.line.visible()) {
      auto& ground = std::get<Rectangle>(picture.shapes[first]);
      ground.line = solid(outline_of(style, chip.line.rgb), chip.line.alpha);
      ground.fill = chip.chosen ? chip.line : solid(style.palette.panel);
      std::get<Text>(picture.shapes[first + 1]).colour =
          solid(chip.chosen ? ink_on(chip.line.rgb) : style.palette.text);
    }
    at.x += width + gap;
  }
  return chips.empty() ? box.y : at.y + chip_height(style);
}

float draw_amount_legend(Picture& picture, const Style& style, Point at, float width, std::string_view low,
                         std::string_view high) {
  constexpr int steps = 32;
  const float low_width = style.width(low, Font::mono, style.small()) + style.px(8);
  const float high_width = style.width(high, Font::mono, style.small()) + style.px(8);
  const float height = style.px(12);
  const Box bar{at.x + low_width, at.y, std::max(style.px(40), width - low_width - high_width), height};
  const Colour quiet = solid(style.palette.quiet);
  picture.text({at.x, bar.centre().y}, low, Font::mono, style.small(), quiet, AlignX::left, AlignY::middle);
  const float step = bar.width / steps;
  for (int i = 0; i < steps; ++i)
    picture.rectangle({bar.x + step * static_cast<float>(i), bar.y, step + 0.5f, bar.height},
                      solid(viridis(i / double{steps - 1})));
  picture.text({bar.right() + style.px(8), bar.centre().y}, high, Font::mono, style.small(), quiet,
               AlignX::left, AlignY::middle);
  return at.y + height + style.px(6);
}

float draw_key(Picture& picture, const Style& style, Point at, Swatch swatch, Colour colour,
               std::string_view words) {
  const Box box{at.x, at.y + style.px(3), style.px(12), style.px(12)};
  if (swatch == Swatch::hatched) {
    picture.rectangle(box, {}, 0, solid(style.palette.line));
    picture.hatch(box, colour, style.px(4));
  } else {
    picture.rectangle(box, swatch == Swatch::filled ? colour : Colour{}, style.px(2), colour);
  }
  const float x = box.right() + style.px(6);
  picture.text({x, box.centre().y}, words, Font::words, style.small(), solid(style.palette.quiet),
               AlignX::left, AlignY::middle);
  return x + style.width(words, Font::words, style.small()) + style.px(16);
}

}  // namespace warplens
