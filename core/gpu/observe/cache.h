// Sectored caches: lines of 128 bytes whose four 32-byte sectors are filled one by one, as NVIDIA GPUs have
// them since Maxwell (Nsight Compute documentation, "Memory Tables"). Replacement is least recently used
// within a set; what the hardware does is not published.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warplens::observe {

constexpr uint32_t most_ways = 16, most_sectors = 4;  // of a set; of a line

struct CacheShape {
  uint64_t bytes = 0;
  uint32_t line_bytes = 128;
  uint32_t ways = most_ways;
};

// Some sectors of one line: bit s of `sectors` is the line's s-th 32 bytes. Not initialised, as a request has
// room for many of them.
struct LinePart {
  uint64_t line;  // address / line_bytes
  uint32_t sectors;
};

class SectoredCache {
 public:
  explicit SectoredCache(const CacheShape& shape);

  struct Outcome {
    uint32_t hits = 0;          // bits as in LinePart::sectors
    uint32_t written_back = 0;  // dirty sectors of the line that had to go
  };
  // Misses fill their sectors where `allocate` says so; `dirty` marks the sectors as changed.
  Outcome access(LinePart part, bool allocate, bool dirty);
  void clear();

 private:
  // What most accesses look at lies in 64 bytes. Zeros are a set without lines.
  struct alignas(64) Set {
    std::array<uint64_t, most_ways / 8> marks{};  // a byte a way: some bits of its line
    uint64_t order = 0;  // ways, the one used last first, four bits each, exclusive or with 0, 1, 2 …
    std::array<uint8_t, most_ways> state{};  // of a way's sectors: valid, and four bits higher changed
    alignas(64) std::array<uint64_t, most_ways> tags{};  // line + 1
  };
  struct Place {
    Set* set;
    uint32_t way;
    bool there;
  };
  size_t set_of(uint64_t line) const;
  // Where the line lies, or the one to replace: the least recently used of its set.
  Place place_of(uint64_t line);

  uint32_t m_ways;
  uint64_t m_sets, m_reciprocal;  // of the number of sets: 2^64 times
  std::vector<Set> m_content;
  bool m_used = false;
};

// What passed between the levels, in 32-byte sectors.
struct CacheTraffic {
  uint64_t l1_load_sectors = 0, l1_hit_sectors = 0;  // of loads from global and local memory
  uint64_t l2_read_sectors = 0;                      // loads that missed L1, and atomics
  uint64_t l2_write_sectors = 0;
  uint64_t l2_hit_sectors = 0;
  uint64_t dram_read_sectors = 0, dram_written_sectors = 0;
};

// An L1 for each SM in front of one L2, with lines of the same length. L1 is written through and not filled
// by stores to global memory; L2 is written back.
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
