// The roofline: the limits by arithmetic and memory, and the position of the kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/views/timing/time_pictures.h"

namespace warplens {
namespace {

// The powers of ten around the values that must be visible.
std::pair<double, double> decades_around(double low, double high) {
  return {std::pow(10.0, std::floor(std::log10(low) - 0.15)),
          std::pow(10.0, std::ceil(std::log10(high) + 0.15))};
}

std::string axis_number(double value) { return significant(value); }
std::string axis_rate(double gops) {
  return gops >= 1000 ? significant(gops / 1000) + " T" : significant(gops) + " G";
}

void draw_roofs(Picture& picture, const Style& style, Box plot, const Scale& x, const Scale& y,
                const Roofline& r) {
  const Palette& p = style.palette;
  const double left = x.low, right = x.high;
  const double start = std::max(left, y.low / r.bandwidth_gb_s);
  const Point foot{x.at(start), y.at(start * r.bandwidth_gb_s)}, ridge{x.at(r.ridge), y.at(r.peak_gops)};
  const Point end{x.at(right), y.at(r.peak_gops)};
  for (const auto& [a, b] : {std::pair{foot, ridge}, std::pair{ridge, end}})
    picture.line(a, b, solid(p.text), style.px(3));
  draw_dashed(picture, {ridge.x, ridge.y}, {ridge.x, plot.bottom()}, solid(p.quiet), 1, style.px(5));
  const std::string peak = fmt::format("arithmetic: {}/s", axis_rate(r.peak_gops));
  picture.text({plot.right() - style.px(4), ridge.y - style.px(20)}, peak, Font::words, style.small(),
               solid(p.text), AlignX::right);
  picture.area({ridge.x, ridge.y - style.px(20), plot.right() - ridge.x, style.px(24)}, {}, r.peak_formula);
  const std::string slope = fmt::format("memory: {} GB/s", significant(r.bandwidth_gb_s));
  const Point middle{(foot.x + ridge.x) / 2, (foot.y + ridge.y) / 2};
  picture.text({middle.x - style.px(10), middle.y - style.px(16)}, slope, Font::words, style.small(),
               solid(p.text), AlignX::right);
  picture.area({plot.x, middle.y - style.px(20), middle.x - plot.x, style.px(24)}, {}, r.bandwidth_formula);
  const std::string at_ridge = fmt::format("ridge {}", significant(r.ridge));
  const bool fits = ridge.x + style.px(6) + style.width(at_ridge, Font::words, style.small()) < plot.right();
  picture.text({ridge.x + style.px(fits ? 6 : -6), plot.bottom() - style.px(20)}, at_ridge, Font::words,
               style.small(), solid(p.quiet), fits ? AlignX::left : AlignX::right);
}

// Draws the same work for two numbers of bytes: those from and to DRAM, and those of all requested sectors.
void draw_points(Picture& picture, const Style& style, Box plot, const Scale& x, const Scale& y,
                 const Roofline& r, const std::string& kernel, TimingLayout& layout) {
  const Palette& p = style.palette;
  const Point at{x.at(r.dram_intensity), y.at(r.gops->value)}, sectors{x.at(r.sector_intensity), at.y};
  layout.dot = at;
  if (std::abs(sectors.x - at.x) > style.px(8)) {
    draw_dashed(picture, sectors, at, solid(p.quiet), 1.5f, style.px(4));
    draw_dot(picture, sectors, style.px(6), solid(p.panel), solid(p.counted), style.px(2));
    picture.area(
        {sectors.x - style.px(8), sectors.y - style.px(8), style.px(16), style.px(16)}, {},
        fmt::format("{} for each byte of the sectors asked for (counted)", significant(r.sector_intensity)));
  }
  const uint32_t colour = colour_of(p, r.source);
  draw_whisker(picture, {at.x, y.at(r.gops->low)}, {at.x, y.at(r.gops->high)}, solid(colour), style.px(5));
  draw_dot(picture, at, style.px(8), solid(colour), solid(p.panel), 2);
  const std::string name = fmt::format("{}: {}/s", kernel, axis_rate(r.gops->value));
  const float width = style.width(name, Font::strong, style.body());
  const bool right = at.x + style.px(16) + width < plot.right();
  picture.text({right ? at.x + style.px(16) : at.x - style.px(16), at.y}, name, Font::strong, style.body(),
               solid(p.text), right ? AlignX::left : AlignX::right, AlignY::middle);
  picture.area({at.x - style.px(10), at.y - style.px(10), style.px(20), style.px(20)}, {},
               fmt::format("{} {} / kernel time = {}/s ({} to {}), {}", significant(r.operations), r.unit,
                           axis_rate(r.gops->value), axis_rate(r.gops->low), axis_rate(r.gops->high),
                           to_string(r.source)));
}

float draw_keys(Picture& picture, const Style& style, Box box, float y, Provenance times, bool both) {
  float x = box.x;
  const auto key = [&](uint32_t colour, bool filled, const char* words, Provenance source) {
    const float width =
        style.width(words, Font::words, style.small()) + style.px(34) + source_tag_width(style, source);
    if (x > box.x && x + width > box.right()) {
      x = box.x;
      y += style.px(22);
    }
    draw_dot(picture, {x + style.px(7), y + style.px(9)}, style.px(5),
             filled ? solid(colour) : solid(style.palette.panel), solid(colour), style.px(2));
    picture.text({x + style.px(18), y + style.px(9)}, words, Font::words, style.small(),
                 solid(style.palette.quiet), AlignX::left, AlignY::middle);
    x = draw_source_tag(picture, style,
                        {x + style.px(26) + style.width(words, Font::words, style.small()), y}, source) +
        style.px(18);
  };
  key(colour_of(style.palette, times), true, "by bytes of memory", times);
  if (both) key(style.palette.counted, false, "by bytes of all sectors", Provenance::counted);
  return y + style.px(26);
}

}  // namespace

float draw_roofline(Picture& picture, const Style& style, Box box, const TimingInput& input,
                    TimingLayout& layout) {
  const Roofline& r = input.view->roofline;
  if (!r.unknown.empty())
    return draw_sentence(picture, style, box, box.y, fmt::format("There is no roofline: {}.", r.unknown));
  float y = draw_sentence(picture, style, box, box.y, r.sentence);
  y = draw_keys(picture, style, box, y, r.source, r.sector_intensity < 0.97 * r.dram_intensity);
  const float left = style.width("99.9 T", Font::mono, style.small()) + style.px(10), below = style.px(44);
  const float height = std::max(style.px(160), box.bottom() - y - below);
  const Box plot{box.x + left, y, std::max(60.0f, box.width - left - style.px(8)), height};
  layout.plot = plot;
  const auto [few, many] = decades_around(std::min({r.sector_intensity, r.dram_intensity, r.ridge}),
                                          std::max({r.sector_intensity, r.dram_intensity, r.ridge}));
  const auto [slow, fast] = decades_around(r.gops->low, r.peak_gops);
  const Scale x{few, many, plot.x, plot.right(), true}, up{slow, fast, plot.bottom(), plot.y, true};
  draw_y_axis(picture, style, plot, up, axis_rate);
  draw_x_axis(picture, style, plot, x, axis_number);
  draw_roofs(picture, style, plot, x, up, r);
  draw_points(picture, style, plot, x, up, r, input.view->kernel, layout);
  const float words_y = plot.bottom() + style.px(22);
  picture.text({plot.x, words_y},
               shortened(style, fmt::format("{} for each byte · up: {} a second", r.unit, r.unit),
                         Font::words, style.small(), plot.width),
               Font::words, style.small(), solid(style.palette.quiet));
  return words_y + style.px(22);
}

}  // namespace warplens
