// What the schedulers of an SM share: the units for shared memory, the way through L1, and the SM's share of
// what is behind it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/gpu/observe/cache.h"
#include "core/gpu/timing/sm/simulate.h"

namespace warplens::sm {

// When the last instructions left a queue, as a ring.
class Queue {
 public:
  explicit Queue(uint32_t size = 1) : m_left(std::max(1u, size)) {}
  // From when on it takes one more.
  uint64_t has_room() const { return m_left[m_at]; }
  void leave(double time) {
    m_left[m_at] = static_cast<uint64_t>(time);
    m_at = (m_at + 1) % m_left.size();
  }

 private:
  std::vector<uint64_t> m_left;
  size_t m_at = 0;
};

// The arrival of lines that are on their way to L1.
class Arrivals {
 public:
  Arrivals() : m_slots(size) {}
  void set(uint64_t line, uint64_t time) { m_slots[line % size] = {line + 1, time}; }
  uint64_t of(uint64_t line) const {
    const auto& slot = m_slots[line % size];
    return slot.first == line + 1 ? slot.second : 0;
  }

 private:
  static constexpr size_t size = 8192;
  std::vector<std::pair<uint64_t, uint64_t>> m_slots;
};

// Instructions must come in the order in which they issue.
class SharedUnits {
 public:
  SharedUnits(const Work& work, const Settings& settings);

  // When the instruction leaves the queue of its scheduler; it occupies the shared units for so many cycles.
  uint64_t take(Queue& queue, uint64_t now, double cycles);

  struct Times {
    uint64_t done = 0;  // when the result is there
    uint64_t left = 0;  // when a store or update has left the SM
  };
  // An access to global or local memory.
  Times access(Queue& queue, const Instruction& i, uint32_t access, uint64_t line_offset, uint64_t now);

 private:
  // When the data of a load are there, of which L1 has its part at `done`.
  double load(const Access& a, uint64_t line_offset, double start, double done);
  // That a store occupies the way to L2.
  double cycles_of_store(const Access& a) const;

  const Work& m_work;
  const Settings& m_s;
  const Figures& m_f;
  observe::SectoredCache m_l1;
  Arrivals m_arrivals;
  Queue m_l1_queue;
  // From when on each is free.
  double m_units_free = 0, m_l1_free = 0, m_l2_free = 0, m_memory_free = 0, m_atomics_free = 0;
  double m_memory_debt = 0;  // sectors that are still to come from DRAM
};

}  // namespace warplens::sm
