#include "app/base/draw/parts.h"

#include <algorithm>
#include <span>

#include "app/base/draw/amounts.h"

namespace warplens {

uint32_t ink_on(uint32_t ground) {
  return contrast(ground, 0x000000) >= contrast(ground, 0xffffff) ? 0x000000 : 0xffffff;
}

uint32_t outline_of(const Style& style, uint32_t fill) {
  return style.theme == Theme::light ? mix(fill, 0x000000, 0.55) : fill;
}

uint32_t colour_of(const Palette& palette, Provenance source) {
  switch (source) {
    case Provenance::measured:
      return palette.measured;
    case Provenance::counted:
      return palette.counted;
    case Provenance::derived:
      return palette.derived;
    case Provenance::modelled:
      return palette.modelled;
  }
  return palette.quiet;
}

float source_tag_width(const Style& style, Provenance source) {
  return style.width(source_words(source), Font::words, style.small()) + style.px(12);
}

float draw_source_tag(Picture& picture, const Style& style, Point at, Provenance source,
                      std::string formula) {
  const uint32_t colour = colour_of(style.palette, source);
  const Box box{at.x, at.y, source_tag_width(style, source), style.px(18)};
  const uint32_t ground = mix(style.palette.panel, colour, 0.16);
  picture.rectangle(box, solid(ground), style.px(4));
  picture.text({at.x + style.px(6), box.centre().y}, source_words(source), Font::words, style.small(),
               solid(readable(colour, ground, style.palette.text)), AlignX::left, AlignY::middle);
  if (!formula.empty()) picture.area(box, {}, std::move(formula));
  return box.right();
}

float draw_heading(Picture& picture, const Style& style, Point at, std::string_view words) {
  picture.text(at, words, Font::strong, style.small(), solid(style.palette.quiet));
  return at.y + style.px(22);
}

constexpr float box_room = 18;  // of a box that is ticked, and the gap after it

float chip_height(const Style& style) { return style.px(28); }

float chip_width(const Style& style, std::string_view label) {
  return style.width(label, Font::words, style.small()) + style.px(24);
}

static void draw_button(Picture& picture, const Style& style, const Box& box, std::string_view label,
                        bool chosen, Click click, std::string hint) {
  const Palette& palette = style.palette;
  picture.rectangle(box, solid(chosen ? mix(palette.panel, palette.accent, 0.14) : palette.raised),
                    style.px(6), solid(chosen ? palette.accent : palette.line));
  picture.text(box.centre(), label, Font::words, style.small(), solid(chosen ? palette.accent : palette.text),
               AlignX::centre, AlignY::middle);
  picture.area(box, std::move(click), std::move(hint));
}

float draw_chip(Picture& picture, const Style& style, Point at, std::string_view label, bool chosen,
                Click click, std::string hint) {
  const Box box{at.x, at.y, chip_width(style, label), chip_height(style)};
  draw_button(picture, style, box, label, chosen, std::move(click), std::move(hint));
  return box.right();
}

float chip_width(const Style& style, const Chip& chip) {
  const float words = style.width(chip.label, Font::words, style.small());
  switch (chip.kind) {
    case ChipKind::mode:
      return words + style.px(20);
    case ChipKind::tool:
      return words + style.px(13);
    case ChipKind::on_off:
      return words + style.px(24 + box_room);
    default:
      return words + style.px(24);
  }
}

namespace {

// One of the joined modes; their common ground is there already.
void draw_mode(Picture& picture, const Style& style, const Box& box, const Chip& chip) {
  const Palette& palette = style.palette;
  const float inset = style.px(2);
  if (chip.chosen)
    picture.rectangle({box.x + inset, box.y + inset, box.width - 2 * inset, box.height - 2 * inset},
                      solid(mix(palette.panel, palette.accent, 0.22)), style.px(4));
  picture.text(box.centre(), chip.label, chip.chosen ? Font::strong : Font::words, style.small(),
               solid(chip.chosen ? palette.accent : palette.text), AlignX::centre, AlignY::middle);
  picture.area(box, chip.click, chip.hint);
}

void draw_on_off(Picture& picture, const Style& style, const Box& box, const Chip& chip) {
  const Palette& palette = style.palette;
  const float side = style.px(12);
  const Box mark{box.x + style.px(11), box.centre().y - side / 2, side, side};
  picture.rectangle(box, solid(palette.raised), style.px(6), solid(palette.line));
  picture.rectangle(mark, chip.chosen ? solid(palette.accent) : Colour{}, style.px(3),
                    solid(chip.chosen ? palette.accent : palette.quiet));
  if (chip.chosen) {
    const Point low{mark.x + side * 0.42f, mark.y + side * 0.74f};
    picture.line({mark.x + side * 0.2f, mark.y + side * 0.5f}, low, solid(palette.panel), style.px(1.6f));
    picture.line(low, {mark.x + side * 0.82f, mark.y + side * 0.26f}, solid(palette.panel), style.px(1.6f));
  }
  picture.text({mark.right() + style.px(6), box.centre().y}, chip.label, Font::words, style.small(),
               solid(palette.text), AlignX::left, AlignY::middle);
  picture.area(box, chip.click, chip.hint);
}

void draw_action(Picture& picture, const Style& style, const Box& box, const Chip& chip) {
  const size_t first = picture.shapes.size();
  draw_button(picture, style, box, chip.label, chip.chosen, chip.click, chip.hint);
  if (!chip.line.visible()) return;
  auto& ground = std::get<Rectangle>(picture.shapes[first]);
  ground.line = solid(outline_of(style, chip.line.rgb), chip.line.alpha);
  ground.fill = chip.chosen ? chip.line : solid(style.palette.panel);
  std::get<Text>(picture.shapes[first + 1]).colour =
      solid(chip.chosen ? ink_on(chip.line.rgb) : style.palette.text);
}

// The width of all modes that begin here together; for another button, its own width.
float width_of_run(const Style& style, std::span<const Chip> chips) {
  float width = 0;
  for (const Chip& chip : chips) {
    if (width > 0 && (chip.kind != ChipKind::mode || chips.front().kind != ChipKind::mode)) break;
    width += chip_width(style, chip);
  }
  return width;
}

}  // namespace

float draw_chips(Picture& picture, const Style& style, Box box, const std::vector<Chip>& chips) {
  Point at{box.x, box.y};
  const float gap = style.px(8), height = chip_height(style);
  const std::span<const Chip> all(chips);
  for (size_t i = 0; i < all.size(); ++i) {
    const Chip& chip = all[i];
    const bool mode = chip.kind == ChipKind::mode;
    const bool joined = mode && i > 0 && all[i - 1].kind == ChipKind::mode && at.x > box.x;
    const float width = chip_width(style, chip), run = joined ? width : width_of_run(style, all.subspan(i));
    const bool tool = chip.kind == ChipKind::tool && !chip.begins;
    if (at.x > box.x && !joined) at.x += chip.begins ? 2 * gap : tool ? gap / 4 : gap;
    // Modes that have no row for them all are cut where the row ends.
    const float needed = run <= box.width ? run : width;
    const bool wraps = at.x > box.x && at.x + needed > box.right();
    if (wraps) at = {box.x, at.y + height + gap};
    if (mode && (!joined || wraps)) {
      float ground = 0;
      for (size_t k = i; k < all.size() && all[k].kind == ChipKind::mode; ++k) {
        const float next = ground + chip_width(style, all[k]);
        if (ground > 0 && at.x + next > box.right()) break;
        ground = next;
      }
      picture.rectangle({at.x, at.y, ground, height}, solid(style.palette.raised), style.px(6),
                        solid(style.palette.line));
    }
    const Box place{at.x, at.y, width, height};
    if (mode)
      draw_mode(picture, style, place, chip);
    else if (chip.kind == ChipKind::on_off)
      draw_on_off(picture, style, place, chip);
    else
      draw_action(picture, style, place, chip);
    at.x += width;
  }
  return chips.empty() ? box.y : at.y + height;
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
