#include "app/base/draw/plot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warplens {
namespace {

constexpr int most_ticks = 60;

std::vector<double> linear_ticks(double low, double high, int about) {
  std::vector<double> ticks;
  const double rough = (high - low) / std::max(1, about);
  if (!(rough > 0) || !std::isfinite(rough)) return ticks;
  const double decade = std::pow(10.0, std::floor(std::log10(rough)));
  const double times = rough / decade;
  const double step = decade * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
  for (double tick = std::ceil(low / step - 1e-9) * step;
       tick <= high + step * 1e-9 && ticks.size() < most_ticks; tick += step)
    ticks.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  return ticks;
}

std::vector<double> logarithmic_ticks(double low, double high, int about) {
  const double decades = std::log10(high / low);
  std::vector<double> ticks;
  const bool dense = decades * 3 <= about;
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, about))));
  for (int e = static_cast<int>(std::floor(std::log10(low))); ticks.size() < most_ticks; ++e) {
    const double decade = std::pow(10.0, e);
    if (decade > high * (1 + 1e-9)) break;
    for (const double times : {1.0, 2.0, 5.0}) {
      if (times > 1 && !dense) break;
      if (!dense && e % stride != 0) break;
      const double tick = times * decade;
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace

float Scale::at(double value) const {
  double share = 0;
  if (logarithmic)
    share = value > 0 ? std::log(value / low) / std::log(high / low) : 0;
  else
    share = (value - low) / (high - low);
  if (!std::isfinite(share)) share = 0;
  return from + static_cast<float>(std::clamp(share, 0.0, 1.0)) * (to - from);
}

double Scale::value_at(float pixel) const {
  const double share = to == from ? 0 : std::clamp(double(pixel - from) / double(to - from), 0.0, 1.0);
  return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

std::vector<double> ticks_of(const Scale& scale, int about) {
  if (scale.logarithmic)
    return scale.low > 0 && scale.high > scale.low ? logarithmic_ticks(scale.low, scale.high, about)
                                                   : std::vector<double>{};
  return linear_ticks(scale.low, scale.high, about);
}

void draw_y_axis(Picture& picture, const Style& style, Box plot, const Scale& scale, const Label& label) {
  const float size = style.small();
  float last = plot.bottom() + 10 * size;
  for (const double tick : ticks_of(scale, static_cast<int>(plot.height / (2.6f * size)))) {
    const float y = scale.at(tick);
    picture.line({plot.x, y}, {plot.right(), y}, solid(style.palette.line), 1);
    if (std::abs(last - y) < 1.4f * size) continue;
    picture.text({plot.x - style.px(6), y}, label(tick), Font::mono, size, solid(style.palette.quiet),
                 AlignX::right, AlignY::middle);
    last = y;
  }
}

void draw_x_axis(Picture& picture, const Style& style, Box plot, const Scale& scale, const Label& label) {
  const float size = style.small();
  float free_from = -10 * size;
  for (const double tick : ticks_of(scale, static_cast<int>(plot.width / (5.5f * size)))) {
    const float x = scale.at(tick);
    picture.line({x, plot.y}, {x, plot.bottom()}, solid(style.palette.line), 1);
    const std::string words = label(tick);
    const float half = style.width(words, Font::mono, size) / 2;
    if (x - half < free_from) continue;
    const float centre = std::clamp(x, half, std::max(half, picture.width - half));  // not cut at the edges
    picture.text({centre, plot.bottom() + style.px(5)}, words, Font::mono, size, solid(style.palette.quiet),
                 AlignX::centre);
    free_from = x + half + size;
  }
}

float top_of_marks(const Style& style, Box plot, size_t marks) {
  return marks == 0 ? plot.bottom() : plot.bottom() - style.px(10) - style.px(22) * static_cast<float>(marks);
}

void draw_marks(Picture& picture, const Style& style, Box plot, const std::function<float(double)>& x,
                const std::vector<PlotMark>& marks) {
  float y = top_of_marks(style, plot, marks.size());
  for (const PlotMark& mark : marks) {
    const float at = x(mark.at);
    const Colour colour = solid(mark.guess ? style.palette.text : style.palette.accent);
    if (mark.guess)
      draw_dashed(picture, {at, plot.y}, {at, plot.bottom()}, colour, style.px(2), style.px(5));
    else
      picture.line({at, plot.y}, {at, plot.bottom()}, colour, style.px(2.5f));
    const float wide = style.width(mark.words, Font::strong, style.small()), gap = style.px(8);
    const bool right = at + gap + wide <= plot.right();
    const Box ground{right ? at + gap / 2 : at - gap - wide - gap / 2, y - style.px(2), wide + gap,
                     style.px(20)};
    picture.rectangle(ground, solid(style.palette.panel, 0.85f), style.px(3));
    picture.text({ground.x + gap / 2, y}, mark.words, Font::strong, style.small(), colour);
    y += style.px(22);
  }
}

void draw_whisker(Picture& picture, Point low, Point high, Colour colour, float cap) {
  picture.line(low, high, colour, 1.5f);
  const bool upright = std::abs(high.x - low.x) < std::abs(high.y - low.y);
  for (const Point end : {low, high}) {
    const Point by = upright ? Point{cap, 0} : Point{0, cap};
    picture.line({end.x - by.x, end.y - by.y}, {end.x + by.x, end.y + by.y}, colour, 1.5f);
  }
}

void draw_dashed(Picture& picture, Point from, Point to, Colour colour, float width, float dash) {
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (length <= 0 || dash <= 0) return;
  constexpr int most_dashes = 400;
  const int count = std::min(most_dashes, static_cast<int>(length / dash));
  for (int i = 0; i < count; i += 2) {
    const float a = static_cast<float>(i) * dash / length;
    const float b = std::min(1.0f, static_cast<float>(i + 1) * dash / length);
    picture.line({from.x + a * dx, from.y + a * dy}, {from.x + b * dx, from.y + b * dy}, colour, width);
  }
}

void draw_dot(Picture& picture, Point at, float radius, Colour fill, Colour line, float line_width) {
  constexpr int corners = 20;
  Path path;
  path.closed = true;
  path.fill = fill;
  path.line = line;
  path.line_width = line_width;
  for (int i = 0; i < corners; ++i) {
    const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / corners;
    path.points.push_back({at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)});
  }
  picture.shapes.emplace_back(std::move(path));
}

}  // namespace warplens
