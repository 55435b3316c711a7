#include "app/cli/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "app/cli/trace/trace_rows.h"
#include "core/base/text.h"
#include "core/base/text_line.h"

namespace warplens {

namespace {

using stepping::VariableView;

constexpr const char* indent = "                 ";
// Only the first elements of a large array are checked for changes.
constexpr uint64_t most_parts_of_a_line = 64;
constexpr uint32_t deepest = 3;

uint32_t changed_lanes(const VariableView* before, const VariableView& after, uint32_t lanes) {
  uint32_t changed = 0;
  for (uint32_t rest = after.has & lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const bool had = before != nullptr && (before->has >> lane & 1) != 0;
    if (!had || before->bits[lane] != after.bits[lane]) changed |= 1u << lane;
  }
  return changed;
}

// How many calls the lanes are in.
size_t level_of(const stepping::BlockStepper& stepper, uint32_t warp, uint32_t lanes) {
  for (const stepping::PathView& path : stepper.warp(warp).paths)
    if ((path.lanes & lanes) != 0) return path.calls.size();
  return 0;
}

// Code of no line belongs to the line before it, as functions of the compiler's own library do.
bool is_same_line(const stepping::CodePlace& line, const stepping::CodePlace& next) {
  if (next.line == 0) return true;
  return next.line == line.line && next.file == line.file && next.function == line.function;
}

}  // namespace

LineWriter::LineWriter(stepping::BlockStepper& stepper, std::optional<uint32_t> lane)
    : m_stepper(stepper), m_texts(stepper, lane), m_source(lines_of_text(stepper.request().module->source)) {}

std::string LineWriter::heading() {
  return fmt::format("{:>9} {:>4}  {:<12} {:>5}  {}\n", "#", "warp", "lanes", "line", "source");
}

void LineWriter::add_leaves(uint32_t warp, const VariableView& view, const std::string& name,
                            uint32_t variable, uint32_t depth, Leaves& all) const {
  const bool is_pointer = view.counts;
  if (!view.opens || is_pointer || depth > deepest) {
    all.emplace(std::pair(variable, name), view);
    return;
  }
  for (const VariableView& part : m_stepper.parts(warp, view, 0, most_parts_of_a_line))
    add_leaves(warp, part, part.name.starts_with('[') ? name + part.name : name + "." + part.name, variable,
               depth + 1, all);
}

LineWriter::Leaves LineWriter::leaves(uint32_t warp, uint32_t lanes) const {
  Leaves all;
  for (const VariableView& view : m_stepper.variables(warp, lanes))
    add_leaves(warp, view, view.within.empty() ? view.name : view.within + ": " + view.name, view.variable, 0,
               all);
  return all;
}

// By their number among those that all lanes share. Constants never change.
LineWriter::Leaves LineWriter::common_leaves(uint32_t warp) const {
  Leaves all;
  const std::vector<VariableView> views = m_stepper.common_variables(warp);
  for (uint32_t i = 0; i < views.size(); ++i)
    if (views[i].space != "__constant__" && !is_shared_array(m_stepper, views[i]))
      add_leaves(warp, views[i], views[i].name, i, deepest - 1, all);
  return all;
}

// What a line gave to variables that all lanes share is the same in all of its lanes.
void LineWriter::add_changed(const Leaves& before, const Leaves& after, uint32_t lanes,
                             TracedLine& traced) const {
  const std::vector<VariableView> views = m_stepper.common_variables(traced.warp);
  for (const auto& [key, view] : after) {
    const auto was = before.find(key);
    if (was == before.end() || changed_lanes(&was->second, view, lanes) == 0) continue;
    traced.changed.push_back({key.first, key.second, view, lanes, views[key.first].space});
  }
}

std::optional<TracedLine> LineWriter::step() {
  const std::optional<TraceEntry> first = m_stepper.next();
  if (!first) return std::nullopt;
  TracedLine traced;
  traced.index = m_stepper.position();
  traced.warp = first->warp;
  traced.lanes = first->active;
  traced.place = m_stepper.place(first->instruction);
  const uint32_t lanes = m_texts.shown(traced.lanes);
  const Leaves before = leaves(traced.warp, lanes), common_before = common_leaves(traced.warp);
  traced.stack = stack_of(m_stepper, traced.warp, lanes != 0 ? lanes : traced.lanes);
  const size_t level = level_of(m_stepper, traced.warp, traced.lanes);
  std::optional<TraceEntry> next = first;
  do {
    m_stepper.jump(m_stepper.position() + 1);
    ++traced.instructions;
    for (const stepping::SteppedAccess& access : m_stepper.accesses())
      if (access.space == Space::global || access.space == Space::shared) traced.accesses.push_back(access);
    next = m_stepper.next();
    if (!next || next->warp != first->warp || next->active != first->active) break;
    const stepping::CodePlace place = m_stepper.place(next->instruction);
    if (!is_same_line(traced.place, place) || next->instruction == first->instruction) break;
  } while (true);
  const uint32_t own = m_stepper.table().instruction(first->instruction).function;
  // What a callee or the caller has is not new because the line went there.
  const bool same_level = level_of(m_stepper, traced.warp, traced.lanes) == level;
  for (const auto& [key, view] : same_level ? leaves(traced.warp, lanes) : Leaves()) {
    const stepping::VariableTable& table = m_stepper.variable_table();
    if (table.scopes()[table.variables()[key.first].scope].function != own) continue;
    const auto was = before.find(key);
    const uint32_t changed = changed_lanes(was == before.end() ? nullptr : &was->second, view, lanes);
    if (changed != 0) traced.changed.push_back({key.first, key.second, view, changed});
  }
  const auto writes = [](const stepping::SteppedAccess& access) { return access.kind != AccessKind::load; };
  if (std::ranges::any_of(traced.accesses, writes))
    add_changed(common_before, common_leaves(traced.warp), lanes, traced);
  const debug::Function* function = m_stepper.variable_table().info().find(traced.place.function);
  const bool is_head = function != nullptr && function->line == traced.place.line;
  traced.is_preparation =
      traced.changed.empty() && traced.accesses.empty() && (is_head || traced.place.line == 0);
  return traced;
}

std::string_view LineWriter::source_text(const stepping::CodePlace& place) const {
  const std::string& name = m_stepper.request().module->source_name;
  if (place.file != name || place.line == 0 || place.line > m_source.size()) return {};
  return trimmed(m_source[place.line - 1]);
}

std::string LineWriter::line(const TracedLine& traced) {
  // Lines of the kernel's own file are numbers; of others, their names are before them.
  const bool is_own = traced.place.file == m_stepper.request().module->source_name;
  std::string text = fmt::format(
      "{:>9} {:>4}  {:<12} {:>5}  {}\n", traced.index, traced.warp, lanes_text(traced.lanes),
      is_own ? fmt::format("{}", traced.place.line) : source_line(traced.place), source_text(traced.place));
  text += changed_stack(traced);
  for (const ChangedVariable& changed : traced.changed) {
    const bool all = changed.lanes == m_texts.shown(traced.lanes);
    text += fmt::format("{}{} = {}{}\n", indent, changed.name,
                        values_text(m_stepper, traced.warp, changed.view, changed.lanes),
                        all ? "" : fmt::format("  [lanes {}]", lanes_text(changed.lanes)));
  }
  for (const stepping::SteppedAccess& access : traced.accesses) {
    const std::string words = m_texts.access_text(access);
    if (!words.empty()) text += fmt::format("{}{}\n", indent, words);
  }
  return text + m_texts.changed_paths(traced.warp);
}

// Empty in the kernel itself, and if it is the same as on the warp's line before.
std::string LineWriter::changed_stack(const TracedLine& traced) {
  std::string now = traced.stack.size() < 2 ? "" : words_of(traced.stack);
  std::string& before = m_stacks[traced.warp];
  if (now == before) return {};
  before = now;
  return now.empty() ? "" : indent + now + "\n";
}

ReportJson LineWriter::json(const TracedLine& traced) const {
  ReportJson object{
      {"index", traced.index},  {"instructions", traced.instructions}, {"warp", traced.warp},
      {"active", traced.lanes}, {"function", traced.place.function},   {"source", source_text(traced.place)}};
  object.update(place_json(traced.place));
  if (traced.stack.size() > 1) object["stack"] = stack_json(traced.stack);
  object["variables"] = ReportJson::array();
  for (const ChangedVariable& changed : traced.changed) {
    ReportJson lanes = ReportJson::array();
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      lanes.push_back((changed.lanes >> lane & 1) != 0
                          ? ReportJson(m_stepper.text_of(traced.warp, changed.view, lane))
                          : ReportJson());
    ReportJson variable{{"name", changed.name}, {"type", changed.view.type}};
    if (!changed.space.empty()) variable["space"] = changed.space;
    variable["lanes"] = std::move(lanes);
    object["variables"].push_back(std::move(variable));
  }
  object["accesses"] = m_texts.accesses_json(traced.accesses);
  object["paths"] = m_texts.paths_json(traced.warp);
  return object;
}

std::string LineWriter::listed(uint32_t warp, const VariableView& view, uint32_t lanes) const {
  const std::string name = view.within.empty() ? view.name : view.within + ": " + view.name;
  const bool all = view.in_scope == 0xffffffff || view.in_scope == lanes;
  std::string values =
      view.has != 0 ? values_text(m_stepper, warp, view, view.in_scope & lanes)
                    : m_stepper.text_of(warp, view, static_cast<uint32_t>(std::countr_zero(view.in_scope)));
  const std::string which = all ? "" : fmt::format("  [lanes {}]", lanes_text(view.in_scope));
  // What differs from lane to lane is read more easily part by part.
  Leaves parts;
  constexpr size_t long_text = 100, most_rows = 16;
  if (view.opens && !view.counts && values.size() > long_text) add_leaves(warp, view, name, 0, 0, parts);
  if (parts.empty() || parts.size() > most_rows)
    return fmt::format("  {:<12} {:<16} {}{}\n", name, view.type, values, which);
  std::string text;
  for (const auto& [key, part] : parts)
    text += fmt::format(
        "  {:<12} {:<16} {}{}\n", key.second, part.type,
        part.has != 0 ? values_text(m_stepper, warp, part, part.in_scope & lanes)
                      : m_stepper.text_of(warp, part, static_cast<uint32_t>(std::countr_zero(part.in_scope))),
        which);
  return text;
}

std::string LineWriter::variables(uint32_t warp) const {
  const uint32_t lanes = m_texts.shown(~0u);
  std::string text;
  for (const VariableView& view : m_stepper.variables(warp, lanes)) text += listed(warp, view, lanes);
  for (const stepping::CallerView& caller : m_stepper.callers(warp, lanes)) {
    const std::string who = caller.lanes == 0xffffffff || caller.lanes == lanes
                                ? ""
                                : fmt::format("  [lanes {}]", lanes_text(caller.lanes));
    text += fmt::format("  -- of {}{}\n", words_of(caller), who);
    for (const VariableView& view : caller.variables) text += listed(warp, view, caller.lanes);
  }
  std::string common;
  for (const VariableView& view : m_stepper.common_variables(warp))
    if (!is_shared_array(m_stepper, view)) common += listed(warp, view, ~0u);
  if (!common.empty()) text += "  -- shared by all lanes\n" + common;
  return text;
}

}  // namespace warplens
