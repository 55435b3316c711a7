// What all targets of x86-64 write with: the assembler, the registers that hold addresses, the stack of the
// code, how it calls handlers, and its ways in and out. A target adds where lanes are while they are
// computed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/passes/passes.h"
#include "core/gpu/exec/jit/runtime/learn.h"
#include "core/gpu/exec/jit/runtime/lookers.h"
#include "core/gpu/exec/jit/runtime/target.h"
#include "core/gpu/exec/jit/target/x64/assembler.h"
#include "core/gpu/exec/jit/target/x64/constants.h"
#include "core/gpu/exec/jit/target/x64/layout.h"

namespace warplens::exec::jit::x64 {

constexpr x86::Gp warp_register = x86::rbx, frame_register = x86::r12, counters_register = x86::r13,
                  block_register = x86::r14, counts_register = x86::r15, steps_register = x86::rbp;

// From rsp on: rows, shapes that accesses have found, and from `lanes_at` on what the target has.
constexpr uint32_t most_shapes = 16, most_steps = 8;
constexpr int32_t shapes_at = 8 * most_rows, steps_at = shapes_at + 8 * most_shapes,
                  lanes_at = steps_at + 8 * most_steps;

inline x86::Mem of_warp(int32_t member) { return x86::ptr(warp_register, member); }
inline x86::Mem of_block(int32_t member) { return x86::ptr(block_register, member); }
inline x86::Mem of_frame(uint32_t slot, uint32_t byte = 0, uint32_t size = 0) {
  return x86::ptr(frame_register, static_cast<int32_t>(slot + byte), size);
}

using Entered = std::vector<std::pair<uint32_t, asmjit::Label>>;

class Code {
 public:
  // lane_bytes: of the stack, for the target; a multiple of 16. scratch: a vector register that is free
  // wherever handlers are called.
  Code(const CompileRequest& request, int32_t lane_bytes, x86::Ymm scratch)
      : assembler(request.checks),
        asked(request),
        m_stack_bytes(lanes_at + lane_bytes + 8),
        m_scratch(scratch) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  virtual ~Code() = default;

  Assembler assembler;
  const CompileRequest& asked;
  Constants steps{assembler};
  asmjit::Label leave = assembler.newLabel();         // goes back with the next op in rax
  asmjit::Label leave_at_end = assembler.newLabel();  // the same, where nobody looks at the frame any more
  asmjit::Label exit = assembler.newLabel();          // the warp has come to its end
  std::map<uint32_t, asmjit::Label> labels;           // of units, by their first op
  std::vector<std::function<void()>> beside;          // writes code that is seldom run

  // Of the unit that is compiled.
  std::vector<const Instruction*> makers;   // by value
  std::map<uint32_t, uint32_t> row_places;  // by value
  uint32_t places_of_rows = 0;              // that they take
  // Addresses whose shape an access has found: where on the stack that is. The target says what the key is.
  std::map<uint32_t, uint32_t> known_shapes;

  void begin_unit(const Unit& unit);
  bool is_whole() const { return asked.mode == program::all_lanes; }
  const Instruction& maker(uint32_t value) const { return *makers[value]; }
  bool is_row(uint32_t value) const { return maker(value).step.has_value() || is_fixed(maker(value).opcode); }
  // The first lane of one of the value's rows, or the word of a predicate.
  x86::Mem row(uint32_t value, uint32_t number = 0);

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
  std::optional<x86::Mem> place_of_step(const StepOfShape& step);
  // For addresses, and whether their shape is known already.
  std::optional<std::pair<x86::Mem, bool>> place_of_shape(uint32_t key);
  // Before others than the code look at the frames. rax stays.
  void complete_frames();
  void write_way_in();
  void write_way_out();
  void write_exit();

  // Writes what the registers of the frame have that `i.state` names, beside the usual way: it finds the
  // lanes where they are now.
  virtual std::function<void()> state_writer(const Instruction& i) = 0;
  void put_state(const Instruction& i) { state_writer(i)(); }
  // Puts aside, beside the usual way, the lanes that are in registers now and are used behind `i`; and the
  // way back.
  struct Keeper {
    std::function<void()> save, restore;
  };
  virtual Keeper keeper(const Instruction& i) = 0;
  // eax: the lanes for which a branch's predicate holds.
  virtual void load_predicate(const Instruction& branch) = 0;
  // eax: the lanes of a comparison of two rows.
  virtual void compare_rows(const Instruction& setp) = 0;
  // Goes there where some lane of it is not 0xffffffff. The value is no row.
  virtual void check_whole(const Instruction& i, const asmjit::Label& others) = 0;
  virtual void write_access(const Instruction& i) = 0;
  // False: it needs more of the stack than there is.
  virtual bool write_unit(const Unit& unit, Entered& entered) = 0;
  // Behind all code.
  virtual void write_constants() { steps.write(); }
  // At the start, and where a handler has run.
  virtual void find_active_lanes() {}

 private:
  // A handler may learn another shape, which comes to lie where this one was.
  void forget_shapes();

  int32_t m_stack_bytes;
  x86::Ymm m_scratch;
};

// The first lane, or the word, of a row.
void compute_row(Code& code, const Instruction& i);
void write_note(Code& code, const Instruction& i);
// What concerns the warp as a whole.
void write_warp(Code& code, const Unit& unit, const Instruction& i);

// What is too large for the stack is left to the handlers.
Made compile(std::vector<Unit> units, const std::function<std::unique_ptr<Code>()>& make_code);

}  // namespace warplens::exec::jit::x64
