#include "app/cli/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {

namespace {

using stepping::VariableView;

constexpr const char* indent = "                 ";
// Of a large array only the first elements are looked at for changes.
constexpr uint64_t most_parts = 64;
constexpr uint32_t deepest = 3;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r");
  return begin == text.npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

uint32_t changed_lanes(const VariableView* before, const VariableView& after, uint32_t lanes) {
  uint32_t changed = 0;
  for (uint32_t rest = after.has & lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const bool had = before != nullptr && (before->has >> lane & 1) != 0;
    if (!had || before->bits[lane] != after.bits[lane]) changed |= 1u << lane;
  }
  return changed;
}

// Code of no line belongs to the line before it, as functions of the compiler's own library do.
bool is_same_line(const stepping::CodePlace& line, const stepping::CodePlace& next) {
  if (next.line == 0) return true;
  return next.line == line.line && next.file == line.file && next.function == line.function;
}

}  // namespace

LineWriter::LineWriter(stepping::BlockStepper& stepper, std::optional<uint32_t> lane)
    : m_stepper(stepper), m_texts(stepper, lane), m_source(lines_of(stepper.request().module->source)) {}

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
  for (const VariableView& part : m_stepper.parts(warp, view, 0, most_parts))
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

std::optional<TracedLine> LineWriter::step() {
  const std::optional<TraceEntry> first = m_stepper.next();
  if (!first) return std::nullopt;
  TracedLine traced;
  traced.index = m_stepper.position();
  traced.warp = first->warp;
  traced.lanes = first->active;
  traced.place = m_stepper.place(first->instruction);
  const uint32_t lanes = m_texts.shown(traced.lanes);
  const Leaves before = leaves(traced.warp, lanes);
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
  for (const auto& [key, view] : leaves(traced.warp, lanes)) {
    // What a callee or the caller has is not new because the line went there.
    const stepping::VariableTable& table = m_stepper.variable_table();
    if (table.scopes()[table.variables()[key.first].scope].function != own) continue;
    const auto was = before.find(key);
    const uint32_t changed = changed_lanes(was == before.end() ? nullptr : &was->second, view, lanes);
    if (changed != 0) traced.changed.push_back({key.second, view, changed});
  }
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

ReportJson LineWriter::json(const TracedLine& traced) const {
  ReportJson object{
      {"index", traced.index},  {"instructions", traced.instructions}, {"warp", traced.warp},
      {"active", traced.lanes}, {"function", traced.place.function},   {"source", source_text(traced.place)}};
  object.update(place_json(traced.place));
  object["variables"] = ReportJson::array();
  for (const ChangedVariable& changed : traced.changed) {
    ReportJson lanes = ReportJson::array();
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      lanes.push_back((changed.lanes >> lane & 1) != 0
                          ? ReportJson(m_stepper.text_of(traced.warp, changed.view, lane))
                          : ReportJson());
    object["variables"].push_back(
        {{"name", changed.name}, {"type", changed.view.type}, {"lanes", std::move(lanes)}});
  }
  object["accesses"] = m_texts.accesses_json(traced.accesses);
  object["paths"] = m_texts.paths_json(traced.warp);
  return object;
}

std::string LineWriter::variables(uint32_t warp) const {
  std::string text;
  for (const VariableView& view : m_stepper.variables(warp, m_texts.shown(~0u))) {
    const std::string name = view.within.empty() ? view.name : view.within + ": " + view.name;
    const std::string lanes = view.in_scope == 0xffffffff || view.in_scope == m_texts.shown(~0u)
                                  ? ""
                                  : fmt::format("  [lanes {}]", lanes_text(view.in_scope));
    std::string values = values_text(m_stepper, warp, view, view.in_scope);
    if (view.has == 0)
      values = m_stepper.text_of(warp, view, static_cast<uint32_t>(std::countr_zero(view.in_scope)));
    text += fmt::format("  {:<12} {:<16} {}{}\n", name, view.type, values, lanes);
  }
  return text;
}

}  // namespace warplens
