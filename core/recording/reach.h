// Finds the allocations that memory refers to: every word that could be an address in an allocation counts as
// one. Structures of Numba and C have their pointers at multiples of 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace warplens::recording {

struct Extent {
  uint64_t begin = 0, end = 0;
};

class Reach {
 public:
  // `extents`: sorted by address, without overlaps. They are identified by their index.
  explicit Reach(std::vector<Extent> extents);

  // Scans these bytes, wherever they are in memory.
  void scan(std::span<const std::byte> bytes);
  void add(size_t index);
  // bytes_of(index) → the contents; called once for each extent that is found.
  template <class F>
  void follow(F bytes_of) {
    while (!m_open.empty()) {
      const size_t next = m_open.back();
      m_open.pop_back();
      scan(bytes_of(next));
    }
  }
  const std::set<size_t>& found() const { return m_found; }

 private:
  void add_at(uint64_t address);

  std::vector<Extent> m_extents;
  std::set<size_t> m_found;
  std::vector<size_t> m_open;
};

}  // namespace warplens::recording
