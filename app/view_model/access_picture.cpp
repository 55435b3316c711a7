#include "app/view_model/access_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/draw/parts.h"
#include "app/view_model/format.h"

namespace warplens {

namespace {

constexpr float widest_lane = 26, widest_sector = 40;

uint64_t sectors_in(const AccessView& view) {
  uint64_t count = 0;
  for (const SectorRun& run : view.runs) count += run.count;
  return count;
}

// Puts each run below the lanes that touch it, then moves runs apart until none overlap and all are inside.
std::vector<float> place_runs(const AccessView& view, const AccessLayout& layout, Box box, float sector,
                              float gap) {
  std::vector<float> sum(view.runs.size()), left(view.runs.size());
  std::vector<int> lanes(view.runs.size());
  for (const LaneTarget& target : view.lanes) {
    sum[target.run] += layout.lanes[target.lane].centre().x;
    ++lanes[target.run];
  }
  const auto width = [&](size_t i) { return sector * static_cast<float>(view.runs[i].count); };
  for (size_t i = 0; i < left.size(); ++i)
    left[i] = sum[i] / static_cast<float>(std::max(1, lanes[i])) - width(i) / 2;
  float edge = box.x;
  for (size_t i = 0; i < left.size(); ++i) {
    left[i] = std::max(left[i], edge);
    edge = left[i] + width(i) + gap;
  }
  edge = box.right();
  for (size_t i = left.size(); i-- > 0;) {
    left[i] = std::min(left[i], edge - width(i));
    edge = left[i] - gap;
  }
  return left;
}

void layout_sectors(AccessLayout& layout, const AccessView& view, Box box, float y, float height,
                    float widest) {
  const auto sectors = static_cast<float>(sectors_in(view)), runs = static_cast<float>(view.runs.size());
  if (view.runs.empty()) return;
  const float gap_share = 0.35f;
  const float sector = std::min(widest, box.width / (sectors + gap_share * (runs - 1)));
  const std::vector<float> left = place_runs(view, layout, box, sector, sector * gap_share);
  for (size_t i = 0; i < view.runs.size(); ++i)
    for (uint64_t s = 0; s < view.runs[i].count; ++s)
      layout.sectors.push_back({left[i] + sector * static_cast<float>(s), y, sector, height});
  for (const LaneTarget& target : view.lanes) {
    const SectorRun& run = view.runs[target.run];
    const double middle = static_cast<double>(target.offset - run.first * sector_bytes) + target.bytes / 2.0;
    const auto x = left[target.run] + static_cast<float>(middle / double{sector_bytes}) * sector;
    layout.arrows.push_back({target.lane, {}, {x, y}});
  }
}

void layout_banks(AccessLayout& layout, const AccessView& view, Box box, float y, float height, float lane) {
  for (uint32_t bank = 0; bank < shared_banks; ++bank)
    layout.sectors.push_back({box.x + lane * static_cast<float>(bank), y, lane, height});
  for (const LaneTarget& target : view.lanes)
    layout.arrows.push_back({target.lane, {}, {layout.sectors[target.run].centre().x, y}});
}

void draw_run_words(Picture& picture, const Style& style, const AccessView& view, const AccessLayout& layout,
                    Box box) {
  const float size = style.tiny();
  size_t first = 0;
  float taken = box.x;  // words of the run before end here
  for (const SectorRun& run : view.runs) {
    const Box& sector = layout.sectors[first];
    const float run_right = layout.sectors[first + run.count - 1].right();
    std::string words =
        fmt::format("bytes {}–{}", with_separators(run.first_byte), with_separators(run.last_byte));
    if (!run.place.empty()) words = run.place + " · " + words;
    const float width = style.width(words, Font::words, size);
    const float x =
        std::clamp((sector.x + run_right - width) / 2, box.x, std::max(box.x, box.right() - width));
    if (x >= taken) {
      picture.text({x, sector.bottom() + style.px(6)}, words, Font::words, size, solid(style.palette.quiet));
      taken = x + width + style.px(12);
    }
    first += run.count;
  }
}

void draw_lanes(Picture& picture, const Style& style, const AccessView& view, const AccessLayout& layout,
                uint32_t colour, const AccessMarks& marks) {
  uint32_t mask = 0;
  for (const LaneTarget& target : view.lanes) mask |= 1u << target.lane;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const Box box = layout.lanes[lane].inset(0.75f);
    const bool active = (mask >> lane & 1) != 0;
    const bool dimmed = marks.lane && *marks.lane != lane;
    const uint32_t shown = dimmed ? mix(style.palette.panel, colour, 0.45) : colour;
    picture.rectangle(box, active ? solid(shown) : Colour{}, 2, active ? Colour{} : solid(shown));
    const std::string words = std::to_string(lane);
    const float size = std::min(style.tiny(), box.height * 0.7f);
    if (style.width(words, Font::mono, size) <= box.width - 1)
      picture.text(box.centre(), words, Font::mono, size, solid(active ? ink_on(shown) : style.palette.quiet),
                   AlignX::centre, AlignY::middle);
  }
}

void draw_targets(Picture& picture, const Style& style, const AccessView& view, const AccessLayout& layout) {
  const uint32_t colour = style.palette.counted;
  for (size_t i = 0; i < layout.sectors.size(); ++i) {
    const Box box = layout.sectors[i].inset(0.75f);
    const bool bank = view.space == Space::shared;
    const bool touched = !bank || view.bank_words[i] > 0;
    picture.rectangle(box, solid(mix(style.palette.panel, colour, touched ? 0.2 : 0.04)), 2,
                      solid(touched ? colour : style.palette.line));
    const std::string words = !bank                    ? "32 B"
                              : view.bank_words[i] > 1 ? std::to_string(view.bank_words[i])
                                                       : "";
    if (!words.empty() && style.width(words, Font::words, style.px(10)) <= box.width - 4)
      picture.text(box.centre(), words, Font::words, style.px(10),
                   solid(bank ? style.palette.text : style.palette.quiet), AlignX::centre, AlignY::middle);
  }
}

}  // namespace

