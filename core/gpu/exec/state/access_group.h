// Accesses of one basic block that add different offsets to one register of addresses. Compiled code looks at
// the register once for all of them, and counts them by one number.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace warplens::exec {

struct AccessShape;
struct BlockContext;
struct MemoryOpState;

// What is known of a group when its code is made.
struct GroupedAccesses {
  struct Member {
    uint32_t counter = 0;  // Access::counter
    int64_t offset = 0;
    bool is_store = false;
    bool operator==(const Member&) const = default;
  };
  // The lanes that there is code for. known: what the register has; else lanes in rows, and for loads alone
  // also those whose halves are at one place each.
  enum class Lanes : uint8_t { known, rows, rows_or_halves };
  bool is_shared = false;  // else global memory, and all are loads
  bool counts = false;
  Lanes lanes = Lanes::known;
  uint8_t bytes = 0;  // of a lane
  std::vector<Member> members;
  bool operator==(const GroupedAccesses&) const = default;
};

// What a worker has learnt of a group. It is kept by the group's first instruction.
struct AccessGroup {
  static constexpr uint32_t line_bytes = 128;
  static AccessGroup none;             // nothing is ever learnt of it
  const AccessShape* shape = nullptr;  // of all members; null: nothing is known
  // Where the register's first lane may be: `count` addresses from `begin` on.
  uint64_t begin = 0, count = 0;
  uintptr_t origin = 0;          // of global memory: host address = origin + address
  int64_t steps = 0;             // of all members, in the step budget
  uint8_t are_equal_halves = 0;  // the lanes of each half are at one place; else in rows
  // By the first lane's offset in its line, in units of the members' bytes. Of shared memory: only the first.
  std::array<uint64_t, line_bytes> sectors{};  // of all members; 0: to be counted one by one
  std::array<uint64_t, line_bytes> hits{};     // that are not in the members' counters yet

  const GroupedAccesses* accesses = nullptr;
  std::shared_ptr<AccessShape> kept;  // owns the shape
  struct Wavefronts {
    uint32_t count = 0, conflicts = 0;
  };
  Wavefronts of_load, of_store;  // of shared memory: what each causes

  // Learns from the members, if all have learnt the same shape.
  void form(MemoryOpState* states, const GroupedAccesses& its_accesses);
  // Adds the hits to the members' counters.
  void settle(MemoryOpState* states);
  uint32_t places() const;  // of a line that are told apart
  void count_sectors();
  void count_wavefronts(const MemoryOpState* states);
  // `times` more, or fewer.
  void add(MemoryOpState& state, const GroupedAccesses::Member& member, uint32_t place, uint64_t times) const;
};

// Compiled code calls it where an access of a group may have learnt something.
void form_group(const BlockContext* block, const GroupedAccesses* accesses) noexcept;
// The same where the members from this one on are counted and will not be executed by the code. first: where
// the register's first lane is on the host; 0: they are not counted.
void take_back(BlockContext* block, const GroupedAccesses* accesses, uint32_t member,
               uintptr_t first) noexcept;
// Before a worker's counters are read.
void settle_groups(std::span<MemoryOpState> states);

}  // namespace warplens::exec
