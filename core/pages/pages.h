// Where the pages of an array of managed memory are, and which of them move when a side uses them: as on GPUs
// since Pascal under Linux (CUDA C++ Programming Guide, "Unified Memory"). What is fetched along with a page
// is decided by a tree, as in NVIDIA's open kernel module (uvm_perf_prefetch). Compared with an H200:
// tests/data/truth/pages_h200.txt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warplens::pages {

// What moves at once: 16 pages of 4 KiB, here called a unit.
constexpr uint64_t page_bytes = 4096, unit_bytes = uint64_t{64} << 10;
constexpr size_t pages_of_unit = unit_bytes / page_bytes;
constexpr size_t units_of_tree = 32;  // 2 MiB

// A unit is in a set of these: 0 is nowhere yet, 3 on both sides, as read-mostly ones may be.
enum class Side : uint8_t { host = 1, device = 2 };
constexpr uint8_t bit(Side side) { return static_cast<uint8_t>(side); }

// Units from `first` on that are in the same places.
struct PageRun {
  uint32_t first = 0, count = 0;
  uint8_t places = 0;
  bool operator==(const PageRun&) const = default;
};

// Of one unit: how many of its pages a side used, and whether it wrote there.
struct Use {
  uint8_t pages = 0;
  bool writes = false;
};

// cudaMemAdvise. Other advice moves nothing by itself.
struct Advice {
  bool read_mostly = false;
  bool stays_on_host =
      false;  // its preferred location is the host, or the device has a mapping (accessed by)
};

struct Moves {
  uint64_t bytes = 0;            // that were copied to the side
  uint64_t misses = 0;           // times a side had to wait for the driver; a device may do several at once
  uint64_t mapped_bytes = 0;     // in units that the device used where they are, over the bus
  std::vector<PageRun> changed;  // the new places

  bool any() const { return bytes != 0 || misses != 0 || mapped_bytes != 0 || !changed.empty(); }
};

class Array {
 public:
  explicit Array(uint64_t bytes) : m_places((bytes + unit_bytes - 1) / unit_bytes) {}

  size_t units() const { return m_places.size(); }
  // A side used these units, in the order of their addresses; one for each unit.
  Moves use(Side by, std::span<const Use> used, const Advice& advice);
  // cudaMemPrefetchAsync of the units [begin, end).
  Moves prefetch(Side to, size_t begin, size_t end, const Advice& advice);

 private:
  // Which units come along if this one is missed: [first, last).
  struct Region {
    size_t first = 0, last = 0;
  };
  Region region_of(size_t unit, Side to) const;
  void bring(Region region, Side to, const Advice& advice, Moves& moves);
  Moves with_changes(Moves moves, const std::vector<uint8_t>& before) const;

  std::vector<uint8_t> m_places;
};

}  // namespace warplens::pages
