// The pattern of a memory instruction's addresses when all 32 lanes run it: the offset of each lane's address
// from the first lane's. Most instructions have the same shape each time, so its consequences are computed
// only once. Each execution compares the lanes' addresses with the shape, and takes the general path if one
// differs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/gpu/observe/line_part.h"

namespace warplens::exec {

constexpr uint32_t shape_lanes = 32;  // lanes of a warp

// Extra cost of a scattered access in the step budget, beyond its one instruction: it moves lane by lane.
constexpr int64_t scattered_steps = 16;
// Additional cost of a search for allocations or of sorting the addresses.
constexpr int64_t slow_steps = 100;

// False if the environment has WARPLENS_SHAPES=off, for tests that compare both ways.
bool shapes_are_learnt();

struct AccessShape {
  static constexpr uint32_t half_lanes = 16;
  static constexpr uint64_t line_bytes = 128;

  // A half warp whose bytes are within 64 bytes, as words that a vector permutation brings into place.
  struct Window {
    uint64_t start = 0;                                     // relative to the first lane's address
    uint64_t bytes = 0;                                     // bit mask of the bytes that the lanes ask for
    alignas(64) std::array<uint32_t, half_lanes> words{};   // the one of the 16 words that has a lane's bytes
    alignas(64) std::array<uint32_t, half_lanes> shifts{};  // left shifts that bring a lane's bytes on top
    // For each byte of the window, the byte of the lanes' words that is stored there. If lanes overlap, the
    // last wins.
    alignas(64) std::array<uint8_t, 64> sources{};
  };
  // The arrangement of the bytes of both halves: the simplest form that applies.
  enum class Form : uint8_t { scattered, rows, equal_halves, windows };
  // What a request of this shape causes, for one start position in a line. The first four are what it adds to
  // the first four counters of MemoryOpState; compiled code adds all of them at once.
  struct Cost {
    uint8_t requests = 1, sectors = 0, sectors_ideal = 0, lines = 0;  // no sectors: not computed yet
    uint32_t steps = 0;  // in the step budget, if addresses do not ascend from lane to lane
  };

  alignas(64) std::array<uint64_t, shape_lanes> relative{};  // to the first lane's address
  alignas(64) std::array<uint32_t, shape_lanes> narrow{};    // their low 32 bits
  uint64_t low = 0, high = 0;  // the smallest and the largest, as signed numbers
  std::array<Window, 2> windows;
  bool windowed = false;    // both halves have a window
  bool contiguous = false;  // all lanes are next to each other, in order
  bool in_rows = false;     // the lanes of each half are next to each other, in order
  Form form = Form::scattered;
  uint32_t bytes = 0;                    // size of a lane's access
  int64_t steps = 0;                     // cost in the step budget beyond the one instruction
  std::array<Cost, line_bytes> costs{};  // indexed by the first address's offset in its line
  uint64_t id = 0;                       // unique among the shapes of a process
  using Lines = std::vector<observe::LinePart>;
  std::vector<Lines> lines;  // of lines_at(), by the first address's offset; empty until first used

  AccessShape(const std::array<uint64_t, shape_lanes>& addresses, uint32_t lane_bytes);
  bool is_of(const uint64_t* addresses) const;
  // The cost of a request whose first lane is at this address. It depends only on the address's offset in its
  // line.
  const Cost& cost_at(uint64_t first);
  // The lines of such a request, each once, in order of address, relative to the first lane's line. They too
  // depend only on the offset.
  std::span<const observe::LinePart> lines_at(uint64_t first);
};

// The shapes of a worker's instructions. Many instructions share a shape, so the processor's caches hold it
// only once.
class ShapePool {
 public:
  // Null if there is no memory for it.
  std::shared_ptr<AccessShape> shape_of(const uint64_t* addresses, uint32_t lane_bytes);

 private:
  std::vector<std::shared_ptr<AccessShape>> m_shapes;
  size_t m_next = 0;  // the next shape to be replaced
};

// The range that the first lane's address must be in, so that all lanes of a shape are within one allocation
// (or within shared memory): `count` addresses from `begin` on. Sums wrap around 2^64.
struct Reach {
  uint64_t begin = 0, count = 0;
  uintptr_t origin = 0;  // host address = origin + address

  // For accesses within [from, end). narrow: the register has 32 bits, and no lane's address may wrap around.
  // offset: is added to the register.
  static Reach of(const AccessShape& shape, uint64_t from, uint64_t end, bool narrow, uint64_t offset);
};

// What an instruction has learnt. It belongs to one worker: a copy starts empty.
class LearntShape {
 public:
  LearntShape() = default;
  LearntShape(const LearntShape&) {}
  LearntShape& operator=(const LearntShape& other);
  LearntShape(LearntShape&& other) noexcept { *this = std::move(other); }
  LearntShape& operator=(LearntShape&& other) noexcept;
  ~LearntShape() = default;

  AccessShape* get() const { return m_known; }  // null if no shape is known
  // Where compiled code finds the value that get() returns.
  static constexpr int32_t offset_of_shape() { return static_cast<int32_t>(offsetof(LearntShape, m_known)); }
  static constexpr int32_t offset_of_reach() { return static_cast<int32_t>(offsetof(LearntShape, m_reach)); }
  // Sets the reach of the shape that get() returns; it is lost when the shape is.
  void set_reach(const Reach& reach) { m_reach = reach; }
  // Learns from an access with these addresses. Learning a shape costs more than an access, so after each
  // time, more accesses of another shape pass before the next. Returns false if nothing was learnt this time.
  bool learn(ShapePool& pool, const uint64_t* addresses, uint32_t lane_bytes);
  void note_hit() { m_pause = 1; }

 private:
  std::shared_ptr<AccessShape> m_shape;
  AccessShape* m_known = nullptr;  // the shape that m_shape owns
  Reach m_reach;                   // used only by compiled code
  uint32_t m_wait = 1;             // accesses to let pass
  uint32_t m_pause = 1;            // the last number of accesses to let pass
};

}  // namespace warplens::exec
