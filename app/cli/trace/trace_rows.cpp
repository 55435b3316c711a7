#include "app/cli/trace/trace_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/cli/trace/trace_text.h"

namespace warplens {

namespace {

using stepping::VariableView;

class RowMaker {
 public:
  RowMaker(const stepping::BlockStepper& stepper, uint32_t warp, uint32_t lanes, const RowLimits& limits)
      : m_stepper(stepper), m_warp(warp), m_lanes(lanes), m_limits(limits) {}

  std::vector<TraceRow> run() {
    const std::vector<VariableView> own = m_stepper.variables(m_warp, m_lanes);
    const bool several = std::ranges::any_of(
        own, [&](const VariableView& view) { return function_of(view) != function_of(own.front()); });
    for (const VariableView& view : own)
      add(view, several && view.within.empty() ? name_of(function_of(view)) : view.within, view.variable);
    m_of_caller = true;
    for (const stepping::CallerView& caller : m_stepper.callers(m_warp, m_lanes)) {
      const std::string words = words_of(caller);
      for (const VariableView& view : caller.variables)
        add(view, view.within.empty() ? words : fmt::format("{}, in {}", view.within, words), view.variable);
    }
    m_of_caller = false;
    m_common = true;
    const std::vector<VariableView> common = m_stepper.common_variables(m_warp);
    for (uint32_t i = 0; i < common.size(); ++i)
      if (!is_shared_array(m_stepper, common[i]))
        add(common[i], "shared by all lanes, " + common[i].space, i);
    return std::move(m_rows);
  }

 private:
  uint32_t function_of(const VariableView& view) const {
    const stepping::VariableTable& table = m_stepper.variable_table();
    return table.scopes()[table.variables()[view.variable].scope].function;
  }
  std::string name_of(uint32_t function) const {
    return std::string(m_stepper.variable_table().function_name(function));
  }

  void add(const VariableView& view, const std::string& group, uint32_t variable) {
    m_variable = variable;
    add(view, group, view.name, view.type, 0);
  }

  void add(const VariableView& view, const std::string& group, const std::string& name,
           const std::string& type, uint32_t depth) {
    const bool is_pointer = view.counts;
    if (!view.opens || is_pointer || depth > m_limits.depth) {
      m_rows.push_back(row(view, group, name, type));
      return;
    }
    for (const VariableView& part : m_stepper.parts(m_warp, view, 0, m_limits.parts))
      add(part, group, part.name.starts_with('[') ? name + part.name : name + "." + part.name, part.type,
          depth + 1);
  }

  TraceRow row(const VariableView& view, const std::string& group, const std::string& name,
               const std::string& type) const {
    TraceRow made{.group = group, .variable = m_variable, .name = name, .type = type, .texts = {}};
    made.of_caller = m_of_caller;
    made.common = m_common;
    made.in_scope = view.in_scope & m_lanes;
    made.has = view.has & m_lanes;
    made.not_set = view.not_set & m_lanes;
    made.no_place = view.no_place & m_lanes;
    made.unreadable = view.unreadable & m_lanes;
    for (uint32_t rest = made.has; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      made.texts[lane] = m_stepper.text_of(m_warp, view, lane);
    }
    return made;
  }

  const stepping::BlockStepper& m_stepper;
  uint32_t m_warp, m_lanes;
  RowLimits m_limits;
  uint32_t m_variable = 0;
  bool m_of_caller = false, m_common = false;
  std::vector<TraceRow> m_rows;
};

}  // namespace

bool is_shared_array(const stepping::BlockStepper& stepper, const stepping::VariableView& view) {
  if (view.space != "__shared__") return false;
  for (const stepping::SharedArray& array : stepper.shared_arrays())
    if (array.name == view.name) return array.is_number && !array.is_scalar;
  return false;
}

std::string words_of(const stepping::CallerView& caller) {
  const std::string where = caller.call.line != 0 ? fmt::format("line {}", caller.call.line)
                                                  : fmt::format("PTX line {}", caller.call.ptx_line);
  return fmt::format("{} (level {}), which called in {}", caller.function, caller.level, where);
}

std::vector<stepping::FrameView> stack_of(const stepping::BlockStepper& stepper, uint32_t warp,
                                          uint32_t lanes) {
  if (lanes == 0) return {};
  const auto first = static_cast<uint32_t>(std::countr_zero(lanes));
  for (stepping::StackView& stack : stepper.stacks(warp))
    if ((stack.lanes >> first & 1) != 0) return std::move(stack.frames);
  return {};
}

std::string words_of(const std::vector<stepping::FrameView>& stack) {
  constexpr size_t most = 6, first = 4;
  std::string words;
  for (size_t i = 0; i < stack.size(); ++i) {
    if (stack.size() > most && i == first) {
      words += fmt::format(", {} more calls", stack.size() - most + 1);
      i = stack.size() - 1;
    }
    const stepping::FrameView& frame = stack[i];
    const char* how = i == 0 ? "in" : i == 1 ? ", called by" : ", by";
    words += fmt::format("{} {}", how, frame.function);
    if (frame.inlined) words += " (inlined)";
    if (i != 0)
      words += frame.at.line != 0 ? fmt::format(" in line {}", frame.at.line)
                                  : fmt::format(" in PTX line {}", frame.at.ptx_line);
  }
  return words;
}

ReportJson stack_json(const std::vector<stepping::FrameView>& stack) {
  ReportJson all = ReportJson::array();
  for (const stepping::FrameView& frame : stack) {
    ReportJson one{{"function", frame.function}, {"level", frame.level}, {"inlined", frame.inlined}};
    one.update(place_json(frame.at));
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<TraceRow> variable_rows(const stepping::BlockStepper& stepper, uint32_t warp, uint32_t lanes,
                                    const RowLimits& limits) {
  return RowMaker(stepper, warp, lanes, limits).run();
}

std::vector<TraceRow> register_rows(const stepping::BlockStepper& stepper, uint32_t warp, uint32_t lanes) {
  std::vector<TraceRow> rows;
  for (const stepping::RegisterView& view : stepper.registers(warp)) {
    const uint32_t set = view.set & lanes;
    if (set == 0) continue;
    TraceRow row{.group = {},
                 .variable = 0,
                 .name = view.name,
                 .type = std::string(ptx::text_of(view.type)),
                 .texts = {}};
    row.in_scope = row.has = set;
    for (uint32_t rest = set; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      row.texts[lane] = stepping::text_of(view.type, view.bits[lane]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warplens
