#include "app/views/code/picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/draw/amounts.h"
#include "app/base/draw/parts.h"
#include "app/base/format.h"

namespace warplens {
namespace {

struct Column {
  const char* title;
  float width;  // at 100 %
};
constexpr Column columns[] = {{"warp instructions", 118}, {"lanes active", 88}, {"sectors / ideal", 108}};

uint64_t most_instructions(const RunResult* result, const KernelDescription& kernel) {
  uint64_t most = 1;
  if (result == nullptr) return most;
  for (const LineCounters& line : result->lines)
    if (line.file == kernel.source_name) most = std::max(most, line.warp_instructions);
  return most;
}

std::string sectors_text(const LineCounters& line) {
  if (line.global_sectors == 0)
    return line.bank_conflicts == 0 ? "" : with_separators(line.bank_conflicts) + " conflicts";
  if (line.global_sectors_ideal == 0) return with_separators(line.global_sectors);
  return significant(double(line.global_sectors) / double(line.global_sectors_ideal)) + " ×";
}

class CodePainter {
 public:
  CodePainter(Picture& picture, const Style& style, const CodeViewInput& input)
      : m_picture(picture), m_style(style), m_input(input), m_line(input.line) {
    if (m_line == 0) m_line = costliest_line(input.result, *input.kernel);
  }

  void draw(Box box) {
    const float ptx_width = box.width >= m_style.px(760) ? box.width * 0.30f : 0;
    const float gap = ptx_width > 0 ? m_style.px(20) : 0;
    draw_source({box.x, box.y, box.width - ptx_width - gap, box.height});
    if (ptx_width > 0) draw_ptx({box.right() - ptx_width, box.y, ptx_width, box.height});
  }

 private:
  float code_size() const { return m_style.small(); }
  float row() const { return m_style.px(20); }

  // Lines that fit, with the chosen one among them.
  static uint32_t first_row(uint32_t chosen, uint32_t count, uint32_t rows) {
    if (count <= rows) return 1;
    const uint32_t wanted = chosen > rows / 3 ? chosen - rows / 3 : 1;
    return std::min(wanted, count - rows + 1);
  }

  float heading(Box box, std::string_view words, std::string_view name) {
    const float y = draw_heading(m_picture, m_style, {box.x, box.y}, words);
    m_picture.text({box.right(), box.y}, name, Font::mono, m_style.small(), solid(m_style.palette.quiet),
                   AlignX::right);
    return y + m_style.px(4);
  }

  void draw_source(Box box) {
    const KernelDescription& kernel = *m_input.kernel;
    const bool source = !kernel.source.empty();
    const auto lines = lines_of(source ? kernel.source : kernel.ptx);
    // The columns are shown if there is room for them next to the code.
    const float gutter = m_style.px(44);
    float used = 0;
    size_t shown = 0;
    for (const Column& column : columns) {
      if (box.width - gutter - used - m_style.px(column.width) < m_style.px(300)) break;
      used += m_style.px(column.width);
      ++shown;
    }
    float y = heading({box.x, box.y, box.width - used, box.height}, source ? "CUDA C++" : "PTX",
                      kernel.source_name);
    float x = box.right() - used;
    for (size_t i = 0; i < shown; ++i) {
      x += m_style.px(columns[i].width);
      m_picture.text({x, box.y}, columns[i].title, Font::words, m_style.small(), solid(m_style.palette.quiet),
                     AlignX::right);
    }
    const auto rows = static_cast<uint32_t>(std::max((box.bottom() - y) / row(), 1.0f));
    const auto count = static_cast<uint32_t>(lines.size());
    const uint32_t first = first_row(m_line, count, rows);
    for (uint32_t number = first; number <= count && number < first + rows; ++number, y += row())
      draw_source_line({box.x, y, box.width, row()}, number, lines[number - 1], gutter, used, shown);
  }

  void draw_source_line(Box box, uint32_t number, std::string_view text, float gutter, float used,
                        size_t shown) {
    const Palette& p = m_style.palette;
    const LineCounters* counters = counters_of_line(m_input.result, *m_input.kernel, number);
    const bool linked = m_input.links->ptx_of.contains(number);
    if (number == m_line) m_picture.rectangle(box, solid(mix(p.panel, p.accent, 0.18)), m_style.px(3));
    if (linked)
      m_picture.rectangle({box.x, box.y + 1, m_style.px(3), box.height - 2}, solid(colour_of(number)));
    if (const IncidentMark* mark = incident_of_line(m_input.incidents, kernel_file(), number)) {
      const Colour colour = colour_of_mark(m_style, *mark);
      m_picture.rectangle(box, solid(mix(p.panel, colour.rgb, 0.22)), m_style.px(3), colour);
      m_picture.text({box.x + m_style.px(6), box.y + m_style.px(2)}, mark->fault ? "×" : "!", Font::strong,
                     m_style.small(), colour);
    }
    const float baseline = box.y + m_style.px(2);
    m_picture.text({box.x + gutter - m_style.px(12), baseline}, std::to_string(number), Font::mono,
                   m_style.small(), solid(p.quiet), AlignX::right);
    const Box code{box.x + gutter, box.y, box.width - gutter - used - m_style.px(8), box.height};
    m_picture.begin_clip(code);
    const std::string plain = without_tabs(text);
    const bool comment = plain.find_first_not_of(' ') != std::string::npos &&
                         plain.substr(plain.find_first_not_of(' ')).starts_with("//");
    m_picture.text({code.x, baseline}, plain, Font::mono, code_size(), solid(comment ? p.quiet : p.text));
    m_picture.end_clip();
    if (counters == nullptr) return;
    draw_counters(box, *counters, used, shown);
    m_picture.area(box, {}, line_sentence(*counters));
  }

