// Control flow of a warp: branches, divergence, reconvergence, exits and barriers.
//
// Lanes that separate at a branch meet again at its immediate post-dominator. Each group of lanes is a Path
// with its own program counter, and a Join collects them. Any path can run at any time, and a path that uses
// up its slice goes to the end of the queue. So lanes that spin on a lock held by a lane of the same warp
// make progress, as Volta guarantees.
#include <algorithm>
#include <bit>
#include <exception>

#include "core/gpu/exec/control/barrier.h"
#include "core/gpu/exec/control/branch.h"
#include "core/gpu/exec/control/collective.h"
#include "core/gpu/exec/control/step.h"
#include "core/gpu/exec/state/in_code.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"

namespace warplens::exec {

const Op* run_enter(const Op* op, Warp& warp) { return enter_block(op, warp); }
const Op* run_branch(const Op* op, Warp& warp) { return follow_branch(op, warp); }

const Op* run_exit(const Op*, Warp& warp) {
  warp.signal = Signal::exit;
  return nullptr;
}

const Op* run_barrier(const Op* op, Warp& warp) {
  warp.next = op + 1;
  warp.signal = Signal::barrier;
  return nullptr;
}

const Op* run_trap(const Op* op, Warp& warp) {
  return raise(warp,
               {.kind = FaultKind::trap,
                .op = op,
                .lane = static_cast<uint32_t>(std::countr_zero(warp.mask)),
                .detail = TrapOp::of(*op).is_breakpoint ? "breakpoint, and no debugger is attached" : ""});
}

// A guard comes before the ops that it guards, which end `jump` ops later.
const Op* run_guard(const Op* op, Warp& warp) {
  const uint32_t all = warp.mask;
  const uint32_t mask = all & taken_by(*op, warp.predicate(branch_predicate(*op)));
  if (mask == 0) return op + branch_jump(*op);
  const Op* guarded = op + 1;
  if (mask == all) return guarded->handlers.run[warp.mode](guarded, warp);
  set_mask(warp, mask);
  const Op* const end = op + branch_jump(*op);
  const Op* next = guarded->handlers.run[some_lanes](guarded, warp);
  while (next != nullptr && next < end) next = next->handlers.run[some_lanes](next, warp);
  set_mask(warp, all);
  return next;
}

const Op* run_nothing(const Op* op, Warp&) { return op + 1; }

int32_t new_join(Warp& warp, const Op* op, uint32_t waiting, int32_t parent) {
  for (size_t i = 0; i < warp.joins.size(); ++i) {
    if (warp.joins[i].op == nullptr) {
      warp.joins[i] = {op, waiting, 0, parent, -1};
      return static_cast<int32_t>(i);
    }
  }
  warp.joins.push_back({op, waiting, 0, parent, -1});
  return static_cast<int32_t>(warp.joins.size() - 1);
}

void remove_join(Warp& warp, int32_t index) {
  Join& join = warp.joins[static_cast<size_t>(index)];
  if (join.call >= 0) warp.free_frames.push_back(join.call);
  join.op = nullptr;
}

namespace {

void remove_path(Warp& warp, size_t index) {
  warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(index));
}

// When no more lanes are on the way to the join, the lanes that have arrived continue together.
void resume_if_complete(Warp& warp, int32_t index) {
  while (index >= 0) {
    Join& join = warp.joins[static_cast<size_t>(index)];
    if (join.op == nullptr || join.waiting != 0) return;
    const int32_t parent = join.parent;
    if (join.arrived != 0) warp.paths.push_back({.next = join.op, .mask = join.arrived, .join = parent});
    const bool together = join.arrived != 0;
    remove_join(warp, index);
    if (together) return;
    index = parent;
  }
}

void arrive(Warp& warp, int32_t index, uint32_t mask) {
  Join& join = warp.joins[static_cast<size_t>(index)];
  join.arrived |= mask;
  join.waiting &= ~mask;
  resume_if_complete(warp, index);
}

// Lanes of the path that runs have reached the join. If no others are on the way to it, that path goes on
// with all that have arrived.
void arrive_with_path(Warp& warp) {
  Path& path = warp.paths[warp.current];
  const int32_t index = path.join;
  Join& join = warp.joins[static_cast<size_t>(index)];
  if (warp.current + 1 == warp.paths.size() && (join.waiting & ~path.mask) == 0) {
    path = {.next = join.op, .mask = path.mask | join.arrived, .join = join.parent};
    return remove_join(warp, index);
  }
  const uint32_t mask = path.mask;
  remove_path(warp, warp.current);
  arrive(warp, index, mask);
}

// A call's join is not one of the function's own, although a recursive function may reach the same op.
bool is_branch_join(const Warp& warp, int32_t index, const Op* op) {
  return index >= 0 && warp.joins[static_cast<size_t>(index)].op == op &&
         warp.joins[static_cast<size_t>(index)].call < 0;
}

void split(Warp& warp) {
  const Op* op = warp.next;
  const BranchOp branch = BranchOp::of(*op);
  const Path path = warp.paths[warp.current];
  const uint32_t taken = warp.split_mask;
  const Op* meet = branch.meet != 0 ? op + branch.meet : nullptr;
  int32_t join = path.join;
  // Lanes that leave a loop one after the other share the join after it.
  if (meet != nullptr && !is_branch_join(warp, join, meet)) join = new_join(warp, meet, path.mask, path.join);
  const bool is_last = warp.current + 1 == warp.paths.size();
  if (meet != nullptr && is_last && (op + branch.jump == meet || op + 1 == meet)) {
    // One side is at the join already, where the other one goes.
    const uint32_t waits = op + 1 == meet ? path.mask & ~taken : taken;
    Join& at = warp.joins[static_cast<size_t>(join)];
    at.arrived |= waits;
    at.waiting &= ~waits;
    warp.paths[warp.current] = {
        .next = op + 1 == meet ? op + branch.jump : op + 1, .mask = path.mask & ~waits, .join = join};
    return;
  }
  remove_path(warp, warp.current);
  const Path sides[2] = {{.next = op + branch.jump, .mask = taken, .join = join},
                         {.next = op + 1, .mask = path.mask & ~taken, .join = join}};
  for (const Path& side : sides) {
    if (side.next == meet) {
      arrive(warp, join, side.mask);
    } else {
      warp.paths.push_back(side);
    }
  }
}

// Separates lanes that go to more than two places: a jump table, or an indirect call.
void fan_out(Warp& warp) {
  const Op* op = warp.next;
  const Path path = warp.paths[warp.current];
  const Op* meet = meeting_place(*op) != 0 ? op + meeting_place(*op) : nullptr;
  int32_t join = path.join;
  if (meet != nullptr && !is_branch_join(warp, join, meet)) join = new_join(warp, meet, path.mask, path.join);
  remove_path(warp, warp.current);
  for (const FanPart& part : warp.fan) {
    if (part.op == meet) {
      arrive(warp, join, part.mask);
    } else {
      warp.paths.push_back({.next = part.op, .mask = part.mask, .join = join});
    }
  }
}

// Lanes that return from a call wait for the others that entered it with them.
void come_back(Warp& warp) {
  const Path path = warp.paths[warp.current];
  remove_path(warp, warp.current);
  int32_t join = path.join;
  // Joins of branches inside the function: these lanes returned without reaching them.
  while (join >= 0 && warp.joins[static_cast<size_t>(join)].call < 0) {
    warp.joins[static_cast<size_t>(join)].waiting &= ~path.mask;
    const int32_t parent = warp.joins[static_cast<size_t>(join)].parent;
    resume_if_complete(warp, join);
    join = parent;
  }
  finish_call(warp, warp.joins[static_cast<size_t>(join)].call, path.mask);
  arrive(warp, join, path.mask);
}

// The lanes that others wait for in .sync instructions.
uint32_t lanes_named(const Warp& warp) {
  uint32_t lanes = 0;
  for (const Path& path : warp.paths) lanes |= path.at_sync ? path.sync_mask : 0;
  return lanes;
}

// Lanes that wait at a reconvergence point may hold what the others spin for, for example a lock that is
// released after the loop in which the others try to take it. If a turn ends without progress, the waiting
// lanes continue without the others, which meet them later. The more often this happens, the shorter the
// turns become.
bool release_waiting(Warp& warp) {
  bool released = false;
  const uint32_t named = lanes_named(warp);
  for (Join& join : warp.joins) {
    if (join.op == nullptr || join.arrived == 0) continue;
    if (!program::only_exits(*join.op)) warp.missed |= join.arrived & named;
    warp.paths.push_back({.next = join.op, .mask = join.arrived, .join = join.parent});
    join.arrived = 0;
    released = true;
  }
  if (released) warp.turn = std::max(warp.turn / 2, shortest_turn);
  return released;
}

void exit_lanes(Warp& warp) {
  const Path path = warp.paths[warp.current];
  remove_path(warp, warp.current);
  warp.live &= ~path.mask;
  for (int32_t i = path.join; i >= 0; i = warp.joins[static_cast<size_t>(i)].parent) {
    warp.joins[static_cast<size_t>(i)].waiting &= ~path.mask;
  }
  if (path.join >= 0) resume_if_complete(warp, path.join);
  complete_groups(warp);
}

bool is_runnable(const Path& path) { return !path.at_barrier && !path.at_sync; }

// A schedule splits one path into at most this many.
constexpr size_t most_parted = 6;

// The choice of a schedule with a seed. Lanes that run together need not continue together, and a correct
// program cannot notice this. So some of them become a separate path.
int choose_runnable(Warp& warp) {
  const auto count = static_cast<uint64_t>(std::ranges::count_if(warp.paths, is_runnable));
  if (count == 0) return -1;
  uint64_t which = warp.dice.below(count);
  size_t chosen = 0;
  while (!is_runnable(warp.paths[chosen]) || which-- != 0) ++chosen;
  const uint64_t dice = warp.dice.next();
  if (!warp.may_part || warp.paths.size() >= most_parted || (dice >> 32 & 1) == 0)
    return static_cast<int>(chosen);
  const uint32_t aside = warp.paths[chosen].mask & static_cast<uint32_t>(dice);
  if (aside == 0 || aside == warp.paths[chosen].mask) return static_cast<int>(chosen);
  Path part = warp.paths[chosen];
  part.mask = aside;
  warp.paths[chosen].mask &= ~aside;
  warp.paths.push_back(part);
  return static_cast<int>(chosen);
}

// Most warps are on one path from their start to their end.
bool is_on_one_path(const Warp& warp) { return warp.paths.size() == 1 && is_runnable(warp.paths.front()); }

// Exits the last lanes. False if there are others, or if no lane exits.
bool finish(Warp& warp) {
  if (warp.signal != Signal::exit || warp.paths.size() != 1 || warp.paths.front().join >= 0) return false;
  warp.live &= ~warp.paths.front().mask;
  warp.paths.clear();
  return true;
}

// The path to run next: the newest one that does not wait. -1 if all wait.
int find_runnable(Warp& warp) {
  if (!warp.in_order) return choose_runnable(warp);
  for (size_t i = warp.paths.size(); i-- > 0;) {
    if (is_runnable(warp.paths[i])) return static_cast<int>(i);
  }
  return -1;
}

bool waits_for_lanes(const Warp& warp) {
  return std::any_of(warp.paths.begin(), warp.paths.end(), [](const Path& path) { return path.at_sync; });
}

void activate(Warp& warp, size_t index) {
  warp.current = index;
  const Path& path = warp.paths[index];
  set_mask(warp, path.mask);
  const Join* join = path.join >= 0 ? &warp.joins[static_cast<size_t>(path.join)] : nullptr;
  warp.join_op = join != nullptr && join->call < 0 ? join->op : nullptr;
}

void run_handlers(Warp& warp, const Op* op) {
  if (warp.mode == all_lanes) {
    while (op != nullptr) op = op->handlers.run[all_lanes](op, warp);
  } else {
    while (op != nullptr) op = op->handlers.run[some_lanes](op, warp);
  }
}

void advance(Warp& warp) {
  const Op* op = warp.paths[warp.current].next;
  if (CompiledProgram* const compiled = warp.block->code; compiled != nullptr) {
    if (const void* at = compiled->find(op, warp)) op = compiled->run(at, warp);
  }
  run_handlers(warp, op);
}

// Handles the signal of the current path. A state is returned if the warp's turn is over.
std::optional<WarpState> react(Warp& warp) {
  Path& path = warp.paths[warp.current];
  switch (warp.signal) {
    case Signal::split:
      split(warp);
      return {};
    case Signal::fan:
      fan_out(warp);
      return {};
    case Signal::come_back:
      come_back(warp);
      return {};
    case Signal::arrive:
      arrive_with_path(warp);
      return {};
    case Signal::exit:
      exit_lanes(warp);
      return {};
    case Signal::barrier:
      path.next = warp.next;
      path.at_barrier = true;
      if (path.mask == warp.live) return come_to_barrier(warp);
      return {};
    case Signal::slice: {
      Path paused = path;
      paused.next = warp.next;
      remove_path(warp, warp.current);
      warp.paths.insert(warp.paths.begin(), paused);
      if (warp.may_spin) release_waiting(warp);
      return WarpState::ready;
    }
    case Signal::sync:
      wait_for_lanes(warp);
      return {};
    case Signal::none:
      return {};
    case Signal::fault:
      return WarpState::fault;
  }
  return WarpState::fault;
}

CodePlace find_place(Warp& warp) {
  // The last lanes to exit end the warp, and a schedule with a seed chooses its paths elsewhere.
  const bool is_last = warp.signal == Signal::exit && warp.paths.size() == 1;
  if (!warp.in_order || is_last) return {};
  Chain& chain = warp.block->chain;
  if (chain.end != nullptr) {
    // A warp of a chain has run on one path, which was not noted.
    chain.end = nullptr;
    start_paths(warp, warp.block->program->entry());
  }
  react(warp);
  warp.signal = Signal::none;
  const int runnable = find_runnable(warp);
  if (runnable < 0) return {};
  activate(warp, static_cast<size_t>(runnable));
  const Op* const op = warp.paths[warp.current].next;
  return {op, warp.block->code->find(op, warp)};
}

}  // namespace

