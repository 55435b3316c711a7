// Sectored caches: lines of 128 bytes whose four 32-byte sectors are filled one by one, as in NVIDIA GPUs
// since Maxwell (Nsight Compute documentation, "Memory Tables"). The least recently used line of a set is
// replaced; the hardware's policy is not published.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/gpu/observe/line_part.h"

namespace warplens::observe {

constexpr uint32_t most_ways = 16, most_sectors = 4;  // ways of a set; sectors of a line

struct CacheShape {
  uint64_t bytes = 0;
  uint32_t line_bytes = 128;
  uint32_t ways = most_ways;
};

class SectoredCache {
 public:
  explicit SectoredCache(const CacheShape& shape);

  struct Outcome {
    uint32_t hits = 0;          // bits as in LinePart::sectors
    uint32_t written_back = 0;  // dirty sectors of the line that was replaced
  };
  // Misses fill their sectors if `allocate` is true. `dirty` marks the sectors as changed.
  Outcome access(LinePart part, bool allocate, bool dirty);
  void clear();

 private:
  // The parts that most accesses read are within 64 bytes. A set whose bytes are all zero has no lines.
  struct alignas(64) Set {
    std::array<uint64_t, most_ways / 8> marks{};  // for each way, a byte with some bits of its line
    uint64_t order = 0;  // ways of four bits, most recently used first, each XORed with its index
    std::array<uint8_t, most_ways> state{};  // for each way: bits 0–3 valid sectors, bits 4–7 changed sectors
    alignas(64) std::array<uint64_t, most_ways> tags{};  // line + 1
  };
  struct Place {
    Set* set;
    uint32_t way;
    bool there;
  };
  // The place where a line was found last; it is usually still there.
  struct Memo {
    uint32_t set = 0, way = 0;
  };
  static constexpr size_t memos = 16;

  size_t set_of(uint64_t line) const;
  // The place of the line, or the place to replace: the least recently used of its set.
  Place place_of(uint64_t line);
  Place look_up(uint64_t line, Memo& memo);

  uint32_t m_ways;
  uint64_t m_sets, m_reciprocal;  // m_reciprocal: 2^64 / number of sets
  std::vector<Set> m_content;
  std::array<Memo, memos> m_memos{};  // by the low bits of the line
  bool m_used = false;
};

// The traffic between the levels, in 32-byte sectors.
struct CacheTraffic {
  uint64_t l1_load_sectors = 0, l1_hit_sectors = 0;  // of loads from global and local memory
  uint64_t l2_read_sectors = 0;                      // loads that missed L1, and atomics
  uint64_t l2_write_sectors = 0;
  uint64_t l2_hit_sectors = 0;
  uint64_t dram_read_sectors = 0, dram_written_sectors = 0;
};

// An L1 for each SM and one L2 that they share, with lines of the same length. L1 is write-through, and
// stores to global memory do not fill it. L2 is write-back.
class CacheHierarchy {
 public:
  CacheHierarchy(uint32_t sms, const CacheShape& l1, const CacheShape& l2);

  void load(uint32_t sm, LinePart part);
  void load_past_l1(LinePart part);  // .volatile, .relaxed, .cg, …
  void store(uint32_t sm, LinePart part, bool local);
  void atomic(LinePart part);
  // A new launch finds L1 empty and L2 as it was.
  void start_launch();
  const CacheTraffic& traffic() const { return m_traffic; }

 private:
  void read_l2(LinePart part, bool dirty);

  std::vector<SectoredCache> m_l1;
  SectoredCache m_l2;
  CacheTraffic m_traffic;
};

}  // namespace warplens::observe
