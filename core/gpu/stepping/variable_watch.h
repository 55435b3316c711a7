// A watched variable: detects the instruction that assigns it a value, lane by lane. Private to
// core/gpu/stepping.
//
// For a variable in memory, each write to its bytes is an assignment. For one in a register, only a change of
// its value is.
#pragma once

#include <optional>
#include <vector>

#include "core/gpu/stepping/trace/trace.h"
#include "core/gpu/stepping/variable_path.h"

namespace warplens::stepping {

class VariableWatch {
 public:
  VariableWatch(const Engine& engine, VariablePath path);

  // Call before an instruction runs: saves what it may change.
  void keep(const TraceEntry& next);
  // Call after it: the lanes in which it assigned a value to the variable.
  uint32_t changed(const TraceEntry& last) const;

 private:
  struct Value {
    uint32_t variable = 0;  // number in the program's table
    VariableView view;
  };
  std::optional<Value> value(uint32_t warp, uint32_t lanes) const;
  bool is_written(const VariableView& view, uint32_t lane) const;

  const Engine& m_engine;
  VariablePath m_path;
  std::vector<bool> m_touches;  // per instruction: it may move the variable, or write a register of it
  std::optional<Value> m_kept;
};

// Memory at a fixed address: a variable that all lanes share, or what a parameter of the kernel points to
// now. Empty if the path is neither.
struct FixedPlace {
  Space space = Space::global;
  uint64_t address = 0, bytes = 0;
};
std::optional<FixedPlace> fixed_place(const Engine& engine, const VariablePath& path);

}  // namespace warplens::stepping
