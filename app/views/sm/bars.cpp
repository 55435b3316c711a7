#include "app/views/sm/bars.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>

#include "app/views/sm/looks.h"

namespace warplens {
namespace {

constexpr size_t most_bars = 2500;   // more spans become a bitmap
constexpr size_t most_bitmaps = 16;  // that are kept
constexpr float widest_cycle = 3;    // pixels: from here on each issue slot is a cell
constexpr float pale = 0.22f;        // opacity of what is not chosen

using Shares = std::array<float, warp_states>;

// From the bottom of a pixel's column to its top.
constexpr std::array<WarpState, warp_states> stacked = {WarpState::selected,
                                                        WarpState::not_selected,
                                                        WarpState::wait,
                                                        WarpState::branch_resolving,
                                                        WarpState::math_pipe_throttle,
                                                        WarpState::short_scoreboard,
                                                        WarpState::mio_throttle,
                                                        WarpState::barrier,
                                                        WarpState::lg_throttle,
                                                        WarpState::long_scoreboard,
                                                        WarpState::drain};

std::shared_ptr<const Raster> kept_or(SmBitmaps* bitmaps, const SmBitmaps::Key& key,
                                      const std::function<Raster()>& make) {
  if (bitmaps == nullptr) return std::make_shared<const Raster>(make());
  const auto found = std::ranges::find(bitmaps->kept, key, [](const auto& kept) { return kept.first; });
  if (found != bitmaps->kept.end()) return found->second;
  if (bitmaps->kept.size() >= most_bitmaps) bitmaps->kept.erase(bitmaps->kept.begin());
  bitmaps->kept.emplace_back(key, std::make_shared<const Raster>(make()));
  return bitmaps->kept.back().second;
}

// The share of each pixel's cycles in each state.
std::vector<Shares> shares_of(const SmBars& bars, const SmRow& row, uint32_t width,
                              std::vector<uint8_t>& chosen) {
  std::vector<Shares> columns(width, Shares{});
  chosen.assign(width, bars.input.line == 0 ? 1 : 0);
  const double per_cycle = double(width) / bars.range.length(), last = double(width);
  const VisibleSpans seen = visible(row, bars.range);
  for (size_t i = seen.first; i < seen.last; ++i) {
    const double from = std::max((row.spans[i].begin - bars.range.from) * per_cycle, 0.0);
    const double to = std::min((row.spans[i].end - bars.range.from) * per_cycle, last);
    const sm::Span& span = bars.view.span(row, i);
    const auto state = static_cast<size_t>(span.state);
    const bool is_chosen = bars.input.line != 0 && bars.view.line(span) == bars.input.line;
    for (auto x = static_cast<uint32_t>(from); x < width && x < to; ++x) {
      columns[x][state] += static_cast<float>(std::min(to, x + 1.0) - std::max(from, double(x)));
      if (is_chosen) chosen[x] = 1;
    }
  }
  return columns;
}

// A state's pixels: every fourth diagonal of a hatched one is thin, every second of a hollow one.
struct Ink {
  uint32_t full = 0, thin = 0;  // as in a raster
  uint32_t period = 0;          // 0: all are full
};
using Inks = std::array<Ink, warp_states>;  // in the order of `stacked`

uint32_t pixel_of(uint32_t rgb, float alpha) {
  return std::bit_cast<uint32_t>(
      std::array<uint8_t, 4>{static_cast<uint8_t>(rgb >> 16), static_cast<uint8_t>(rgb >> 8),
                             static_cast<uint8_t>(rgb), static_cast<uint8_t>(255 * alpha)});
}

Inks inks_of(float alpha) {
  Inks inks;
  for (size_t i = 0; i < stacked.size(); ++i) {
    const SmLook look = sm_look(stacked[i]);
    inks[i] = {pixel_of(look.colour, alpha), pixel_of(look.colour, alpha / 3),
               look.hatched  ? 4u
               : look.hollow ? 2u
                             : 0u};
  }
  return inks;
}

// From the pixel at `bottom` upwards. Written for builds that optimise little.
void put_column(std::vector<uint32_t>& pixels, size_t bottom, uint32_t width, uint32_t height,
                uint32_t diagonal, const Shares& shares, const Inks& inks) {
  float sum = 0;
  for (const float share : shares) sum += share;
  if (sum <= 0) return;
  const float levels = static_cast<float>(height) / sum;
  float below = 0;
  uint32_t level = 0;
  for (size_t i = 0; i < stacked.size(); ++i) {
    const float share = shares[static_cast<size_t>(stacked[i])];
    if (share == 0) continue;
    below += share;
    const uint32_t end = std::min(height, static_cast<uint32_t>(std::lround(below * levels)));
    const Ink ink = inks[i];
    for (; level < end; ++level)
      pixels[bottom - size_t{level} * width] =
          ink.period != 0 && (diagonal - level) % ink.period == 0 ? ink.thin : ink.full;
  }
}

Raster raster_of_rows(const SmBars& bars, size_t first, size_t rows, uint32_t width, uint32_t pitch) {
  const uint32_t gap = pitch > 8 ? 3 : 1, height = static_cast<uint32_t>(rows) * pitch;
  const Inks full = inks_of(1), faint = inks_of(pale);
  std::vector<uint32_t> pixels(size_t{width} * height);
  std::vector<uint8_t> chosen;
  for (size_t r = 0; r < rows; ++r) {
    const std::vector<Shares> columns = shares_of(bars, bars.view.rows[first + r], width, chosen);
    const uint32_t bottom = static_cast<uint32_t>(r + 1) * pitch - gap - 1;
    for (uint32_t x = 0; x < width; ++x)
      put_column(pixels, size_t{bottom} * width + x, width, pitch - gap, x + bottom + 4 * height, columns[x],
                 chosen[x] != 0 ? full : faint);
  }
  Raster raster = make_raster(width, height);
  std::memcpy(raster.rgba.data(), pixels.data(), raster.rgba.size());
  return raster;
}

void draw_bitmap(Picture& picture, const SmBars& bars, Box box, const SmBitmaps::Key& key,
                 const std::function<Raster()>& make) {
  picture.shapes.emplace_back(
      Bitmap{box, kept_or(bars.input.bitmaps, key, make), {0, 0, 1, 1}, Sampling::nearest, 1});
}

SmBitmaps::Key key_of(const Style& style, const SmBars& bars, Box box) {
  SmBitmaps::Key key;
  key.of = bars.view.model;
  key.from = bars.range.from;
  key.to = bars.range.to;
  key.width = static_cast<uint32_t>(std::max(1.0f, std::floor(box.width)));
  key.pitch = static_cast<uint32_t>(std::max(2.0f, std::floor(box.height)));
  key.line = bars.input.line;
  key.theme = style.theme;
  return key;
}

// The words of a state where there is room for them, else its letter.
void draw_words(Picture& picture, const Style& style, Box bar, WarpState state, uint32_t ground,
                float alpha) {
  const float size = bar.height > style.px(24) ? style.px(16) : style.small();
  if (bar.height < size + style.px(1) || bar.width < style.px(14)) return;
  const SmStateWords& words = words_of(state);
  for (const char* each : {words.one, words.brief})
    if (style.width(each, Font::words, size) + style.px(12) <= bar.width)
      return picture.text(bar.centre(), each, Font::words, size, solid(ink_on(ground), alpha), AlignX::centre,
                          AlignY::middle);
  picture.text(bar.centre(), std::string_view(&words.letter, 1), Font::mono, size,
               solid(ink_on(ground), alpha), AlignX::centre, AlignY::middle);
}

void draw_bar(Picture& picture, const Style& style, Box bar, WarpState state, float alpha, bool is_wide) {
  const SmLook look = sm_look(state);
  const Colour line = style.theme == Theme::light ? solid(outline_of(style, look.colour), alpha) : Colour{};
  if (look.hollow) {
    const uint32_t ground = mix(style.palette.panel, look.colour, 0.25);
    picture.rectangle(bar, solid(ground, alpha), 0,
                      is_wide ? solid(outline_of(style, look.colour), alpha) : Colour{});
    if (is_wide) draw_words(picture, style, bar, state, ground, alpha);
    return;
  }
  const uint32_t ground = look.hatched ? mix(style.palette.panel, look.colour, 0.55) : look.colour;
  picture.rectangle(bar, solid(ground, alpha), 0, is_wide ? line : Colour{});
  if (!is_wide) return;
  if (look.hatched) picture.hatch(bar, solid(look.colour, alpha), style.px(6));
  draw_words(picture, style, bar, state, ground, alpha);
}

Box bar_in(Box row, float from, float to, WarpState state) {
  // In a low row all but the shortest bars are as high as it, so that their letters fit.
  const float share = row.height < 20 && sm_look(state).height > 0.5f ? 1 : sm_look(state).height;
  const float height = std::max(1.0f, std::round(row.height * share));
  return {from, row.y + std::floor((row.height - height) / 2), std::max(1.0f, to - from), height};
}

void draw_row(Picture& picture, const Style& style, const SmBars& bars, const SmRow& row, Box box) {
  const double per_cycle = double(box.width) / bars.range.length();
  const auto x_of = [&](double cycle) {
    return box.x +
           static_cast<float>(std::clamp((cycle - bars.range.from) * per_cycle, 0.0, double(box.width)));
  };
  const VisibleSpans seen = visible(row, bars.range);
  for (size_t i = seen.first; i < seen.last; ++i) {
    const sm::Span& span = bars.view.span(row, i);
    const float from = x_of(row.spans[i].begin), to = x_of(row.spans[i].end);
    const bool is_chosen = bars.input.line == 0 || bars.view.line(span) == bars.input.line;
    draw_bar(picture, style, bar_in(box, from, to, span.state), span.state, is_chosen ? 1 : pale,
             to - from >= 5);
  }
}

// What can be read of a row whose spans are a bitmap.
void draw_words_of_row(Picture& picture, const Style& style, const SmBars& bars, const SmRow& row, Box box) {
  const double per_cycle = double(box.width) / bars.range.length();
  const VisibleSpans seen = visible(row, bars.range);
  for (size_t i = seen.first; i < seen.last; ++i) {
    const sm::Span& span = bars.view.span(row, i);
    const double from = std::max(row.spans[i].begin, bars.range.from),
                 to = std::min(row.spans[i].end, bars.range.to);
    if ((to - from) * per_cycle < double(style.px(16))) continue;
    const bool is_chosen = bars.input.line == 0 || bars.view.line(span) == bars.input.line;
    draw_words(picture, style,
               {box.x + static_cast<float>((from - bars.range.from) * per_cycle), box.y,
                static_cast<float>((to - from) * per_cycle), box.height},
               span.state, is_chosen ? sm_look(span.state).colour : style.palette.panel, 1);
  }
}

}  // namespace

void draw_sm_swatch(Picture& picture, const Style& style, Box box, WarpState state) {
  Box bar = bar_in(box, box.x, box.right(), state);
  if (bar.height < style.px(15))
    bar = {box.x, box.y + style.px(2), box.width, style.px(15)};  // for its letter
  draw_bar(picture, style, bar, state, 1, true);
}

void draw_sm_rows(Picture& picture, const Style& style, const SmBars& bars, size_t first,
                  const std::vector<Box>& rows) {
  if (rows.empty() || !(bars.range.length() > 0)) return;
  size_t spans = 0;
  for (size_t r = 0; r < rows.size(); ++r) {
    const VisibleSpans seen = visible(bars.view.rows[first + r], bars.range);
    spans += seen.last - seen.first;
  }
  if (spans <= most_bars) {
    for (size_t r = 0; r < rows.size(); ++r)
      draw_row(picture, style, bars, bars.view.rows[first + r], rows[r]);
    return;
  }
  // The rows of a scheduler are next to each other.
  for (size_t r = 0; r < rows.size();) {
    size_t end = r + 1;
    while (end < rows.size() && bars.view.rows[first + end].scheduler == bars.view.rows[first + r].scheduler)
      ++end;
    const float pitch = end - r > 1 ? rows[r + 1].y - rows[r].y : rows[r].height + 3;
    const Box box{rows[r].x, rows[r].y, rows[r].width, pitch * static_cast<float>(end - r)};
    SmBitmaps::Key key = key_of(style, bars, {box.x, box.y, box.width, pitch});
    key.first_row = first + r;
    key.rows = end - r;
    draw_bitmap(picture, bars, box, key,
                [&] { return raster_of_rows(bars, key.first_row, key.rows, key.width, key.pitch); });
    for (; r < end; ++r) draw_words_of_row(picture, style, bars, bars.view.rows[first + r], rows[r]);
  }
}

void draw_sm_slots(Picture& picture, const Style& style, const SmBars& bars, uint32_t scheduler, Box box) {
  const SmScheduler& slots = bars.view.schedulers[scheduler];
  const double end = std::min(bars.view.cycles, bars.range.to);
  const double per_cycle = double(box.width) / bars.range.length();
  const Box track{box.x, box.y, static_cast<float>(std::max(0.0, end - bars.range.from) * per_cycle),
                  box.height};
  if (track.width < 1) return;
  const uint32_t colour = sm_look(WarpState::selected).colour;
  picture.rectangle(track, solid(style.palette.raised), 0, solid(style.palette.line));
  if (per_cycle >= widest_cycle) {
    const auto first = std::ranges::lower_bound(
        slots.issues, static_cast<uint64_t>(std::max(0.0, std::floor(bars.range.from))));
    const float gap = per_cycle >= 6 ? 1 : 0.5f;
    picture.begin_clip(box);
    for (auto issue = first; issue != slots.issues.end() && double(*issue) < end; ++issue) {
      const float x = box.x + static_cast<float>((double(*issue) - bars.range.from) * per_cycle);
      picture.rectangle({x + gap, box.y + 1, static_cast<float>(per_cycle) - 2 * gap, box.height - 2},
                        solid(colour));
    }
    if (per_cycle >= 2 * widest_cycle)
      for (double cycle = std::ceil(bars.range.from); cycle < end; ++cycle) {
        const float x = box.x + static_cast<float>((cycle - bars.range.from) * per_cycle);
        picture.line({x, box.y}, {x, box.bottom()}, solid(style.palette.line), 1);
      }
    picture.end_clip();
    return;
  }
  SmBitmaps::Key key = key_of(style, bars, box);
  key.first_row = scheduler;
  key.slots = true;
  draw_bitmap(picture, bars, box, key, [&] {
    Raster raster = make_raster(key.width, key.pitch);
    auto issue = std::ranges::lower_bound(slots.issues,
                                          static_cast<uint64_t>(std::max(0.0, std::floor(bars.range.from))));
    for (uint32_t x = 0; x < key.width; ++x) {
      const double to = bars.range.from + (double(x) + 1) / per_cycle;
      double cycles = 0;
      if (per_cycle >= 1) {  // a cycle has several pixels
        const auto cycle = static_cast<uint64_t>(std::max(0.0, to - 0.5 / per_cycle));
        while (issue != slots.issues.end() && *issue < cycle) ++issue;
        cycles = issue != slots.issues.end() && *issue == cycle ? 1 / per_cycle : 0;
      } else {
        for (; issue != slots.issues.end() && double(*issue) < to; ++issue) ++cycles;
      }
      const auto high = static_cast<uint32_t>(std::ceil(std::min(1.0, cycles * per_cycle) * key.pitch));
      for (uint32_t y = key.pitch - std::min(high, key.pitch); y < key.pitch; ++y)
        put_pixel(raster, uint64_t{y} * key.width + x, colour);
    }
    return raster;
  });
}

}  // namespace warplens