AccessLayout layout_access(const Style& style, Box box, const AccessView& view) {
  AccessLayout layout;
  const bool shared = view.space == Space::shared;
  const float lane = std::min(style.px(widest_lane), box.width / warp_lanes);
  const float lane_height = std::clamp(lane, style.px(12), style.px(22));
  const float height = style.px(22);
  // What is left over is for the arrows, within reason.
  const float room = box.height - lane_height - height - style.px(24);
  const float arrows = std::clamp(room, style.px(24), style.px(90));
  for (uint32_t i = 0; i < warp_lanes; ++i)
    layout.lanes.push_back({box.x + lane * static_cast<float>(i), box.y, lane, lane_height});
  const float y = box.y + lane_height + arrows;
  const Box below{box.x, box.y, lane * warp_lanes, box.height};
  if (shared) {
    layout_banks(layout, view, below, y, height, lane);
  } else {
    layout_sectors(layout, view, below, y, height, style.px(widest_sector));
  }
  for (AccessLayout::Arrow& arrow : layout.arrows)
    arrow.from = {layout.lanes[arrow.lane].centre().x, box.y + lane_height};
  layout.bottom = y + height + style.px(24);
  return layout;
}

AccessLayout draw_access(Picture& picture, const Style& style, Box box, const AccessView& view,
                         uint32_t colour, const AccessMarks& marks) {
  AccessLayout layout = layout_access(style, box, view);
  draw_targets(picture, style, view, layout);
  for (const AccessLayout::Arrow& arrow : layout.arrows) {
    const bool chosen = marks.lane == arrow.lane;
    const float strength = chosen ? 1.0f : marks.lane ? 0.25f : 0.65f;
    picture.line({arrow.from.x, arrow.from.y + 1}, {arrow.to.x, arrow.to.y - 1},
                 chosen ? solid(style.palette.accent) : solid(colour, strength),
                 style.px(chosen ? 2.0f : 1.0f));
  }
  draw_lanes(picture, style, view, layout, colour, marks);
  if (view.space == Space::shared) {
    picture.text({box.x, layout.sectors.front().bottom() + style.px(6)},
                 "the 32 banks of shared memory; a number: different words wanted of one bank", Font::words,
                 style.tiny(), solid(style.palette.quiet));
  } else {
    draw_run_words(picture, style, view, layout, {box.x, box.y, std::max(box.width, 1.0f), box.height});
  }
  return layout;
}

}  // namespace warplens
