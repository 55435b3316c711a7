// A sweep over block shapes: measured or modelled time, and occupancy.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/base/work_colours.h"
#include "app/views/timing/time_pictures.h"

namespace warplens {
namespace {

// How strongly a bar is drawn that is slower than the best.
constexpr float untied_share = 0.45f;

std::string short_extent(Dim3 block) {
  std::string text = fmt::format("{}", block.x);
  if (block.y != 1 || block.z != 1) text += fmt::format("×{}", block.y);
  if (block.z != 1) text += fmt::format("×{}", block.z);
  return text;
}

std::string hint_of(const SweepPoint& p) {
  std::string hint =
      fmt::format("Block {}, {} blocks", extent_text(p.block), with_separators(p.shape.grid.count()));
  if (!p.cuda_error.empty())
    return fmt::format("Block {}\n{}: {}", extent_text(p.block), p.cuda_error, p.message);
  if (p.status != RunStatus::ok) return hint + "\n" + p.message;
  if (const auto& m = p.measured_us)
    hint += fmt::format("\nkernel {} ({} to {} in 8 of 10 runs), measured", microseconds_text(m->median),
                        microseconds_text(m->p10), microseconds_text(m->p90));
  if (p.kernel.us)
    hint += fmt::format("\nkernel {} ({} to {}), modelled; {} takes longest",
                        microseconds_text(p.kernel.us->value), microseconds_text(p.kernel.us->low),
                        microseconds_text(p.kernel.us->high), words_of(bound_of(p.kernel)->kind));
  if (p.occupancy)
    hint += fmt::format("\noccupancy {}, derived", percent_text(p.occupancy->theoretical_percent));
  if (p.sectors) hint += fmt::format("\n{} sectors, counted", with_separators(*p.sectors));
  return hint;
}

// Longer bars than this are cut off, so that one slow shape does not make all others tiny.
double longest_bar(const Sweep& sweep) {
  constexpr double times_the_median = 3;
  std::vector<double> all;
  for (const SweepPoint& p : sweep.points)
    if (p.us()) all.push_back(p.us()->value);
  if (all.empty()) return 0;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  return times_the_median * *middle;
}

double top_of(const Sweep& sweep) {
  const double longest = longest_bar(sweep);
  double value = 0, high = 0;
  for (const SweepPoint& p : sweep.points) {
    if (!p.us() || p.us()->value > longest) continue;
    value = std::max(value, p.us()->value);
    high = std::max(high, p.us()->high);
    if (p.measured_us && p.kernel.us) high = std::max(high, p.kernel.us->value);
  }
  return std::max(1e-6, std::min(high, 1.8 * value) * 1.04);
}

// Marks the modelled time at a measured bar.
void draw_model_mark(Picture& picture, const Style& style, Point from, float width) {
  Path path;
  path.line = solid(style.palette.modelled);
  path.line_width = style.px(2);
  path.points = {from, {from.x + width, from.y}};
  picture.shapes.emplace_back(std::move(path));
}

// The key of the bars that tie.
std::string tie_words(bool measured, size_t ties) {
  return measured ? fmt::format("a tie of {}: within the band of the best", ties)
                  : fmt::format("a tie of {}: the model cannot tell them apart", ties);
}

float draw_keys(Picture& picture, const Style& style, Box box, float y, bool measured, size_t ties) {
  float x = draw_key(picture, style, {box.x, y}, Swatch::filled,
                     solid(colour_of(WorkKind::kernel), untied_share), "kernel time");
  x = draw_source_tag(picture, style, {x - style.px(8), y},
                      measured ? Provenance::measured : Provenance::modelled,
                      measured ? "Lines through a bar's end: from the 10th to the 90th percentile."
                               : "Lines through a bar's end: its band.") +
      style.px(20);
  if (measured) {
    draw_model_mark(picture, style, {x, y + style.px(9)}, style.px(12));
    picture.text({x + style.px(18), y + style.px(9)}, "model", Font::words, style.small(),
                 solid(style.palette.quiet), AlignX::left, AlignY::middle);
    x += style.px(34) + style.width("model", Font::words, style.small());
  }
  if (ties > 1) {
    const std::string words = tie_words(measured, ties);
    const float width = style.width(words, Font::words, style.small());
    if (x + width + style.px(30) > box.right()) {
      x = box.x;
      y += style.px(22);
    }
    x = draw_key(picture, style, {x, y}, Swatch::filled, solid(colour_of(WorkKind::kernel)), words) +
        style.px(12);
  }
  const std::string occupancy = "occupancy";
  if (x + style.px(170) > box.right()) {
    x = box.x;
    y += style.px(22);
  }
  draw_dot(picture, {x + style.px(6), y + style.px(9)}, style.px(4), solid(style.palette.derived));
  picture.text({x + style.px(16), y + style.px(9)}, occupancy, Font::words, style.small(),
               solid(style.palette.quiet), AlignX::left, AlignY::middle);
  draw_source_tag(picture, style, {x + style.px(24) + style.width(occupancy, Font::words, style.small()), y},
                  Provenance::derived, "Resident warps of an SM / warps that fit on it.");
  return y + style.px(24);
}

void draw_refused(Picture& picture, const Style& style, Box column, const SweepPoint& p) {
  const Colour ink = solid(style.palette.fault);
  picture.hatch(column, solid(style.palette.fault, 0.5f), style.px(8));
  const std::string words = p.status == RunStatus::refused ? "refused"
                            : p.status == RunStatus::fault ? "fault"
                                                           : "wrong";
  picture.text({column.centre().x, column.y + style.px(6)},
               shortened(style, words, Font::words, style.small(), column.width), Font::words, style.small(),
               ink, AlignX::centre);
}

void draw_best(Picture& picture, const Style& style, Box bar, float top) {
  const std::string words = "best";
  const float width = style.width(words, Font::strong, style.small()) + style.px(12), height = style.px(20);
  const Box tag{bar.centre().x - width / 2, std::max(top, bar.y - height - style.px(6)), width, height};
  picture.rectangle(tag, solid(style.palette.counted), style.px(4));
  picture.text(tag.centre(), words, Font::strong, style.small(), solid(ink_on(style.palette.counted)),
               AlignX::centre, AlignY::middle);
}

// What ties with the best point: a strip over its band, if it was measured.
void draw_tie_band(Picture& picture, const Style& style, Box plot, const Sweep& sweep, const Scale& us) {
  if (count_ties(sweep) < 2 || !sweep.measured) return;
  const Band band = *sweep.points[*sweep.best].us();
  const float low = us.at(band.low), high = std::max(plot.y, us.at(band.high));
  picture.rectangle({plot.x, high, plot.width, low - high}, solid(style.palette.counted, 0.12f));
  draw_dashed(picture, {plot.x, high}, {plot.right(), high}, solid(style.palette.counted, 0.7f), 1.5f,
              style.px(6));
}

struct BarColumns {
  Box plot;
  float step = 0;
  Box column(size_t i) const { return {plot.x + step * static_cast<float>(i), plot.y, step, plot.height}; }
};

// A bar that is longer than the plot: a gap across it, and its time.
void draw_cut(Picture& picture, const Style& style, Box bar, double us) {
  const float y = bar.y + style.px(30), slant = style.px(5);
  for (const float at : {y, y + style.px(7)})
    picture.line({bar.x - 2, at + slant}, {bar.right() + 2, at - slant}, solid(style.palette.panel),
                 style.px(4));
  picture.text({bar.centre().x, bar.y - style.px(18)}, sweep_axis_us(us), Font::mono, style.small(),
               solid(style.palette.text), AlignX::centre);
}

void draw_columns(Picture& picture, const Style& style, const BarColumns& columns, const TimingInput& input,
                  const Scale& us, TimingLayout& layout) {
  const Sweep& sweep = *input.sweep;
  float free_from = columns.plot.x - 100;
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& p = sweep.points[i];
    const Box column = columns.column(i),
              inner{column.x + column.width * 0.18f, column.y, column.width * 0.64f, column.height};
    const bool today = input.today && *input.today == p.block, best = ties_with_best(sweep, p);
    Box bar;
    if (p.status != RunStatus::ok) {
      draw_refused(picture, style, inner, p);
    } else if (const auto time = p.us()) {
      const bool is_cut = time->value > us.high;
      const float y = is_cut ? columns.plot.y : us.at(time->value);
      bar = {inner.x, y, inner.width, std::max(1.0f, columns.plot.bottom() - y)};
      picture.rectangle(bar, solid(colour_of(WorkKind::kernel), best ? 1 : untied_share), style.px(3),
                        today ? solid(style.palette.text) : Colour{}, style.px(2));
      if (is_cut)
        draw_cut(picture, style, bar, time->value);
      else
        draw_whisker(picture, {inner.centre().x, us.at(time->low)},
                     {inner.centre().x, std::max(columns.plot.y, us.at(time->high))},
                     solid(style.palette.text, 0.4f), style.px(3));
      if (!is_cut && p.measured_us && p.kernel.us)
        draw_model_mark(picture, style, {inner.x, us.at(p.kernel.us->value)}, inner.width);
    }
    layout.columns.push_back(bar);
    const std::string words = short_extent(p.block);
    const float half = style.width(words, Font::mono, style.small()) / 2;
    if (column.centre().x - half > free_from) {
      picture.text({column.centre().x, columns.plot.bottom() + style.px(5)}, words,
                   today ? Font::strong : Font::mono, style.small(),
                   solid(today ? style.palette.text : style.palette.quiet), AlignX::centre);
      free_from = column.centre().x + half + style.px(5);
    }
    picture.area(column, input.interactive ? Click(TimingVerb::point, i) : Click(), hint_of(p));
  }
}

void draw_occupancy_curve(Picture& picture, const Style& style, const BarColumns& columns, const Sweep& sweep,
                          const Scale& percent, TimingLayout& layout) {
  Path path;
  path.line = solid(style.palette.derived, 0.8f);
  path.line_width = style.px(1.5f);
  for (size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& p = sweep.points[i];
    if (!p.occupancy || p.status == RunStatus::refused) continue;
    path.points.push_back({columns.column(i).centre().x, percent.at(p.occupancy->theoretical_percent)});
  }
  layout.occupancy = path.points;
  const std::vector<Point> dots = path.points;
  if (path.points.size() > 1) picture.shapes.emplace_back(std::move(path));
  for (const Point& at : dots)
    draw_dot(picture, at, style.px(4), solid(style.palette.derived), solid(style.palette.panel), 1.5f);
}

// The position of a block with this many threads between the columns. Those without a time are not drawn.
float x_of_block(const Sweep& sweep, const std::vector<Box>& columns, double threads) {
  std::optional<float> x;
  double below = 0;
  for (size_t i = 0; i < std::min(columns.size(), sweep.points.size()); ++i) {
    if (columns[i].empty()) continue;
    const auto size = static_cast<double>(sweep.points[i].block.count());
    const float centre = columns[i].centre().x;
    if (x && threads <= size)
      return *x +
             (centre - *x) * static_cast<float>(std::max(0.0, threads - below) / std::max(1.0, size - below));
    if (threads <= size) return centre;
    x = centre;
    below = size;
  }
  return x.value_or(0);
}

// Times with and without the model of the caches are never compared, so a single run may have another time
// than its bar.
std::string sentence_of(const Sweep& sweep) {
  const bool differs =
      !sweep.measured && !sweep.cached &&
      std::ranges::any_of(sweep.points, [](const SweepPoint& p) { return p.cached.has_value(); });
  return sweep.sentence + (differs
                               ? " These times are without the model of the caches, which takes too long for "
                                 "some of the shapes; a single run has it."
                               : "");
}

}  // namespace

