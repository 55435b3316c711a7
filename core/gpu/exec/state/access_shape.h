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

#include "core/gpu/exec/state/access_group.h"
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

  // What a request of some of the lanes causes and how far it reaches, by mask and start. Offsets are
  // relative to the first active lane's address.
  struct Part {
    uint64_t key = 0;   // part_key(); 0: nothing is kept here
    Cost cost;          // of shared memory: a request, wavefronts and conflicts
    uint64_t low = 0;   // where the lowest lane's bytes begin
    uint64_t span = 0;  // bytes from there to the end of the highest lane's
  };
  enum class PartKind : uint8_t { uncounted = 1, global, shared_load, shared_store };
  static constexpr uint32_t parts_kept = 128, part_ways = 4;
  // The part of the start that the costs depend on.
  static constexpr uint32_t phases_of(PartKind kind) {
    return kind == PartKind::uncounted ? 1 : kind == PartKind::global ? line_bytes : 4;
  }
  static constexpr uint32_t phase_of_part(PartKind kind, uint64_t first) {
    return static_cast<uint32_t>(first % phases_of(kind)) | static_cast<uint32_t>(kind) << 8;
  }
  // Compiled code computes the same two.
  static constexpr uint64_t part_key(uint32_t mask, uint32_t phase) { return uint64_t{phase} << 32 | mask; }
  static constexpr uint32_t mask_factor = 0x9e3779b1, phase_factor = 0x85ebca6b, part_shift = 25;
  static constexpr uint32_t part_place(uint32_t mask, uint32_t phase) {
    return (mask * mask_factor + phase * phase_factor) >> part_shift;
  }

  alignas(64) std::array<uint64_t, shape_lanes> relative{};  // to the first lane's address
  alignas(64) std::array<uint32_t, shape_lanes> narrow{};    // their low 32 bits
  uint64_t low = 0, high = 0;  // the smallest and the largest, as signed numbers
  std::array<Window, 2> windows;
  bool windowed = false;    // both halves have a window
  bool contiguous = false;  // all lanes are next to each other, in order
  bool in_rows = false;     // the lanes of each half are next to each other, in order
  bool near = false;        // all offsets are signed numbers of 32 bits
  // In rows: these are next to each other, or the second one comes a line or more after the first one's end.
  // So each line is in one of them, and what a part of the lanes costs follows from its mask.
  bool rows_apart = false;
  Form form = Form::scattered;
  uint32_t bytes = 0;                    // size of a lane's access
  int64_t steps = 0;                     // cost in the step budget beyond the one instruction
  std::array<Cost, line_bytes> costs{};  // indexed by the first address's offset in its line
  std::array<Part, parts_kept> parts{};  // indexed by part_place(), with its last bits changed in all ways
  uint64_t id = 0;                       // unique among the shapes of a process
  using Lines = std::vector<observe::LinePart>;
  std::vector<Lines> lines;  // of lines_at(), by the first address's offset; empty until first used

  AccessShape(const std::array<uint64_t, shape_lanes>& addresses, uint32_t lane_bytes);
  bool is_of(const uint64_t* addresses) const;
  // The same for some of the lanes.
  bool is_of(const uint64_t* addresses, uint32_t mask) const;
  // Keeps what a request of these lanes causes whose first active lane is at this address.
  void keep_part(PartKind kind, uint32_t mask, uint64_t first);
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
  // For stores that leave notes: from a host address to that of the byte's note (Allocation::stored). 0: they
  // leave none.
  intptr_t note = 0;

  // For accesses within [from, end). narrow: the register has 32 bits, and no lane's address may wrap around.
  // offset: is added to the register.
  static Reach of(const AccessShape& shape, uint64_t from, uint64_t end, bool narrow, uint64_t offset);
};

// The addresses that lanes may be at in part: those of an allocation, or of shared memory.
struct Bounds {
  uint64_t begin = 0, size = 0;
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
  static constexpr int32_t offset_of_bounds() {
    return static_cast<int32_t>(offsetof(LearntShape, m_bounds));
  }
  static constexpr int32_t offset_of_group() { return static_cast<int32_t>(offsetof(LearntShape, m_group)); }
  const std::shared_ptr<AccessShape>& shared() const { return m_shape; }
  const Reach& reach() const { return m_reach; }
  // Sets the reach of the shape that get() returns; it is lost when the shape is.
  void set_reach(const Reach& reach, const Bounds& bounds) {
    m_reach = reach;
    m_bounds = bounds;
  }
  // In the next launch memory may be elsewhere.
  void forget_reach() {
    set_reach({}, {});
    if (m_own_group != nullptr) m_own_group->count = 0;
  }
  // The group whose first instruction this is.
  AccessGroup& group() const { return *m_group; }
  // The same to be learnt of. Null if there is no memory for it.
  AccessGroup* own_group();
  // Learns from an access with these addresses. Learning a shape costs more than an access, so after each
  // time, more accesses of another shape pass before the next. Returns false if nothing was learnt this time.
  bool learn(ShapePool& pool, const uint64_t* addresses, uint32_t lane_bytes);
  // The same from an access of some lanes. The other lanes' addresses are taken to go on as those of the
  // active ones do in each row of `row_lanes` lanes.
  bool learn_part(ShapePool& pool, const uint64_t* addresses, uint32_t mask, uint32_t lane_bytes,
                  uint32_t row_lanes);
  void note_hit() { m_pause = 1; }
  // Whether an access of another shape is to pass without being learnt.
  bool lets_pass() {
    if (m_wait == 0) return false;
    --m_wait;
    return true;
  }

 private:
  std::shared_ptr<AccessShape> m_shape;
  AccessShape* m_known = nullptr;  // the shape that m_shape owns
  Reach m_reach;                   // used only by compiled code, as are the bounds
  Bounds m_bounds;
  std::shared_ptr<AccessGroup> m_own_group;   // not shared; offsetof needs a standard layout
  AccessGroup* m_group = &AccessGroup::none;  // or the one above
  uint32_t m_wait = 1;                        // accesses to let pass
  uint32_t m_pause = 1;                       // the last number of accesses to let pass
};

}  // namespace warplens::exec
