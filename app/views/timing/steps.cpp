// The steps to scale, the CPU for comparison, and what limits the kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/base/format.h"
#include "app/base/work_colours.h"
#include "app/views/model/baseline.h"
#include "app/views/timing/time_pictures.h"

namespace warplens {
namespace {

// Below this share of the bar a piece is enlarged in a second bar.
constexpr double tiny_share = 0.10;
// If the CPU takes more than this many times as long as the GPU, its bar is cut off, so that the GPU's steps
// stay readable.
constexpr double longest_cpu = 4;

struct Timeline {
  Box box;
  double from_us = 0, to_us = 1;
  float x(double us) const {
    return box.x + box.width * static_cast<float>((us - from_us) / std::max(to_us - from_us, 1e-9));
  }
};

// A piece has its label only if it fits. The list below names every piece.
void draw_piece(Picture& picture, const Style& style, const Timeline& line, const StepBar& bar, Box& drawn) {
  const float from = line.x(bar.start_us), to = std::max(line.x(bar.start_us + bar.us->value), from + 2);
  drawn = {from, line.box.y, to - from, line.box.height};
  const uint32_t colour = colour_of(style.palette, bar.kind);
  const float gap = drawn.width > 6 ? 1.0f : 0.0f;
  picture.rectangle({drawn.x + gap, drawn.y, drawn.width - 2 * gap, drawn.height}, solid(colour),
                    style.px(3));
  picture.area(drawn, {}, bar.hint);
  const std::string kind = words_of(bar.kind);
  for (const std::string& words : {bar.label, kind}) {
    if (style.width(words, Font::words, style.small()) + style.px(12) > drawn.width) continue;
    picture.text(drawn.centre(), words, Font::words, style.small(), solid(ink_on(colour)), AlignX::centre,
                 AlignY::middle);
    break;
  }
}

void draw_ticks(Picture& picture, const Style& style, const Timeline& line) {
  const Scale scale{line.from_us, line.to_us, line.box.x, line.box.right(), false};
  const Box below{line.box.x, line.box.bottom() + style.px(3), line.box.width, style.px(5)};
  draw_x_axis(picture, style, below, scale, [&](double us) { return microseconds_text(us); });
}

float draw_tagged_heading(Picture& picture, const Style& style, Point at, const char* heading,
                          Provenance source, const char* hover) {
  const float below = draw_heading(picture, style, at, heading);
  const float x = at.x + style.width(heading, Font::strong, style.small()) + style.px(10);
  draw_source_tag(picture, style, {x, at.y}, source, hover);
  return below;
}

float draw_gpu_bar(Picture& picture, const Style& style, Box box, const TimingView& view, double longest,
                   TimingLayout& layout) {
  const float y = draw_tagged_heading(
      picture, style, {box.x, box.y}, "ON THE GPU", view.source,
      view.source == Provenance::measured ? "By events on the GPU." : "By the time model.");
  const Timeline line{{box.x, y, box.width, style.px(38)}, 0, longest};
  picture.rectangle(line.box, solid(style.palette.raised), style.px(3));
  for (const StepBar& bar : view.bars) {
    if (!bar.us) continue;
    Box drawn;
    draw_piece(picture, style, line, bar, drawn);
    layout.bars.push_back(drawn);
  }
  draw_ticks(picture, style, line);
  return line.box.bottom() + style.px(26);
}

// The part from the first to the last of launches and kernels, enlarged.
float draw_zoom(Picture& picture, const Style& style, Box box, const TimingView& view,
                const Timeline& whole) {
  double from = -1, to = 0;
  for (const StepBar& bar : view.bars) {
    if (!bar.us || (bar.kind != StepKind::kernel && bar.kind != StepKind::launch)) continue;
    if (from < 0) from = bar.start_us;
    to = bar.start_us + bar.us->value;
  }
  if (from < 0 || to - from > tiny_share * 2 * whole.to_us) return box.y;
  const Timeline line{{box.x, box.y + style.px(20), box.width, style.px(26)}, from, to};
  const float left = whole.x(from), right = std::max(whole.x(to), left + 2), top = box.y - style.px(4);
  Path wedge;
  wedge.closed = true;
  wedge.fill = solid(style.palette.quiet, 0.14f);
  wedge.points = {{left, top}, {right, top}, {line.box.right(), line.box.y}, {line.box.x, line.box.y}};
  picture.shapes.emplace_back(std::move(wedge));
  picture.rectangle(line.box, solid(style.palette.raised), style.px(3));
  for (const StepBar& bar : view.bars) {
    if (!bar.us || bar.start_us < from || bar.start_us >= to) continue;
    Box drawn;
    draw_piece(picture, style, line, bar, drawn);
  }
  return line.box.bottom() + style.px(14);
}

// A mark that the bar is cut off.
void draw_break(Picture& picture, const Style& style, Box bar) {
  const float x = bar.x + bar.width * 0.25f, slant = style.px(6), gap = style.px(7);
  for (const float at : {x, x + gap})
    picture.line({at - slant, bar.bottom() + 2}, {at + slant, bar.y - 2}, solid(style.palette.panel),
                 style.px(4));
}

float draw_cpu_bar(Picture& picture, const Style& style, Box box, const TimingView& view, double longest,
                   TimingLayout& layout) {
  if (!view.cpu_us) return box.y;
  const float y =
      draw_tagged_heading(picture, style, {box.x, box.y}, "ON ONE CORE OF THIS CPU", Provenance::measured,
                          "The CPU reference of this kernel, timed on this machine.");
  const Timeline line{{box.x, y, box.width, style.px(24)}, 0, longest};
  const bool broken = *view.cpu_us > longest * 1.001;
  layout.cpu_bar = {box.x, y, broken ? box.width : std::max(2.0f, line.x(*view.cpu_us) - box.x),
                    line.box.height};
  picture.rectangle(line.box, solid(style.palette.raised), style.px(3));
  picture.rectangle(layout.cpu_bar, solid(colour_of(WorkKind::host)), style.px(3));
  if (broken) draw_break(picture, style, layout.cpu_bar);
  const std::string time = microseconds_text(*view.cpu_us);
  const std::string longer =
      fmt::format("{}, {} times as long as all of the above", time, significant(*view.cpu_us / longest));
  const bool room =
      style.width(longer, Font::mono, style.small()) + style.px(16) < layout.cpu_bar.width * 0.7f;
  const std::string& words = broken && room ? longer : time;
  const float width = style.width(words, Font::mono, style.small()) + style.px(16);
  const bool inside = layout.cpu_bar.width > width;
  picture.text({inside ? layout.cpu_bar.right() - style.px(8) : layout.cpu_bar.right() + style.px(8),
                layout.cpu_bar.centre().y},
               words, Font::mono, style.small(),
               solid(inside ? ink_on(colour_of(WorkKind::host)) : style.palette.text),
               inside ? AlignX::right : AlignX::left, AlignY::middle);
  return line.box.bottom() + style.px(14);
}

// The kernel, the device's libraries and the CPU, each without copies. Absent ones say why.
float draw_libraries(Picture& picture, const Style& style, Box box, const TimingView& view,
                     TimingLayout& layout) {
  if (view.libraries.empty()) return box.y;
  const bool measured = std::ranges::all_of(view.libraries, [](const LibraryRow& row) {
    return !row.time_us || row.source == Provenance::measured;
  });
  float y = draw_tagged_heading(picture, style, {box.x, box.y}, "COMPARED WITH LIBRARIES, WITHOUT COPIES",
                                measured ? Provenance::measured : Provenance::modelled,
                                "Medians; the whisker goes from the 10th to the 90th percentile.");
  double longest = 0;
  float names = 0;
  for (const LibraryRow& row : view.libraries) {
    if (!row.time_us) continue;
    longest = std::max(longest, row.time_us->p90);
    names = std::max(names, style.width(row.who, Font::words, style.small()));
  }
  names = std::min(names + style.px(12), box.width * 0.45f);
  const float values = style.width("999 µs", Font::mono, style.small()) + style.px(24);
  const Scale scale{0, std::max(longest, 1e-9), box.x + names, box.right() - values, false};
  std::string reasons;
  for (const LibraryRow& row : view.libraries) {
    if (!row.time_us) {
      reasons += (reasons.empty() ? "" : " ") + row.missing;
      continue;
    }
    const float middle = y + style.px(9);
    const uint32_t colour = row.right ? style.palette.measured : style.palette.warning;
    picture.text({box.x, middle}, shortened(style, row.who, Font::words, style.small(), names), Font::words,
                 style.small(), solid(style.palette.text), AlignX::left, AlignY::middle);
    const Box bar{box.x + names, y + style.px(3), std::max(1.0f, scale.at(row.time_us->median) - scale.from),
                  style.px(12)};
    picture.rectangle(bar, solid(colour), style.px(2));
    draw_whisker(picture, {scale.at(row.time_us->p10), middle}, {scale.at(row.time_us->p90), middle},
                 solid(style.palette.text, 0.6f), style.px(3));
    picture.text({box.right(), middle}, microseconds_text(row.time_us->median), Font::mono, style.small(),
                 solid(style.palette.text), AlignX::right, AlignY::middle);
    picture.area(
        {box.x, y, box.width, style.px(18)}, {},
        fmt::format("{}, {}: median of {}{}{}{}", row.how, to_string(row.source), row.time_us->samples.size(),
                    row.check.empty() ? "" : "; ", row.right ? "" : "WRONG: ", row.check));
    layout.libraries.push_back(bar);
    y += style.px(21);
  }
  if (!reasons.empty())
    y = draw_paragraph(picture, style, {box.x, y}, reasons, Font::words, style.small(),
                       solid(style.palette.quiet), box.width);
  return y + style.px(10);
}

// The time of allocating and freeing is not known. They are named, not drawn as if they took no time.
float draw_unknown(Picture& picture, const Style& style, Box box, const TimingView& view) {
  std::string words, hint;
  for (const StepBar& bar : view.bars) {
    if (bar.us) continue;
    const std::string kind = words_of(bar.kind);
    if (words.find(kind) == std::string::npos) words += (words.empty() ? "" : ", ") + kind;
    hint += (hint.empty() ? "" : "\n") + bar.hint;
  }
  if (words.empty()) return box.y;
  picture.hatch({box.x, box.y + style.px(3), style.px(12), style.px(12)}, solid(style.palette.quiet),
                style.px(4));
  const float y =
      draw_paragraph(picture, style, {box.x + style.px(18), box.y},
                     words + (view.source == Provenance::measured ? ": not measured" : ": no published time"),
                     Font::words, style.small(), solid(style.palette.quiet), box.width - style.px(18));
  picture.area({box.x, box.y, box.width, y - box.y}, {}, hint);
  return y + style.px(8);
}

std::string ratio_of(const Band& us, const std::optional<Band>& then, const TimingInput& input) {
  return then ? against(us.value, then->value, input.baseline_label) : "";
}

// The same part of the baseline's kernel.
std::optional<Band> baseline_part(const TimingInput& input, TimePartKind kind) {
  const TimePart* part = input.baseline ? part_of(input.baseline->kernel_time, kind) : nullptr;
  return part ? std::optional(part->us) : std::nullopt;
}

float draw_parts(Picture& picture, const Style& style, Box box, const TimingInput& input,
                 TimingLayout& layout) {
  const KernelTime& kernel = input.view->kernel_time;
  if (!kernel.us) return box.y;
  float y =
      draw_tagged_heading(picture, style, {box.x, box.y}, "WHAT HOLDS THE KERNEL UP", KernelTime::source,
                          "By the time model: the longest part is what the kernel takes.");
  y = draw_paragraph(
          picture, style, {box.x, y},
          part_of(kernel, TimePartKind::floor) == nullptr
              ? "All of these go on at the same time: the longest one counts, not their sum."
              : "An empty kernel and the wait of one warp always count. The others go on at the same "
                "time: the longest one counts, not their sum.",
          Font::words, style.small(), solid(style.palette.text), box.width) +
      style.px(4);
  double longest = 0;
  for (const TimePart& part : kernel.parts) longest = std::max(longest, part.us.high);
  float names = 0;
  for (const TimePart& part : kernel.parts)
    names = std::max(names, style.width(words_of(part.kind), Font::words, style.small()));
  names = std::min(names + style.px(12), box.width * 0.45f);
  const float values = style.width("999 µs", Font::mono, style.small()) + style.px(24);
  const float ratios = input.baseline ? style.width("99.9 × AA", Font::mono, style.small()) + style.px(8) : 0;
  const float room = std::max(style.px(20), box.width - names - values - ratios);
  const TimePart* bound = bound_of(kernel);
  for (const TimePart& part : kernel.parts) {
    if (part.us.high <= 0) continue;  // the kernel has none of it
    const bool longest_part = &part == bound;
    const Colour ink = solid(longest_part ? style.palette.text : style.palette.quiet);
    const float middle = y + style.px(9);
    picture.text({box.x, middle}, shortened(style, words_of(part.kind), Font::words, style.small(), names),
                 longest_part ? Font::strong : Font::words, style.small(), ink, AlignX::left, AlignY::middle);
    const Scale scale{0, std::max(longest, 1e-9), box.x + names, box.x + names + room, false};
    const Box bar{box.x + names, y + style.px(3), std::max(1.0f, scale.at(part.us.value) - scale.from),
                  style.px(12)};
    picture.rectangle(
        bar, solid(longest_part ? style.palette.modelled : style.palette.quiet, longest_part ? 1.0f : 0.5f),
        style.px(2));
    draw_whisker(picture, {scale.at(part.us.low), middle}, {scale.at(part.us.high), middle},
                 solid(style.palette.text, 0.6f), style.px(3));
    const std::string ratio = ratio_of(part.us, baseline_part(input, part.kind), input);
    picture.text({box.right() - ratios, middle}, microseconds_text(part.us.value), Font::mono, style.small(),
                 ink, AlignX::right, AlignY::middle);
    picture.text({box.right(), middle}, ratio, Font::mono, style.small(), solid(style.palette.text),
                 AlignX::right, AlignY::middle);
    picture.area({box.x, y, box.width, style.px(18)}, {}, part.formula);
    layout.parts.push_back(bar);
    y += style.px(21);
  }
  return y;
}

// Draws the times side by side if there is room, with the modelled time next to the measured one.
float draw_figures(Picture& picture, const Style& style, Box box, const TimingInput& input) {
  const TimingView& view = *input.view;
  const TimingView* base = input.baseline;
  float x = box.x, y = box.y;
  bool any = false;
  const auto figure = [&](const Band& us, const std::string& what, Provenance source,
                          const std::string& formula, const std::optional<Band>& then) {
    if (any && x + style.px(230) > box.right()) {
      x = box.x;
      y += style.px(time_figure_height);
    }
    x = draw_time_figure(picture, style, {x, y}, us, what, source, formula, ratio_of(us, then, input)) +
        style.px(36);
    any = true;
  };
  if (view.total_us)
    figure(*view.total_us, "copies, launch, kernel", view.source, "The sum of the steps below.",
           base ? base->total_us : std::nullopt);
  const bool measured = view.source == Provenance::measured;
  if (view.kernel_us)
    figure(*view.kernel_us, "kernel", view.source,
           measured ? "All kernels of a run, by events on the GPU." : view.kernel_time.formula,
           base ? base->kernel_us : std::nullopt);
  if (view.model_error_percent)
    figure(*view.kernel_time.us,
           fmt::format("kernel, {} % too {}", significant(std::fabs(*view.model_error_percent)),
                       *view.model_error_percent < 0 ? "short" : "long"),
           Provenance::modelled, view.kernel_time.formula, base ? base->kernel_time.us : std::nullopt);
  return any ? y + style.px(time_figure_height) : y;
}

// The text below the figures, with its inputs in the hover text.
float draw_bandwidth(Picture& picture, const Style& style, Box box, float y, const TimingView& view) {
  if (!view.bandwidth) return y;
  const Bandwidth& b = *view.bandwidth;
  std::string words = fmt::format("The sectors asked for make {} GB/s", significant(b.sector_gb_s));
  if (b.memory_gb_s && *b.memory_gb_s > 0) {
    words += fmt::format(", the bytes that memory has to move {} GB/s", significant(*b.memory_gb_s));
    if (b.memory_percent) words += fmt::format(", {} of its bandwidth", percent_text(*b.memory_percent));
  }
  const float below = draw_paragraph(picture, style, {box.x, y}, words + " (derived).", Font::words,
                                     style.small(), solid(style.palette.quiet), box.width);
  picture.area({box.x, y, box.width, below - y}, {},
               fmt::format("{} of sectors (counted) and the model's bytes of memory, over the measured time",
                           bytes_text(static_cast<uint64_t>(b.sector_bytes))));
  return below + style.px(8);
}

}  // namespace

float draw_steps(Picture& picture, const Style& style, Box box, const TimingInput& input,
                 TimingLayout& layout) {
  const TimingView& view = *input.view;
  float y = draw_figures(picture, style, box, input);
  y = draw_sentence(picture, style, box, y, view.sentence);
  y = draw_bandwidth(picture, style, box, y, view);
  double total = 0;
  for (const StepBar& bar : view.bars)
    if (bar.us) total = std::max(total, bar.start_us + bar.us->value);
  if (total <= 0) return draw_unknown(picture, style, {box.x, y, box.width, 0}, view);
  const double cpu = view.cpu_us.value_or(0);
  const double longest = cpu > longest_cpu * total ? total : std::max(total, cpu);
  const auto rest = [&](float from) {
    return Box{box.x, from, box.width, std::max(0.0f, box.bottom() - from)};
  };
  const Timeline whole{{box.x, 0, box.width, 0}, 0, longest};
  y = draw_gpu_bar(picture, style, rest(y), view, longest, layout);
  y = draw_zoom(picture, style, rest(y), view, whole);
  y = draw_cpu_bar(picture, style, rest(y + style.px(4)), view, longest, layout);
  if (!view.cpu_sentence.empty())
    y = draw_paragraph(picture, style, {box.x, y}, view.cpu_sentence, Font::words, style.small(),
                       solid(style.palette.quiet), box.width) +
        style.px(10);
  y = draw_libraries(picture, style, rest(y), view, layout);
  y = draw_unknown(picture, style, rest(y), view);
  return draw_parts(picture, style, rest(y + style.px(4)), input, layout);
}

}  // namespace warplens
