// The breakpoints of a stepped block, in a form that is quick to check at each instruction. Private to
// core/gpu/stepping.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/stepping/block_stepper.h"
#include "core/gpu/stepping/stops/condition.h"
#include "core/gpu/stepping/stops/lane_names.h"
#include "core/gpu/stepping/variable_watch.h"

namespace warplens::stepping {

struct Hit {
  uint32_t breakpoint = 0;
  uint32_t lanes = 0;
};

class Breakpoints {
 public:
  Breakpoints(const Engine& engine, Names names);

  Result<uint32_t> add(const Breakpoint& breakpoint);
  void remove(uint32_t number) { m_all.erase(number); }
  std::vector<uint32_t> numbers() const;
  bool empty() const { return m_all.empty(); }

  // The breakpoint that holds before the next instruction.
  std::optional<Hit> before(const TraceEntry& next) const;
  // All of those, in the order in which they were added.
  std::vector<Hit> all_before(const TraceEntry& next) const;
  // Call it before an instruction runs, so that behind() can tell what it changed.
  void keep(const TraceEntry& next);
  // See BlockStepper::evaluate.
  Result<std::vector<expression::Value>> evaluate(std::string_view text, uint32_t warp, uint32_t lanes,
                                                  const FrameView* frame) const;
  // The watchpoint whose memory the last instruction accessed, or whose variable it changed.
  std::optional<Hit> behind(const TraceEntry& last) const;

 private:
  struct Ready {
    Breakpoint asked;
    std::vector<bool> at;  // per instruction; empty for watchpoints
    std::optional<Condition> condition;
    std::optional<VariableWatch> watch;
  };
  Result<void> find_places(Ready& ready) const;
  Result<void> find_variable_to_watch(Ready& ready) const;
  Result<void> check_names(const Ready& ready) const;
  std::optional<Hit> hit_before(uint32_t number, const Ready& ready, const TraceEntry& next) const;
  // The values of these names in these lanes of a warp, name by name; none in other lanes. Empty if one of
  // them means nothing here; then `unknown` names it.
  std::vector<expression::Value> lane_values(std::span<const expression::Tree::Name> names, uint32_t warp,
                                             uint32_t function, uint32_t lanes, const FrameView* frame,
                                             std::string* unknown) const;
  std::string missing_line(const Breakpoint& asked) const;
  std::optional<VariableView> named_variable(uint32_t warp, std::string_view name, uint32_t lanes,
                                             const FrameView* frame) const;
  bool is_variable(uint32_t function, std::string_view name) const;
  std::string known_variables(const std::vector<bool>& functions) const;
  std::string known_names(const std::vector<bool>& functions) const;
  uint32_t holding_lanes(const Ready& ready, uint32_t warp, uint32_t instruction, uint32_t lanes) const;
  uint32_t touching_lanes(const Ready& ready) const;

  const Engine& m_engine;
  LaneNames m_names;
  std::map<uint32_t, Ready> m_all;
  uint32_t m_next = 1;
};

}  // namespace warplens::stepping
