#include "app/views/image/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/draw/plot.h"
#include "app/base/format.h"

namespace warplens {

namespace {

constexpr int most_labels = 12;                                    // of an axis that are measured
constexpr float bars_from = 3, numbers_from = 46, curve_from = 6;  // pixels of an element or block

Scale scale_of(const VectorPlot& plot) {
  double low = plot.series->low, high = plot.series->high;
  if (low > 0 && low < 0.5 * high) low = 0;
  if (high < 0 && high > 0.5 * low) high = 0;
  if (!(high > low)) {
    low = std::min(0.0, low);
    high = std::max(high, low + 1);
  }
  return {low, high, plot.box.bottom(), plot.box.y, false};
}

float x_of(const VectorPlot& plot, double element) {
  return plot.box.x + static_cast<float>((element - plot.view.first) / plot.view.count) * plot.box.width;
}

uint32_t colour_of_plot(const VectorPlot& plot) {
  return plot.is_input ? group_colours[0] : plot.series->minus ? group_colours[3] : group_colours[2];
}

// One bar for each element, from zero or the lower end.
void draw_bars(Picture& picture, const Style& style, const VectorPlot& plot, const Scale& up) {
  const auto first = static_cast<uint64_t>(std::floor(plot.view.first));
  const auto end =
      std::min(plot.series->count, static_cast<uint64_t>(std::ceil(plot.view.first + plot.view.count)));
  const uint32_t colour = colour_of_plot(plot);
  const float base = up.at(std::clamp(0.0, up.low, up.high));
  const float width = plot.box.width / static_cast<float>(plot.view.count), gap = width >= 6 ? 1.0f : 0.0f;
  for (uint64_t element = first; element < end; ++element) {
    const ValueRange value = plot.series->range(element, element + 1);
    const float x = x_of(plot, static_cast<double>(element));
    if (value.unwritten)
      picture.hatch({x, plot.box.y, width, plot.box.height}, solid(style.palette.warning, 0.8f));
    if (!value.any) continue;
    const float y = up.at(value.high);
    picture.rectangle({x, std::min(y, base), std::max(1.0f, width - gap), std::max(1.0f, std::abs(base - y))},
                      solid(colour));
    if (width < style.px(numbers_from)) continue;
    const std::string words = significant(value.high);
    picture.text({x + width / 2, std::max(plot.box.y + style.px(9), y - style.px(10))}, words, Font::mono,
                 std::min(style.px(20), width * 0.2f), solid(style.palette.text), AlignX::centre,
                 AlignY::middle);
  }
}

// From the minimum to the maximum of the elements under each pixel.
void draw_envelope(Picture& picture, const Style& style, const VectorPlot& plot, const Scale& up) {
  const auto columns = std::max(1, static_cast<int>(plot.box.width));
  // Whole bins, where a pixel has several.
  const uint64_t bin =
      plot.view.count / columns >= 2.0 * static_cast<double>(plot.series->bin) ? plot.series->bin : 1;
  const uint32_t colour = colour_of_plot(plot);
  std::optional<float> last;
  for (int column = 0; column < columns; ++column) {
    const auto element = [&](int at) {
      return static_cast<uint64_t>(plot.view.first + plot.view.count * at / columns) / bin * bin;
    };
    const ValueRange value =
        plot.series->range(element(column), std::max(element(column) + 1, element(column + 1)));
    const float x = plot.box.x + static_cast<float>(column);
    if (value.unwritten)
      picture.rectangle({x, plot.box.y, 1, plot.box.height}, solid(style.palette.warning, 0.35f));
    if (!value.any) {
      last.reset();
      continue;
    }
    float top = up.at(value.high), bottom = up.at(value.low);
    if (last) {  // joins the column before
      top = std::min(top, *last);
      bottom = std::max(bottom, *last);
    }
    last = up.at((value.high + value.low) / 2);
    picture.rectangle({x, top - 0.75f, 1, std::max(1.5f, bottom - top + 1.5f)}, solid(colour, 0.6f));
  }
}

uint64_t writer_block_of(const Series& series, uint64_t element) {
  const uint64_t threads = std::max<uint64_t>(1, series.writers->block.count());
  const uint64_t writer = element < series.writers->writer.size() ? series.writers->writer[element] : 0;
  return writer == 0 ? UINT64_MAX : (writer - 1) / threads;
}

// Where another block begins, if the blocks have room.
void draw_block_edges(Picture& picture, const ImageViewInput& input, const VectorPlot& plot) {
  const Series* result = input.set->result_series ? &*input.set->result_series : nullptr;
  if (!input.show_blocks || result == nullptr || !result->writers || result->count != plot.series->count)
    return;
  if (plot.view.count > 1 << 20) return;
  const auto first = static_cast<uint64_t>(plot.view.first);
  const auto end = std::min(plot.series->count, static_cast<uint64_t>(plot.view.first + plot.view.count) + 1);
  const auto most = static_cast<size_t>(plot.box.width / curve_from);
  std::vector<uint64_t> edges;
  uint64_t before = writer_block_of(*result, first);
  for (uint64_t element = first + 1; element < end && edges.size() <= most; ++element) {
    const uint64_t block = writer_block_of(*result, element);
    if (block != before) edges.push_back(element);
    before = block;
  }
  if (edges.size() > most) return;
  for (const uint64_t edge : edges)
    picture.rectangle({std::round(x_of(plot, static_cast<double>(edge))), plot.box.y, 1, plot.box.height},
                      solid(0x808080, 0.7f));
}

void mark_element(Picture& picture, const Style& style, const VectorPlot& plot, const Scale& up,
                  uint64_t element, Colour colour) {
  const double middle = static_cast<double>(element) + 0.5;
  if (middle < plot.view.first || middle > plot.view.first + plot.view.count) return;
  const float x = x_of(plot, middle);
  picture.line({x, plot.box.y}, {x, plot.box.bottom()}, colour, style.px(1.5f));
  const ValueRange value = plot.series->range(element, element + 1);
  if (value.any)
    draw_dot(picture, {x, up.at(value.high)}, style.px(5), colour, solid(style.palette.panel), 2);
}

void draw_plot_marks(Picture& picture, const Style& style, const ImageViewInput& input,
                     const VectorPlot& plot, const Scale& up) {
  const Palette& p = style.palette;
  if (input.elements != nullptr)
    for (const uint64_t element : plot.is_input ? input.elements->read : input.elements->written)
      mark_element(picture, style, plot, up, element, solid(plot.is_input ? group_colours[3] : p.accent));
  if (input.chosen.element && input.chosen.element->buffer == plot.buffer)
    mark_element(picture, style, plot, up, input.chosen.element->index, solid(p.accent));
  if (input.hovered.element && input.hovered.element->buffer == plot.buffer)
    mark_element(picture, style, plot, up, input.hovered.element->index, solid(p.text));
  for (const IncidentMark& mark : input.set->incidents) {
    if (mark.buffer != plot.buffer || !mark.element) continue;
    const float side = style.px(14);
    const float x =
        std::clamp(x_of(plot, static_cast<double>(*mark.element) + 0.5), plot.box.x, plot.box.right() - 1);
    picture.line({x, plot.box.y}, {x, plot.box.bottom()}, colour_of_mark(style, mark), style.px(2));
    draw_incident_mark(picture, style,
                       {std::min(x - side / 2, plot.box.right() - side), plot.box.y, side, side}, mark);
  }
}

// The room left of a plot: its numbers are whole, however long they are.
float axis_width(const Style& style, const VectorPlot& plot) {
  float width = 0;
  for (const double tick : ticks_of(scale_of(plot), most_labels))
    width = std::max(width, style.width(significant(tick), Font::mono, style.small()));
  return width + style.px(14);
}

void draw_one_plot(Picture& picture, const Style& style, const ImageViewInput& input,
                   const VectorPlot& plot) {
  const Palette& p = style.palette;
  const Scale up = scale_of(plot);
  picture.text({plot.box.x, plot.box.y - style.px(22)},
               fmt::format("{}: {}",
                           plot.series->minus ? "difference"
                           : plot.is_input    ? "input"
                                              : "result",
                           plot.series->minus ? input.set->difference.raster->name : plot.series->spec.name),
               Font::mono, style.small(), solid(p.text));
  draw_y_axis(picture, style, plot.box, up, [](double value) { return significant(value); });
  picture.begin_clip(plot.box);
  const float width = plot.box.width / static_cast<float>(plot.view.count);
  if (width >= bars_from) {
    draw_bars(picture, style, plot, up);
  } else {
    draw_envelope(picture, style, plot, up);
  }
  draw_block_edges(picture, input, plot);
  draw_plot_marks(picture, style, input, plot, up);
  picture.end_clip();
}

}  // namespace

std::vector<VectorPlot> place_plots(const Style& style, Box canvas, const ImageViewInput& input) {
  const ImageSet& set = *input.set;
  const Series* before = set.input_series ? &*set.input_series : nullptr;
  const Series* after = set.result_series ? &*set.result_series : nullptr;
  if (set.input && before == nullptr && !(input.mode == ImageMode::result && after != nullptr)) return {};
  if (set.result && after == nullptr) return {};
  std::vector<VectorPlot> plots;
  const auto add = [&](const Series* series, std::optional<uint32_t> buffer, bool is_input) {
    if (series == nullptr) return;
    plots.push_back(
        {{}, visible_elements(series->count, input.view), series, buffer.value_or(UINT32_MAX), is_input});
  };
  if (input.flipped && before != nullptr) {
    add(before, set.shown.input, true);
  } else if (input.mode == ImageMode::difference && set.difference_series) {
    add(&*set.difference_series, set.shown.output, false);
  } else {
    if (input.mode != ImageMode::result || after == nullptr) add(before, set.shown.input, true);
    add(after, set.shown.output, false);
  }
  const bool same = plots.size() < 2 || plots[0].series->count == plots[1].series->count;
  float axis = style.px(64);
  for (const VectorPlot& plot : plots) axis = std::max(axis, axis_width(style, plot));
  const float heading = style.px(26), below = style.px(same ? 8 : 28), foot = style.px(24);
  const auto count = static_cast<float>(std::max<size_t>(1, plots.size()));
  const float height = (canvas.height - foot) / count;
  for (size_t i = 0; i < plots.size(); ++i)
    plots[i].box = {canvas.x + axis, canvas.y + height * static_cast<float>(i) + heading,
                    std::max(1.0f, canvas.width - axis - style.px(28)),
                    std::max(1.0f, height - heading - below)};
  return plots;
}

void draw_plots(Picture& picture, const Style& style, const ImageViewInput& input,
                const std::vector<VectorPlot>& plots) {
  for (const VectorPlot& plot : plots) draw_one_plot(picture, style, input, plot);
  if (plots.empty()) return;
  // One axis serves all plots over the same elements.
  for (size_t i = 0; i < plots.size(); ++i) {
    const VectorPlot& plot = plots[i];
    if (i + 1 < plots.size() && plots[i + 1].series->count == plot.series->count) continue;
    const Scale across{plot.view.first, plot.view.first + plot.view.count, plot.box.x, plot.box.right(),
                       false};
    draw_x_axis(
        picture, style, {plot.box.x, plot.box.bottom(), plot.box.width, style.px(4)}, across,
        [](double element) { return with_separators(static_cast<uint64_t>(std::max(0.0, element))); });
  }
}

}  // namespace warplens
