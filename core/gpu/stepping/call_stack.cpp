#include "core/gpu/stepping/call_stack.h"

#include <algorithm>
#include <bit>

#include "core/base/bits.h"
#include "core/gpu/stepping/engine/engine.h"
#include "core/gpu/stepping/variable_reader.h"

namespace warplens::stepping {

namespace {

constexpr uint32_t no_body = UINT32_MAX;

// The calls that a lane has not returned from, innermost first, as numbers of frames of its warp.
std::vector<int32_t> calls_above(const exec::Warp& warp, int32_t join) {
  std::vector<int32_t> frames;
  for (; join >= 0; join = warp.joins[static_cast<size_t>(join)].parent)
    if (const int32_t frame = warp.joins[static_cast<size_t>(join)].call; frame >= 0) frames.push_back(frame);
  return frames;
}

uint32_t call_of(const exec::Warp& warp, int32_t frame) {
  return warp.frames[static_cast<size_t>(frame)].call->instruction;
}

// The scope of the function, or of the inlined one, that a scope is in.
uint32_t body_of(const VariableTable& table, uint32_t scope) {
  while (table.scopes()[scope].parent != UINT32_MAX && table.scopes()[scope].from->inlined.empty())
    scope = table.scopes()[scope].parent;
  return scope;
}

// A call that has not returned, by lanes of a warp that called together.
struct OpenCall {
  uint32_t level = 0;  // of the caller
  int32_t frame = -1;
  uint32_t lanes = 0;
};

std::vector<OpenCall> open_calls(const Engine& engine, uint32_t number, uint32_t only) {
  std::vector<OpenCall> calls;
  const auto places = lane_places(engine, number);
  for_each_bit(only, [&](uint32_t lane) {
    if (places[lane].instruction == UINT32_MAX) return;
    const std::vector<int32_t> frames = calls_above(engine.block().warps()[number], places[lane].join);
    for (size_t i = 0; i < frames.size(); ++i) {
      const auto same =
          std::ranges::find_if(calls, [&](const OpenCall& call) { return call.frame == frames[i]; });
      if (same == calls.end())
        calls.push_back({static_cast<uint32_t>(frames.size() - 1 - i), frames[i], 1u << lane});
      else
        same->lanes |= 1u << lane;
    }
  });
  return calls;
}

// Adds the lanes of other views of the same variables.
void merge(std::vector<VariableView>& all, const std::vector<VariableView>& more) {
  for (size_t i = 0; i < all.size(); ++i) {
    VariableView& into = all[i];
    const VariableView& from = more[i];
    for_each_bit(from.in_scope, [&](uint32_t lane) {
      into.where[lane] = from.where[lane];
      into.bits[lane] = from.bits[lane];
      into.address[lane] = from.address[lane];
    });
    into.in_scope |= from.in_scope;
    into.has |= from.has;
    into.not_set |= from.not_set;
    into.no_place |= from.no_place;
    into.unreadable |= from.unreadable;
    if (into.reason.empty()) into.reason = from.reason;
    if (into.place != from.place) into.place.clear();
  }
}

// The frames of one function of the program at an instruction: those inlined into it first.
void add_frames(const Engine& engine, uint32_t instruction, uint32_t level, bool innermost,
                std::vector<FrameView>& frames) {
  const VariableTable& table = engine.variable_table();
  FrameView frame{.function = {}, .at = engine.table().place(instruction), .level = level};
  frame.innermost = innermost;
  const uint32_t function = engine.table().instruction(instruction).function;
  const std::vector<uint32_t> scopes = table.scopes_at(instruction, function);
  uint32_t body = scopes.empty() ? no_body : body_of(table, scopes.back());
  for (; body != no_body && table.scopes()[body].parent != UINT32_MAX;
       body = body_of(table, table.scopes()[body].parent)) {
    const debug::Scope& inlined = *table.scopes()[body].from;
    frame.body = body;
    frame.inlined = true;
    frame.function = inlined.inlined;
    frames.push_back(frame);
    frame.at.line = inlined.call_line;
  }
  frame.body = body;
  frame.inlined = false;
  const std::string_view name = table.empty() ? std::string_view() : table.function_name(function);
  frame.function = name.empty() ? frame.at.function : name;
  frames.push_back(std::move(frame));
}

// The variables of the scopes of a frame at an instruction.
void add_variables(const VariableReader& reader, const VariableTable& table, const FrameView& frame,
                   const std::vector<std::pair<uint32_t, uint32_t>>& scopes,
                   std::vector<VariableView>& views) {
  for (const auto& [scope, lanes] : scopes) {
    if (body_of(table, scope) != frame.body) continue;
    const size_t from = views.size();
    reader.add(scope, lanes, std::nullopt, views);
    for (size_t i = from; i < views.size(); ++i) views[i].within.clear();
  }
}

std::vector<VariableView> innermost_variables(const Engine& engine, uint32_t number, const FrameView& frame) {
  const VariableTable& table = engine.variable_table();
  const exec::Warp& warp = engine.block().warps()[number];
  const auto places = lane_places(engine, number);
  std::vector<std::pair<uint32_t, uint32_t>> scopes;  // with the lanes that are in them
  for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
    if (places[lane].instruction == UINT32_MAX) continue;
    if (calls_above(warp, places[lane].join).size() != frame.level) continue;
    const uint32_t function = engine.table().instruction(places[lane].instruction).function;
    for (const uint32_t scope : table.scopes_at(places[lane].instruction, function)) {
      const auto same = std::ranges::find(scopes, scope, &std::pair<uint32_t, uint32_t>::first);
      if (same == scopes.end())
        scopes.emplace_back(scope, 1u << lane);
      else
        same->second |= 1u << lane;
    }
  }
  std::ranges::sort(scopes);
  std::vector<VariableView> views;
  add_variables(VariableReader(engine, number), table, frame, scopes, views);
  return views;
}

}  // namespace

