// The Profile view shows a launch under Nsight Compute's names: sections, metrics with their marks, and what
// was found, as rules. All texts are made once for a result.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/draw/table.h"
#include "core/job/report/profile/profile.h"

namespace warplens {

struct ProfileRow {
  const profile::Metric* metric = nullptr;
  profile::Mark mark = profile::Mark::not_known;
  std::optional<double> value;  // in base units
  std::optional<double> error;  // relative, in the median, where it was measured on this device
  std::string shown, unit;      // as the profiler prints them: "16.38", "Kbyte/block"; "n/a"
  std::string numbers;          // the formula with the launch's numbers; empty without a formula
  std::string mark_words;       // "modelled ±7.1 %"
  std::string where;            // where the figure comes from, or why it is not known
};

// A line of the kernel, with what it cost.
struct ProfileLine {
  uint32_t line = 0;
  std::string text;
  std::optional<LineCounters> counters;  // empty if nothing was counted there
  std::optional<LineStates> states;      // of warps, modelled; empty if they are not known
};

struct ProfileView {
  std::string message;     // why nothing is shown; empty if something is
  std::string incomplete;  // why nothing was counted; empty if the launch ran to its end
  std::string kernel, launch_words;
  size_t launch = 0, launches = 0;
  std::vector<ProfileRow> rows;  // in the order of the table
  std::vector<profile::Rule> rules;
  std::map<std::string, std::string> notes;  // below the heading of a section, by its identifier
  std::vector<ProfileLine>
      lines;                  // of the kernel's file, from a little above the first that counts to the last
  std::string lines_message;  // why there are none; empty if there are
  size_t of_mark(profile::Mark mark) const;
};

// The rows for the launch with this number, from 0.
ProfileView view_profile(const RunResult& result, size_t launch);

// The rows in which all words of a search are found: in the metric's name, its label, its table, its section
// or the sentence that explains it. Upper and lower case are the same; "…" and "*" stand for anything. All
// rows for an empty search.
std::vector<size_t> find_metrics(const ProfileView& view, std::string_view search);
// The names that may have been meant, if nothing is found.
std::vector<std::string> nearest_metrics(const ProfileView& view, std::string_view search);

// A figure next to that of a baseline.
struct ProfileChange {
  std::string baseline;  // as the profiler prints it
  std::string change;    // "+12.3 %", "=", "new"; empty if one of the two is not known
};
// One for each row of `view`.
std::vector<ProfileChange> compare_profiles(const ProfileView& view, const ProfileView& baseline);

// A count of the lines, shown next to the kernel's source.
struct ProfileLineCount {
  const char *name, *words;
  uint64_t LineCounters::*count;
  std::vector<std::string_view> facts;  // figures that are made of it
};
const std::vector<ProfileLineCount>& profile_line_counts();
// The counts that a metric is computed from; the default ones if it is null or has none.
std::vector<const ProfileLineCount*> counts_beside(const profile::Metric* metric);

// Every figure as a row, for Save CSV.
Table profile_table(const ProfileView& view);

}  // namespace warplens
