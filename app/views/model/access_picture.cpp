#include "app/views/model/access_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/parts.h"
#include "app/base/format.h"

namespace warplens {

namespace {

constexpr float widest_lane = 34, widest_sector = 56;

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

// The texts below the runs. `brief` texts are used if the full ones would overlap.
struct RunWords {
  std::string words;
  float x = 0, width = 0;
};
std::vector<RunWords> run_words(const Style& style, const AccessView& view, const AccessLayout& layout,
                                Box box, bool brief) {
  std::vector<RunWords> all;
  size_t first = 0;
  for (const SectorRun& run : view.runs) {
    RunWords label;
    label.words = run.place;
    if (!brief || run.place.empty()) {
      if (!label.words.empty()) label.words += " · ";
      label.words +=
          brief ? "byte " + with_separators(run.first_byte)
                : fmt::format("bytes {}–{}", with_separators(run.first_byte), with_separators(run.last_byte));
    }
    label.width = style.width(label.words, Font::words, style.small());
    const float middle = (layout.sectors[first].x + layout.sectors[first + run.count - 1].right()) / 2;
    label.x = std::clamp(middle - label.width / 2, box.x, std::max(box.x, box.right() - label.width));
    all.push_back(std::move(label));
    first += run.count;
  }
  return all;
}

bool collide(const std::vector<RunWords>& labels, float gap) {
  for (size_t i = 1; i < labels.size(); ++i)
    if (labels[i - 1].x + labels[i - 1].width + gap > labels[i].x) return true;
  return false;
}

void draw_run_words(Picture& picture, const Style& style, const AccessView& view, const AccessLayout& layout,
                    Box box) {
  if (view.runs.empty()) return;
  const float gap = style.px(10), y = layout.sectors.front().bottom() + style.px(6);
  std::vector<RunWords> labels = run_words(style, view, layout, box, false);
  if (collide(labels, gap)) labels = run_words(style, view, layout, box, true);
  float taken = box.x - gap;
  for (const RunWords& label : labels) {
    if (label.x < taken + gap) continue;
    picture.text({label.x, y}, label.words, Font::words, style.small(), solid(style.palette.quiet));
    taken = label.x + label.width;
  }
}

void draw_lanes(Picture& picture, const Style& style, const AccessView& view, const AccessLayout& layout,
                uint32_t colour, const AccessMarks& marks) {
  uint32_t mask = 0;
  for (const LaneTarget& target : view.lanes) mask |= 1u << target.lane;
  const bool numbered = style.width("31", Font::mono, style.small()) <= layout.lanes[0].width - 2;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const Box box = layout.lanes[lane].inset(0.75f);
    const bool active = (mask >> lane & 1) != 0;
    const bool dimmed = marks.lane && *marks.lane != lane;
    const uint32_t shown = dimmed ? mix(style.palette.panel, colour, 0.45) : colour;
    const bool outlined = !active || style.theme == Theme::light;
    picture.rectangle(box, active ? solid(shown) : Colour{}, 2,
                      outlined ? solid(outline_of(style, shown)) : Colour{});
    if (numbered)
      picture.text(box.centre(), std::to_string(lane), Font::mono, style.small(),
                   solid(active ? ink_on(shown) : style.palette.quiet), AlignX::centre, AlignY::middle);
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
    if (!words.empty() && style.width(words, Font::words, style.small()) <= box.width - 4)
      picture.text(box.centre(), words, Font::words, style.small(),
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
  // The remaining height is for the arrows, within limits.
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
                 style.small(), solid(style.palette.quiet));
  } else {
    draw_run_words(picture, style, view, layout, {box.x, box.y, std::max(box.width, 1.0f), box.height});
  }
  return layout;
}

}  // namespace warplens
