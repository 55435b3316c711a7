#include "app/views/runs/line.h"

#include <fmt/format.h>

#include <cmath>

#include "app/base/format.h"
#include "app/state/runs/shown_run.h"
#include "app/views/model/baseline.h"
#include "app/views/model/runs.h"

namespace warplens {
namespace {

// "3.79 → 2.29 µs (−40 %)", or with both units where they differ. Two times that read the same are one.
std::string two_times(double from, double to) {
  const std::string a = microseconds_text(from), b = microseconds_text(to);
  const size_t a_unit = a.rfind(' '), b_unit = b.rfind(' ');
  const bool same =
      a_unit != std::string::npos && b_unit != std::string::npos && a.substr(a_unit) == b.substr(b_unit);
  if (a == b) return b + " (=)";
  const double percent = std::round(100 * (to / from - 1));
  const std::string change =
      percent == 0 ? "" : fmt::format(" ({}{:.0f} %)", percent < 0 ? "−" : "+", std::abs(percent));
  return (same ? a.substr(0, a_unit) : a) + " → " + b + change;
}

RunsLine line_of_program(const ProgramState& program) {
  RunsLine line;
  const OpenedProgram* opened = program.shown_program();
  if (opened == nullptr || program.run.is_busy() || program.run.phase == ProgramRun::Phase::asking)
    return line;
  const double us = opened->report.totals.device_us();
  if (us <= 0) return line;
  line.words = line.brief = microseconds_text(us);
  line.source = opened->recording.times();
  line.hover = "The program's time on the GPU: its kernels and copies, one after the other.";
  return line;
}

}  // namespace

RunsLine runs_line(const AppState& state) {
  RunsLine line;
  if (is_about_program(state)) return line_of_program(state.program);
  if (!speaks_of_shown_run(state)) return line;
  const RunRecord *shown = shown_run(state), *other = compared_run(state);
  if (shown == nullptr || !shown->time.kernel) return line;
  line.source = shown->time.source;
  line.words = line.brief = microseconds_text(*shown->time.kernel);
  line.hover = fmt::format("How long the kernel of the shown run takes ({}).", run_words(*shown));
  // Only times of one kind are put side by side, and those of another kernel only if its run was pinned.
  if (other == nullptr || !other->time.kernel || other->time.source != shown->time.source) return line;
  if (baseline_of(state) == nullptr && !is_same_kernel(other->choice, shown->choice)) return line;
  line.words = two_times(*other->time.kernel, *shown->time.kernel);
  line.hover = fmt::format("How long the kernels of two runs take: {}, then {}.", run_words(*other),
                           run_words(*shown));
  return line;
}

}  // namespace warplens
