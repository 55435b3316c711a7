#include "core/gpu/timing/block_spread.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

namespace warplens {
namespace {

constexpr double same_time = 1e-9;  // relative: blocks with the same work end together, despite rounding

template <class T>
using LeastFirst = std::priority_queue<T, std::vector<T>, std::greater<T>>;

// Time is in units of work of a whole SM. `served` is the work that a block would have received if it had
// been on the SM from the start. A block ends when `served` has grown by its own work since it started.
struct Sm {
  double now = 0, served = 0;
  double worked = 0, held = 0;  // the time in which it had blocks, and the sum of their times on it
  LeastFirst<double> ends;
  uint32_t room = 0;

  double next_end() const { return now + (ends.top() - served) * double(ends.size()); }
  // Ends all blocks that end by then.
  void run_until(double time) {
    while (!ends.empty() && next_end() <= time) {
      worked += next_end() - now;
      held += (next_end() - now) * double(ends.size());
      now = next_end();
      served = ends.top();
      ends.pop();
      ++room;
    }
  }
};

// Gives one block to each SM in turn, as long as there is room.
size_t give(const std::vector<uint64_t>& cells, size_t next, const std::vector<uint32_t>& to, double now,
            std::vector<Sm>& sms) {
  for (bool any = true; any && next < cells.size();) {
    any = false;
    for (const uint32_t index : to) {
      Sm& sm = sms[index];
      if (sm.room == 0 || next == cells.size()) continue;
      if (sm.ends.empty()) sm.now = now;
      sm.ends.push(sm.served + double(cells[next++]));
      --sm.room;
      any = true;
    }
  }
  return next;
}

}  // namespace

BlockSpread block_spread(const BlockWork& work, uint32_t sms, uint32_t active) {
  const std::vector<uint64_t>& cells = work.cells;
  const double sum = double(std::accumulate(cells.begin(), cells.end(), uint64_t{0}));
  if (sum <= 0 || sms == 0 || active == 0) return {1.0 / std::max(1u, sms), 1};
  // A cell of several blocks takes as much room as they do.
  const auto room =
      static_cast<uint32_t>(std::max<uint64_t>(1, active / std::max<uint64_t>(1, work.blocks_per_cell)));
  std::vector<Sm> all(sms);
  std::vector<uint32_t> freed(sms);
  for (uint32_t i = 0; i < sms; ++i) {
    all[i].room = room;
    freed[i] = i;
  }
  LeastFirst<std::pair<double, uint32_t>> ends;
  double now = 0;
  for (size_t next = 0;;) {
    next = give(cells, next, freed, now, all);
    for (const uint32_t index : freed)
      if (!all[index].ends.empty()) ends.emplace(all[index].next_end(), index);
    if (ends.empty()) break;
    now = ends.top().first;
    freed.clear();
    for (const double until = now * (1 + same_time); !ends.empty() && ends.top().first <= until; ends.pop()) {
      freed.push_back(ends.top().second);
      all[freed.back()].run_until(until);
    }
  }
  const double mean = sum / double(cells.size());
  const double longest = double(*std::max_element(cells.begin(), cells.end())) / mean;
  double worked = 0, held = 0;
  for (const Sm& sm : all) {
    worked += sm.worked;
    held += sm.held;
  }
  const double resident = held / worked * double(work.blocks_per_cell);
  return {std::max(now / sum, 1.0 / sms), longest, std::min(resident, double(active))};
}

// The SMs get the blocks in turn, and each goes through its own in rounds: as many as have room, and at last
// the rest. A round takes as long as it has blocks, since they share the SM.
BlockSpread even_spread(uint64_t blocks, uint32_t sms, uint32_t active) {
  if (blocks == 0 || sms == 0 || active == 0) return {1.0 / std::max(1u, sms), 1, 0};
  const auto held = [&](uint64_t on_sm) {
    const uint64_t rounds = on_sm / active, rest = on_sm % active;
    return double(rounds) * active * active + double(rest) * double(rest);
  };
  const uint64_t least = blocks / sms, more = blocks % sms;
  const double sum = double(more) * held(least + 1) + double(sms - more) * held(least);
  return {double(least + (more > 0 ? 1 : 0)) / double(blocks), 1, sum / double(blocks)};
}

}  // namespace warplens