float draw_block_sweep(Picture& picture, const Style& style, Box box, const TimingInput& input,
                       TimingLayout& layout) {
  const Sweep& sweep = *input.sweep;
  float y = draw_sentence(picture, style, box, box.y, sentence_of(sweep));
  y = draw_sweep_progress(picture, style, box, y, input);
  if (!sweep.best) return y;  // the sentence says why there is nothing to draw
  const size_t ties = count_ties(sweep);
  y = draw_keys(picture, style, box, y, sweep.measured, ties) + style.px(6);
  const double top = top_of(sweep);
  const bool cuts =
      std::ranges::any_of(sweep.points, [&](const SweepPoint& p) { return p.us() && p.us()->value > top; });
  if (cuts) y += style.px(16);  // for the times of the bars that are cut off
  const float left = style.width("99.9 µs", Font::mono, style.small()) + style.px(10);
  const float right = style.width("100 %", Font::mono, style.small()) + style.px(10);
  const float below = style.px(44), height = std::max(style.px(150), box.bottom() - y - below);
  BarColumns columns{{box.x + left, y, std::max(40.0f, box.width - left - right), height}};
  columns.step = columns.plot.width /
                 static_cast<float>(std::max<size_t>(1, std::max(sweep.wanted, sweep.points.size())));
  layout.plot = columns.plot;
  const Scale us{0, top, columns.plot.bottom(), columns.plot.y, false};
  draw_y_axis(picture, style, columns.plot, us, sweep_axis_us);
  draw_tie_band(picture, style, columns.plot, sweep, us);
  draw_columns(picture, style, columns, input, us, layout);
  const Scale percent{0, 100, columns.plot.bottom(), columns.plot.y + style.px(6), false};
  draw_occupancy_curve(picture, style, columns, sweep, percent, layout);
  for (const double tick : {0.0, 50.0, 100.0})
    picture.text({columns.plot.right() + style.px(6), percent.at(tick)}, percent_text(tick), Font::mono,
                 style.small(), solid(style.palette.derived), AlignX::left, AlignY::middle);
  if (ties == 1) draw_best(picture, style, layout.columns[*sweep.best], columns.plot.y);
  const auto x_of = [&](double threads) { return x_of_block(sweep, layout.columns, threads); };
  for (const PlotMark& mark : input.marks) layout.marks.push_back(x_of(mark.at));
  draw_marks(picture, style, columns.plot, x_of, input.marks);
  const float words_y = columns.plot.bottom() + style.px(22);
  const std::string words = input.interactive ? "threads of a block · outlined: today's · click one to use it"
                                              : "threads of a block · outlined: today's";
  picture.text({columns.plot.x, words_y},
               shortened(style, words, Font::words, style.small(), columns.plot.width), Font::words,
               style.small(), solid(style.palette.quiet));
  return words_y + style.px(22);
}

}  // namespace warplens
