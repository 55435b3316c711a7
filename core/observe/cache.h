// Sectored caches: lines of 128 bytes whose four 32-byte sectors are filled one by one, as NVIDIA GPUs have
// them since Maxwell (Nsight Compute documentation, "Memory Tables"). Replacement is least recently used
// within a set; what the hardware does is not published.
#pragma once

#include <cstdint>
#include <vector>

namespace warplens::observe {

struct CacheShape {
  uint64_t bytes = 0;
  uint32_t line_bytes = 128;
  uint32_t ways = 16;
};

class SectoredCache {
 public:
  explicit SectoredCache(const CacheShape& shape);

  struct Outcome {
    bool hit = false;
    uint32_t written_back = 0;  // dirty sectors of the line that had to go
  };
  // One sector, by its address / 32. A miss fills it where `allocate` says so; `dirty` marks it as changed.
  Outcome access(uint64_t sector, bool allocate, bool dirty);
  void clear();

 private:
  struct Line {
    uint64_t tag = 0;
    uint64_t used = 0;             // when; 0: empty
    uint8_t valid = 0, dirty = 0;  // a bit a sector
  };
  Line* find(uint64_t tag, Line*& oldest);

  uint32_t m_ways, m_sectors_per_line;
  uint64_t m_sets, m_time = 0;
  std::vector<Line> m_lines;
};

// What passed between the levels, in 32-byte sectors.
struct CacheTraffic {
  uint64_t l1_load_sectors = 0, l1_hit_sectors = 0;  // of loads from global and local memory
  uint64_t l2_read_sectors = 0;                      // loads that missed L1, and atomics
  uint64_t l2_write_sectors = 0;
  uint64_t l2_hit_sectors = 0;
  uint64_t dram_read_sectors = 0, dram_written_sectors = 0;
};

// An L1 for each SM in front of one L2. L1 is written through and not filled by stores to global memory; L2
// is written back.
class CacheHierarchy {
 public:
  CacheHierarchy(uint32_t sms, const CacheShape& l1, const CacheShape& l2);

  void load(uint32_t sm, uint64_t sector);
  void load_past_l1(uint64_t sector);  // .volatile, .relaxed, .cg, …
  void store(uint32_t sm, uint64_t sector, bool local);
  void atomic(uint64_t sector);
  // A new launch finds L1 empty and L2 as it was.
  void start_launch();
  const CacheTraffic& traffic() const { return m_traffic; }

 private:
  void read_l2(uint64_t sector, bool dirty);

  std::vector<SectoredCache> m_l1;
  SectoredCache m_l2;
  CacheTraffic m_traffic;
};

}  // namespace warplens::observe
