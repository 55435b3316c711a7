// The two orders of a race side by side, with the values that differ.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/views/step/picture_sections.h"

#include "core/launch/footprint.h"

namespace warplens {
namespace {

std::string access_words(const stepping::RacingAccess& access) {
  const char* verb = verb_of(access.kind);
  return fmt::format("warp {} {}, line {}", access.warp, verb, access.line);
}

float draw_order(Picture& picture, const Style& style, Box box, const stepping::TwoOrders& orders,
                 bool swapped, const StepViewInput& input) {
  const Palette& p = style.palette;
  const stepping::RacingAccess &one = swapped ? orders.second : orders.first,
                               &two = swapped ? orders.first : orders.second;
  float y = box.y;
  for (const std::string& words : {"first " + access_words(one), "then " + access_words(two)})
    y = draw_paragraph(picture, style, {box.x, y}, words, Font::words, style.small(), solid(p.text),
                       box.width);
  if (!orders.ends[swapped].empty())
    y = draw_paragraph(picture, style, {box.x, y}, orders.ends[swapped], Font::words, style.small(),
                       solid(p.text), box.width);
  y += style.px(4);
  for (const auto& difference : orders.differences) {
    const std::string words =
        fmt::format("{} = {}", difference.place, swapped ? difference.behind : difference.before);
    picture.text({box.x, y}, shortened(style, words, Font::mono, style.small(), box.width), Font::mono,
                 style.small(), solid(p.accent));
    picture.area({box.x, y, box.width, style.px(19)}, {}, words);
    y += style.px(19);
  }
  if (!input.interactive) return y;
  const StepMoveKind kind = swapped ? StepMoveKind::other_order : StepMoveKind::first_order;
  return draw_chips(picture, style, {box.x, y + style.px(4), box.width, 0},
                    {{"step this order",
                      Click(StepVerb::move, static_cast<uint64_t>(kind)),
                      "Go to just after both accesses, in this order",
                      false,
                      {}}});
}

}  // namespace

float draw_step_orders(Picture& picture, const Style& style, Box box, const StepViewInput& input) {
  if (!input.race) return box.y;
  const Palette& p = style.palette;
  const StepSnapshot& shown = *input.shown;
  float y = draw_heading(picture, style, {box.x, box.y}, "THE RACE IN BOTH ORDERS");
  const auto say = [&](std::string_view words) {
    return draw_paragraph(picture, style, {box.x, y}, words, Font::words, style.small(), solid(p.quiet),
                          box.width) +
           style.px(8);
  };
  if (!shown.orders)
    return say(shown.no_orders.empty() ? "Running the block in both orders…"
                                       : std::string_view(shown.no_orders));
  const float gap = style.px(16), half = (box.width - gap) / 2;
  const float left = draw_order(picture, style, {box.x, y, half, 0}, *shown.orders, false, input);
  const float right =
      draw_order(picture, style, {box.x + half + gap, y, half, 0}, *shown.orders, true, input);
  picture.line({box.x + half + gap / 2, y}, {box.x + half + gap / 2, std::max(left, right)}, solid(p.line));
  y = std::max(left, right) + style.px(6);
  if (!shown.orders->differ())
    return say(
        "In this block both orders leave the same in memory. Another block, or other data, may differ.");
  if (shown.orders->count > shown.orders->differences.size())
    return say(fmt::format("and {} more values that differ",
                           shown.orders->count - shown.orders->differences.size()));
  return say("Everything else is the same in both orders.");
}

}  // namespace warplens
