#include "core/gpu/timing/sm/schedule.h"

#include <algorithm>
#include <array>
#include <queue>
#include <unordered_map>

namespace warplens::sm {
namespace {

// What each node must stay before, and how many it must stay behind.
struct Links {
  std::vector<std::vector<uint32_t>> after;
  std::vector<uint32_t> waiting;
};

// An instruction that cannot move stays behind all before it.
Links links_of(const std::vector<Node>& nodes) {
  Links links{std::vector<std::vector<uint32_t>>(nodes.size()), std::vector<uint32_t>(nodes.size())};
  std::unordered_map<uint32_t, uint32_t> written;
  std::unordered_map<uint32_t, std::vector<uint32_t>> read;
  std::array<int64_t, 2> last_store = {-1, -1};
  std::array<std::vector<uint32_t>, 2> loads;
  int64_t fence = -1;
  const auto order = [&](int64_t before, uint32_t after) {
    if (before < 0 || before == int64_t(after)) return;
    links.after[size_t(before)].push_back(after);
    ++links.waiting[after];
  };
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const Node& node = nodes[n];
    for (const uint32_t r : node.reads)
      if (const auto at = written.find(r); at != written.end()) order(at->second, n);
    for (const uint32_t r : node.writes) {
      if (const auto at = written.find(r); at != written.end()) order(at->second, n);
      for (const uint32_t reader : read[r]) order(reader, n);
    }
    const Instruction& i = node.instruction;
    const bool touches = i.loads || i.stores || i.updates;
    const size_t space = i.kind == Kind::shared ? 1 : 0;
    if (touches) {
      order(last_store[space], n);
      order(fence, n);
      if (i.stores || i.updates) {
        for (const uint32_t load : loads[space]) order(load, n);
        loads[space].clear();
        last_store[space] = n;
      } else {
        loads[space].push_back(n);
      }
    }
    if (i.kind == Kind::barrier || i.kind == Kind::branch || i.kind == Kind::exit) {
      for (uint32_t before = 0; before < n; ++before) order(before, n);
      fence = n;
    } else if (fence >= 0) {
      order(fence, n);
    }
    for (const uint32_t r : node.reads) read[r].push_back(n);
    for (const uint32_t r : node.writes) {
      written[r] = n;
      read[r].clear();
    }
  }
  return links;
}

double cost_of(const Instruction& i, const Figures& figures) {
  if (i.kind == Kind::memory && (i.loads || i.updates)) return figures.l2_latency;
  if (i.kind == Kind::shared) return figures.shared_latency;
  return double(i.latency) + i.slots;
}

}  // namespace

std::vector<uint32_t> schedule_of(const std::vector<Node>& nodes, const Figures& figures) {
  Links links = links_of(nodes);
  std::vector<double> height(nodes.size(), 0);
  std::vector<uint32_t> order;
  for (size_t n = nodes.size(); n-- > 0;) {
    double below = 0;
    for (const uint32_t after : links.after[n]) below = std::max(below, height[after]);
    height[n] = below + (nodes[n].writes.empty() ? 1 : cost_of(nodes[n].instruction, figures));
  }
  std::vector<double> earliest(nodes.size(), 0);
  const auto lower = [&](uint32_t a, uint32_t b) {
    return height[a] != height[b] ? height[a] < height[b] : a > b;
  };
  const auto later = [&](uint32_t a, uint32_t b) {
    return earliest[a] != earliest[b] ? earliest[a] > earliest[b] : a > b;
  };
  std::priority_queue<uint32_t, std::vector<uint32_t>, decltype(lower)> ready(lower);
  std::priority_queue<uint32_t, std::vector<uint32_t>, decltype(later)> coming(later);
  for (uint32_t n = 0; n < nodes.size(); ++n)
    if (links.waiting[n] == 0) coming.push(n);
  for (double now = 0; !ready.empty() || !coming.empty(); now += 1) {
    if (ready.empty()) now = std::max(now, earliest[coming.top()]);
    while (!coming.empty() && earliest[coming.top()] <= now) {
      ready.push(coming.top());
      coming.pop();
    }
    const uint32_t n = ready.top();
    ready.pop();
    order.push_back(n);
    const Instruction& i = nodes[n].instruction;
    const double latency =
        i.kind == Kind::memory && (i.loads || i.updates) ? figures.l1_latency : double(i.latency);
    for (const uint32_t after : links.after[n]) {
      earliest[after] = std::max(earliest[after], now + (nodes[n].writes.empty() ? 1 : latency));
      if (--links.waiting[after] == 0) coming.push(after);
    }
  }
  return order;
}

}  // namespace warplens::sm
