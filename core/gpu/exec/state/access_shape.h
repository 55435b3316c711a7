// What a memory instruction's addresses are like when all 32 lanes run it: how far each lane's lies from the
// first lane's. Most instructions have the same shape each time, so all that follows from it is worked out
// once; what runs the access compares each lane's address with the shape, and goes the long way where one
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

constexpr uint32_t shape_lanes = 32;  // of a warp

// What a scattered access costs of the step budget beyond its one instruction: it moves lane by lane.
constexpr int64_t scattered_steps = 16;
// What a search for allocations or a sort of addresses costs on top.
constexpr int64_t slow_steps = 100;

// False: WARPLENS_SHAPES=off in the environment, for who compares both ways.
bool shapes_are_learnt();

struct AccessShape {
  static constexpr uint32_t half_lanes = 16;
  static constexpr uint64_t line_bytes = 128;

  // Half of the lanes whose bytes lie in 64 bytes, as words that a permutation of vectors brings into place.
  struct Window {
    uint64_t start = 0;                                     // relative to the first lane's address
    uint64_t bytes = 0;                                     // bit by bit: those that the lanes ask for
    alignas(64) std::array<uint32_t, half_lanes> words{};   // which of the 16 a lane's bytes are in
    alignas(64) std::array<uint32_t, half_lanes> shifts{};  // to the left, so that its bytes come to the top
    // Which byte of the lanes' words is stored at each byte: of lanes at one place, the last one's.
    alignas(64) std::array<uint8_t, 64> sources{};
  };
  // How the bytes of both halves lie, the simplest that is true.
  enum class Form : uint8_t { scattered, rows, equal_halves, windows };
  // What a request of this shape causes that starts at some place of a line.
  struct Cost {
    uint8_t sectors = 0, lines = 0;  // no sectors: not known yet
    bool descends = false;           // addresses do not ascend from lane to lane
  };

  alignas(64) std::array<uint64_t, shape_lanes> relative{};  // to the first lane's address
  alignas(64) std::array<uint32_t, shape_lanes> narrow{};    // their low 32 bits
  uint64_t low = 0, high = 0;  // the smallest and the largest, as signed numbers
  std::array<Window, 2> windows;
  bool windowed = false;    // both halves have one
  bool contiguous = false;  // all lanes lie side by side, in order
  bool in_rows = false;     // the lanes of each half lie side by side, in order
  Form form = Form::scattered;
  uint32_t bytes = 0;  // of a lane
  uint32_t sectors_ideal = 0;
  int64_t steps = 0;                     // what it takes off the budget beyond its one instruction
  std::array<Cost, line_bytes> costs{};  // by the first address's place in its line
  uint64_t id = 0;                       // no two shapes of a process have the same one
  using Lines = std::vector<observe::LinePart>;
  std::vector<Lines> lines;  // of lines_at(), by the first address's place; empty: nobody has asked

  AccessShape(const std::array<uint64_t, shape_lanes>& addresses, uint32_t lane_bytes);
  bool is_of(const uint64_t* addresses) const;
  // Of a request whose first lane is at this address. It is the same for all addresses at one place of a
  // line.
  const Cost& cost_at(uint64_t first);
  // The lines of such a request, each once and in order of address, relative to the first lane's line. As
  // above.
  std::span<const observe::LinePart> lines_at(uint64_t first);
};

// The shapes of a worker's instructions. Many have the same one, which is then in the processor's caches
// once.
class ShapePool {
 public:
  // Null: there is no memory for it.
  std::shared_ptr<AccessShape> shape_of(const uint64_t* addresses, uint32_t lane_bytes);

 private:
  std::vector<std::shared_ptr<AccessShape>> m_shapes;
  size_t m_next = 0;  // the one that makes room
};

// Where the first lane's address has to be, for all lanes of a shape to lie in one allocation (or in shared
// memory): count addresses from begin on. Sums wrap around 2^64.
struct Reach {
  uint64_t begin = 0, count = 0;
  uintptr_t origin = 0;  // + address = the host's

  // In [from, end). narrow: the register has 32 bits, and no lane's may wrap around them; offset: what is
  // added to it.
  static Reach of(const AccessShape& shape, uint64_t from, uint64_t end, bool narrow, uint64_t offset);
};

// What an instruction knows. It belongs to one worker: a copy starts without.
class LearntShape {
 public:
  LearntShape() = default;
  LearntShape(const LearntShape&) {}
  LearntShape& operator=(const LearntShape& other);
  LearntShape(LearntShape&& other) noexcept { *this = std::move(other); }
  LearntShape& operator=(LearntShape&& other) noexcept;
  ~LearntShape() = default;

  AccessShape* get() const { return m_known; }  // null: none
  // Where compiled code finds what get() returns.
  static constexpr int32_t offset_of_shape() { return static_cast<int32_t>(offsetof(LearntShape, m_known)); }
  static constexpr int32_t offset_of_reach() { return static_cast<int32_t>(offsetof(LearntShape, m_reach)); }
  // Of the shape that get() returns; gone with it.
  void set_reach(const Reach& reach) { m_reach = reach; }
  // Of the access that had these addresses. Learning a shape costs more than an access, so the more often
  // that happens, the more accesses of another shape pass before it is done again. False: this time it is
  // not.
  bool learn(ShapePool& pool, const uint64_t* addresses, uint32_t lane_bytes);
  void note_hit() { m_pause = 1; }

 private:
  std::shared_ptr<AccessShape> m_shape;
  AccessShape* m_known = nullptr;  // what m_shape holds
  Reach m_reach;                   // of compiled code alone
  uint32_t m_wait = 1;             // accesses to let pass
  uint32_t m_pause = 1;            // how many that were
};

}  // namespace warplens::exec
