// What all parts of the AVX-512 target share: the vector and mask registers and their use, and its part of
// the stack.
//
// A value of 32 bits takes two vector registers of 16 lanes each, one of 64 bits takes four, and one that is
// the same in all lanes takes one. A predicate is a mask register of 32 bits. Values stay in registers from
// the start of a unit to its end; they are written to the frame where a handler takes over.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "core/gpu/exec/jit/alloc/alloc.h"
#include "core/gpu/exec/jit/lower/units.h"
#include "core/gpu/exec/jit/target/x64/code.h"

namespace warplens::exec::jit::avx512 {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;
using x64::Assembler;
using x64::Id;
using x64::of_frame;
using x64::of_warp;

constexpr int32_t vector_bytes = 64;
constexpr x86::Zmm scratch0 = x86::zmm0, scratch1 = x86::zmm1, scratch2 = x86::zmm2, scratch3 = x86::zmm3;
constexpr x86::KReg mask_scratch0 = x86::k6, mask_scratch1 = x86::k7;
// The registers for values.
constexpr uint32_t lane_registers = 28, mask_registers = 5;
inline x86::Zmm lanes(uint32_t number) { return x86::Zmm(4 + number); }
inline x86::KReg mask(uint32_t number) { return x86::KReg(1 + number); }

// On the stack: spilled values, and all registers while a handler runs on the cold path.
constexpr uint32_t most_places = 192;
constexpr int32_t place_bytes = 4 * vector_bytes, places_at = x64::lanes_at,
                  kept_at = places_at + place_bytes * static_cast<int32_t>(most_places);
// The registers of a function: its result and its sources, with room for 64 bits a lane.
constexpr int32_t cells_at = kept_at + vector_bytes * static_cast<int32_t>(lane_registers) + 8 * 6,
                  cell_bytes = 4 * vector_bytes;
constexpr int32_t lane_bytes = cells_at + 4 * cell_bytes - x64::lanes_at;

using LaneNumbers = std::array<uint8_t, 32>;

class WarpCode : public x64::Code {
 public:
  explicit WarpCode(const CompileRequest& request) : Code(request, lane_bytes, scratch0.ymm()) {}

  std::function<void()> state_writer(const Instruction& i) override;
  Keeper keeper(const Instruction& i) override;
  std::optional<uint32_t> register_of(uint32_t) override { return {}; }
  void load_predicate(const Instruction& branch) override;
  void compare_rows(const Instruction& setp) override;
  void check_whole(const Instruction& i, const asmjit::Label& others) override;
  void load_vote(const Instruction& vote) override;
  void compare_all(const Instruction& match) override;
  void find_inside(const Instruction& inside) override;
  Folded fold(const Instruction& redux, Id operation) override;
  void write_access(const Instruction& i) override;
  bool write_unit(const Unit& unit, x64::Entered& entered) override;
  void write_constants() override;
  void write_active_lanes(bool outermost) override;

  // The place of this number, for a broadcast from memory.
  x86::Mem word(uint32_t number);
  x86::Mem number_64(uint64_t number);
  // The place of an op whose registers are cells.
  x86::Mem op_of_cells();
  // The place of these numbers, as words of two vectors.
  x86::Mem words_of(const LaneNumbers& numbers);
  // Values that differ by the same number in all lanes have the same root.
  uint32_t root(uint32_t value) const { return m_roots[value]; }
  // The action of the instruction that is written now.
  const Action& now() const { return *m_now; }

  // Loads vector `part` of a value that is not in registers: it is computed from its row, or read from the
  // frame.
  void load_again(const Instruction& maker, uint32_t part, x86::Zmm to);
  // Spreads the first lanes of the rows over a vector, and adds (or subtracts) each lane's difference to its
  // row's first lane. Overwrites scratch2.
  void add_steps(Id add, x86::Zmm to, int64_t step, RowShape rows, uint32_t element_bytes, uint32_t part);
  template <class FirstOfRow>
  void spread_firsts(x86::Zmm to, RowShape rows, uint32_t element_bytes, uint32_t part,
                     FirstOfRow first_of_row) {
    const uint32_t vector_lanes = static_cast<uint32_t>(vector_bytes) / element_bytes,
                   row = part * vector_lanes / rows.lanes;
    assembler.emit(element_bytes == 8 ? Inst::kIdVpbroadcastq : Inst::kIdVpbroadcastd, to, first_of_row(row));
    if (rows.lanes >= vector_lanes || rows.alike) return;
    assembler.vpbroadcastd(scratch2.ymm(), first_of_row(row + 1));
    assembler.vinserti64x4(to, to, scratch2.ymm(), 1);
  }
  void load_mask_again(const Instruction& maker, const x86::KReg& to);
  // Stores to, and loads from, a place on the stack.
  void load_place(const Instruction& maker, const Registers& to, uint32_t place);
  void spill(const Instruction& maker, const Registers& from, uint32_t place);
  void load(const Instruction& maker, const Registers& to, std::optional<uint32_t> place);
  // Inactive lanes keep their value.
  void store(uint32_t slot, Type type, uint32_t part, x86::Zmm from);

 private:
  void find_roots(const Unit& unit);
  void put(const Put& put, const Location* from);
  x86::Zmm canonical(x86::Zmm from);
  void write_put(const Action& action);
  void repeat(const Action& action);
  // Does all moves as if at once: no register or place is read after it was overwritten.
  void move_all(const std::vector<std::pair<Location, Location>>& moves);
  void write_action(const Action& action, const Unit& unit);

  const Action* m_now = nullptr;
  std::deque<RegisterPlan> m_plans;  // of units; the cold paths refer to them
  std::vector<uint32_t> m_roots;     // by value
  asmjit::Label m_round;             // where a round of the unit's loop starts
  std::map<uint32_t, asmjit::Label> m_words;
  std::map<uint64_t, asmjit::Label> m_numbers_64;
  std::optional<asmjit::Label> m_op_of_cells;
  std::map<LaneNumbers, asmjit::Label> m_lane_numbers;
};

// The number of vectors of a type, also for values that are the same in all lanes.
inline uint32_t parts_of(Type type) { return warp_registers_of(type); }
// The number of different registers of a value.
inline uint32_t different_parts(const Instruction& maker) {
  return is_uniform(maker) ? 1 : parts_of(result_of(maker));
}
constexpr int32_t offset_of_place(uint32_t place, uint32_t part) {
  return places_at + place_bytes * static_cast<int32_t>(place) + vector_bytes * static_cast<int32_t>(part);
}
inline x86::Mem at_place(uint32_t place, uint32_t part) {
  return x86::ptr(x86::rsp, offset_of_place(place, part));
}
inline x86::Mem word_at_place(uint32_t place) { return x86::ptr(x86::rsp, offset_of_place(place, 0), 4); }

// Compares a with b in 16 lanes, or in eight of 64 bits.
void compare_part(WarpCode& code, Opcode setp, Condition condition, x86::Zmm a, x86::Zmm b, x86::KReg to);
// Whether the code for a lane's result may write it to where a source is.
bool reuses_source(const Instruction& i, size_t source);
// Computes the lane that each lane of half a warp reads, if a register names it. `inside` becomes the mask of
// the lanes whose source lies in their segment. Overwrites scratch0.
void find_source_lanes(WarpCode& code, uint64_t shuffle, uint32_t part, x86::Zmm to, x86::Zmm by,
                       const x86::KReg& inside);
void compute_lanes(WarpCode& code, const Instruction& i, const Action& action);

}  // namespace warplens::exec::jit::avx512
