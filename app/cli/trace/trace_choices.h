// The options of `warplens trace`, and the block that it steps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/shared/choices.h"
#include "core/gpu/stepping/block_stepper.h"
#include "core/job/named_variables.h"

namespace warplens {

struct TraceChoices {
  RunChoices run;
  std::string at = "0", warp, lane, from, count, launch = "0", turns;
  std::vector<std::string> breaks, watches, names;
  bool registers = false, optimized = false, earlier_blocks = false;
  std::string json, html;
};

struct TracePlan {
  Dim3 block{0, 0, 0};
  stepping::Options options;
  std::optional<uint32_t> warp, lane;
  uint64_t from = 0;
  bool from_given = false;  // then loads of parameters are shown as well
  std::optional<uint64_t>
      count;           // of lines or instructions; empty: as many as the kind of output has by itself
  bool stops = false;  // begins where a breakpoint or watchpoint stops
  uint64_t count_or_default() const { return count.value_or(stops ? 10 : 100); }
};

Result<TracePlan> plan_of(const TraceChoices& choices);

// The stepped block.
struct SteppedCode {
  std::shared_ptr<const LaunchRequest> request;
  std::string note;       // a line for people
  bool compiled = false;  // once more, for the names
};

// A block that is being traced.
struct TracedBlock {
  const TraceChoices& choices;
  const TracePlan& plan;
  const SteppedCode& code;
  const LaunchRequest& original;  // what a run of it would run
  stepping::BlockStepper& stepper;
  std::string stopped;  // where it begins, if a breakpoint or watchpoint stopped it

  bool by_lines() const { return !choices.registers && stepper.no_variables().empty(); }
  // Why it is traced instruction by instruction.
  std::string why_no_lines() const {
    return choices.registers ? "registers were asked for" : stepper.no_variables();
  }
};

// Breakpoints and watchpoints. The stepper is at its block's start, as variables are looked up there.
Result<void> add_stops(const TraceChoices& choices, const TracePlan& plan, stepping::BlockStepper& stepper);

// The block in a line or two.
std::string about(const TracedBlock& traced);
// For a block at its end, whether the code that normally runs does the same. Empty if that is not known.
std::optional<Agreement> agreement(const TracedBlock& traced, const std::stop_token& stop);

// Writes the trace as JSON, from where the stepper is. It is never in memory as a whole.
Result<void> write_trace_json(TracedBlock& traced, std::ostream& out, const std::stop_token& stop);
// The same as a page that a browser steps through. Returns what was written, as a sentence.
Result<std::string> write_trace_page(TracedBlock& traced, const std::string& path,
                                     const std::stop_token& stop);

}  // namespace warplens