std::array<LanePlace, warp_lanes> lane_places(const Engine& engine, uint32_t number) {
  std::array<LanePlace, warp_lanes> places;
  const exec::Warp& warp = engine.block().warps()[number];
  for (const exec::Join& join : warp.joins)
    if (join.op != nullptr)
      for_each_bit(join.arrived & warp.live, [&](uint32_t lane) {
        places[lane] = {join.op->instruction, join.parent};
      });
  // A path that waits at a barrier is already one op further.
  for (const exec::Path& path : warp.paths)
    for_each_bit(path.mask, [&](uint32_t lane) {
      places[lane] = {(path.at_barrier ? path.next - 1 : path.next)->instruction, path.join};
    });
  return places;
}

std::vector<StackView> view_stacks(const Engine& engine, uint32_t number) {
  const exec::Warp& warp = engine.block().warps()[number];
  const auto places = lane_places(engine, number);
  std::vector<StackView> stacks;
  uint32_t left = warp.live;
  while (left != 0) {
    const LanePlace at = places[static_cast<size_t>(std::countr_zero(left))];
    StackView stack;
    for_each_bit(left, [&](uint32_t lane) {
      if (places[lane].instruction == at.instruction && places[lane].join == at.join)
        stack.lanes |= 1u << lane;
    });
    left &= ~stack.lanes;
    if (at.instruction == UINT32_MAX) continue;
    const std::vector<int32_t> calls = calls_above(warp, at.join);
    auto level = static_cast<uint32_t>(calls.size());
    add_frames(engine, at.instruction, level, true, stack.frames);
    for (const int32_t call : calls) add_frames(engine, call_of(warp, call), --level, false, stack.frames);
    const auto same = std::ranges::find(stacks, stack.frames, &StackView::frames);
    if (same == stacks.end())
      stacks.push_back(std::move(stack));
    else
      same->lanes |= stack.lanes;
  }
  return stacks;
}

std::vector<VariableView> frame_variables(const Engine& engine, uint32_t number, const FrameView& frame) {
  std::vector<VariableView> views;
  if (engine.variables() == nullptr || frame.body == no_body) return views;
  if (frame.innermost) return innermost_variables(engine, number, frame);
  const VariableTable& table = engine.variable_table();
  const exec::Warp& warp = engine.block().warps()[number];
  const uint32_t call = frame.at.instruction, function = engine.table().instruction(call).function;
  for (const OpenCall& open : open_calls(engine, number, ~0u)) {
    if (open.level != frame.level || call_of(warp, open.frame) != call) continue;
    std::vector<std::pair<uint32_t, uint32_t>> scopes;
    for (const uint32_t scope : table.scopes_at(call, function)) scopes.emplace_back(scope, open.lanes);
    const VariableReader reader(engine, number, &warp.frames[static_cast<size_t>(open.frame)]);
    std::vector<VariableView> made;
    add_variables(reader, table, frame, scopes, made);
    if (views.empty())
      views = std::move(made);
    else
      merge(views, made);
  }
  return views;
}

std::vector<CallerView> view_callers(const Engine& engine, uint32_t number, uint32_t only) {
  std::vector<CallerView> callers;
  if (engine.variables() == nullptr) return callers;
  const exec::Warp& warp = engine.block().warps()[number];
  const VariableTable& table = engine.variable_table();
  for (const OpenCall& open : open_calls(engine, number, only)) {
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
      reader.add(s, open.lanes, std::nullopt, made.variables);
    if (place == callers.end()) {
      callers.push_back(std::move(made));
      continue;
    }
    place->lanes |= made.lanes;
    merge(place->variables, made.variables);
  }
  std::ranges::stable_sort(callers, [](const CallerView& a, const CallerView& b) {
    return a.level != b.level ? a.level > b.level : a.call.instruction < b.call.instruction;
  });
  return callers;
}

}  // namespace warplens::stepping
