// The variables of a warp as rows of texts, lane by lane: what a reader of a trace needs to know of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json/json.h"
#include "core/gpu/stepping/block_stepper.h"

namespace warplens {

// A variable, or a part of one that is a number or a pointer. For registers the same.
struct TraceRow {
  std::string group;      // whose it is, if not of the function where all lanes are: "mix", "depth (level 1),
                          // which called in line 12", "shared by all lanes, __device__"
  uint32_t variable = 0;  // number in the program's table; among those that all lanes share, if it is one
  bool of_caller = false, common = false;
  std::string name;  // "sum", "p.x", "list[3]"
  std::string type;
  // Lanes; each is in at most one of the last four.
  uint32_t in_scope = 0, has = 0, not_set = 0, no_place = 0, unreadable = 0;
  std::array<std::string, warp_lanes> texts;  // of the lanes that have a value
  bool operator==(const TraceRow&) const = default;
};

struct RowLimits {
  uint64_t parts = 64;  // of an array; what follows is left out
  uint32_t depth = 3;
};

// For these lanes of a warp: the variables in scope, outermost first, then those of the callers, the nearest
// first, then those that all lanes share.
std::vector<TraceRow> variable_rows(const stepping::BlockStepper& stepper, uint32_t warp, uint32_t lanes,
                                    const RowLimits& limits = {});
// The registers that are set in these lanes.
std::vector<TraceRow> register_rows(const stepping::BlockStepper& stepper, uint32_t warp, uint32_t lanes);

// An array of numbers in shared memory, which is shown as a whole: see BlockStepper::shared_arrays().
bool is_shared_array(const stepping::BlockStepper& stepper, const stepping::VariableView& view);
// "depth, which called in line 12 (level 1)"
std::string words_of(const stepping::CallerView& caller);
// The frames of the first of these lanes of a warp, innermost first; empty if it has exited.
std::vector<stepping::FrameView> stack_of(const stepping::BlockStepper& stepper, uint32_t warp,
                                          uint32_t lanes);
// "in f, called by g in line 8, by k in line 13". Of very many frames, those in the middle are counted.
std::string words_of(const std::vector<stepping::FrameView>& stack);
ReportJson stack_json(const std::vector<stepping::FrameView>& stack);

}  // namespace warplens
