// The rules of the Profile view: what was found, the figures that it is based on, and its fix.
#include <fmt/format.h>

#include "app/base/draw/parts.h"
#include "app/views/profile/picture_sections.h"
#include "core/job/report/profile/values.h"

namespace warplens {

namespace {

// "Bank conflicts", of "Bank conflicts: each of …".
std::string title_of(const profile::Rule& rule) {
  const size_t end = rule.text.find(": ");
  return end != std::string::npos && end < 60 ? rule.text.substr(0, end) : rule.text;
}

std::string speedup_text(const profile::Rule& rule) {
  return rule.speedup_percent ? fmt::format("est. speedup {:.1f} %", *rule.speedup_percent) : "";
}

std::vector<Chip> chips_of(const profile::Rule& rule, size_t index, const ProfileView& view) {
  std::vector<Chip> chips;
  for (const profile::Metric* metric : rule.rests_on)
    for (const ProfileRow& row : view.rows)
      if (row.metric == metric)
        chips.push_back(
            {fmt::format("{} {}{}{}", metric->label, row.shown, row.unit.empty() ? "" : " ", row.unit),
             Click(ProfileVerb::rests, index, fmt::format("{}:{}", index, metric->name)),
             "Leads to this figure: " + metric->name,
             false,
             {}});
  if (!rule.advice.empty())
    chips.push_back({"take the fix", Click(ProfileVerb::fix, index), rule.advice, false, {}});
  return chips;
}

}  // namespace

uint32_t colour_of_rule(const Palette& palette, const profile::Rule& rule) {
  return rule.type == "ERR"   ? palette.fault
         : rule.type == "WRN" ? palette.warning
         : rule.type == "OPT" ? palette.accent
                              : palette.quiet;
}

float draw_profile_rule(Picture& picture, const Style& style, Box box, size_t index,
                        const ProfilePictureInput& input, ProfileLayout& layout) {
  const Palette& p = style.palette;
  const profile::Rule& rule = input.view->rules[index];
  const uint32_t colour = colour_of_rule(p, rule);
  const size_t ground = picture.shapes.size();
  const float left = box.x + style.px(22);
  picture.rectangle({left, box.y, box.right() - left, 1}, solid(p.raised), style.px(6), solid(p.line));
  picture.rectangle({left, box.y, style.px(4), 1}, solid(colour), style.px(2));
  const Box inside{left + style.px(16), box.y + style.px(8), box.right() - left - style.px(28), 0};
  picture.text({inside.x, inside.y}, rule.type, Font::strong, style.small(), solid(colour));
  const std::string speedup = speedup_text(rule);
  const float beside = inside.x + style.px(48);
  if (!speedup.empty()) picture.text({beside, inside.y}, speedup, Font::strong, style.small(), solid(p.text));
  float y = speedup.empty() ? inside.y : inside.y + style.px(22);
  y = draw_paragraph(picture, style, {beside, y}, rule.text, Font::words, style.body(), solid(p.text),
                     inside.right() - beside);
  if (input.interactive) {
    if (const std::vector<Chip> chips = chips_of(rule, index, *input.view); !chips.empty())
      y = draw_chips(picture, style, {beside, y + style.px(6), inside.right() - beside, 0}, chips);
  } else if (!rule.figures.empty()) {
    y = draw_paragraph(picture, style, {beside, y}, rule.figures, Font::words, style.small(), solid(p.quiet),
                       inside.right() - beside);
  }
  if (!rule.advice.empty())
    y = draw_paragraph(picture, style, {beside, y + style.px(4)}, rule.advice, Font::words, style.small(),
                       solid(p.quiet), inside.right() - beside);
  y += style.px(8);
  for (const size_t part : {ground, ground + 1})
    std::get<Rectangle>(picture.shapes[part]).box.height = y - box.y;
  layout.rules.push_back({index, {box.x, box.y, box.width, y - box.y}});
  return y + style.px(8);
}

float draw_profile_summary(Picture& picture, const Style& style, Box box, const ProfilePictureInput& input) {
  const ProfileView& view = *input.view;
  if (view.rules.empty()) return box.y;
  float y = draw_heading(picture, style, {box.x, box.y}, "WHAT STANDS OUT");
  const float line = style.px(24), indent = style.px(48);
  for (size_t i = 0; i < view.rules.size(); ++i) {
    const profile::Rule& rule = view.rules[i];
    const float middle = y + line / 2;
    const std::string speedup = speedup_text(rule);
    const float room = box.width - indent - style.width(speedup, Font::mono, style.small()) - style.px(16);
    picture.text({box.x, middle}, rule.type, Font::strong, style.small(),
                 solid(colour_of_rule(style.palette, rule)), AlignX::left, AlignY::middle);
    picture.text({box.x + indent, middle}, shortened(style, title_of(rule), Font::words, style.body(), room),
                 Font::words, style.body(),
                 solid(input.interactive ? style.palette.accent : style.palette.text), AlignX::left,
                 AlignY::middle);
    picture.text({box.right(), middle}, speedup, Font::mono, style.small(), solid(style.palette.text),
                 AlignX::right, AlignY::middle);
    picture.area({box.x, y, box.width, line}, input.interactive ? Click(ProfileVerb::rule, i) : Click(),
                 rule.text);
    y += line;
  }
  return y + style.px(14);
}

}  // namespace warplens
