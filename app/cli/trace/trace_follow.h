// Runs a stepped block on and passes on each requested instruction or line.
#pragma once

#include <stop_token>

#include "app/cli/trace/trace_choices.h"
#include "app/cli/trace/trace_lines.h"

namespace warplens {

inline bool is_left_out(const TracePlan& plan, const TraceEntry& next) {
  return (plan.warp && next.warp != *plan.warp) || (plan.lane && (next.active >> *plan.lane & 1) == 0);
}

// `write` returns false to end it. Without loads, what a kernel begins with to have its parameters is left
// out: for people. Who adds up what each instruction wrote needs them.
template <class F>
void follow_instructions(const TracePlan& plan, uint64_t count, stepping::BlockStepper& stepper,
                         const std::stop_token& stop, F write, bool with_loads = true) {
  for (uint64_t shown = 0; shown < count && !stop.stop_requested();) {
    const std::optional<TraceEntry> next = stepper.next();
    if (!next) return;
    const uint64_t index = stepper.position();
    stepper.jump(index + 1);
    const bool prepares = stepper.table().instruction(next->instruction).prepares;
    if (is_left_out(plan, *next) || (prepares && !with_loads)) continue;
    if (!write(TracedInstruction{index, *next})) return;
    ++shown;
  }
}

// The same, line by line. Instructions that only load parameters are left out.
template <class F>
void follow_lines(const TracePlan& plan, uint64_t count, stepping::BlockStepper& stepper, LineWriter& writer,
                  const std::stop_token& stop, F write) {
  for (uint64_t shown = 0; shown < count && !stop.stop_requested();) {
    const std::optional<TraceEntry> next = stepper.next();
    if (!next) return;
    if (is_left_out(plan, *next)) {
      stepper.jump(stepper.position() + 1);
      continue;
    }
    const std::optional<TracedLine> line = writer.step();
    if (!line || line->is_preparation) continue;
    if (!write(*line)) return;
    ++shown;
  }
}

}  // namespace warplens
