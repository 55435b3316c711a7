// What all targets of x86-64 share: the assembler, the registers that hold addresses, the code's stack, the
// calls of handlers, and the entries and exits. A target adds where lanes are while they are computed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/ir/ir.h"
#include "core/gpu/exec/jit/lower/divergent.h"
#include "core/gpu/exec/jit/passes/passes.h"
#include "core/gpu/exec/jit/runtime/learn.h"
#include "core/gpu/exec/jit/runtime/observers.h"
#include "core/gpu/exec/jit/runtime/target.h"
#include "core/gpu/exec/jit/target/x64/assembler.h"
#include "core/gpu/exec/jit/target/x64/constants.h"
#include "core/gpu/exec/jit/target/x64/layout.h"

namespace warplens::exec::jit::x64 {

// How VCMPPS calls a comparison, quiet ones (Intel SDM).
int float_comparison(Condition condition);

constexpr x86::Gp warp_register = x86::rbx, frame_register = x86::r12, counters_register = x86::r13,
                  block_register = x86::r14, counts_register = x86::r15, steps_register = x86::rbp;

// The stack from rsp on: rows, shapes that accesses have found, and from `lanes_at` on the target's part.
constexpr uint32_t most_shapes = 16, most_steps = 8, most_groups = 16;
constexpr int32_t shapes_at = 8 * most_rows, steps_at = shapes_at + 8 * most_shapes,
                  masks_at = steps_at + 8 * most_steps, groups_at = masks_at + 8 * most_divergent,
                  lanes_at = groups_at + 24 * most_groups;
// For branches whose sides follow one after the other: the lanes that take it, and those that were active.
inline x86::Mem taken_lanes(uint64_t depth) {
  return x86::ptr(x86::rsp, masks_at + 8 * static_cast<int32_t>(depth), 4);
}
inline x86::Mem outer_lanes(uint64_t depth) {
  return x86::ptr(x86::rsp, masks_at + 8 * static_cast<int32_t>(depth) + 4, 4);
}

inline x86::Mem of_warp(int32_t member) { return x86::ptr(warp_register, member); }
inline x86::Mem of_block(int32_t member) { return x86::ptr(block_register, member); }
inline x86::Mem of_frame(uint32_t slot, uint32_t byte = 0, uint32_t size = 0) {
  return x86::ptr(frame_register, static_cast<int32_t>(slot + byte), size);
}

// A member of a group of accesses in the code.
struct GroupUse {
  const GroupedAccesses* accesses = nullptr;
  uint32_t member = 0;
  uint32_t number = 0;  // of the group's places on the stack

  // Where the register's first lane is on the host: for lanes in rows, or for halves that are at one place
  // each. 0: the group's check has failed, or the lanes lie in the other way.
  x86::Mem first(bool in_equal_halves = false) const { return word(in_equal_halves ? 1 : 0); }
  x86::Mem shape() const { return word(2); }
  bool may_be_halves() const { return accesses->lanes == GroupedAccesses::Lanes::rows_or_halves; }

 private:
  x86::Mem word(uint32_t at) const {
    return x86::ptr(x86::rsp, groups_at + 24 * static_cast<int32_t>(number) + 8 * static_cast<int32_t>(at),
                    8);
  }
};

using Entered = std::vector<std::pair<uint32_t, asmjit::Label>>;

class Code {
 public:
  // lane_bytes: of the stack, for the target; a multiple of 16. scratch: a vector register that is free
  // wherever handlers are called and accesses are counted.
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
  asmjit::Label leave = assembler.newLabel();         // returns with the next op in rax
  asmjit::Label leave_at_end = assembler.newLabel();  // the same, if the frame is not read any more
  asmjit::Label exit = assembler.newLabel();          // the warp has ended
  std::map<uint32_t, asmjit::Label> labels;           // of units, by their first op
  std::map<uint32_t, asmjit::Label> divergent;        // of units where lanes part, by the branch
  std::vector<std::function<void()>> cold_paths;      // writes code that is seldom run

  // State of the unit that is compiled.
  std::vector<const Instruction*> makers;   // by value
  std::map<uint32_t, uint32_t> row_places;  // by value
  uint32_t places_of_rows = 0;              // that they take
  // For addresses whose shape an access has found: the shape's place on the stack. The target defines the
  // key.
  std::map<uint32_t, uint32_t> known_shapes;
  // The row whose only first lane, or the predicate whose word, is still in rax, if one is.
  uint32_t row_in_rax = no_value;
  // How many branches the instruction is a side of whose lanes have diverged in code of whole warps.
  uint32_t depth = 0;
  std::map<const Instruction*, GroupUse> groups;  // of the unit's accesses
  std::vector<GroupUse> counted;                  // the next members of groups that have begun

  void begin_unit(const Unit& unit);
  // Whether lanes that are not active need not keep what they have, but for those of branches that are
  // followed.
  bool is_whole() const { return asked.mode == program::all_lanes; }
  bool has_all_lanes() const { return is_whole() && !asked.live && depth == 0; }
  const asmjit::Label& label_of(const Unit& unit) const {
    return (is_divergent(unit) ? divergent : labels).at(unit.start);
  }
  const Instruction& maker(uint32_t value) const { return *makers[value]; }
  bool is_row(uint32_t value) const { return maker(value).step.has_value() || is_fixed(maker(value).opcode); }
  // The first lane of one of the value's rows, or the word of a predicate.
  x86::Mem row(uint32_t value, uint32_t number = 0);

