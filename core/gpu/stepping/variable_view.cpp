#include "core/gpu/stepping/variable_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/gpu/stepping/call_stack.h"
#include "core/gpu/stepping/engine/engine.h"
#include "core/gpu/stepping/variable_reader.h"

namespace warplens::stepping {

namespace {

using debug::Type;
using Where = VariableView::Where;

// A part at an offset in each lane's value.
VariableView part_of(const VariableReader& reader, const VariableView& whole, std::string name,
                     const VariableView& shape, uint64_t offset) {
  VariableView part;
  part.name = std::move(name);
  part.type_index = shape.type_index;
  part.row = shape.row;
  part.in_scope = whole.in_scope;
  part.no_place = whole.no_place;
  part.not_set = whole.not_set;
  part.unreadable = whole.unreadable;
  part.reason = whole.reason;
  for (uint32_t rest = whole.has; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (whole.where[lane] != Where::bits) {
      reader.read(part, lane, whole.where[lane], whole.address[lane] + offset);
    } else if (offset < 8) {
      part.bits[lane].low = whole.bits[lane].low >> (8 * offset);
      part.has |= 1u << lane;
    } else {
      part.unreadable |= 1u << lane;
    }
  }
  return part;
}

// With a name, only the variables that have it.
std::vector<VariableView> views_of(const Engine& engine, uint32_t warp, uint32_t only,
                                   std::optional<std::string_view> name) {
  std::vector<VariableView> views;
  const VariableTable& table = engine.variable_table();
  if (engine.variables() == nullptr) return views;
  const VariableReader reader(engine, warp);
  const std::array<LanePlace, warp_lanes> at = lane_places(engine, warp);
  std::vector<uint32_t> lanes_of(table.scopes().size());
  std::vector<uint32_t> seen;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    const uint32_t instruction = at[lane].instruction;
    if (instruction == UINT32_MAX || (only >> lane & 1) == 0) continue;
    const uint32_t function = engine.table().instruction(instruction).function;
    for (const uint32_t s : table.scopes_at(instruction, function)) {
      if (lanes_of[s] == 0) seen.push_back(s);
      lanes_of[s] |= 1u << lane;
    }
  }
  std::ranges::sort(seen);
  for (const uint32_t s : seen) reader.add(s, lanes_of[s], name, views);
  return views;
}

}  // namespace

std::vector<VariableView> view_common_variables(const Engine& engine, uint32_t warp, uint32_t lanes) {
  std::vector<VariableView> views;
  if (engine.variables() == nullptr) return views;
  const VariableReader reader(engine, warp);
  for (const CommonVariable& variable : engine.variable_table().common()) {
    VariableView view = reader.view(variable, lanes);
    if (view.unreadable == 0) views.push_back(std::move(view));  // otherwise the program does not use it
  }
  return views;
}

std::vector<VariableView> view_variables(const Engine& engine, uint32_t warp, uint32_t only) {
  return views_of(engine, warp, only, std::nullopt);
}

uint64_t count_of_parts(const Engine& engine, const VariableView& view) {
  const debug::DebugInfo& info = engine.variable_table().info();
  const Type& type = debug::plain_type(info, view.type_index);
  if (!view.opens) return 0;
  if (type.kind == Type::Kind::structure) return type.members.size();
  if (type.kind == Type::Kind::pointer) return 1;
  return view.row < type.extents.size() ? type.extents[view.row] : 0;
}

std::vector<VariableView> view_parts(const Engine& engine, uint32_t warp, const VariableView& view,
                                     uint64_t first, uint64_t count) {
  const VariableReader reader(engine, warp);
  const debug::DebugInfo& info = reader.info();
  const Type& type = debug::plain_type(info, view.type_index);
  const uint64_t all = count_of_parts(engine, view);
  std::vector<VariableView> parts;
  for (uint64_t i = first; i < all && i - first < count; ++i) {
    if (type.kind == Type::Kind::structure) {
      const debug::Member& member = type.members[static_cast<size_t>(i)];
      const Type& plain = debug::plain_type(info, member.type);
      VariableView shape;
      shape.type_index = member.type;
      VariableView part =
          part_of(reader, view, member.is_base ? plain.name : member.name, shape, member.offset);
      if (member.bits != 0 && member.bits < 64) {
        const bool is_signed = plain.kind == Type::Kind::integer;
        for (LaneBits& bits : part.bits) {
          const uint64_t high = bits.low << (64 - std::min(member.first_bit + member.bits, 64u));
          const uint32_t unused = 64 - member.bits;
          bits.low = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(high) >> unused) : high >> unused;
        }
      }
      reader.finish(part);
      parts.push_back(std::move(part));
    } else if (type.kind == Type::Kind::array) {
      // The rows of an array of several dimensions are arrays themselves.
      const uint32_t row = view.row + 1;
      const bool last = row >= type.extents.size();
      VariableView shape;
      shape.type_index = last ? type.element : view.type_index;
      shape.row = last ? 0 : row;
      VariableView part = part_of(reader, view, fmt::format("[{}]", i), shape, i * bytes_of(info, shape));
      reader.finish(part);
      parts.push_back(std::move(part));
    } else {
      VariableView part{.name = "*", .type = {}, .within = {}, .space = {}, .place = {}, .reason = {}};
      part.type_index = type.element;
      part.in_scope = view.in_scope;
      for (uint32_t rest = view.has; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
        reader.read_generic(part, lane, view.bits[lane].low);
      }
      reader.finish(part);
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

std::optional<VariableView> find_variable(const Engine& engine, uint32_t warp, std::string_view name,
                                          uint32_t lanes) {
  std::vector<VariableView> found = views_of(engine, warp, lanes, name);
  if (!found.empty()) return std::move(found.back());
  if (engine.variables() == nullptr) return std::nullopt;
  for (const CommonVariable& variable : engine.variable_table().common())
    if (variable.from->name == name) return VariableReader(engine, warp).view(variable, lanes);
  return std::nullopt;
}

}  // namespace warplens::stepping
