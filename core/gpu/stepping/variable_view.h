// The variables of a warp by name, as plain data for pictures and texts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expression/value.h"
#include "core/gpu/stepping/program/program_table.h"
#include "core/gpu/stepping/stops/lane_bits.h"
#include "core/ptx/debug/debug_info.h"

namespace warplens::stepping {

class Engine;

// A variable, or a part of one, in the lanes of a warp.
struct VariableView {
  std::string name;    // "sum"; for a part "x", "[3]", "*"
  std::string type;    // "const float*"
  std::string within;  // the inlined function that it belongs to; empty for the function itself
  std::string space;   // if all lanes share it: "__device__", "__constant__" or "__shared__"
  std::string place;   // in words: "%r4", "local memory + 8"; empty if it is not the same in all lanes
  uint32_t line = 0;   // of its declaration
  bool parameter = false;

  // For each lane in scope, exactly one of the following four holds.
  uint32_t in_scope = 0;    // lanes
  uint32_t has = 0;         // a value
  uint32_t not_set = 0;     // nothing has been assigned yet
  uint32_t no_place = 0;    // the compiler kept no place for it
  uint32_t unreadable = 0;  // it cannot be read: see `reason`
  std::string reason;

  bool opens = false;              // it has parts: an array, a structure, what a pointer points to
  bool counts = false;             // an integer or a pointer: values like 0, 1, 2 … are folded
  uint32_t variable = UINT32_MAX;  // number in the program's table of variables; none for a part

  // Private to variable_view.cpp: the type, and where the value is in each lane.
  uint32_t type_index = 0;
  uint32_t row = 0;  // of an array of several dimensions: the number of indices chosen so far
  enum class Where : uint8_t { bits, shared, local, parameter, global } where[warp_lanes]{};
  std::array<LaneBits, warp_lanes> bits{};     // values of at most 16 bytes
  std::array<uint64_t, warp_lanes> address{};  // in its space
};

// The variables in scope at the current place of each lane, outermost scope first, parameters before others.
// With `only`, those of these lanes.
std::vector<VariableView> view_variables(const Engine& engine, uint32_t warp, uint32_t only = ~0u);
// Those that all lanes share: variables of the module and of the block's shared memory, as these lanes see
// them. Shared arrays whose type is only in the source are not included; they are in shared_arrays.h.
std::vector<VariableView> view_common_variables(const Engine& engine, uint32_t warp, uint32_t lanes = ~0u);

// A function that has called another one and waits for it, in some lanes of a warp.
struct CallerView {
  uint32_t level = 0;    // 0 for the kernel, 1 for what it called
  std::string function;  // its name in the source, or in the PTX if that is not known
  CodePlace call;        // the place of the call
  uint32_t lanes = 0;
  std::vector<VariableView> variables;  // in scope at the call, outermost scope first
};
// The callers of each lane's current function, the nearest first. Inlined functions are not calls: their
// variables are among those of the function that contains them. With `only`, those of these lanes.
std::vector<CallerView> view_callers(const Engine& engine, uint32_t warp, uint32_t only = ~0u);
// The parts of a view: members, elements `first` to `first + count`, or what it points to.
std::vector<VariableView> view_parts(const Engine& engine, uint32_t warp, const VariableView& view,
                                     uint64_t first = 0, uint64_t count = 64);
uint64_t count_of_parts(const Engine& engine, const VariableView& view);
// The value of a lane: "7", "-2.5", "true", "green", "&x[3]", "{x = 1, y = 2}". For a lane without a value,
// the reason.
std::string value_text(const Engine& engine, uint32_t warp, const VariableView& view, uint32_t lane);
// The value as a number, for conditions. None if there is none, or if it is not a number.
expression::Value value_number(const Engine& engine, const VariableView& view, uint32_t lane);
// A variable by its name: the innermost one that is in scope in any of the lanes, otherwise one that all
// lanes share. Its masks are those of the lanes.
std::optional<VariableView> find_variable(const Engine& engine, uint32_t warp, std::string_view name,
                                          uint32_t lanes);

}  // namespace warplens::stepping
