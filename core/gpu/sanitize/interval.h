// The accesses to a block's shared memory since all of its warps were last ordered. As long as no word is
// accessed twice with at least one write, there is nothing to report, so the accesses are only noted. At the
// first access that might conflict, all of them are compared one after the other (Sanitizer::end_interval).
// Most intervals end at a barrier before that. Then the noted accesses are dropped: all later accesses are
// ordered after them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/exec/state/program.h"
#include "core/gpu/sanitize/access.h"
#include "core/gpu/sanitize/pattern.h"
#include "core/launch/footprint.h"

namespace warplens::sanitize {

// An access as it is noted.
struct Noted {
  const exec::Op* op = nullptr;      // null if it is in `others`
  const Pattern* pattern = nullptr;  // with the address of lane 0; or the index in `others`
  uint64_t first = 0;
  uint32_t warp = 0;
  Time time = 0, floor = 0;  // of the access, when it was made
  AccessKind kind = AccessKind::load;
};
struct NotedLanes {
  exec::Op op;
  uint32_t mask = 0;
  std::array<uint64_t, warp_lanes> addresses{};
};

class Interval {
 public:
  static constexpr size_t most_noted = 1 << 15, most_others = 1 << 12;

  bool is_open() const { return m_open; }
  void open() {
    clear();
    m_open = true;
  }
  void close() { m_open = false; }
  const std::vector<Noted>& noted() const { return m_noted; }
  const NotedLanes& lanes_of(const Noted& noted) const { return m_others[noted.first]; }
  // The time of the newest access to shared memory, whether it was noted or compared.
  Time newest() const { return m_newest; }
  void note_time(Time time) { m_newest = std::max(m_newest, time); }
  void start_block() {
    m_newest = 0;
    open();
  }

  // Returns false, and notes nothing, if the access might conflict with a noted one, or if there is no room
  // for it.
  bool add(const Noted& access, Pattern& pattern, uint64_t shared_bytes) {
    if (m_noted.size() >= most_noted) return false;
    const uint64_t low = access.first + pattern.low();
    const std::vector<uint32_t>& touched = pattern.rows_at(low % Pattern::row_bytes);
    const size_t row = static_cast<size_t>(low / Pattern::row_bytes);
    if (row + touched.size() > m_rows.size()) make_room(std::max(shared_bytes, low + pattern.width()));
    Words* rows = m_rows.data() + row;
    const bool is_load = access.kind == AccessKind::load;
    uint32_t conflicts = 0;
    for (size_t i = 0; i < touched.size(); ++i)
      conflicts |= (is_load ? rows[i].written : rows[i].written | rows[i].read) & touched[i];
    if (conflicts != 0 || (!is_load && !pattern.is_disjoint())) return false;
    for (size_t i = 0; i < touched.size(); ++i) (is_load ? rows[i].read : rows[i].written) |= touched[i];
    m_used = std::max(m_used, row + touched.size());
    m_noted.push_back(access);
    return true;
  }
  // Does the same lane by lane. Returns false as above.
  bool add(const Noted& access, const exec::Op& op, uint32_t mask, const uint64_t* addresses,
           uint64_t shared_bytes);

 private:
  struct Words {
    uint32_t read = 0, written = 0;  // a bit for each
  };

  void make_room(uint64_t shared_bytes) {
    m_rows.resize(static_cast<size_t>(shared_bytes / Pattern::row_bytes) + 1);
  }
  void clear() {
    std::fill_n(m_rows.begin(), m_used, Words{});
    m_used = 0;
    m_noted.clear();
    m_others.clear();
  }

  bool m_open = false;
  Time m_newest = 0;
  std::vector<Words> m_rows;  // 128 bytes each
  size_t m_used = 0;          // rows that may have bits
  std::vector<Noted> m_noted;
  std::vector<NotedLanes> m_others;
};

}  // namespace warplens::sanitize
