#include "core/gpu/exec/state/access_group.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/gpu/exec/state/block.h"
#include "core/gpu/exec/state/counters.h"

namespace warplens::exec {

AccessGroup AccessGroup::none;

namespace {

// The addresses of the register's first lane for which all members are where they may be. Sums do not wrap
// around.
struct Range {
  int64_t begin = 0, end = std::numeric_limits<int64_t>::max();

  void narrow(const Reach& reach, int64_t offset) {
    begin = std::max(begin, static_cast<int64_t>(reach.begin) - offset);
    end = std::min(end, static_cast<int64_t>(reach.begin + reach.count) - offset);
  }
};

// Whether the code of the group can move lanes that lie so.
bool has_code(const AccessShape& shape, const GroupedAccesses& accesses) {
  using Lanes = GroupedAccesses::Lanes;
  using Form = AccessShape::Form;
  return accesses.lanes == Lanes::known || shape.form == Form::rows ||
         (shape.form == Form::equal_halves && accesses.lanes == Lanes::rows_or_halves);
}

// Of shared memory, the register's first lane is at a multiple of four bytes.
bool is_counted(const MemoryOpState& state) { return state.shape_counted && state.shape_phase == 0; }

}  // namespace

uint32_t AccessGroup::places() const { return accesses->is_shared ? 1 : line_bytes / accesses->bytes; }

// What was learnt before stays as long as there is nothing better: it is true of its own shape.
void AccessGroup::form(MemoryOpState* states, const GroupedAccesses& its_accesses) {
  const LearntShape& first = states[its_accesses.members.front().counter].shape;
  const AccessShape* const learnt = first.get();
  if (learnt == nullptr || !has_code(*learnt, its_accesses)) return;
  Range range;
  const uintptr_t its_origin = first.reach().origin;
  for (const GroupedAccesses::Member& member : its_accesses.members) {
    const MemoryOpState& state = states[member.counter];
    const Reach& reach = state.shape.reach();
    if (state.shape.get() != learnt || reach.count == 0 || reach.origin != its_origin) return;
    if (its_accesses.is_shared && its_accesses.counts && !is_counted(state)) return;
    range.narrow(reach, member.offset);
  }
  if (range.begin >= range.end) return;
  origin = its_origin;
  begin = static_cast<uint64_t>(range.begin);
  count = static_cast<uint64_t>(range.end - range.begin);
  if (shape == learnt && accesses == &its_accesses) return;
  settle(states);
  kept = first.shared();
  shape = learnt;
  accesses = &its_accesses;
  steps = shape->steps * static_cast<int64_t>(accesses->members.size());
  are_equal_halves = shape->form == AccessShape::Form::equal_halves ? 1 : 0;
  if (accesses->counts) accesses->is_shared ? count_wavefronts(states) : count_sectors();
}

void AccessGroup::count_wavefronts(const MemoryOpState* states) {
  for (const GroupedAccesses::Member& member : accesses->members) {
    const MemoryOpState& state = states[member.counter];
    (member.is_store ? of_store : of_load) = {state.pattern_wavefronts, state.pattern_conflicts};
  }
}

// Addresses that do not ascend cost further steps: their members are counted one by one.
void AccessGroup::count_sectors() {
  for (uint32_t place = 0; place < places(); ++place) {
    uint64_t sum = 0;
    bool ascend = true;
    for (const GroupedAccesses::Member& member : accesses->members) {
      const AccessShape::Cost& cost =
          kept->cost_at(uint64_t{place} * accesses->bytes + static_cast<uint64_t>(member.offset));
      sum += cost.sectors;
      ascend = ascend && cost.steps == 0;
    }
    sectors[place] = ascend ? sum : 0;
  }
}

void AccessGroup::settle(MemoryOpState* states) {
  if (accesses == nullptr || !accesses->counts) return;
  for (uint32_t place = 0; place < places(); ++place) {
    const uint64_t times = std::exchange(hits[place], 0);
    if (times == 0) continue;
    for (const GroupedAccesses::Member& member : accesses->members)
      add(states[member.counter], member, place, times);
  }
}

void AccessGroup::add(MemoryOpState& state, const GroupedAccesses::Member& member, uint32_t place,
                      uint64_t times) const {
  state.requests += times;
  if (accesses->is_shared) {
    const Wavefronts& each = member.is_store ? of_store : of_load;
    state.wavefronts += each.count * times;
    state.conflicts += each.conflicts * times;
    return;
  }
  const AccessShape::Cost& cost =
      kept->cost_at(uint64_t{place} * accesses->bytes + static_cast<uint64_t>(member.offset));
  state.sectors += cost.sectors * times;
  state.sectors_ideal += cost.sectors_ideal * times;
  state.lines += cost.lines * times;
}

void form_group(const BlockContext* block, const GroupedAccesses* accesses) noexcept {
  MemoryOpState* const states = block->memory_ops;
  AccessGroup* const group = states[accesses->members.front().counter].shape.own_group();
  if (group != nullptr) group->form(states, *accesses);
}

void take_back(BlockContext* block, const GroupedAccesses* accesses, uint32_t member,
               uintptr_t first) noexcept {
  if (first == 0 || !accesses->counts) return;
  const auto& members = accesses->members;
  const AccessGroup& group = block->memory_ops[members.front().counter].shape.group();
  const auto place =
      accesses->is_shared
          ? 0
          : static_cast<uint32_t>((first - group.origin) % AccessGroup::line_bytes / accesses->bytes);
  for (; member < members.size(); ++member) {
    MemoryOpState& state = block->memory_ops[members[member].counter];
    const uint64_t sectors = state.sectors;
    group.add(state, members[member], place, ~uint64_t{0});
    block->block_sectors -= sectors - state.sectors;
  }
}

void settle_groups(std::span<MemoryOpState> states) {
  for (MemoryOpState& state : states) state.shape.group().settle(states.data());
}

}  // namespace warplens::exec
