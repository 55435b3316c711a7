// A stepped block line by line of its source, with the variables that each line changed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/trace/trace_text.h"

namespace warplens {

// A variable, or a part of one, that a line gave another value.
struct ChangedVariable {
  uint32_t variable =
      0;             // its number in the program's table; among those that all lanes share, if `space` is set
  std::string name;  // "p.x", "list[3]"; of an inlined function "mix: m"
  stepping::VariableView view;
  uint32_t lanes = 0;      // in which it has changed
  std::string space = {};  // of one that all lanes share: "__device__" or "__shared__"
};

// The work of some lanes of a warp on one line, until they left it, diverged, or another warp had its turn.
struct TracedLine {
  uint64_t index = 0;         // position of its first instruction
  uint64_t instructions = 0;  // how many they were
  uint32_t warp = 0, lanes = 0;
  stepping::CodePlace place;
  std::vector<ChangedVariable> changed;
  std::vector<stepping::SteppedAccess> accesses;  // of global and shared memory
  std::vector<stepping::FrameView> stack;         // where the line begins, innermost first
  bool is_preparation = false;                    // it only loads parameters, or is no line of the source
};

class LineWriter {
 public:
  LineWriter(stepping::BlockStepper& stepper, std::optional<uint32_t> lane);

  static std::string heading();
  // Runs the line that is next. Empty at the block's end.
  std::optional<TracedLine> step();
  std::string line(const TracedLine& traced);
  ReportJson json(const TracedLine& traced) const;
  // All variables that are in scope in the warp, those of its callers, and those that all lanes share.
  std::string variables(uint32_t warp) const;
  const TraceWriter& texts() const { return m_texts; }

 private:
  using Leaves = std::map<std::pair<uint32_t, std::string>, stepping::VariableView>;  // by variable and part
  Leaves leaves(uint32_t warp, uint32_t lanes) const;
  void add_changed(const Leaves& before, const Leaves& after, uint32_t lanes, TracedLine& traced) const;
  std::string changed_stack(const TracedLine& traced);
  std::string listed(uint32_t warp, const stepping::VariableView& view, uint32_t lanes) const;
  Leaves common_leaves(uint32_t warp) const;
  void add_leaves(uint32_t warp, const stepping::VariableView& view, const std::string& name,
                  uint32_t variable, uint32_t depth, Leaves& all) const;
  std::string_view source_text(const stepping::CodePlace& place) const;

  stepping::BlockStepper& m_stepper;
  TraceWriter m_texts;
  std::vector<std::string_view> m_source;    // lines
  std::map<uint32_t, std::string> m_stacks;  // the call stack that was last written, by warp
};

}  // namespace warplens
