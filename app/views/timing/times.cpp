#include "app/views/timing/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/base/draw/parts.h"
#include "app/base/draw/plot.h"
#include "app/base/format.h"
#include "core/base/json/json_reader.h"

namespace warplens {
namespace {

// The names of the sets, in the order in which they occur.
std::vector<std::string> sets_of(const TimedPoints& points) {
  std::vector<std::string> sets;
  for (const TimedPoint& point : points.launches)
    if (std::ranges::find(sets, point.set) == sets.end()) sets.push_back(point.set);
  return sets;
}

double times_off(const TimedPoint& point) {
  return std::exp(std::abs(std::log(point.modelled_us / point.measured_us)));
}

std::string axis_time(double us) { return microseconds_text(us); }

// Both axes have the same ends, so that the line of equal times is the diagonal.
std::pair<double, double> ends_of(const TimedPoints& points) {
  double low = points.launches.front().measured_us, high = low;
  for (const TimedPoint& point : points.launches) {
    low = std::min({low, point.measured_us, point.modelled_us});
    high = std::max({high, point.measured_us, point.modelled_us});
  }
  return {low / 1.3, high * 1.3};
}

void draw_band(Picture& picture, const Style& style, Box plot, const Scale& x, const Scale& y, double band) {
  const auto at = [&](double us, double factor) {
    // Outside the plot on purpose: the clip cuts it off where the axis ends.
    const double share = std::log(us * factor / y.low) / std::log(y.high / y.low);
    return Point{x.at(us), y.from + static_cast<float>(share) * (y.to - y.from)};
  };
  picture.begin_clip(plot);
  Path area;
  area.closed = true;
  area.fill = solid(style.palette.modelled, 0.16f);
  area.points = {at(x.low, band), at(x.high, band), at(x.high, 1 / band), at(x.low, 1 / band)};
  picture.shapes.emplace_back(std::move(area));
  picture.line(at(x.low, 1), at(x.high, 1), solid(style.palette.quiet), style.px(1.5f));
  picture.end_clip();
}

// The launch of each kernel that is farthest off, if the band does not hold it.
void draw_names(Picture& picture, const Style& style, Box plot, const TimedPoints& points,
                const std::vector<Point>& dots) {
  std::map<std::string, size_t> worst;
  for (size_t i = 0; i < dots.size(); ++i) {
    const TimedPoint& point = points.launches[i];
    if (times_off(point) <= points.band) continue;
    const auto [at, first] = worst.emplace(point.kernel, i);
    if (!first && times_off(points.launches[at->second]) < times_off(point)) at->second = i;
  }
  std::vector<Box> taken;
  for (const auto& [kernel, i] : worst) {
    const float width = style.width(kernel, Font::words, style.small()), gap = style.px(8);
    // On the side that is away from the line, if there is room.
    const bool too_long = points.launches[i].modelled_us > points.launches[i].measured_us;
    const bool left = too_long ? dots[i].x - gap - width >= plot.x : dots[i].x + gap + width > plot.right();
    const Box words{left ? dots[i].x - gap - width : dots[i].x + gap, dots[i].y - style.px(9), width,
                    style.px(18)};
    if (std::ranges::any_of(taken, [&](Box other) { return !intersection(other, words).empty(); })) continue;
    taken.push_back(words);
    picture.text({words.x, dots[i].y}, kernel, Font::words, style.small(), solid(style.palette.text),
                 AlignX::left, AlignY::middle);
  }
}

float draw_key_line(Picture& picture, const Style& style, Box box, float y, const TimedPoints& points) {
  float x = box.x;
  const auto words = [&](const std::string& text) {
    picture.text({x, y + style.px(9)}, text, Font::words, style.small(), solid(style.palette.quiet),
                 AlignX::left, AlignY::middle);
    x += style.width(text, Font::words, style.small()) + style.px(20);
  };
  const std::vector<std::string> sets = sets_of(points);
  for (size_t i = 0; i < sets.size(); ++i) {
    const uint32_t colour = i == 0 ? style.palette.accent : style.palette.counted;
    draw_dot(picture, {x + style.px(6), y + style.px(9)}, style.px(4),
             i == 0 ? solid(colour) : solid(style.palette.panel), solid(colour), style.px(1.5f));
    x += style.px(18);
    words(fmt::format("{}: {} launches", sets[i],
                      std::ranges::count(points.launches, sets[i], &TimedPoint::set)));
  }
  picture.rectangle({x, y + style.px(3), style.px(18), style.px(12)}, solid(style.palette.modelled, 0.3f));
  x += style.px(24);
  words(fmt::format("band: {} times up and down", significant(points.band)));
  return y + style.px(26);
}

}  // namespace

Result<TimedPoints> parse_timed_points(std::string_view text, const std::string& file) {
  const Result<Json> json = parse_json(text, file);
  if (!json) return json.error();
  JsonReader reader(file);
  const JsonNode root{&*json, ""};
  TimedPoints points;
  points.device = reader.text(reader.required(root, "device"));
  const JsonNode band = reader.required(root, "band");
  points.band = reader.real(band);
  if (reader.ok() && !(points.band >= 1 && std::isfinite(points.band)))
    reader.fail(band, "must be 1 or more");
  const JsonNode launches = reader.required(root, "launches");
  const size_t count = reader.array_size(launches);
  if (reader.ok() && (count == 0 || count > max_timed_points))
    reader.fail(launches, fmt::format("must have 1 to {} launches", max_timed_points));
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    const JsonNode launch = reader.element(launches, i);
    TimedPoint point;
    point.kernel = reader.text(reader.required(launch, "kernel"));
    point.set = reader.text(reader.required(launch, "set"));
    for (const auto& [name, us] :
         {std::pair{"measured_us", &point.measured_us}, std::pair{"modelled_us", &point.modelled_us}}) {
      const JsonNode node = reader.required(launch, name);
      *us = reader.real(node);
      if (reader.ok() && !(*us > 0 && std::isfinite(*us)))
        reader.fail(node, "must be a time above 0, in microseconds");
    }
    points.launches.push_back(std::move(point));
  }
  if (reader.ok() && sets_of(points).size() > 2) reader.fail(launches, "must be of one set or two");
  if (!reader.ok()) return reader.error();
  return points;
}

