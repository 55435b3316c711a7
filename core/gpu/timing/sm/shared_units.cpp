#include "core/gpu/timing/sm/shared_units.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warplens::sm {
namespace {

constexpr uint64_t to_the_queue = 3;  // cycles from the issue to the shared units
constexpr uint64_t until_stores_left = 14;

}  // namespace

SharedUnits::SharedUnits(const Work& work, const Settings& settings)
    : m_work(work),
      m_s(settings),
      m_f(settings.figures),
      m_l1({.bytes = settings.l1_bytes}),
      m_l1_queue(m_f.l1_queue) {}

uint64_t SharedUnits::take(Queue& queue, uint64_t now, double cycles) {
  const double start = std::max(double(now + to_the_queue), m_units_free);
  m_units_free = start + cycles;
  queue.leave(start);
  return static_cast<uint64_t>(start);
}

SharedUnits::Times SharedUnits::access(Queue& queue, const Instruction& i, uint32_t access,
                                       uint64_t line_offset, uint64_t now) {
  if (access == no_access)  // no lane takes part
    return {take(queue, now, 1) + static_cast<uint64_t>(m_f.l1_latency), 0};
  const Access& a = m_work.accesses[access];
  const double lines = std::max<double>(a.lines, 1);
  const double service = std::max(lines / m_f.l1_lines, double(a.sectors) / m_f.l1_sectors);
  // From the scheduler's queue into that of L1, if it has room.
  const double moved = std::max({double(now + to_the_queue), m_units_free, double(m_l1_queue.has_room())});
  m_units_free = moved + 1;
  queue.leave(moved);
  // Accesses pass L1 in order. Stores and updates stay in front of it until there is room on the way to L2.
  double start = std::max(moved, m_l1_free);
  const double on_the_way = i.stores    ? cycles_of_store(a)
                            : i.updates ? m_s.atomic_cycles * (i.merges ? 1 : a.lanes)
                                        : 0;
  double& way = i.updates ? m_atomics_free : m_l2_free;
  const double room = i.stores ? m_f.store_buffer * on_the_way / std::max<double>(1, a.sectors) : 0;
  if (on_the_way > 0) start = std::max(start, way - room);
  m_l1_free = start + service;
  m_l1_queue.leave(start);
  uint64_t left = 0;
  if (on_the_way > 0) {
    way = std::max(way, start) + on_the_way;
    left = static_cast<uint64_t>(start + service) + until_stores_left;
  }
  if (i.stores) {
    m_memory_free = std::max(m_memory_free, start - m_f.memory_latency) +
                    m_s.memory_store_share * a.sectors / m_f.memory_store_sectors;
    return {static_cast<uint64_t>(start + service), left};
  }
  if (i.updates) return {static_cast<uint64_t>(way + m_f.atomic_latency), left};
  return {static_cast<uint64_t>(load(a, line_offset, start, start + service - 1 + m_f.l1_latency)), 0};
}

double SharedUnits::load(const Access& a, uint64_t line_offset, double start, double done) {
  for (uint32_t l = 0; l < a.lines; ++l) {
    observe::LinePart part = m_work.lines[a.first_line + l];
    part.line += line_offset;
    uint32_t missed = part.sectors;
    if (!a.past_l1) {
      missed = part.sectors & ~m_l1.access(part, true, false).hits;
      done = std::max(done, double(m_arrivals.of(part.line)));
    }
    if (missed == 0) continue;
    const double sectors = std::popcount(missed);
    m_l2_free = std::max(m_l2_free, start) + sectors / m_f.l2_load_sectors;
    double arrives = m_l2_free + m_f.l2_latency;
    m_memory_debt += m_s.memory_load_share * sectors;
    if (m_memory_debt >= 1) {
      const double from_memory = std::min(sectors, std::floor(m_memory_debt));
      m_memory_debt -= from_memory;
      m_memory_free = std::max(m_memory_free, start) + from_memory / m_f.memory_load_sectors;
      arrives = std::max(arrives, m_memory_free + m_f.memory_latency);
    }
    if (!a.past_l1) m_arrivals.set(part.line, static_cast<uint64_t>(arrives));
    done = std::max(done, arrives);
  }
  return done;
}

double SharedUnits::cycles_of_store(const Access& a) const {
  const double rest = a.sectors - std::min(a.sectors, a.whole_sectors);
  const double apart = a.sectors == 0 ? 0 : std::clamp((4.0 * a.lines / a.sectors - 1) / 3, 0.0, 1.0);
  return a.whole_sectors / m_f.l2_store_sectors + rest * apart / m_f.l2_scattered_sectors +
         rest * (1 - apart) / m_f.l2_partial_sectors;
}

}  // namespace warplens::sm
