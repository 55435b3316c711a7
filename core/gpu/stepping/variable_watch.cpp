#include "core/gpu/stepping/variable_watch.h"

#include <algorithm>
#include <bit>
#include <set>

#include "core/gpu/stepping/variable_reader.h"

namespace warplens::stepping {

namespace {

using Where = VariableView::Where;

Space space_of(Where where) {
  return where == Where::shared ? Space::shared : where == Where::local ? Space::local : Space::global;
}

// The memory that is the same for all lanes, not one for each lane.
std::optional<FixedPlace> one_place(const Engine& engine, const VariableView& view) {
  if (view.has == 0) return std::nullopt;
  const auto first = static_cast<size_t>(std::countr_zero(view.has));
  for (uint32_t rest = view.has; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    if (view.where[lane] != view.where[first] || view.address[lane] != view.address[first])
      return std::nullopt;
  }
  if (view.where[first] != Where::shared && view.where[first] != Where::global) return std::nullopt;
  return FixedPlace{space_of(view.where[first]), view.address[first],
                    bytes_of(engine.variable_table().info(), view)};
}

}  // namespace

std::optional<FixedPlace> fixed_place(const Engine& engine, const VariablePath& path) {
  const std::optional<VariableView> root = find_variable(engine, 0, path.name, ~0u);
  if (!root || (root->space.empty() && !root->parameter)) return std::nullopt;
  const std::optional<VariableView> part = find_path(engine, 0, path, ~0u);
  return part ? one_place(engine, *part) : std::nullopt;
}

VariableWatch::VariableWatch(const Engine& engine, VariablePath path)
    : m_engine(engine), m_path(std::move(path)) {
  const VariableTable& table = engine.variable_table();
  const ProgramTable& program = engine.table();
  std::set<uint32_t> variables, registers;
  for (uint32_t v = 0; v < table.variables().size(); ++v) {
    if (table.variables()[v].from->name != m_path.name) continue;
    variables.insert(v);
    for (const VariablePlace& place : table.variables()[v].places)
      if (place.kind == VariablePlace::Kind::reg || place.kind == VariablePlace::Kind::pointed)
        registers.insert(place.reg);
  }
  const auto moves = [&](std::span<const PlaceChange> changes) {
    return std::ranges::any_of(
        changes, [&](const PlaceChange& change) { return variables.contains(change.variable); });
  };
  const auto& block_of = program.program().flow.block_of;
  m_touches.resize(program.instructions());
  for (uint32_t i = 0; i < program.instructions(); ++i) {
    const InstructionInfo& info = program.instruction(i);
    const uint32_t first = program.first_register(info.function);
    const bool writes =
        std::ranges::any_of(info.writes, [&](uint32_t r) { return registers.contains(first + r); });
    const bool ends_block = i + 1 == program.instructions() || block_of[i] != block_of[i + 1];
    m_touches[i] = ends_block || writes || moves(table.writing(i)) || moves(table.leaving(i)) ||
                   moves(table.arriving(i + 1)) || moves(table.falling(i + 1));
  }
}

std::optional<VariableWatch::Value> VariableWatch::value(uint32_t warp, uint32_t lanes) const {
  const std::optional<VariableView> root = find_variable(m_engine, warp, m_path.name, lanes);
  if (!root) return std::nullopt;
  std::optional<VariableView> part = m_path.steps.empty() ? root : find_path(m_engine, warp, m_path, lanes);
  if (!part) return std::nullopt;
  return Value{root->variable, std::move(*part)};
}

void VariableWatch::keep(const TraceEntry& next) {
  m_kept.reset();
  if (m_touches[next.instruction]) m_kept = value(next.warp, next.active);
}

bool VariableWatch::is_written(const VariableView& view, uint32_t lane) const {
  const uint64_t begin = view.address[lane];
  const uint64_t end = begin + bytes_of(m_engine.variable_table().info(), view);
  const bool own = view.where[lane] == Where::local;  // of the lane
  for (const SteppedAccess& access : m_engine.accesses()) {
    if (access.space != space_of(view.where[lane]) || access.kind == AccessKind::load) continue;
    for (uint32_t rest = own ? access.lanes & 1u << lane : access.lanes; rest != 0; rest &= rest - 1) {
      const uint64_t at = access.address[static_cast<size_t>(std::countr_zero(rest))];
      if (at < end && at + access.bytes > begin) return true;
    }
  }
  return false;
}

uint32_t VariableWatch::changed(const TraceEntry& last) const {
  const InstructionInfo& info = m_engine.table().instruction(last.instruction);
  const bool touches = m_touches[last.instruction];
  // A variable of another function is not new just because the lanes went there.
  if (info.calls || info.returns || (!touches && m_engine.accesses().empty())) return 0;
  const std::optional<Value> now = value(last.warp, last.active);
  // After an inner block, the outer variable of the same name has not changed.
  if (!now || (m_kept && now->variable < m_kept->variable)) return 0;
  const bool same = m_kept && now->variable == m_kept->variable;
  uint32_t lanes = 0;
  for (uint32_t rest = now->view.has; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (now->view.where[lane] != Where::bits) {
      lanes |= static_cast<uint32_t>(is_written(now->view, lane)) << lane;
      continue;
    }
    const bool had = same && (m_kept->view.has >> lane & 1) != 0;
    if (touches && (!had || m_kept->view.bits[lane] != now->view.bits[lane])) lanes |= 1u << lane;
  }
  return lanes;
}

}  // namespace warplens::stepping
