// What all parts of the AVX2 target share: the vector registers and their use, its part of the stack, and
// constant vectors after the code.
//
// A warp is computed in four strips of eight lanes: a value of 32 bits is one vector register of a strip, one
// of 64 bits two, and a predicate is a vector of all ones and zeros. Rows (Instruction::step) are one number
// on the stack.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/gpu/exec/jit/alloc/alloc.h"
#include "core/gpu/exec/jit/target/x64/code.h"

namespace warplens::exec::jit::avx2 {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;
using x64::Assembler;
using x64::Id;
using x64::of_frame;
using x64::of_warp;

constexpr uint32_t strips = 4, strip_lanes = 8;
constexpr int32_t vector_bytes = 32;
// The registers for values; the rest are scratch registers.
constexpr uint32_t lane_registers = 13;
inline x86::Ymm lanes(uint32_t number) { return x86::Ymm(number); }
constexpr x86::Ymm scratch0 = x86::ymm13, scratch1 = x86::ymm14, scratch2 = x86::ymm15;

// Predicates of a region, while its strips add their lanes to them. Others are on the stack.
constexpr x86::Gp predicate_registers[] = {x86::r8d, x86::r9d, x86::r10d, x86::r11d};

// On the stack: predicates of a region, and spilled values of a strip.
constexpr uint32_t most_predicates = 32, most_places = 192;
constexpr int32_t predicates_at = x64::lanes_at, places_at = predicates_at + 8 * most_predicates;
constexpr int32_t lane_bytes =
    places_at - x64::lanes_at + 2 * vector_bytes * static_cast<int32_t>(most_places);

class LaneCode : public x64::Code {
 public:
  explicit LaneCode(const CompileRequest& request) : Code(request, lane_bytes, scratch0) {}

  x86::Mem vector(const std::array<uint32_t, 8>& numbers);
  // A vector with this number eight times.
  x86::Mem filled(uint32_t number);
  // The same with four numbers of 64 bits.
  x86::Mem filled_64(uint64_t number);
  // A vector with the bit of each lane of a strip in a predicate.
  x86::Mem bits_of_strip(uint32_t strip);
  // The order for VPERMD after two packings of groups of four bytes.
  x86::Mem groups_in_order() { return vector({0, 4, 1, 5, 2, 6, 3, 7}); }
  // These bytes of the frame have other values now. Shapes are known of registers of the frame.
  void forget_shapes_of(uint32_t slot, uint32_t bytes);

  // Wherever a handler may take over, the lanes are in the frame.
  std::function<void()> state_writer(const Instruction& i) override;
  Keeper keeper(const Instruction&) override {
    return {[] {}, [] {}};
  }
  std::optional<uint32_t> register_of(uint32_t value) override { return maker(value).slot; }
  void load_predicate(const Instruction& branch) override { assembler.mov(x86::eax, of_frame(branch.slot)); }
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
  void write_shuffle(const Instruction& i);
  void write_shuffle_by(const Instruction& i);
  void write_match_any(const Instruction& i);

 private:
  x86::Mem vector_of_strip(const std::array<uint8_t, 32>& numbers, uint32_t strip);
  // Computes the lane that each lane of a strip reads, from the lane number in `to`. scratch1 becomes the
  // mask of the lanes whose source is out of their segment. Overwrites scratch0.
  void find_source_lanes(uint64_t shuffle, uint32_t strip, x86::Ymm lanes);

  std::map<std::array<uint32_t, 8>, asmjit::Label> m_vectors;
};

// Loads the lanes of a row in a strip, from its first lane or from the frame. The registers are scratch or
// the value's.
void load_row(LaneCode& code, const Instruction& maker, const Registers& to, uint32_t strip);
// Loads a source from a row or from the frame.
void load_source(LaneCode& code, const Instruction& maker, const Registers& to, uint32_t strip);
// Compares a with b in a strip; the result is a vector of ones and zeros. a and b keep their values.
void compare_lanes(LaneCode& code, Opcode setp, Condition condition, const Registers& a, const Registers& b,
                   x86::Ymm to);
// Computes the instruction's lanes of a strip.
void compute_lanes(LaneCode& code, const Instruction& i, const Action& action);
// Computes the lanes of a region, strip by strip. False if it needs more stack than there is.
bool compute_region(LaneCode& code, std::span<const Instruction> region);

}  // namespace warplens::exec::jit::avx2