double middle_error(const TimedPoints& points, std::string_view set) {
  std::vector<double> errors;
  for (const TimedPoint& point : points.launches)
    if (point.set == set)
      errors.push_back(std::abs(point.modelled_us - point.measured_us) / point.measured_us);
  if (errors.empty()) return 0;
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::ranges::nth_element(errors, middle);
  return *middle;
}

float draw_timed_points(Picture& picture, const Style& style, Box box, const TimedPoints& points,
                        std::vector<Point>* dots) {
  const std::string first = points.launches.front().set;
  const size_t held = static_cast<size_t>(std::ranges::count_if(
      points.launches, [&](const TimedPoint& point) { return times_off(point) <= points.band; }));
  float y = draw_paragraph(
      picture, style, {box.x, box.y},
      fmt::format("{}: half of the launches ({}) are modelled within {} of what was measured; the band holds "
                  "{} of {}.",
                  points.device, first, fmt::format("{:.1f} %", 100 * middle_error(points, first)), held,
                  points.launches.size()),
      Font::strong, style.body(), solid(style.palette.text), box.width);
  y = draw_key_line(picture, style, box, y + style.px(6), points);
  const float left = style.width("999 µs", Font::mono, style.small()) + style.px(10), below = style.px(48);
  const float height = std::max(style.px(200), box.bottom() - y - below);
  const Box plot{box.x + left, y, std::max(60.0f, box.width - left - style.px(8)), height};
  const auto [low, high] = ends_of(points);
  const Scale x{low, high, plot.x, plot.right(), true}, up{low, high, plot.bottom(), plot.y, true};
  draw_y_axis(picture, style, plot, up, axis_time);
  draw_x_axis(picture, style, plot, x, axis_time);
  draw_band(picture, style, plot, x, up, points.band);
  std::vector<Point> places;
  places.reserve(points.launches.size());
  for (const TimedPoint& point : points.launches) {
    const Point at{x.at(point.measured_us), up.at(point.modelled_us)};
    const bool filled = point.set == first;
    const uint32_t colour = filled ? style.palette.accent : style.palette.counted;
    draw_dot(picture, at, style.px(4), solid(filled ? colour : style.palette.panel, filled ? 0.9f : 0.0f),
             solid(colour), style.px(1.5f));
    places.push_back(at);
  }
  draw_names(picture, style, plot, points, places);
  const float words_y = plot.bottom() + style.px(24);
  picture.text({plot.x, words_y}, "right: measured · up: modelled ≈ · on the line both are the same",
               Font::words, style.small(), solid(style.palette.quiet));
  if (dots != nullptr) *dots = std::move(places);
  return words_y + style.px(22);
}

}  // namespace warplens
