#include "core/gpu/step/variable_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/gpu/step/variable_reader.h"

namespace warplens::stepping {

namespace {

using debug::Type;
using Where = VariableView::Where;

// Where each lane of a warp is: its next instruction, or the one at which it waits.
std::array<uint32_t, warp_lanes> instructions_of(const Engine& engine, uint32_t number) {
  std::array<uint32_t, warp_lanes> at;
  at.fill(UINT32_MAX);
  const exec::Warp& warp = engine.block().warps()[number];
  const auto note = [&](uint32_t lanes, uint32_t instruction) {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) at[std::countr_zero(rest)] = instruction;
  };
  for (const exec::Join& join : warp.joins)
    if (join.op != nullptr) note(join.arrived & warp.live, join.op->instruction);
  for (const exec::Path& path : warp.paths)
    note(path.mask, (path.at_barrier ? path.next - 1 : path.next)->instruction);
  return at;
}

// What is in shared memory is the block's: see shared_arrays.h.
bool is_of_block(const NamedVariable& variable) {
  return variable.places.size() > 1 && variable.places[1].kind == VariablePlace::Kind::shared;
}

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

// The variables of a scope, but for those of the block.
void add_views(const Engine& engine, const VariableReader& reader, uint32_t scope_number, uint32_t lanes,
               std::optional<std::string_view> name, std::vector<VariableView>& views) {
  const VariableTable& table = engine.variable_table();
  const CodeScope& scope = table.scopes()[scope_number];
  for (uint32_t i = 0; i < scope.variables; ++i) {
    const NamedVariable& named = table.variables()[scope.first_variable + i];
    if (is_of_block(named) || (name && named.from->name != *name)) continue;
    views.push_back(reader.view(scope.first_variable + i, lanes));
  }
}

// With a name, only the variables that have it.
std::vector<VariableView> views_of(const Engine& engine, uint32_t warp, uint32_t only,
                                   std::optional<std::string_view> name) {
  std::vector<VariableView> views;
  const VariableTable& table = engine.variable_table();
  if (engine.variables() == nullptr) return views;
  const VariableReader reader(engine, warp);
  const std::array<uint32_t, warp_lanes> at = instructions_of(engine, warp);
  std::vector<uint32_t> lanes_of(table.scopes().size());
  std::vector<uint32_t> seen;
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if (at[lane] == UINT32_MAX || (only >> lane & 1) == 0) continue;
    const uint32_t function = engine.table().instruction(at[lane]).function;
    for (const uint32_t s : table.scopes_at(at[lane], function)) {
      if (lanes_of[s] == 0) seen.push_back(s);
      lanes_of[s] |= 1u << lane;
    }
  }
  std::ranges::sort(seen);
  for (const uint32_t s : seen) add_views(engine, reader, s, lanes_of[s], name, views);
  return views;
}

// A call that has not returned, of lanes of a warp that called together.
struct OpenCall {
  uint32_t level = 0;  // of the caller
  int32_t frame = -1;
  uint32_t lanes = 0;
};

std::vector<OpenCall> open_calls(const exec::Warp& warp, uint32_t only) {
  std::vector<OpenCall> calls;
  const auto parent_of = [&](int32_t join) { return warp.joins[static_cast<size_t>(join)].parent; };
  const auto add = [&](int32_t innermost, uint32_t lanes) {
    std::vector<int32_t> frames;  // innermost first
    for (int32_t join = innermost; join >= 0; join = parent_of(join))
      if (const int32_t frame = warp.joins[static_cast<size_t>(join)].call; frame >= 0)
        frames.push_back(frame);
    for (size_t i = 0; i < frames.size(); ++i) {
      const auto level = static_cast<uint32_t>(frames.size() - 1 - i);
      const auto same =
          std::ranges::find_if(calls, [&](const OpenCall& call) { return call.frame == frames[i]; });
      if (same == calls.end())
        calls.push_back({level, frames[i], lanes});
      else
        same->lanes |= lanes;
    }
  };
  for (const exec::Join& join : warp.joins)
    if (const uint32_t lanes = join.arrived & warp.live & only; join.op != nullptr && lanes != 0)
      add(join.parent, lanes);
  for (const exec::Path& path : warp.paths)
    if ((path.mask & only) != 0) add(path.join, path.mask & only);
  return calls;
}

// Takes the lanes of another view of the same variable.
void merge(VariableView& into, const VariableView& from) {
  for (uint32_t rest = from.in_scope; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    into.where[lane] = from.where[lane];
    into.bits[lane] = from.bits[lane];
    into.address[lane] = from.address[lane];
  }
  into.in_scope |= from.in_scope;
  into.has |= from.has;
  into.not_set |= from.not_set;
  into.no_place |= from.no_place;
  into.unreadable |= from.unreadable;
  if (into.reason.empty()) into.reason = from.reason;
  if (into.place != from.place) into.place.clear();
}

}  // namespace

std::vector<VariableView> view_common_variables(const Engine& engine, uint32_t warp, uint32_t lanes) {
  std::vector<VariableView> views;
  if (engine.variables() == nullptr) return views;
  const VariableReader reader(engine, warp);
  for (const CommonVariable& variable : engine.variable_table().common()) {
    VariableView view = reader.view(variable, lanes);
    if (view.unreadable == 0) views.push_back(std::move(view));  // else the program does not use it
  }
  return views;
}

std::vector<CallerView> view_callers(const Engine& engine, uint32_t number, uint32_t only) {
  std::vector<CallerView> callers;
  if (engine.variables() == nullptr) return callers;
  const exec::Warp& warp = engine.block().warps()[number];
  const VariableTable& table = engine.variable_table();
  for (const OpenCall& open : open_calls(warp, only)) {
    const exec::CallFrame& frame = warp.frames[static_cast<size_t>(open.frame)];
    const CodePlace call = engine.table().place(frame.call->instruction);
    const uint32_t function = engine.table().instruction(call.instruction).function;
    auto place = std::ranges::find_if(callers, [&](const CallerView& other) {
      return other.level == open.level && other.call.instruction == call.instruction;
    });
    CallerView made{.level = open.level, .function = {}, .call = call, .lanes = open.lanes, .variables = {}};
    const std::string_view name = table.function_name(function);
    made.function = name.empty() ? call.function : name;
    const VariableReader reader(engine, number, &frame);
    for (const uint32_t s : table.scopes_at(call.instruction, function))
      add_views(engine, reader, s, open.lanes, std::nullopt, made.variables);
    if (place == callers.end()) {
      callers.push_back(std::move(made));
      continue;
    }
    place->lanes |= made.lanes;
    for (size_t i = 0; i < made.variables.size(); ++i) merge(place->variables[i], made.variables[i]);
  }
  std::ranges::stable_sort(callers, [](const CallerView& a, const CallerView& b) {
    return a.level != b.level ? a.level > b.level : a.call.instruction < b.call.instruction;
  });
  return callers;
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
