#include "app/views/runs/line.h"

#include "app/base/format.h"
#include "app/model/runs.h"

namespace warplens {
namespace {

// "3.79 → 2.29 µs", or with both units where they differ.
std::string two_times(double from, double to) {
  const std::string a = microseconds_text(from), b = microseconds_text(to);
  const size_t a_unit = a.rfind(' '), b_unit = b.rfind(' ');
  const bool same =
      a_unit != std::string::npos && b_unit != std::string::npos && a.substr(a_unit) == b.substr(b_unit);
  return (same ? a.substr(0, a_unit) : a) + " → " + b;
}

}  // namespace

RunsLine runs_line(const AppState& state) {
  RunsLine line;
  const RunRecord *shown = shown_run(state), *other = compared_run(state);
  if (shown == nullptr || !shown->time.kernel) return line;
  line.source = shown->time.source;
  line.words = shown->label + "  " + microseconds_text(*shown->time.kernel);
  // Only times of one kind are put side by side.
  if (other == nullptr || !other->time.kernel || other->time.source != shown->time.source) return line;
  line.words =
      other->label + " → " + shown->label + "  " + two_times(*other->time.kernel, *shown->time.kernel);
  return line;
}

}  // namespace warplens
