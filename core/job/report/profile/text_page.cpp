#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/figures.h"
#include "core/base/text.h"
#include "core/job/report/profile/explain.h"
#include "core/job/report/profile/pages.h"
#include "core/job/report/profile/values.h"

namespace warplens::profile {

namespace {

constexpr size_t rule_width = 110;  // characters of a line of a rule

std::string padding(std::string_view text, size_t width) {
  return std::string(width - std::min(width, letters_in(text)), ' ');
}

struct TextRow {
  std::string name, unit, value, mark;
};

// A table as the profiler draws it, with an additional column for the marks.
std::string table_text(const std::vector<TextRow>& rows) {
  const TextRow heading{"Metric Name", "Metric Unit", "Metric Value", "Mark"};
  TextRow dashes;
  for (const auto member : {&TextRow::name, &TextRow::unit, &TextRow::value, &TextRow::mark}) {
    size_t width = (heading.*member).size();
    for (const TextRow& row : rows) width = std::max(width, letters_in(row.*member));
    (dashes.*member).assign(width, '-');
  }
  std::string text;
  const auto add = [&](const TextRow& row) {
    text += "    " + row.name + padding(row.name, dashes.name.size()) + " " +
            padding(row.unit, dashes.unit.size()) + row.unit + " " + padding(row.value, dashes.value.size()) +
            row.value + " " + row.mark + "\n";
  };
  add(dashes);
  add(heading);
  add(dashes);
  for (const TextRow& row : rows) add(row);
  add(dashes);
  return text;
}

TextRow row_of(const Figure& figure, const std::string& name) {
  const Shown shown = shown_for_people(figure);
  return {name, shown.unit, shown.value, shown_mark(figure)};
}

// Breaks between words; every line but the first is indented to the text of the first.
std::string wrapped(const std::string& text, const std::string& indent) {
  std::string lines, line;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && letters_in(line) + 1 + letters_in(word) > rule_width) {
      lines += (lines.empty() ? "" : indent) + line + "\n";
      line.clear();
    }
    if (!word.empty()) line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines + (lines.empty() ? "" : indent) + line + "\n";
}

std::string rule_text(const Rule& rule) {
  const std::string indent(10, ' ');
  std::string text = fmt::format("    {:<6}", rule.type);
  if (rule.speedup_percent) text += fmt::format("Est. Speedup: {:.2f}%\n{}", *rule.speedup_percent, indent);
  return text + wrapped(rule.sentences(), indent);
}

std::string block_text(const LaunchProfile& profile, const std::function<bool(const Metric&)>& belongs) {
  std::vector<TextRow> rows;
  for (const Figure& figure : profile.figures)
    if (belongs(*figure.metric)) rows.push_back(row_of(figure, figure.metric->label));
  return rows.empty() ? "" : table_text(rows);
}

std::string section_text(const LaunchProfile& profile, const Section& section) {
  std::string text = fmt::format("    Section: {}\n", section.name);
  if (const std::string note = note_of(section, profile.sm.get()); !note.empty())
    text += fmt::format("    {:<6}{}", "INF", wrapped(note, std::string(10, ' ')));
  std::vector<std::string> tables = {""};
  for (const Figure& figure : profile.figures)
    if (figure.metric->section == section.id &&
        std::ranges::find(tables, figure.metric->table) == tables.end())
      tables.push_back(figure.metric->table);
  for (const std::string& table : tables) {
    const std::string block =
        block_text(profile, [&](const Metric& m) { return m.section == section.id && m.table == table; });
    if (!table.empty()) text += fmt::format("    Table Name : {}\n", table);
    text += block;
  }
  for (const Rule& rule : profile.rules)
    if (rule.section == section.id) text += "\n" + rule_text(rule);
  return text + "\n";
}

std::string raw_rows(const LaunchProfile& profile, const std::vector<const Metric*>& metrics) {
  std::vector<TextRow> rows;
  for (const Metric* metric : metrics)
    if (const Figure* figure = profile.figure(*metric)) rows.push_back(row_of(*figure, metric->name));
  return rows.empty() ? "    The device has none of these metrics.\n" : table_text(rows);
}

std::string details_text(const LaunchProfile& profile, const Selection& selection) {
  std::string text;
  if (!selection.metrics.empty())
    text += fmt::format("    Section: {}\n{}\n", named_metrics_section, raw_rows(profile, selection.metrics));
  for (const Section* section : selection.sections) text += section_text(profile, *section);
  return text;
}

// The last two columns: of all cycles of warps, and the state in which they are longest.
std::string states_text(const LaunchProfile& profile, const LineCounters& line) {
  if (!profile.sm) return "";
  const std::optional<LineStates> states = states_at(*profile.sm, line.file, line.line);
  return states ? fmt::format("{:>10.1f} %  {}", 100 * states->share, text_of(states->longest).name)
                : fmt::format("{:>12}", "");
}

std::string source_text(const LaunchProfile& profile) {
  std::string text = fmt::format("    {:<32}{:>14}{:>16}{:>8}{:>12}{:>12}{:>12}{:>12}{}\n", "Line",
                                 "Instructions", "Thread Instr.", "Threads", "Divergent", "Sectors", "Ideal",
                                 "Conflicts", profile.sm ? "   Warps, mod.  Most of it" : "");
  for (const LineCounters& line : profile.lines)
    text += fmt::format(
        "    {:<32}{:>14}{:>16}{:>8.2f}{:>12}{:>12}{:>12}{:>12}{}\n",
        line.line == 0 ? "no line" : fmt::format("{}:{}", line.file, line.line),
        thousands(line.warp_instructions), thousands(line.thread_instructions),
        line.warp_instructions == 0 ? 0.0 : double(line.thread_instructions) / double(line.warp_instructions),
        thousands(line.divergent_branches), thousands(line.global_sectors),
        thousands(line.global_sectors_ideal), thousands(line.bank_conflicts), states_text(profile, line));
  return profile.lines.empty() ? "    No lines are known.\n\n" : text + "\n";
}

}  // namespace

std::vector<const Metric*> metrics_of(const Selection& selection) {
  std::vector<const Metric*> metrics;
  for (const Metric& metric : metric_table().metrics) {
    const bool in_section = std::ranges::any_of(
        selection.sections, [&](const Section* section) { return section->id == metric.section; });
    if (in_section || std::ranges::find(selection.metrics, &metric) != selection.metrics.end())
      metrics.push_back(&metric);
  }
  return metrics;
}

std::string text_page(Page page, std::span<const LaunchProfile> profiles, const Selection& selection) {
  std::string text, last;
  for (const LaunchProfile& profile : profiles) {
    const Process& process = profile.process;
    const std::string heading = fmt::format("[{}] {}@{}\n", process.id, process.name, process.host);
    if (heading != last) text += heading;
    last = heading;
    text += fmt::format("  {} {}x{}, Context 1, Stream 7, Device 0, CC {}.{}\n", profile.kernel,
                        shown_extents(profile.shape.grid), shown_extents(profile.shape.block),
                        profile.compute_capability.major, profile.compute_capability.minor);
    text += fmt::format("    Not profiled on a GPU: the virtual GPU counted for the device {}.\n",
                        profile.device);
    if (!profile.incomplete.empty()) text += "    " + wrapped(profile.incomplete, "    ");
    text += page == Page::details ? details_text(profile, selection)
            : page == Page::raw   ? raw_rows(profile, metrics_of(selection)) + "\n"
                                  : source_text(profile);
  }
  return text;
}

}  // namespace warplens::profile
