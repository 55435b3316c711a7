// What is known while a few basic blocks of a program are compiled.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/runtime/learn.h"
#include "core/gpu/exec/jit/runtime/lookers.h"
#include "core/gpu/exec/jit/runtime/target.h"
#include "core/gpu/exec/state/program.h"
#include "core/gpu/exec/tier/lane_registers.h"
#include "core/program/program.h"

namespace warplens::exec::tier {

using jit::run_and_catch;
using jit::run_and_learn_shape;

struct Piece {
  Piece(const program::Program& of, const Op* run, Mode lanes_active, const Lookers& who, bool checks,
        StepsOfShapes& known_steps)
      : program(of), ops(run), mode(lanes_active), lookers(who), code(checks), steps_of_shapes(known_steps) {}
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  const program::Program& program;
  const Op* ops;  // that run: of the program, or of its copy that is traced
  Mode mode;      // of the warps that run the code
  Lookers lookers;
  bool can_permute_bytes = __builtin_cpu_supports("avx512vbmi") != 0;
  Assembler code;
  // Slots with one value in all lanes, and of some the value.
  std::set<uint32_t> uniform;
  std::map<uint32_t, uint64_t> known;
  // Slots that are lines (LaneRegisters) and are only read; nothing of them where lines are not looked for.
  std::map<uint32_t, Line> fixed_lines;
  bool has_lines = mode == all_lanes && !lookers.traced;
  Constants constants{code};
  LaneRegisters lanes{code, constants, mode, uniform, fixed_lines};
  // Goes back to who called the code, with the next op in rax.
  asmjit::Label leave = code.newLabel();
  asmjit::Label leave_at_end = code.newLabel();  // the same, where nobody looks at the frame any more
  asmjit::Label exit = code.newLabel();          // the warp has come to its end
  asmjit::Label not_a_number = code.newLabel();  // 0x7fffffff
  std::vector<std::function<void()>> beside;     // writes code that is seldom run

  // Behind the op that is translated: how many were translated with it.
  uint32_t further_ops = 0;

  // Of which roots (LaneRegisters::Held) the shape is known that an access has found, and where on the stack
  // its address is.
  std::map<uint32_t, uint32_t> shapes_of_roots;
  // Which steps from lane to lane have a place on the stack for the shape that has been seen to be so. What
  // is there holds from warp to warp, until a handler runs.
  StepsOfShapes& steps_of_shapes;
  std::optional<uint32_t> place_of_step(int64_t step, uint32_t lane_bytes);
  void forget_steps_of_shapes();

  const program::Selector& selector(const Op& op) const;
  bool has_selector(const Op& op) const;
  size_t index_of(const Op& op) const { return static_cast<size_t>(&op - program.ops.data()); }

  // Slots that hold one value in all lanes of a warp or grow from lane to lane, and what follows from them in
  // the prologue.
  void find_uniform();

  // rax: what it returned. The vector registers are lost, and the frame has to have everything.
  // may_throw: also where nobody but the program's own ops look.
  void call_handler(const Op& op, Handler handler, bool may_throw = false);
  void call_handler_at(const Op* op, Handler handler, bool may_throw);
  // Before others than the code look at the frames. rax stays.
  void complete_frames();
  // The same of an access that was noted as made (TraceCode); its handler says whether it is.
  void call_beside(const Op& op, Handler handler);
  // lower_lanes and upper_lanes, where some lanes are active.
  void find_active_lanes();
  // From a register of 32 bits, which is lost, as is esi. The bits of lanes that are not active stay.
  void write_predicate(uint32_t slot, x86::Gp from);
  void forget_shapes() { shapes_of_roots.clear(); }
  bool is_forgotten(const Op& op) const { return (op.flags & program::flag_forgotten) != 0; }
};

// The result of an op is in these registers. root: LaneRegisters::Held::root, where it is one that others
// have.
void finish_lanes(Piece& piece, const Op& op, uint32_t bytes, const Lanes& lanes,
                  std::optional<uint32_t> root = {});

// A NaN of f32 becomes the one that a GPU makes.
void canonicalise(Piece& piece, x86::Zmm value);

// How VPCMPD, VPCMPQ and the like call a comparison.
std::optional<int> integer_comparison(ptx::Modifier compare);
Id comparison(bool is_signed, bool wide);
// Whether write_predicates() knows the operation that takes in a third predicate.
bool can_combine(const program::Selector& s);
// What was compared, in k1 to k4, to eax: a bit a lane.
void collect_lanes(Assembler& code, bool wide);
// p from what was compared, which is in eax, and q from the opposite of it.
void write_predicates(Piece& piece, const Op& op, const program::Selector& s);

// Code for an op whose sources are lines, and its result too. False: as below.
bool translate_line(Piece& piece, const Op& op);
// Code for an op of lanes or of predicates. False: none is known, and nothing was written.
bool translate_lanes(Piece& piece, const Op& op);
bool translate_float(Piece& piece, const Op& op);
bool translate_compare(Piece& piece, const Op& op);
bool translate_convert(Piece& piece, const Op& op);
// For a load or store of global or shared memory.
bool translate_access(Piece& piece, const Op& op);
// Whether the above knows it.
bool knows_access(const Piece& piece, const Op& op);

}  // namespace warplens::exec::tier
