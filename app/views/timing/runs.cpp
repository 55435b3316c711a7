// The history of runs as bars, and the comparison of two runs.
#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "app/views/timing/time_pictures.h"

namespace warplens {
namespace {

constexpr size_t most_lines = 12;

float draw_history(Picture& picture, const Style& style, Box box, const TimingInput& input,
                   TimingLayout& layout) {
  const char* heading = "RUNS, NEWEST FIRST";
  draw_source_tag(picture, style,
                  {box.x + style.width(heading, Font::strong, style.small()) + style.px(10), box.y},
                  Provenance::modelled, "The kernels' modelled times.");
  float y = draw_heading(picture, style, {box.x, box.y}, heading);
  const size_t count = std::min(input.runs.size(), most_lines);
  double longest = 0;
  float names = 0;
  for (size_t i = 0; i < count; ++i) {
    longest = std::max(longest, input.runs[i].kernel_us.value_or(0));
    names = std::max(names, style.width(input.runs[i].words, Font::strong, style.small()));
  }
  names = std::min(names + style.px(14), box.width * 0.5f);
  const float values = style.width("99.9 µs", Font::mono, style.small()) + style.px(10);
  const uint64_t a = input.comparison ? input.comparison->a_serial : 0,
                 b = input.comparison ? input.comparison->b_serial : 0;
  for (size_t i = 0; i < count; ++i) {
    const RunLine& line = input.runs[i];
    const bool chosen = line.serial != 0 && (line.serial == a || line.serial == b);
    const uint32_t colour = line.serial == b   ? style.palette.accent
                            : line.serial == a ? group_colours[3]
                                               : style.palette.quiet;
    const float middle = y + style.px(10);
    picture.text({box.x, middle},
                 shortened(style, line.words, Font::words, style.small(), names - style.px(8)),
                 chosen ? Font::strong : Font::words, style.small(),
                 solid(chosen ? style.palette.text : style.palette.quiet), AlignX::left, AlignY::middle);
    if (line.kernel_us) {
      const float share = longest > 0 ? static_cast<float>(*line.kernel_us / longest) : 0;
      const Box bar{box.x + names, y + style.px(3), std::max(1.0f, share * (box.width - names - values)),
                    style.px(14)};
      picture.rectangle(bar, solid(colour, chosen ? 1.0f : 0.5f), style.px(2));
      layout.bars.push_back(bar);
    }
    picture.text({box.right(), middle}, line.kernel_us ? microseconds_text(*line.kernel_us) : "–", Font::mono,
                 style.small(), solid(chosen ? style.palette.text : style.palette.quiet), AlignX::right,
                 AlignY::middle);
    picture.area({box.x, y, box.width, style.px(22)},
                 input.interactive ? Click(TimingVerb::compare, line.serial) : Click(),
                 "Make it the baseline: every figure is held against it");
    y += style.px(24);
  }
  return y + style.px(10);
}

float draw_comparison(Picture& picture, const Style& style, Box box, const RunComparison& c) {
  const Palette& p = style.palette;
  float y = draw_heading(picture, style, {box.x, box.y}, "TWO RUNS, FIGURE BY FIGURE");
  const float ratio_right = box.right(), tag = source_tag_width(style, Provenance::modelled) + style.px(10);
  const bool tags = box.width > style.px(520);
  const float columns = (box.width - (tags ? tag : 0)) / 4;
  const float a_right = box.x + 2 * columns, b_right = box.x + 3 * columns - style.px(6);
  const auto cell = [&](float right, float at, const std::string& words, Font font, uint32_t colour) {
    picture.text({right, at}, shortened(style, words, font, style.small(), columns - style.px(4)), font,
                 style.small(), solid(colour), AlignX::right, AlignY::middle);
  };
  cell(a_right, y + style.px(8), c.a, Font::strong, group_colours[3]);
  cell(b_right, y + style.px(8), c.b, Font::strong, p.accent);
  cell(ratio_right - (tags ? tag : 0), y + style.px(8), "ratio", Font::strong, p.quiet);
  y += style.px(24);
  for (const RunFigure& f : c.figures) {
    const float middle = y + style.px(10);
    picture.line({box.x, y}, {box.right(), y}, solid(p.line));
    picture.text({box.x, middle}, shortened(style, f.name, Font::words, style.small(), columns * 1.1f),
                 Font::words, style.small(), solid(p.quiet), AlignX::left, AlignY::middle);
    cell(a_right, middle, f.a, Font::mono, p.text);
    cell(b_right, middle, f.b, Font::mono, p.text);
    const std::string verdict = verdict_words(f);
    const uint32_t colour = f.better == 0 ? p.quiet : p.text;
    const float ratio_at = ratio_right - (tags ? tag : 0);
    const bool fits =
        style.width(f.ratio_text + verdict, Font::strong, style.small()) < columns - style.px(4);
    cell(ratio_at, middle, fits ? f.ratio_text + verdict : f.ratio_text, Font::strong, colour);
    if (tags) draw_source_tag(picture, style, {ratio_right - tag + style.px(10), y + style.px(1)}, f.source);
    y += style.px(23);
  }
  return y + style.px(8);
}

}  // namespace

float draw_run_history(Picture& picture, const Style& style, Box box, const TimingInput& input,
                       TimingLayout& layout) {
  if (input.runs.empty()) return draw_sentence(picture, style, box, box.y, "No run yet.");
  float y = box.y;
  if (input.comparison) y = draw_sentence(picture, style, box, y, input.comparison->sentence);
  y = draw_history(picture, style, {box.x, y, box.width, 0}, input, layout);
  if (!input.comparison)
    return draw_sentence(picture, style, box, y, "Change something: the next run is held against this one.");
  return draw_comparison(picture, style, {box.x, y, box.width, 0}, *input.comparison);
}

}  // namespace warplens
