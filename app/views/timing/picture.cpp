#include "app/views/timing/picture.h"

#include <fmt/format.h>

#include "app/base/format.h"
#include "app/base/work_colours.h"
#include "app/views/timing/time_pictures.h"

namespace warplens {
namespace {

float draw_modes(Picture& picture, const Style& style, Box box, const TimingInput& input) {
  std::vector<Chip> chips;
  for (const TimingMode mode : all_timing_modes) {
    Chip chip;
    chip.label = to_string(mode);
    chip.click = Click(TimingVerb::mode, static_cast<uint64_t>(mode), to_string(mode));
    chip.chosen = mode == input.mode;
    chip.kind = ChipKind::mode;
    chips.push_back(std::move(chip));
  }
  Chip save;
  save.label = "save…";
  save.click = SaveVerb::save;
  chips.push_back(std::move(save));
  return draw_chips(picture, style, box, chips) + style.px(14);
}

float draw_quiet(Picture& picture, const Style& style, Box box, std::string_view words) {
  return draw_paragraph(picture, style, {box.x, box.y}, words, Font::words, style.body(),
                        solid(style.palette.quiet), box.width);
}

bool needs_sweep(TimingMode mode) { return mode == TimingMode::blocks || mode == TimingMode::sizes; }

float draw_mode(Picture& picture, const Style& style, Box box, const TimingInput& input,
                TimingLayout& layout) {
  if (needs_sweep(input.mode)) {
    if (!input.sweep_error.empty()) return draw_quiet(picture, style, box, input.sweep_error);
    if (input.sweep == nullptr || input.sweep->points.empty())
      return draw_quiet(picture, style, box,
                        input.sweeping ? "Running the kernel with each of them…" : "Nothing was tried yet.");
    return input.mode == TimingMode::blocks ? draw_block_sweep(picture, style, box, input, layout)
                                            : draw_size_sweep(picture, style, box, input, layout);
  }
  if (input.mode == TimingMode::runs) return draw_run_history(picture, style, box, input, layout);
  if (input.view == nullptr)
    return draw_quiet(picture, style, box, "No run yet: times appear with the first result.");
  if (input.mode == TimingMode::roofline) return draw_roofline(picture, style, box, input, layout);
  if (input.mode == TimingMode::timer) return draw_stopwatch(picture, style, box, input, layout);
  return draw_steps(picture, style, box, input, layout);
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : ""; }
std::string end_of(const std::optional<Band>& band, double Band::*end) {
  return band ? fmt::format("{:.6g}", (*band).*end) : "";
}

Table steps_table(const TimingView& view) {
  Table table{{"step", "us", "low_us", "high_us", "source"}, {}};
  for (const StepBar& bar : view.bars)
    table.rows.push_back({bar.label, end_of(bar.us, &Band::value), end_of(bar.us, &Band::low),
                          end_of(bar.us, &Band::high), to_string(bar.source)});
  for (const TimePart& part : view.kernel_time.parts)
    table.rows.push_back({fmt::format("kernel part: {}", words_of(part.kind)), end_of(part.us, &Band::value),
                          end_of(part.us, &Band::low), end_of(part.us, &Band::high), "modelled"});
  if (view.cpu_us) table.rows.push_back({"CPU reference", number(view.cpu_us), "", "", "measured"});
  for (const LibraryRow& row : view.libraries)
    if (row.time_us)
      table.rows.push_back({fmt::format("{}: {}", row.who, row.how),
                            fmt::format("{:.6g}", row.time_us->median),
                            fmt::format("{:.6g}", row.time_us->p10), fmt::format("{:.6g}", row.time_us->p90),
                            to_string(row.source)});
  return table;
}

Table sweep_table(const Sweep& sweep) {
  Table table{{"block", "size", "status", "occupancy_percent", "global_sectors", "kernel_us", "kernel_low_us",
               "kernel_high_us", "total_us", "cpu_ms", "source", "modelled_us"},
              {}};
  for (const SweepPoint& p : sweep.points)
    table.rows.push_back(
        {extent_text(p.block), p.size == 0 ? "" : fmt::format("{}", p.size),
         p.cuda_error.empty() ? to_string(p.status) : p.cuda_error,
         number(p.occupancy ? std::optional(p.occupancy->theoretical_percent) : std::nullopt),
         p.sectors ? fmt::format("{}", *p.sectors) : "", end_of(p.us(), &Band::value),
         end_of(p.us(), &Band::low), end_of(p.us(), &Band::high), end_of(p.total_us, &Band::value),
         number(p.cpu_ms), p.measured_us ? "measured" : "modelled", end_of(p.kernel.us, &Band::value)});
  return table;
}

Table roofline_table(const Roofline& r) {
  Table table{{"figure", "value", "unit"}, {}};
  const auto row = [&](const char* figure, double value, const std::string& unit) {
    table.rows.push_back({figure, fmt::format("{:.6g}", value), unit});
  };
  if (!r.unknown.empty()) return table;
  row("operations", r.operations, r.unit);
  row("sector bytes", r.sector_bytes, "bytes");
  row("intensity by sectors", r.sector_intensity, "operations/byte");
  row("intensity by memory bytes", r.dram_intensity, "operations/byte");
  row("reached", r.gops->value, "G/s");
  row("reached, low", r.gops->low, "G/s");
  row("reached, high", r.gops->high, "G/s");
  row("arithmetic roof", r.peak_gops, "G/s");
  row("memory roof", r.bandwidth_gb_s, "GB/s");
  return table;
}

Table runs_table(const TimingInput& input) {
  if (!input.comparison) {
    Table table{{"run", "kernel_us"}, {}};
    for (const RunLine& line : input.runs) table.rows.push_back({line.words, number(line.kernel_us)});
    return table;
  }
  const RunComparison& c = *input.comparison;
  Table table{{"figure", c.a, c.b, "ratio", "source"}, {}};
  for (const RunFigure& f : c.figures)
    table.rows.push_back({f.name, f.a, f.b, number(f.ratio), to_string(f.source)});
  return table;
}

}  // namespace

const char* to_string(TimingMode mode) {
  static constexpr std::array<const char*, 6> names = {"steps",        "stopwatch", "block size",
                                                       "problem size", "roofline",  "runs"};
  return names[static_cast<size_t>(mode)];
}

uint32_t colour_of(const Palette& palette, StepKind kind) {
  switch (kind) {
    case StepKind::kernel:
      return colour_of(WorkKind::kernel);
    case StepKind::copy_in:
      return colour_of(WorkKind::copy_in);
    case StepKind::copy_out:
      return colour_of(WorkKind::copy_out);
    case StepKind::launch:
      return colour_of(WorkKind::launch);
    case StepKind::compile:
      return colour_of(WorkKind::host);
    case StepKind::allocate:
    case StepKind::free:
      return palette.quiet;
  }
  return palette.quiet;
}

float draw_time_figure(Picture& picture, const Style& style, Point at, const Band& us, std::string_view what,
                       Provenance source, const std::string& formula, std::string_view ratio) {
  const std::string value = microseconds_text(us.value);
  const float size = style.px(30), right = at.x + style.width(value, Font::strong, size);
  picture.text(at, value, Font::strong, size, solid(style.palette.text));
  picture.area({at.x, at.y, right - at.x, size}, {}, formula);
  const float y = at.y + size + style.px(8);
  picture.text({at.x, y}, what, Font::words, style.small(), solid(style.palette.quiet));
  const float tag = at.x + style.width(what, Font::words, style.small()) + style.px(8);
  float end = draw_source_tag(picture, style, {tag, y - style.px(1)}, source, formula);
  if (!ratio.empty()) {
    picture.text({right + style.px(10), at.y - style.px(4)}, ratio, Font::strong, style.small(),
                 solid(style.palette.text));
    end = std::max(end, right + style.px(10) + style.width(ratio, Font::strong, style.small()));
  }
  if (us.low == us.high) return std::max(right, end);
  const std::string band = fmt::format("{} – {}", microseconds_text(us.low), microseconds_text(us.high));
  picture.text({right + style.px(10), at.y + style.px(13)}, band, Font::mono, style.small(),
               solid(colour_of(style.palette, source)));
  end = std::max(end, right + style.px(10) + style.width(band, Font::mono, style.small()));
  return std::max(right, end);
}

float draw_sentence(Picture& picture, const Style& style, Box box, float y, std::string_view words) {
  if (words.empty()) return y;
  return draw_paragraph(picture, style, {box.x, y}, words, Font::words, style.px(17),
                        solid(style.palette.text), box.width) +
         style.px(8);
}

TimingLayout draw_timing_view(Picture& picture, const Style& style, Box box, const TimingInput& input) {
  TimingLayout layout;
  if (input.interactive) {
    const float y = draw_modes(picture, style, box, input);
    box = {box.x, y, box.width, box.bottom() - y};
  }
  layout.bottom = draw_mode(picture, style, box, input, layout);
  return layout;
}

Table timing_table(const TimingInput& input) {
  if (needs_sweep(input.mode)) return input.sweep ? sweep_table(*input.sweep) : Table{};
  if (input.mode == TimingMode::runs) return runs_table(input);
  if (input.view == nullptr) return {};
  return input.mode == TimingMode::roofline ? roofline_table(input.view->roofline) : steps_table(*input.view);
}

}  // namespace warplens