CodePlace go_on_in_code(Warp& warp) noexcept {
  try {
    return find_place(warp);
  } catch (...) {
    warp.block->thrown = std::current_exception();
    return {};
  }
}

CodePlace part_in_code(const Op* branch, Warp& warp) noexcept {
  follow_branch(branch, warp);
  return go_on_in_code(warp);
}

void start(Warp& warp, uint32_t lanes) {
  set_mask(warp, lanes);
  warp.live = lanes;
  warp.is_short = warp.mode == some_lanes;
  warp.missed = 0;
  warp.turn = longest_turn;
  warp.join_op = nullptr;
  warp.fault.kind = FaultKind::none;
}

void start_paths(Warp& warp, const Op* entry) {
  warp.joins.clear();
  warp.frames.clear();
  warp.free_frames.clear();
  warp.copies.pending.clear();
  warp.paths.assign(1, {.next = entry, .mask = warp.live});
  warp.current = 0;
}

std::optional<WarpState> choose_path(Warp& warp) {
  if (warp.in_order && is_on_one_path(warp)) {
    activate(warp, 0);
    return {};
  }
  for (;;) {
    if (warp.paths.empty()) return WarpState::finished;
    const int runnable = find_runnable(warp);
    if (runnable >= 0) {
      activate(warp, static_cast<size_t>(runnable));
      return {};
    }
    if (is_at_barrier(warp)) return come_to_barrier(warp);
    // Lanes that the others wait for may themselves wait at a reconvergence point.
    if (release_waiting(warp)) continue;
    if (!waits_for_lanes(warp)) return come_to_barrier(warp);
    raise_missing_lanes(warp);
    return WarpState::fault;
  }
}

WarpState run(Warp& warp) {
  for (;;) {
    if (const auto ended = choose_path(warp)) return *ended;
    advance(warp);
    if (finish(warp)) return WarpState::finished;
    if (const auto ended = react(warp)) return *ended;
  }
}

WarpState go_on(Warp& warp, const Op* op) {
  run_handlers(warp, op);
  if (finish(warp)) return WarpState::finished;
  if (const auto ended = react(warp)) return *ended;
  return run(warp);
}

Stepped run_one(Warp& warp) {
  const Op* op = warp.paths[warp.current].next;
  const Op* next = op->handlers.run[warp.mode](op, warp);
  if (next == nullptr) return {true, react(warp)};
  warp.paths[warp.current].next = next;
  return {};
}

}  // namespace warplens::exec
