#include "core/gpu/stepping/block_view.h"
#include "core/gpu/exec/state/warp.h"
#include "core/gpu/stepping/engine/engine.h"
#include "core/gpu/stepping/stops/lane_names.h"

#include <fmt/format.h>

#include <bit>

namespace warplens::stepping {

namespace {

using exec::Join;
using exec::Path;
using exec::Warp;

const Join& join_at(const Warp& warp, int32_t index) { return warp.joins[static_cast<size_t>(index)]; }

std::vector<CallView> calls_of(const Engine& engine, const Warp& warp, int32_t join) {
  std::vector<CallView> calls;
  for (; join >= 0; join = join_at(warp, join).parent) {
    if (join_at(warp, join).call < 0) continue;
    const exec::CallFrame& frame = warp.frames[static_cast<size_t>(join_at(warp, join).call)];
    calls.push_back({engine.table().place(frame.call->instruction),
                     engine.table().program().functions[frame.callee].function->name});
  }
  return calls;
}

// Finds the points of reconvergence with other lanes. Joins without other lanes are skipped.
void note_meetings(const Engine& engine, const Warp& warp, int32_t join, PathView& view) {
  for (; join >= 0; join = join_at(warp, join).parent) {
    const Join& here = join_at(warp, join);
    const uint32_t before = view.meetings.empty() ? view.lanes : view.meetings.back().lanes;
    const uint32_t all = here.waiting | here.arrived | before;
    if (all == before) continue;
    view.meetings.push_back({engine.table().place(here.op->instruction), all});
  }
  if (view.meetings.empty()) return;
  view.meets = view.meetings.front().at;
  view.meets_with = view.meetings.front().lanes & ~view.lanes;
}

PathView view_path(const Engine& engine, const Warp& warp, const Path& path) {
  PathView view;
  view.lanes = path.mask;
  // A path that waits at a barrier is already one op further.
  const exec::Op* at = path.at_barrier ? path.next - 1 : path.next;
  view.at = engine.table().place(at->instruction);
  if (path.at_barrier) {
    view.wait = Wait::barrier;
    view.barrier = warp.reg<uint32_t>(at->a)[std::countr_zero(path.mask)];
  } else if (path.at_sync) {
    view.wait = Wait::lanes;
    view.waits_for = path.sync_mask & warp.live & ~path.mask;
  }
  note_meetings(engine, warp, path.join, view);
  view.calls = calls_of(engine, warp, path.join);
  return view;
}

PathView view_arrived(const Engine& engine, const Warp& warp, const Join& join) {
  PathView view;
  view.lanes = join.arrived;
  view.at = engine.table().place(join.op->instruction);
  view.wait = Wait::meeting;
  view.waits_for = join.waiting;
  view.meetings.push_back({view.at, join.waiting | join.arrived});
  note_meetings(engine, warp, join.parent, view);
  view.calls = calls_of(engine, warp, join.parent);
  return view;
}

}  // namespace

WarpView view_warp(const Engine& engine, uint32_t number) {
  const Warp& warp = engine.block().warps()[number];
  WarpView view;
  view.warp = number;
  view.state = engine.block().state(number);
  view.live = warp.live;
  if (view.state == exec::WarpState::finished) return view;
  for (const Join& join : warp.joins) {
    if (join.op != nullptr && join.arrived != 0) view.paths.push_back(view_arrived(engine, warp, join));
  }
  const Path* next = engine.steps().next_path(number);
  for (const Path& path : warp.paths) {
    if (&path != next) view.paths.push_back(view_path(engine, warp, path));
  }
  if (next == nullptr) return view;
  view.paths.push_back(view_path(engine, warp, *next));
  view.paths.back().runs_next = true;
  view.active = next->mask;
  return view;
}

void view_register(const Engine& engine, uint32_t number, uint32_t r, std::vector<RegisterView>& views) {
  const RegisterInfo& info = engine.table().reg(r);
  for (uint32_t component = 0; component < info.vector; ++component) {
    RegisterView view;
    view.name =
        info.vector == 1 ? std::string(info.name) : fmt::format("{}.{}", info.name, "xyzw"[component]);
    view.type = info.type;
    view.set = engine.set(number)[r];
    view.predicate = info.lane_bytes == 0;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      view.bits[lane] = lane_bits(info, engine.block().warps()[number], lane, component);
    views.push_back(std::move(view));
  }
}

std::vector<RegisterView> view_registers(const Engine& engine, uint32_t number, uint32_t function) {
  const ProgramTable& table = engine.table();
  std::vector<RegisterView> views;
  for (uint32_t r = table.first_register(function); r < table.end_register(function); ++r)
    view_register(engine, number, r, views);
  return views;
}

std::vector<BarrierView> view_barriers(const Engine& engine) {
  const exec::Block& block = engine.block();
  std::vector<BarrierView> views;
  for (uint32_t number = 0; number < exec::barriers_per_block; ++number) {
    if (block.barriers().arrived(number) == 0) continue;
    BarrierView view{number, block.barriers().arrived(number), block.barriers().wanted(number), {}, {}};
    if (view.wanted == 0) view.wanted = block.running() * warp_lanes;
    for (const Warp& warp : block.warps()) {
      const exec::WarpState state = block.state(warp.index);
      if (state == exec::WarpState::finished) continue;
      const bool waits = state == exec::WarpState::barrier && warp.barrier.number == number;
      (waits ? view.warps : view.missing).push_back(warp.index);
    }
    views.push_back(std::move(view));
  }
  return views;
}

std::string text_of(ptx::Modifier type, LaneBits bits) {
  using ptx::Modifier;
  switch (type) {
    case Modifier::pred:
      return bits.low != 0 ? "true" : "false";
    case Modifier::f64:
      return fmt::format("{}", number_of(type, bits).number());
    case Modifier::f32:
    case Modifier::f16:
    case Modifier::bf16:
      return fmt::format("{}", static_cast<float>(number_of(type, bits).number()));
    case Modifier::s16:
      return fmt::format("{}", static_cast<int16_t>(bits.low));
    case Modifier::s32:
      return fmt::format("{}", static_cast<int32_t>(bits.low));
    case Modifier::s64:
      if (static_cast<int64_t>(bits.low) < int64_t{1} << 32)
        return fmt::format("{}", static_cast<int64_t>(bits.low));
      break;
    case Modifier::u16:
    case Modifier::u32:
      return fmt::format("{}", bits.low);
    default:
      break;
  }
  if (bits.high != 0) return fmt::format("0x{:x}{:016x}", bits.high, bits.low);
  // Nearly all large numbers of 64 bits are addresses.
  return bits.low < 65536 ? fmt::format("{}", bits.low) : fmt::format("0x{:x}", bits.low);
}

}  // namespace warplens::stepping
