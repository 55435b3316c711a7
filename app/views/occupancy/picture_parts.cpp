#include "app/views/occupancy/picture_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/draw/parts.h"
#include "app/base/format.h"

namespace warplens {

namespace {

uint32_t block_colour(uint64_t block) { return group_colours[block % group_colours.size()]; }

// Cards of warp cells that flow into lines; the last card is the slots that stay empty.
struct Cards {
  float cell = 0;               // side of a warp's cell
  uint32_t columns = 1;         // cells in a line of a card
  float width = 0, height = 0;  // of a block's card
  uint32_t per_line = 1;
  uint32_t empty_columns = 1;  // cells in a line of the empty slots, below the cards
};

constexpr float card_gap = 6, cell_gap = 2, card_edge = 5;

float rows_for(uint32_t count, uint32_t per_line) {
  return static_cast<float>(ceil_div(count, std::max(1u, per_line)));
}

// The largest cells with which all cards fit. Every warp slot of the SM has the same size.
Cards fit_cards(const Style& style, Box box, const SmOccupants& sm) {
  const uint32_t empty = sm.max_warps - std::min(sm.max_warps, sm.blocks_that_fit * sm.warps_per_block);
  const float gap = style.px(card_gap), between = style.px(cell_gap), edge = style.px(card_edge);
  Cards best;
  for (float cell = style.px(34); cell >= style.px(5); cell -= 1) {
    for (uint32_t columns = 1; columns <= std::max(1u, std::min(sm.warps_per_block, 16u)); ++columns) {
      Cards c;
      c.cell = cell;
      c.columns = columns;
      const float step = cell + between;
      c.width = step * static_cast<float>(columns) - between + 2 * edge;
      c.height = step * rows_for(sm.warps_per_block, columns) - between + 2 * edge;
      c.per_line = static_cast<uint32_t>(std::max(1.0f, std::floor((box.width + gap) / (c.width + gap))));
      c.empty_columns =
          static_cast<uint32_t>(std::max(1.0f, std::floor((box.width - 2 * edge + between) / step)));
      const float empty_height = empty == 0 ? 0 : rows_for(empty, c.empty_columns) * step + 2 * edge;
      const float height = rows_for(sm.blocks_that_fit, c.per_line) * (c.height + gap) + empty_height;
      best = c;
      if (c.width <= box.width && height <= box.height) return c;
    }
  }
  return best;
}

void draw_card(Picture& picture, const Style& style, Box card, const Cards& cards, uint32_t warps,
               uint32_t last_lanes, Colour colour, bool filled, std::vector<Box>& cells) {
  const float edge = style.px(card_edge), step = cards.cell + style.px(cell_gap);
  picture.rectangle(card, solid(mix(style.palette.panel, colour.rgb, filled ? 0.12 : 0.0)), style.px(4),
                    filled ? colour : solid(style.palette.line));
  for (uint32_t warp = 0; warp < warps; ++warp) {
    const uint32_t row = warp / cards.columns;
    const Box cell{card.x + edge + step * static_cast<float>(warp % cards.columns),
                   card.y + edge + step * static_cast<float>(row), cards.cell, cards.cell};
    cells.push_back(cell);
    picture.rectangle(cell, {}, style.px(2), filled ? colour : solid(style.palette.line));
    if (!filled) continue;
    Box part = cell;
    if (warp + 1 == warps) part.width *= static_cast<float>(last_lanes) / warp_lanes;  // its lanes, to scale
    picture.rectangle(part, colour, style.px(2),
                      style.theme == Theme::light ? solid(outline_of(style, colour.rgb)) : Colour{});
  }
}

std::string words_of_sm(const SmOccupants& sm) {
  if (sm.blocks_here == sm.blocks_that_fit)
    return fmt::format("{} of {}", count_text(sm.blocks_that_fit, "block", "blocks"),
                       count_text(sm.warps_per_block, "warp", "warps"));
  return fmt::format("{} would fit, the grid has {} for the busiest SM",
                     count_text(sm.blocks_that_fit, "block", "blocks"), sm.blocks_here);
}

float part_heading(Picture& picture, const Style& style, Box box, const char* words, Provenance source,
                   std::string formula) {
  const float width = style.width(words, Font::strong, style.small());
  draw_source_tag(picture, style, {box.x + width + style.px(10), box.y - style.px(2)}, source,
                  std::move(formula));
  return draw_heading(picture, style, {box.x, box.y}, words);
}

}  // namespace

float draw_sm(Picture& picture, const Style& style, Box box, const OccupancyView& view,
              OccupancyLayout& layout) {
  const SmOccupants& sm = view.sm;
  float y = part_heading(picture, style, box, "ONE SM, EVERY WARP SLOT", Provenance::derived, view.formula);
  y = draw_paragraph(picture, style, {box.x, y}, words_of_sm(sm), Font::words, style.small(),
                     solid(style.palette.quiet), box.width) +
      style.px(6);
  const Box room{box.x, y, box.width, std::max(style.px(60), box.bottom() - y)};
  const Cards cards = fit_cards(style, room, sm);
  const float gap = style.px(card_gap);
  float bottom = y;
  const auto card_at = [&](uint32_t index) {
    const uint32_t line = index / cards.per_line;
    return Box{room.x + (cards.width + gap) * static_cast<float>(index % cards.per_line),
               room.y + (cards.height + gap) * static_cast<float>(line), cards.width, cards.height};
  };
  for (uint32_t block = 0; block < sm.blocks_that_fit; ++block) {
    const Box card = card_at(block);
    const bool here = block < sm.blocks_here;
    draw_card(picture, style, card, cards, sm.warps_per_block, sm.lanes_of_last_warp,
              solid(block_colour(block)), here, here ? layout.warps : layout.empty_warps);
    picture.area(card, {},
                 here ? fmt::format("The {} block of this SM: {}", block == 0 ? "first" : "next",
                                    count_text(sm.warps_per_block, "warp", "warps"))
                      : "Room for a block, but the grid has none left for this SM");
    bottom = std::max(bottom, card.bottom());
  }
  const uint32_t taken = sm.blocks_that_fit * sm.warps_per_block;
  if (taken >= sm.max_warps) return bottom;
  const uint32_t empty = sm.max_warps - taken;
  Cards rest = cards;
  rest.columns = std::min(cards.empty_columns, empty);
  const float step = cards.cell + style.px(cell_gap), edges = 2 * style.px(card_edge) - style.px(cell_gap);
  const Box card{room.x, sm.blocks_that_fit == 0 ? y : bottom + gap,
                 step * static_cast<float>(rest.columns) + edges,
                 step * rows_for(empty, rest.columns) + edges};
  draw_card(picture, style, card, rest, empty, warp_lanes, {}, false, layout.empty_warps);
  picture.area(card, {},
               fmt::format("{} that no block can use", count_text(empty, "warp slot", "warp slots")));
  return std::max(bottom, card.bottom());
}

namespace {

// The waves to draw: all of them, or the first and the last ones with a gap in between.
std::vector<uint64_t> shown_waves(uint64_t waves, size_t most) {
  std::vector<uint64_t> shown;
  if (waves <= most) {
    for (uint64_t wave = 0; wave < waves; ++wave) shown.push_back(wave);
    return shown;
  }
  const size_t last = std::min<size_t>(3, most / 2);
  for (uint64_t wave = 0; wave + last + 1 < most; ++wave) shown.push_back(wave);
  for (uint64_t wave = waves - last; wave < waves; ++wave) shown.push_back(wave);
  return shown;
}

void draw_wave_cell(Picture& picture, const Style& style, const WavePlan& plan,
                    OccupancyLayout::WaveCell cell, OccupancyLayout& layout) {
  uint64_t blocks = 0;
  for (uint32_t sm = cell.first_sm; sm < cell.first_sm + cell.sms; ++sm) blocks += plan.on_sm(cell.wave, sm);
  const uint64_t slots = uint64_t{cell.sms} * plan.blocks_per_sm;
  const float share =
      slots == 0 ? 0 : static_cast<float>(static_cast<double>(blocks) / static_cast<double>(slots));
  cell.filled = {cell.box.x, cell.box.y, cell.box.width * share, cell.box.height};
  if (share < 1) picture.rectangle(cell.box, {}, 1, solid(style.palette.line));
  // Neighbouring waves differ a little, so that one is told from the next.
  const uint32_t colour = cell.wave % 2 == 0 ? group_colours[0] : group_colours[5];
  if (share > 0) picture.rectangle(cell.filled, solid(colour), 1);
  layout.waves.push_back(cell);
}

}  // namespace

float draw_waves(Picture& picture, const Style& style, Box box, const OccupancyView& view,
                 OccupancyLayout& layout) {
  const WavePlan& plan = view.waves;
  const Palette& p = style.palette;
  float y =
      part_heading(picture, style, box, "BLOCKS OVER TIME", Provenance::modelled,
                   fmt::format("waves = blocks / (SMs × resident blocks) = {} / ({} × {}). Drawn as if every "
                               "block took equally long and blocks went round the SMs in order.",
                               with_separators(plan.blocks), plan.sms, plan.blocks_per_sm));
  y = draw_paragraph(picture, style, {box.x, y}, view.wave_words, Font::words, style.small(), solid(p.quiet),
                     box.width) +
      style.px(6);
  if (plan.waves == 0) return y;
  const float left = style.width("SM 000", Font::mono, style.small()) + style.px(6), foot = style.px(20);
  const Box room{box.x + left, y, box.width - left, std::max(style.px(90), box.bottom() - y - foot)};
  const std::vector<uint64_t> waves = shown_waves(plan.waves, 12);
  const bool gap = waves.size() < plan.waves;
  const auto rows =
      std::min<uint32_t>(plan.sms, static_cast<uint32_t>(std::max(1.0f, room.height / style.px(4))));
  const auto sms_per_row = static_cast<uint32_t>(ceil_div(plan.sms, rows));
  const auto lines = static_cast<uint32_t>(ceil_div(plan.sms, sms_per_row));
  const float row = std::min(room.height / static_cast<float>(lines), style.px(22));
  const float gap_width = gap ? style.px(22) : 0;
  const float column = std::min((room.width - gap_width) / static_cast<float>(waves.size()), style.px(120));
  for (size_t i = 0; i < waves.size(); ++i) {
    const bool behind = gap && waves[i] != i;
    const float x = room.x + column * static_cast<float>(i) + (behind ? gap_width : 0);
    for (uint32_t line = 0; line < lines; ++line) {
      const uint32_t first = line * sms_per_row;
      draw_wave_cell(picture, style, plan,
                     {waves[i],
                      first,
                      std::min(sms_per_row, plan.sms - first),
                      {x, room.y + row * static_cast<float>(line), column - 2, std::max(1.0f, row - 1)},
                      {}},
                     layout);
    }
    const uint64_t blocks = waves[i] + 1 == plan.waves ? plan.in_last : plan.slots;
    picture.area({x, room.y, column, row * static_cast<float>(lines)}, {},
                 fmt::format("wave {} of {}: {} in {} slots", waves[i] + 1, with_separators(plan.waves),
                             count_text(blocks, "block", "blocks"), with_separators(plan.slots)));
    const std::string number = with_separators(waves[i] + 1);
    if (style.width(number, Font::mono, style.small()) < column)
      picture.text({x + column / 2, room.y + row * static_cast<float>(lines) + style.px(4)}, number,
                   Font::mono, style.small(), solid(p.quiet), AlignX::centre);
    if (behind && (i == 0 || waves[i - 1] + 1 != waves[i]))
      picture.text({x - gap_width / 2 - 1, room.y + row * static_cast<float>(lines) / 2}, "…", Font::strong,
                   style.body(), solid(p.quiet), AlignX::centre, AlignY::middle);
  }
  const float bottom = room.y + row * static_cast<float>(lines);
  const Colour quiet = solid(p.quiet);
  picture.text({box.x, room.y}, "SM 0", Font::mono, style.small(), quiet);
  if (lines > 1 && bottom - room.y > style.px(34))
    picture.text({box.x, bottom - style.px(13)}, fmt::format("SM {}", plan.sms - 1), Font::mono,
                 style.small(), quiet);
  picture.text({box.x, bottom + style.px(4)}, "wave", Font::words, style.small(), quiet);
  return bottom + foot;
}

namespace {

std::string short_name(std::string_view name) {
  std::string text(name);
  for (const std::string_view part : {"NVIDIA ", "GeForce ", "Tesla "})
    if (const size_t at = text.find(part); at != std::string::npos) text.erase(at, part.size());
  return text;
}

}  // namespace

float draw_devices(Picture& picture, const Style& style, Box box, const OccupancyView& view, bool interactive,
                   OccupancyLayout& layout) {
  const Palette& p = style.palette;
  float y = part_heading(picture, style, box, "THE SAME LAUNCH ON OTHER DEVICES", Provenance::derived,
                         "Each with its own limits, and with the registers that the kernel takes there.");
  const size_t count = view.devices.size();
  if (count == 0) return y;
  const float pitch_wanted = style.px(22), least = style.px(17);
  const size_t columns =
      static_cast<float>(count) * least > box.bottom() - y && box.width > style.px(280) ? 2 : 1;
  const size_t lines = (count + columns - 1) / columns;
  const float pitch = std::clamp((box.bottom() - y) / static_cast<float>(lines), least, pitch_wanted);
  const float gap = style.px(16),
              width = (box.width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float percent = style.width("≈ 83.3 %", Font::mono, style.small()) + style.px(4);
  const float name = columns == 2 ? width * 0.5f : style.px(130);
  for (size_t i = 0; i < count; ++i) {
    const DeviceBar& device = view.devices[i];
    const size_t column = i / lines;
    const Box row{box.x + (width + gap) * static_cast<float>(column),
                  y + pitch * static_cast<float>(i % lines), width, pitch};
    const Box track{row.x + name, row.y + pitch * 0.22f, std::max(1.0f, width - name - percent),
                    pitch * 0.56f};
    const uint32_t ink = device.today ? p.text : p.quiet;
    if (device.today)
      picture.rectangle({row.x - style.px(4), row.y, row.width + style.px(8), row.height},
                        solid(mix(p.panel, p.accent, 0.16)), style.px(4));
    const std::string words = short_name(device.name);
    picture.text(
        {row.x, row.centre().y},
        shortened(style, words, device.today ? Font::strong : Font::words, style.small(), name - style.px(4)),
        device.today ? Font::strong : Font::words, style.small(), solid(ink), AlignX::left, AlignY::middle);
    picture.rectangle(track, solid(p.raised), 2);
    const Box filled{track.x, track.y, track.width * static_cast<float>(device.percent.value_or(0) / 100),
                     track.height};
    if (device.percent)
      picture.rectangle(filled, solid(device.today ? p.accent : mix(p.raised, p.accent, 0.35)), 2);
    layout.devices.push_back(filled);
    const std::string value = !device.percent
                                  ? (device.limiter.empty() ? "?" : "refused")
                                  : (device.estimated ? "≈ " : "") + percent_text(*device.percent);
    picture.text({row.right(), row.centre().y}, value, Font::mono, style.small(), solid(ink), AlignX::right,
                 AlignY::middle);
    picture.area(row, interactive && !device.today ? Click(OccupancyVerb::device, device.id) : Click(),
                 device.words + (interactive && !device.today ? ". Click to run there." : ""));
  }
  return y + pitch * static_cast<float>(lines);
}

}  // namespace warplens
