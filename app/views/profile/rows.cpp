// The rows of the Profile view's tables, and what is said of the chosen one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/base/draw/parts.h"
#include "app/views/profile/picture_sections.h"

namespace warplens {

namespace {

constexpr float row_height = 25, figure_line = 20, gap = 14, mark_gap = 16;

uint32_t colour_of_mark(const Palette& palette, profile::Mark mark) {
  return mark == profile::Mark::exact      ? palette.counted
         : mark == profile::Mark::modelled ? palette.modelled
                                           : palette.quiet;
}

// A filled disc for exact, a ring for modelled, nothing if it is not known: the colour is not the only sign.
void draw_mark(Picture& picture, const Style& style, Point at, const ProfileRow& row) {
  const Colour colour = solid(colour_of_mark(style.palette, row.mark));
  if (row.mark != profile::Mark::not_known) {
    constexpr int corners = 16;
    Path disc;
    const float radius = style.px(4);
    for (int i = 0; i < corners; ++i) {
      const double turn = 2 * std::numbers::pi * i / corners;
      disc.points.push_back({at.x + radius + radius * static_cast<float>(std::cos(turn)),
                             at.y + radius * static_cast<float>(std::sin(turn))});
    }
    disc.closed = true;
    if (row.mark == profile::Mark::exact) disc.fill = colour;
    disc.line = colour;
    disc.line_width = style.px(1.4f);
    picture.shapes.emplace_back(std::move(disc));
  }
  picture.text({at.x + style.px(mark_gap), at.y}, row.mark_words, Font::words, style.small(), colour,
               AlignX::left, AlignY::middle);
}

bool shows_names(const ProfilePictureInput& input) {
  return input.page == ProfilePage::raw || input.found != nullptr;
}

float widest(const Style& style, const ProfilePictureInput& input, std::string ProfileRow::*text) {
  float width = 0;
  size_t letters = 0;
  for (const ProfileRow& row : input.view->rows) {
    // Only the longest texts are measured.
    if ((row.*text).size() + 2 < letters) continue;
    letters = std::max(letters, (row.*text).size());
    width = std::max(width, style.width(row.*text, Font::mono, style.small()));
  }
  return width;
}

// The explanation of the chosen metric, below its row.
float draw_explanation(Picture& picture, const Style& style, Box box, const ProfileRow& row,
                       const ProfilePictureInput& input) {
  const Palette& p = style.palette;
  const size_t ground = picture.shapes.size();
  picture.rectangle({box.x, box.y, box.width, 1}, solid(mix(p.panel, p.accent, 0.08)), style.px(4));
  const Box inside{box.x + style.px(14), box.y + style.px(8), box.width - style.px(28), 0};
  float y = inside.y;
  const float copy = chip_width(style, "copy name");
  const float name_room = inside.width - (input.interactive ? copy + style.px(8) : 0);
  picture.text({inside.x, y + style.px(14)},
               shortened(style, row.metric->name, Font::mono, style.small(), name_room), Font::mono,
               style.small(), solid(p.accent), AlignX::left, AlignY::middle);
  if (input.interactive)
    draw_chip(picture, style, {inside.right() - copy, y}, "copy name", false,
              Click(ProfileVerb::copy, row.metric->name),
              "Copies the metric's name, as ncu and warplens profile take it after --metrics");
  y += style.px(34);
  const auto paragraph = [&](const std::string& words, Font font, float size, uint32_t colour) {
    if (!words.empty())
      y = draw_paragraph(picture, style, {inside.x, y}, words, font, size, solid(colour), inside.width) +
          style.px(4);
  };
  paragraph(row.metric->what, Font::words, style.body(), p.text);
  paragraph(row.where, Font::words, style.small(), p.quiet);
  if (!row.metric->formula.empty()) {
    paragraph("= " + row.metric->formula, Font::mono, style.small(), p.quiet);
    if (row.numbers != row.metric->formula) paragraph("= " + row.numbers, Font::mono, style.small(), p.text);
  }
  y += style.px(6);
  std::get<Rectangle>(picture.shapes[ground]).box.height = y - box.y;
  return y + style.px(4);
}

void draw_figure(Picture& picture, const Style& style, Box box, float middle, const ProfileColumns& columns,
                 size_t index, const ProfilePictureInput& input) {
  const Palette& p = style.palette;
  const ProfileRow& row = input.view->rows[index];
  const auto right = [&](float x, const std::string& words, uint32_t colour) {
    picture.text({box.x + x, middle}, words, Font::mono, style.small(), solid(colour), AlignX::right,
                 AlignY::middle);
  };
  right(columns.unit, row.unit, p.quiet);
  right(columns.value, row.shown, row.value ? p.text : p.quiet);
  draw_mark(picture, style, {box.x + columns.mark, middle}, row);
  if (input.changes == nullptr) return;
  const ProfileChange& change = (*input.changes)[index];
  if (columns.below) middle += style.px(figure_line);
  right(columns.then, change.baseline, p.quiet);
  right(columns.change, change.change, change.change == "=" ? p.quiet : p.text);
}

}  // namespace

ProfileColumns profile_columns(const Style& style, Box box, const ProfilePictureInput& input) {
  ProfileColumns c;
  const auto width = [&](std::string_view words) { return style.width(words, Font::words, style.small()); };
  const float between = style.px(gap);
  const float unit = std::max(widest(style, input, &ProfileRow::unit), width("unit"));
  const float value = std::max(widest(style, input, &ProfileRow::shown), width("value"));
  float words = width(profile::to_string(profile::Mark::not_known));
  for (const ProfileRow& row : input.view->rows)
    if (row.error) words = std::max(words, width(row.mark_words));
  const float mark = style.px(mark_gap) + words;
  float figures = unit + value + mark + 3 * between;
  float then = 0, change = 0;
  if (input.changes != nullptr) {
    then = value + style.px(20);
    change = style.width("+10000 %", Font::mono, style.small());
    figures += then + change + 2 * between;
  }
  const float least = style.px(230);
  c.stacked = box.width - figures < least;
  c.name = c.stacked ? box.width - style.px(12) : box.width - figures - style.px(6);
  // Stacked, all that fits of the figure stands below the name, from its left edge on.
  float x = c.stacked ? style.px(24) : c.name;
  x += between + unit;
  c.unit = x;
  x += between + value;
  c.value = x;
  x += between;
  c.mark = x;
  x += mark + between;
  if (input.changes != nullptr) {
    c.below = c.stacked && x + then + between + change > box.width;
    c.then = c.below ? c.value : x + then;
    c.change = c.then + between + change;
  }
  return c;
}

float draw_profile_column_heads(Picture& picture, const Style& style, Box box, const ProfileColumns& columns,
                                const ProfilePictureInput& input) {
  if (columns.stacked) return box.y;
  const auto head = [&](float x, std::string_view words, AlignX align) {
    picture.text({box.x + x, box.y}, words, Font::words, style.small(), solid(style.palette.quiet), align);
  };
  head(style.px(22), "metric", AlignX::left);
  head(columns.unit, "unit", AlignX::right);
  head(columns.value, "value", AlignX::right);
  head(columns.mark, "mark", AlignX::left);
  if (input.changes != nullptr) {
    head(columns.then, "run " + input.baseline_label, AlignX::right);
    head(columns.change, "change", AlignX::right);
  }
  return box.y + style.px(22);
}

float draw_profile_row(Picture& picture, const Style& style, Box box, const ProfileColumns& columns,
                       size_t index, const ProfilePictureInput& input, ProfileLayout& layout) {
  const Palette& p = style.palette;
  const ProfileRow& row = input.view->rows[index];
  const bool chosen = input.chosen == row.metric, named = shows_names(input);
  const bool both = named && input.page == ProfilePage::details;
  const float first = style.px(row_height), line = style.px(figure_line), below = columns.below ? line : 0;
  const Box place{box.x, box.y, box.width, first + (both ? line : 0) + (columns.stacked ? line : 0) + below};
  layout.rows.push_back({row.metric, place});
  picture.area(place, input.interactive ? Click(ProfileVerb::metric, row.metric->name) : Click(),
               row.metric->name + "\n" + row.metric->what);
  float bottom = place.bottom();
  if (is_seen(input, place.y, place.bottom())) {
    if (chosen) picture.rectangle(place, solid(mix(p.panel, p.accent, 0.14)), style.px(4), solid(p.accent));
    const float left = place.x + style.px(22), room = columns.name - style.px(26);
    float middle = place.y + first / 2;
    const bool raw = input.page == ProfilePage::raw;
    const Font font = raw ? Font::mono : Font::words;
    const float size = raw ? style.small() : style.body();
    picture.text({left, middle},
                 shortened(style, raw ? row.metric->name : row.metric->label, font, size, room), font, size,
                 solid(p.text), AlignX::left, AlignY::middle);
    const float figure = columns.stacked ? place.bottom() - below - line / 2 - style.px(2) : middle;
    if (both) {
      middle += line;
      picture.text({left, middle},
                   shortened(style, row.metric->name, Font::mono, style.small(),
                             columns.stacked ? room : columns.name + style.px(8) - style.px(26)),
                   Font::mono, style.small(), solid(p.quiet), AlignX::left, AlignY::middle);
    }
    draw_figure(picture, style, place, figure, columns, index, input);
  }
  if (chosen)
    bottom = draw_explanation(picture, style,
                              {box.x + style.px(22), bottom + style.px(2), box.width - style.px(22), 0}, row,
                              input);
  return bottom;
}

}  // namespace warplens