  void draw_counters(Box box, const LineCounters& counters, float used, size_t shown) {
    const Palette& p = m_style.palette;
    const double share =
        double(counters.warp_instructions) / double(most_instructions(m_input.result, *m_input.kernel));
    const bool scattered =
        counters.global_sectors > counters.global_sectors_ideal + counters.global_sectors_ideal / 2;
    const std::string texts[] = {with_separators(counters.warp_instructions),
                                 percent_text(counters.active_lane_percent()), sectors_text(counters)};
    float x = box.right() - used;
    for (size_t i = 0; i < shown; ++i) {
      const float width = m_style.px(columns[i].width);
      if (i == 0) {
        const float bar = (width - m_style.px(10)) * static_cast<float>(share);
        m_picture.rectangle({x + width - bar, box.y + m_style.px(2), bar, box.height - m_style.px(4)},
                            solid(mix(p.panel, viridis(share), 0.45)), m_style.px(2));
      }
      const bool warn = i == 2 && (scattered || counters.bank_conflicts > 0);
      const std::string text = (warn ? "! " : "") + texts[i];
      m_picture.text({x + width - m_style.px(4), box.y + m_style.px(3)}, text, Font::mono, m_style.small(),
                     solid(warn ? p.warning : p.text), AlignX::right);
      x += width;
    }
  }

  const std::string& kernel_file() const { return m_input.kernel->source_name; }
  static uint32_t colour_of(uint32_t line) { return group_colours[line % group_colours.size()]; }

  void draw_ptx(Box box) {
    const CodeLinks& links = *m_input.links;
    const auto chosen = links.ptx_of.find(m_line);
    const std::string name =
        chosen == links.ptx_of.end()
            ? std::string("no line chosen")
            : fmt::format("line {} became {}", m_line, count_text(chosen->second.size(), "line", "lines"));
    float y = heading(box, "PTX", name);
    const auto rows = static_cast<uint32_t>(std::max((box.bottom() - y) / row(), 1.0f));
    const auto count = static_cast<uint32_t>(links.ptx_lines.size());
    const uint32_t first =
        first_row(chosen == links.ptx_of.end() ? links.entry_line : chosen->second.front(), count, rows);
    for (uint32_t number = first; number <= count && number < first + rows; ++number, y += row()) {
      const uint32_t source = links.source_of[number - 1];
      const bool lit = chosen != links.ptx_of.end() && std::ranges::binary_search(chosen->second, number);
      const Palette& p = m_style.palette;
      if (lit)
        m_picture.rectangle({box.x, y, box.width, row()}, solid(mix(p.panel, p.accent, 0.18)), m_style.px(3));
      if (source != 0)
        m_picture.rectangle({box.x, y + 1, m_style.px(3), row() - 2}, solid(colour_of(source)));
      m_picture.begin_clip({box.x, y, box.width, row()});
      m_picture.text({box.x + m_style.px(12), y + m_style.px(2)}, without_tabs(links.ptx_lines[number - 1]),
                     Font::mono, m_style.small(), solid(lit ? p.text : p.quiet));
      m_picture.end_clip();
    }
  }

  Picture& m_picture;
  const Style& m_style;
  const CodeViewInput& m_input;
  uint32_t m_line;
};

}  // namespace

const LineCounters* counters_of_line(const RunResult* result, const KernelDescription& kernel,
                                     uint32_t line) {
  if (result == nullptr || (result->request && result->request->kernel != kernel.name)) return nullptr;
  for (const LineCounters& counters : result->lines)
    if (counters.line == line && counters.file == kernel.source_name && counters.warp_instructions > 0)
      return &counters;
  return nullptr;
}

uint32_t costliest_line(const RunResult* result, const KernelDescription& kernel) {
  if (result == nullptr) return 0;
  const LineCounters* worst = nullptr;
  for (const LineCounters& counters : result->lines)
    if (counters.file == kernel.source_name &&
        (worst == nullptr || counters.warp_instructions > worst->warp_instructions))
      worst = &counters;
  return worst ? worst->line : 0;
}

std::vector<Figure> resource_figures(const Resources* resources) {
  if (resources == nullptr) return {};
  const std::string from = fmt::format("From {}, for the chosen device.", to_string(resources->origin));
  return {{"registers a thread", with_separators(resources->registers_per_thread), Provenance::derived, from},
          {"spilled a thread", bytes_text(resources->spill_store_bytes), Provenance::derived,
           "Bytes that found no register and are stored to local memory. " + from},
          {"local a thread", bytes_text(resources->local_bytes), Provenance::derived,
           "The stack of one thread, in local memory. " + from},
          {"shared a block", bytes_text(resources->shared_static_bytes), Provenance::derived,
           "Shared memory that the code itself declares. " + from}};
}

std::string line_sentence(const LineCounters& counters) {
  std::string text =
      fmt::format("{} warp instructions, {} of their lanes active",
                  with_separators(counters.warp_instructions), percent_text(counters.active_lane_percent()));
  if (counters.global_sectors > 0)
    text +=
        fmt::format("; {} sectors of global memory, where {} would hold all bytes asked for",
                    with_separators(counters.global_sectors), with_separators(counters.global_sectors_ideal));
  if (counters.bank_conflicts > 0)
    text += fmt::format("; {} bank conflicts", with_separators(counters.bank_conflicts));
  if (counters.divergent_branches > 0)
    text += fmt::format("; {} divergent branches", with_separators(counters.divergent_branches));
  return text + " (counted).";
}

void draw_code_view(Picture& picture, const Style& style, Box box, const CodeViewInput& input) {
  if (input.kernel == nullptr || input.links == nullptr) return;
  CodePainter(picture, style, input).draw(box);
}

}  // namespace warplens