  void load_op(x86::Gp to, uint32_t at) { assembler.mov(to, asmjit::imm(asked.ops + at)); }
  // Continues with the op. Overwrites rcx and rax.
  void go_to(uint32_t at);
  void signal(Signal what);
  // The lanes part at this branch, or the signal is set that they meet or exit. Goes on with the path that
  // runs next.
  void part_lanes(uint32_t branch);
  void change_path(Signal what);
  // Writes a predicate from a register of 32 bits. Overwrites that register and esi. Bits of inactive lanes
  // stay.
  void write_predicate(uint32_t slot, x86::Gp from);
  // Its result is in rax. The vector registers are overwritten; rows on the stack stay.
  void call_handler(const Op* op, Handler handler);
  // The place on the stack for the shape that was found to have this step from lane to lane. It stays valid
  // from warp to warp, until a handler runs. Empty if there is no room.
  std::optional<x86::Mem> place_of_step(const StepOfShape& step);
  // The place for the shape of addresses, and whether the shape is known already. Empty if there is no room.
  std::optional<std::pair<x86::Mem, bool>> place_of_shape(uint32_t key);
  // Must run before a handler reads the frames. Keeps rax.
  void complete_frames();
  void write_way_in();
  void write_way_out();
  void write_exit();
  // Where the warp waits for the others of its block.
  void write_barrier(uint32_t at);
  x86::Ymm scratch() const { return m_scratch; }

  // Writes the registers of the frame that `i.state` names, on the cold path. Their current location is found
  // at this point.
  virtual std::function<void()> state_writer(const Instruction& i) = 0;
  void put_state(const Instruction& i) { state_writer(i)(); }
  // The register of the frame that accesses read the lanes of such addresses from, if they do.
  virtual std::optional<uint32_t> register_of(uint32_t value) = 0;
  // Where the code is left, on the cold path: of these groups the members from these on were not executed.
  // Overwrites all but the registers that code keeps.
  void take_back(const std::vector<GroupUse>& uses);
  // Saves, on the cold path, the lanes that are in registers now and are used after `i`, and restores them
  // afterwards.
  struct Keeper {
    std::function<void()> save, restore;
  };
  virtual Keeper keeper(const Instruction& i) = 0;
  // Loads into eax the lanes for which a branch's predicate is true.
  virtual void load_predicate(const Instruction& branch) = 0;
  // Loads into eax the lanes for which a comparison of two rows is true.
  virtual void compare_rows(const Instruction& setp) = 0;
  // Jumps to `others` if some lane of the value is not 0xffffffff. The value is no row.
  virtual void check_whole(const Instruction& i, const asmjit::Label& others) = 0;
  // Sets eax to the lanes of a vote's predicate, which is no row.
  virtual void load_vote(const Instruction& vote) = 0;
  // Sets eax to -1 if all lanes of the source are the same, else to 0.
  virtual void compare_all(const Instruction& match) = 0;
  // Sets eax to the lanes of a shuffle whose source lies in their segment.
  virtual void find_inside(const Instruction& inside) = 0;
  // Reduces the source to eight lanes by the operation, which exists for vectors of any width.
  struct Folded {
    x86::Ymm lanes, free;
  };
  virtual Folded fold(const Instruction& redux, Id operation) = 0;
  virtual void write_access(const Instruction& i) = 0;
  // False if the unit needs more stack than there is.
  virtual bool write_unit(const Unit& unit, Entered& entered) = 0;
  // Writes the constants, after all code.
  virtual void write_constants() { steps.write(); }
  // Writes Warp::lanes by the mask in eax. `outermost`: all lanes are active that were before the first
  // branch.
  virtual void write_active_lanes(bool outermost) = 0;

 private:
  // Called after a handler, which may learn another shape at the place of this one.
  void forget_shapes();
  void clear_shapes();
  static x86::Mem chain(int32_t member) { return of_block(WARPLENS_OFFSET(BlockContext, chain) + member); }
  void end_turn();
  void begin_turn();
  void go_on_with_path(uint64_t function);

  int32_t m_stack_bytes;
  x86::Ymm m_scratch;
};

// Finds the accesses whose addresses one check covers (Code::groups).
void find_groups(Code& code, const Unit& unit);
// Computes the first lane, or the word, of a row.
void compute_row(Code& code, const Instruction& i);
void write_note(Code& code, const Instruction& i);
// Makes one word from all lanes.
void write_gathering(Code& code, const Instruction& i);
// Writes an instruction of the whole warp.
void write_warp(Code& code, const Unit& unit, const Instruction& i);

// Compiles units. Those that need too much stack are left to the handlers.
Made compile(std::vector<Unit> units, const std::function<std::unique_ptr<Code>()>& make_code);

}  // namespace warplens::exec::jit::x64
