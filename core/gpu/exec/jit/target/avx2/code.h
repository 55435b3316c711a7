// What all of the AVX2 target writes with: the assembler, the registers of the processor and what they are
// for, the frame of the code on the stack, and vectors of numbers behind the code.
//
// A warp is computed in four strips of eight lanes: a value of 32 bits is one vector register of a strip, one
// of 64 bits two, and a predicate is a vector of all ones and zeros. Rows (Instruction::step) are one number
// on the stack.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/alloc/alloc.h"
#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/passes/passes.h"
#include "core/gpu/exec/jit/runtime/learn.h"
#include "core/gpu/exec/jit/runtime/lookers.h"
#include "core/gpu/exec/jit/runtime/target.h"
#include "core/gpu/exec/tier/assembler.h"
#include "core/gpu/exec/tier/constants.h"
#include "core/gpu/exec/tier/layout.h"

namespace warplens::exec::jit::avx2 {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;
using tier::Assembler;
using tier::Id;
using tier::state_bytes;

constexpr uint32_t strips = 4, strip_lanes = 8;
constexpr int32_t vector_bytes = 32;
// Given to values; the rest is for what is short-lived.
constexpr uint32_t lane_registers = 13;
inline x86::Ymm lanes(uint32_t number) { return x86::Ymm(number); }
constexpr x86::Ymm scratch0 = x86::ymm13, scratch1 = x86::ymm14, scratch2 = x86::ymm15;

constexpr x86::Gp warp_register = x86::rbx, frame_register = x86::r12, counters_register = x86::r13,
                  block_register = x86::r14, counts_register = x86::r15, steps_register = x86::rbp;
// Predicates of a region, while its strips add their lanes to them. Others are on the stack.
constexpr x86::Gp predicate_registers[] = {x86::r8d, x86::r9d, x86::r10d, x86::r11d};

// From rsp on: rows, predicates of a region, shapes that accesses have found, spilled values of a strip.
constexpr uint32_t most_predicates = 32, most_shapes = 16, most_steps = 8, most_places = 192;
constexpr int32_t predicates_at = 8 * most_rows, shapes_at = predicates_at + 8 * most_predicates,
                  steps_at = shapes_at + 8 * most_shapes, places_at = steps_at + 8 * most_steps;
constexpr int32_t stack_bytes = places_at + 2 * vector_bytes * static_cast<int32_t>(most_places) + 8;

inline x86::Mem of_warp(int32_t member) { return x86::ptr(warp_register, member); }
inline x86::Mem of_block(int32_t member) { return x86::ptr(block_register, member); }
inline x86::Mem of_frame(uint32_t slot, uint32_t byte = 0, uint32_t size = 0) {
  return x86::ptr(frame_register, static_cast<int32_t>(slot + byte), size);
}

class Code {
 public:
  Code(const CompileRequest& request, bool checks) : assembler(checks), asked(request) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  Assembler assembler;
  const CompileRequest& asked;
  tier::Constants steps{assembler};
  asmjit::Label leave = assembler.newLabel();         // goes back with the next op in rax
  asmjit::Label leave_at_end = assembler.newLabel();  // the same, where nobody looks at the frame any more
  asmjit::Label exit = assembler.newLabel();          // the warp has come to its end
  std::map<uint32_t, asmjit::Label> labels;           // of units, by their first op
  std::vector<std::function<void()>> beside;          // writes code that is seldom run

  // Of the unit that is compiled.
  std::vector<const Instruction*> makers;   // by value
  std::map<uint32_t, uint32_t> row_places;  // by value
  // Registers with addresses whose shape an access has found: where on the stack that is.
  std::map<uint32_t, uint32_t> shapes_of_slots;

  bool is_whole() const { return asked.mode == program::all_lanes; }
  const Instruction& maker(uint32_t value) const { return *makers[value]; }
  bool is_row(uint32_t value) const { return maker(value).step.has_value() || is_fixed(maker(value).opcode); }
  // The first lane of a row, or the word of a predicate that is one.
  x86::Mem row(uint32_t value);
  x86::Mem vector(const std::array<uint32_t, 8>& numbers);
  // Eight times this number.
  x86::Mem filled(uint32_t number);
  // The lanes' bits of a strip in a predicate, one in each lane.
  x86::Mem bits_of_strip(uint32_t strip);
  // For VPERMD: groups of four bytes, as two packings have left them.
  x86::Mem groups_in_order() { return vector({0, 4, 1, 5, 2, 6, 3, 7}); }
  void write_constants();

  void load_op(x86::Gp to, uint32_t at) { assembler.mov(to, asmjit::imm(asked.ops + at)); }
  // Goes on with the op. rcx and rax are lost.
  void go_to(uint32_t at);
  void signal(Signal what);
  // From a register of 32 bits, which is lost, as is esi. The bits of lanes that are not active stay.
  void write_predicate(uint32_t slot, x86::Gp from);
  // rax: what it returned. The vector registers are lost; rows on the stack stay.
  void call_handler(const Op* op, Handler handler);
  // Which steps from lane to lane have a place on the stack for the shape that has been seen to be so. What
  // is there holds from warp to warp, until a handler runs. Nothing: there is no room.
  std::optional<x86::Mem> place_of_step(int64_t step, uint32_t lane_bytes);
  // For a register of addresses, and whether the shape is known already.
  std::optional<std::pair<x86::Mem, bool>> place_of_slot(uint32_t slot);
  // These bytes of the frame have other values now.
  void forget_shapes_of(uint32_t slot, uint32_t bytes);
  // A handler may learn another shape, which comes to lie where this one was.
  void forget_shapes();
  // Before others than the code look at the frames. rax stays.
  void complete_frames();
  void write_way_in();
  void write_way_out();
  void write_exit();

 private:
  std::map<std::array<uint32_t, 8>, asmjit::Label> m_vectors;
};

// What a value's lanes are in a strip: of a row, from its first lane. The registers are scratch or the
// value's.
void load_row(Code& code, const Instruction& maker, const Registers& to, uint32_t strip);
// Writes the lanes of a row to the frame, or the word of a predicate.
void put_row(Code& code, const Put& put);
void put_state(Code& code, const std::vector<Put>& state);

// a compared with b in a strip; the result is a vector of ones and zeros. a and b stay.
void compare_lanes(Code& code, Opcode setp, Condition condition, const Registers& a, const Registers& b,
                   x86::Ymm to);
// Computes the instruction's lanes of a strip.
void compute_lanes(Code& code, const Instruction& i, const Action& action);
// The first lane, or the word, of a row.
void compute_row(Code& code, const Instruction& i);
// The lanes of a region, strip by strip.
bool compute_region(Code& code, std::span<const Instruction> region);

void write_access(Code& code, const Instruction& i);

}  // namespace warplens::exec::jit::avx2
