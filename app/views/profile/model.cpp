#include "app/views/profile/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/job/report/profile/explain.h"
#include "core/job/report/profile/values.h"

namespace warplens {

namespace {

constexpr uint32_t lines_above = 3;  // the first that counts, so that its function's head is seen
constexpr size_t most_lines = 2000;

ProfileRow row_of(const profile::Figure& figure, const profile::Facts& facts) {
  const profile::Shown shown = profile::shown_for_people(figure);
  return {figure.metric,
          figure.mark,
          figure.value,
          figure.error,
          shown.value,
          shown.unit,
          profile::with_numbers(*figure.metric, facts),
          profile::shown_mark(figure),
          profile::where_from(figure, facts)};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    for (size_t tab = 0; (tab = line.find('\t', tab)) != std::string::npos;) line.replace(tab, 1, "    ");
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

void add_lines(const profile::LaunchProfile& from, ProfileView& view) {
  if (view.launches > 1) {
    view.lines_message = "Lines are counted for the whole run, not for each of its launches.";
    return;
  }
  const std::vector<std::string> text = lines_of(from.source);
  uint32_t first = UINT32_MAX, last = 0;
  for (const LineCounters& counted : from.lines) {
    if (counted.line == 0 || counted.line > text.size() || counted.file != from.source_name) continue;
    first = std::min(first, counted.line);
    last = std::max(last, counted.line);
  }
  if (last == 0) {
    view.lines_message = text.empty() ? "The kernel's source is not known." : "No lines were counted.";
    return;
  }
  first = first > lines_above ? first - lines_above : 1;
  last = std::min<uint32_t>({last + 1, static_cast<uint32_t>(text.size()), first + uint32_t{most_lines}});
  for (uint32_t line = first; line <= last; ++line) {
    ProfileLine row{line, text[line - 1], {}, {}};
    if (from.sm) row.states = states_at(*from.sm, from.source_name, line);
    for (const LineCounters& counted : from.lines)
      if (counted.line == line && counted.file == from.source_name) row.counters = counted;
    view.lines.push_back(std::move(row));
  }
}

// The words of a search in lower case, without wildcards.
std::vector<std::string> words_of(std::string_view search) {
  std::string text = lower_case(search);
  for (const std::string_view any : {"…", "...", "*", "\t"}) text = replace_all(std::move(text), any, " ");
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string change_text(double now, double then) {
  if (now == then) return "=";
  if (then == 0) return "new";
  const double percent = 100 * (now - then) / std::abs(then);
  return std::abs(percent) < 0.005 ? "≈"
                                   : fmt::format("{:+.{}f} %", percent, std::abs(percent) < 1000 ? 1 : 0);
}

}  // namespace

size_t ProfileView::of_mark(profile::Mark mark) const {
  return static_cast<size_t>(std::ranges::count(rows, mark, &ProfileRow::mark));
}

ProfileView view_profile(const RunResult& result, size_t launch) {
  ProfileView view;
  std::vector<profile::LaunchProfile> profiles = profile::profiles_of(result, 0, {});
  if (profiles.empty()) {
    view.message = "Nothing was launched.";
    return view;
  }
  view.launches = profiles.size();
  view.launch = std::min(launch, profiles.size() - 1);
  const profile::LaunchProfile& shown = profiles[view.launch];
  view.kernel = shown.kernel;
  view.launch_words = fmt::format("{} blocks of {} threads · {} · CC {}.{}", extent_text(shown.shape.grid),
                                  extent_text(shown.shape.block), shown.device,
                                  shown.compute_capability.major, shown.compute_capability.minor);
  view.incomplete = shown.incomplete;
  for (const profile::Figure& figure : shown.figures) view.rows.push_back(row_of(figure, shown.facts));
  for (const profile::Section& section : profile::metric_table().sections)
    if (std::string note = profile::note_of(section, shown.sm.get()); !note.empty())
      view.notes[section.id] = std::move(note);
  view.rules = profiles.front().rules;  // of the run
  add_lines(shown, view);
  return view;
}

std::vector<size_t> find_metrics(const ProfileView& view, std::string_view search) {
  const std::vector<std::string> words = words_of(search);
  std::vector<size_t> found;
  for (size_t i = 0; i < view.rows.size(); ++i) {
    const profile::Metric& metric = *view.rows[i].metric;
    const profile::Section* section = profile::metric_table().section(metric.section);
    const std::string text =
        lower_case(fmt::format("{} {} {} {} {}", metric.name, metric.label, metric.table,
                               section != nullptr ? section->name : std::string(), metric.what));
    if (std::ranges::all_of(words, [&](const std::string& word) { return text.find(word) != text.npos; }))
      found.push_back(i);
  }
  return found;
}

std::vector<std::string> nearest_metrics(const ProfileView& view, std::string_view search) {
  std::vector<std::string> names;
  for (const ProfileRow& row : view.rows) names.push_back(row.metric->name);
  return nearest_names(search, names);
}

std::vector<ProfileChange> compare_profiles(const ProfileView& view, const ProfileView& baseline) {
  std::vector<ProfileChange> changes;
  for (const ProfileRow& row : view.rows) {
    const auto then = std::ranges::find(baseline.rows, row.metric, &ProfileRow::metric);
    ProfileChange& change = changes.emplace_back();
    if (then == baseline.rows.end()) continue;
    change.baseline = then->shown + (then->unit != row.unit && then->value ? " " + then->unit : "");
    if (row.value && then->value) change.change = change_text(*row.value, *then->value);
  }
  return changes;
}

const std::vector<ProfileLineCount>& profile_line_counts() {
  static const std::vector<ProfileLineCount> counts = {
      {"instr.", "instructions of warps", &LineCounters::warp_instructions, {"warp_instructions"}},
      {"threads",
       "instructions, counted for each active lane",
       &LineCounters::thread_instructions,
       {"thread_instructions"}},
      {"requests",
       "loads and stores of warps in global memory",
       &LineCounters::global_requests,
       {"global_load_requests", "global_store_requests", "async_copy_requests"}},
      {"sectors",
       "sectors of global memory that loads and stores touched",
       &LineCounters::global_sectors,
       {"global_load_sectors", "global_store_sectors", "async_copy_global_sectors", "line_sectors"}},
      {"ideal",
       "the fewest sectors that hold these bytes",
       &LineCounters::global_sectors_ideal,
       {"line_sectors_ideal"}},
      {"conflicts",
       "bank conflicts in shared memory",
       &LineCounters::bank_conflicts,
       {"shared_load_bank_conflicts", "shared_store_bank_conflicts", "shared_atomic_bank_conflicts",
        "async_copy_bank_conflicts", "shared_bank_conflicts"}},
      {"local",
       "sectors of local memory",
       &LineCounters::local_sectors,
       {"local_load_sectors", "local_store_sectors"}},
      {"textures",
       "reads of textures by warps",
       &LineCounters::texture_requests,
       {"texture_requests", "texture_sectors"}},
      {"divergent",
       "branches on which lanes of a warp parted",
       &LineCounters::divergent_branches,
       {"divergent_branches"}},
  };
  return counts;
}

std::vector<const ProfileLineCount*> counts_beside(const profile::Metric* metric) {
  std::vector<const ProfileLineCount*> counts;
  for (const ProfileLineCount& count : profile_line_counts())
    if (metric != nullptr && std::ranges::any_of(metric->facts, [&](const std::string& fact) {
          return std::ranges::find(count.facts, fact) != count.facts.end();
        }))
      counts.push_back(&count);
  if (!counts.empty()) return counts;
  for (const ProfileLineCount& count : profile_line_counts())
    for (const std::string_view usual : {"instr.", "sectors", "conflicts"})
      if (count.name == usual) counts.push_back(&count);
  return counts;
}

Table profile_table(const ProfileView& view) {
  Table table{{"section", "table", "metric", "name", "unit", "value", "mark", "median_error_percent"}, {}};
  for (const ProfileRow& row : view.rows) {
    const profile::Metric& metric = *row.metric;
    table.rows.push_back({metric.section, metric.table, metric.name, metric.label, metric.unit,
                          row.value ? profile::shown_for_scripts({&metric, row.value, row.mark}, 6) : "",
                          profile::to_string(row.mark),
                          row.error ? fmt::format("{:.1f}", 100 * *row.error) : ""});
  }
  return table;
}

}  // namespace warplens
