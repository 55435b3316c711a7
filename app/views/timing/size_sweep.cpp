// A sweep over the size of the problem: GPU against CPU.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/base/work_colours.h"
#include "app/views/timing/time_pictures.h"

namespace warplens {
namespace {

double three_digits(double value) {
  const double step = std::pow(10.0, std::floor(std::log10(std::max(value, 1.0))) - 2);
  return std::round(value / step) * step;
}

struct SizePoint {
  double elements = 0;
  std::optional<Band> gpu;
  std::optional<double> cpu_us;
  double kernel_us = 0;
};

std::vector<SizePoint> size_points(const Sweep& sweep) {
  std::vector<SizePoint> points;
  for (const SweepPoint& p : sweep.points) {
    if (p.status != RunStatus::ok || p.elements <= 0) continue;
    SizePoint point{p.elements, p.total_us, std::nullopt, p.us() ? p.us()->value : 0};
    if (p.cpu_ms && *p.cpu_ms > 0) point.cpu_us = *p.cpu_ms * 1e3;
    points.push_back(point);
  }
  return points;
}

struct Ranges {
  double few = 1e300, many = 0, fast = 1e300, slow = 0;
  bool any() const { return many > 0 && slow > 0; }
};

Ranges ranges_of(const std::vector<SizePoint>& points) {
  Ranges r;
  for (const SizePoint& p : points) {
    r.few = std::min(r.few, p.elements);
    r.many = std::max(r.many, p.elements);
    for (const double us :
         {p.gpu ? p.gpu->low : 0, p.gpu ? p.gpu->high : 0, p.cpu_us.value_or(0), p.kernel_us}) {
      if (us <= 0) continue;
      r.fast = std::min(r.fast, us);
      r.slow = std::max(r.slow, us);
    }
  }
  if (r.few == r.many) r.many *= 2;
  r.fast /= 1.3;
  r.slow *= 1.3;
  return r;
}

void draw_band(Picture& picture, const std::vector<SizePoint>& points, const Scale& x, const Scale& y,
               Colour fill) {
  for (size_t i = 1; i < points.size(); ++i) {
    const SizePoint &a = points[i - 1], &b = points[i];
    if (!a.gpu || !b.gpu) continue;
    Path quad;
    quad.closed = true;
    quad.fill = fill;
    quad.points = {{x.at(a.elements), y.at(a.gpu->high)},
                   {x.at(b.elements), y.at(b.gpu->high)},
                   {x.at(b.elements), y.at(b.gpu->low)},
                   {x.at(a.elements), y.at(a.gpu->low)}};
    picture.shapes.emplace_back(std::move(quad));
  }
}

void draw_line(Picture& picture, const Style& style, const std::vector<Point>& points, uint32_t colour,
               float width) {
  if (points.size() > 1) {
    Path path;
    path.points = points;
    path.line = solid(colour);
    path.line_width = style.px(width);
    picture.shapes.emplace_back(std::move(path));
  }
  for (const Point& at : points)
    draw_dot(picture, at, style.px(width + 2), solid(colour), solid(style.palette.panel), 1.5f);
}

void draw_crossover(Picture& picture, const Style& style, Box plot, const Sweep& sweep, const Scale& x,
                    TimingLayout& layout) {
  const Crossover& c = sweep.crossover;
  if (c.where != Crossover::Where::between) return;
  const float at = x.at(c.elements);
  layout.crossover = at;
  picture.rectangle({at, plot.y, plot.right() - at, plot.height}, solid(style.palette.counted, 0.09f));
  draw_dashed(picture, {at, plot.y}, {at, plot.bottom()}, solid(style.palette.counted), 2, style.px(6));
  const std::string words = "the GPU pays →",
                    other = fmt::format("from about {} elements", significant(three_digits(c.elements)));
  const float width = std::max(style.width(words, Font::strong, style.small()),
                               style.width(other, Font::words, style.small()));
  const bool right = at + width + style.px(10) < plot.right();
  const float text_x = right ? at + style.px(8) : at - style.px(8);
  const AlignX align = right ? AlignX::left : AlignX::right;
  picture.text({text_x, plot.y + style.px(8)}, words, Font::strong, style.small(),
               solid(style.palette.counted), align);
  picture.text({text_x, plot.y + style.px(26)}, other, Font::words, style.small(), solid(style.palette.text),
               align);
}

float draw_size_keys(Picture& picture, const Style& style, Box box, float y, Provenance gpu) {
  struct Entry {
    const char* words;
    uint32_t colour;
    Provenance source;
  };
  const Palette& p = style.palette;
  float x = box.x;
  for (const Entry& entry :
       {Entry{"GPU with copies and launch", p.modelled, gpu},
        Entry{"its kernel alone", colour_of(WorkKind::kernel), gpu},
        Entry{"one core of this CPU", colour_of(WorkKind::host), Provenance::measured}}) {
    const float width = style.width(entry.words, Font::words, style.small()) + style.px(30) +
                        source_tag_width(style, entry.source);
    if (x > box.x && x + width > box.right()) {
      x = box.x;
      y += style.px(22);
    }
    const float end = draw_key(picture, style, {x, y}, Swatch::filled, solid(entry.colour), entry.words);
    x = draw_source_tag(picture, style, {end - style.px(8), y}, entry.source) + style.px(18);
  }
  return y + style.px(26);
}

}  // namespace

float draw_size_sweep(Picture& picture, const Style& style, Box box, const TimingInput& input,
                      TimingLayout& layout) {
  const Sweep& sweep = *input.sweep;
  float y = draw_sentence(picture, style, box, box.y, sweep.sentence);
  y = draw_sweep_progress(picture, style, box, y, input);
  const std::vector<SizePoint> points = size_points(sweep);
  const Ranges ranges = ranges_of(points);
  if (!ranges.any()) return y;
  y = draw_size_keys(picture, style, box, y, sweep.measured ? Provenance::measured : Provenance::modelled) +
      style.px(4);
  const float left = style.width("999 µs", Font::mono, style.small()) + style.px(10);
  const float below = style.px(44), height = std::max(style.px(150), box.bottom() - y - below);
  const Box plot{box.x + left, y, std::max(40.0f, box.width - left - style.px(8)), height};
  layout.plot = plot;
  const Scale across{ranges.few, ranges.many, plot.x, plot.right(), true};
  const Scale up{ranges.fast, ranges.slow, plot.bottom(), plot.y, true};
  draw_y_axis(picture, style, plot, up, sweep_axis_us);
  draw_x_axis(picture, style, plot, across,
              [](double n) { return with_separators(static_cast<uint64_t>(std::llround(n))); });
  draw_crossover(picture, style, plot, sweep, across, layout);
  draw_band(picture, points, across, up, solid(style.palette.modelled, 0.18f));
  std::vector<Point> kernel;
  for (const SizePoint& p : points) {
    if (p.gpu) layout.gpu.push_back({across.at(p.elements), up.at(p.gpu->value)});
    if (p.cpu_us) layout.cpu.push_back({across.at(p.elements), up.at(*p.cpu_us)});
    if (p.kernel_us > 0) kernel.push_back({across.at(p.elements), up.at(p.kernel_us)});
  }
  draw_line(picture, style, kernel, colour_of(WorkKind::kernel), 1);
  draw_line(picture, style, layout.gpu, style.palette.modelled, 2.5f);
  draw_line(picture, style, layout.cpu, colour_of(WorkKind::host), 2.5f);
  const auto x_of = [&](double elements) { return across.at(elements); };
  for (const PlotMark& mark : input.marks) layout.marks.push_back(x_of(mark.at));
  draw_marks(picture, style, plot, x_of, input.marks);
  const float words_y = plot.bottom() + style.px(22);
  std::string words = "elements of the problem; both axes logarithmic";
  if (!sweep.left_out.empty()) words += " · " + sweep.left_out;
  picture.text({plot.x, words_y}, shortened(style, words, Font::words, style.small(), plot.width),
               Font::words, style.small(), solid(style.palette.quiet));
  return words_y + style.px(22);
}

}  // namespace warplens
