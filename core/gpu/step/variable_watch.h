// A watched variable of the lanes: notices the instruction that gives it a value. Private to core/gpu/step.
//
// A variable in memory is given a value by each write to its bytes, one in a register when it has another
// value than before.
#pragma once

#include <optional>
#include <vector>

#include "core/gpu/step/variable_path.h"

namespace warplens::stepping {

class VariableWatch {
 public:
  VariableWatch(const Engine& engine, VariablePath path);

  // Before an instruction runs: keeps what it may change.
  void keep(const TraceEntry& next);
  // Behind it: the lanes in which it gave the variable a value.
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

// Memory at a fixed place: a variable that all lanes share, or what a parameter of the kernel points to now.
// Empty if the path is none of these.
struct FixedPlace {
  Space space = Space::global;
  uint64_t address = 0, bytes = 0;
};
std::optional<FixedPlace> fixed_place(const Engine& engine, const VariablePath& path);

}  // namespace warplens::stepping
