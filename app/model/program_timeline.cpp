#include "app/model/program_timeline.h"

namespace warplens {

ProgramTimeline program_timeline(const recording::Recording&) { return {}; }
TimeRange host_range(const ProgramTimeline& timeline, const recording::Recording&, TimeRange) {
  return {0, timeline.host_us};
}
TimeRange clamped(TimeRange range, double) { return range; }
TimeRange zoomed(TimeRange range, double, double, double) { return range; }
std::vector<TimelineBar> bars_of(const TimelineRow&, TimeRange, float) { return {}; }
std::optional<size_t> span_at(const TimelineRow&, TimeRange, float, float, float) { return std::nullopt; }
std::string label_of(const recording::Recording&, const TimelineRow&, const TimelineSpan&) { return {}; }
std::string hint_of(const recording::Recording&, const TimelineRow&, const TimelineBar&) { return {}; }

}  // namespace warplens
