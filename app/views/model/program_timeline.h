// A program's recording as rows of bars over time: the device's rows on its modelled clock, and apart from
// them what this machine did, by its own clock. Prepared once, in linear time; what is drawn is bounded by
// the width.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/draw/picture.h"
#include "app/views/model/time_rows.h"
#include "core/recording/overlap.h"
#include "core/recording/program_warnings.h"
#include "core/recording/recording.h"

namespace warplens {

// TimeSpan::item is the index in Recording::events; for the program's own work between calls, of the event
// after it.
struct TimelineRow : TimeRow {
  enum class Kind : uint8_t {
    copies_in,
    kernels,
    copies_on_device,
    copies_out,
    pages,
    program,
    interpreter
  } kind = Kind::kernels;
  std::string name;  // "copies in", "kernels, stream 2", "device 1 · kernels", "program · process 7"
  uint64_t process = 0;
  bool of_several = false;  // processes
  bool is_host() const { return kind == Kind::program || kind == Kind::interpreter; }
};

// From the end of one span to the begin of another, of the device's rows.
struct TimelineArrow {
  enum class Kind : uint8_t {
    wait,      // the second waits for the first, which is of another stream
    unordered  // nothing orders the two, which use the same bytes
  } kind = Kind::wait;
  struct End {
    size_t row = 0, span = 0;
  } from;
  std::optional<End> to;  // empty: the program itself
  size_t finding = 0;     // of unordered: the index in Recording::events
};

// A process by itself. Its modelled device clock begins with its own first call, so that its rows have an
// axis of their own. Measured times are put where they were on this machine's clock: one axis for all.
struct TimelineProcess {
  uint64_t process = 0;
  double device_us = 0;                       // its end on its own device clock
  double host_begin_us = 0, host_end_us = 0;  // on this machine's clock, which they share
  size_t first_row = 0, rows = 0;             // its device rows in ProgramTimeline::rows
};

struct ProgramTimeline {
  std::vector<TimelineRow> rows;           // the device's first, process by process
  std::vector<TimelineProcess> processes;  // that have rows, as they began
  std::vector<TimelineArrow> arrows;       // by the process, and its journal's order
  bool one_clock = true;                   // all processes have the same axis
  double device_us = 0;                    // the end on the device's clock
  double host_us = 0;                      // the end on this machine's
  std::optional<recording::Overlap> overlap;
  uint64_t left_out = 0;  // processes that have no rows: only the four with the most work do
};
ProgramTimeline program_timeline(const recording::Recording& recording);

// The command with its program's name in place of its path.
std::string command_text(const recording::Recording& recording);
// "12 launches of 2 kernels · 3 copies, 6 MiB".
std::string totals_text(const recording::ProgramTotals& totals);

// The work of this machine while the device's clock was in `range`: from the first to the last event in it.
TimeRange host_range(const ProgramTimeline& timeline, const recording::Recording& recording, TimeRange range);
// "blur, 38 µs ≈", "copy in 6 MiB", in words for a bar and, longer, for its hover text.
std::string label_of(const recording::Recording& recording, const TimelineRow& row, const TimeSpan& span);
std::string hint_of(const recording::Recording& recording, const TimelineRow& row, const TimeBar& bar);

}  // namespace warplens
