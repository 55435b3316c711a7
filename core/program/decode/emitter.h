// One function of a program on its way from tree to ops: the slots of its operands, and the ops made so far.
// It knows no instruction; the families of instructions are functions that are given one (families.h).
// Private to core/program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/program/call_graph.h"
#include "core/program/decode/modifiers.h"
#include "core/program/frame.h"
#include "core/program/layout.h"
#include "core/program/program.h"

namespace warplens::program {

// A register of the function.
struct DecodedRegister {
  static constexpr uint32_t never = 0xffffffff;
  uint32_t slot = 0;
  uint32_t alias = no_slot;     // the slot that it is another name of
  uint32_t definitions = 0;     // instructions that write it
  uint32_t first_read = never;  // the first instruction of the text that reads it
  bool is_constant = false;     // holds the same value in every block of the launch
};

bool changes_while_running(SpecialRegister special);
uint64_t truncated(uint64_t bits, uint32_t width);

class Emitter {
 public:
  // Gives the function's registers their slots in the frame.
  Emitter(Program& program, uint32_t place, const CallGraph& graph, const Layout& layout, Frame& frame,
          const OpsTable& table);

  // What is decoded.
  Program& program() { return m_program; }
  const Program& program() const { return m_program; }
  const ptx::Module& module() const { return *m_program.module; }
  const ptx::Function& function() const { return m_function; }
  FunctionCode& code() { return m_code; }
  const FunctionCode& code() const { return m_code; }
  uint32_t place() const { return m_place; }  // in Program::functions
  const CallGraph& graph() const { return m_graph; }
  const Layout& layout() const { return m_layout; }
  const OpsTable& table() const { return m_table; }
  const ControlFlow& flow() const { return m_flow; }
  std::span<const Operand> operands(const Instruction& i) const { return m_function.operands_of(i); }
  std::span<const Operand> children(const Operand& o) const { return m_function.children_of(o); }
  std::span<const Modifier> modifiers(const Instruction& i) const { return m_function.modifiers_of(i); }
  // Registers that are read from the start of each block on; empty: unknown.
  const std::vector<std::vector<uint64_t>>& live_at_start();

  void refuse(const Instruction& instruction, std::string why);
  void refuse(const Instruction& instruction);
  const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }

  // Slots of the frame.
  uint32_t lanes(uint32_t bits) { return m_frame.lanes(bits); }
  uint32_t adjacent(uint32_t count, uint32_t bits);  // the first of so many, side by side
  uint32_t constant(uint64_t bits, uint32_t width) { return m_frame.constant(m_program, bits, width); }
  uint32_t parameter(uint32_t offset, Modifier type, uint32_t bits) {
    return m_frame.parameter(m_program, offset, type, bits);
  }
  // Where .cc leaves the carry, and addc finds it.
  uint32_t carry_slot();
  const DecodedRegister& register_at(uint32_t r) const { return m_registers[r]; }
  // Of .param variables of the function: their rows (passed.h).
  std::vector<uint32_t>& variable_slots() { return m_variable_slots; }
  const std::vector<uint32_t>& variable_slots() const { return m_variable_slots; }
  // A call writes the register, or reads it.
  void note_passed(uint32_t r) { ++m_registers[r].definitions; }

  // Slots of operands; no_slot: it is no value. Some put ops in front, so ask where the ops belong.
  uint32_t source(const Operand& operand, uint32_t bits);
  uint32_t predicate_source(const Operand& operand);  // a predicate register, or a constant one
  uint32_t destination(const Operand& operand) const;
  uint32_t component_slot(uint32_t r, uint8_t component) const;
  uint32_t bits_of_register(const Operand& operand) const;  // 0: no register
  // The address of an access: a register and an offset, or a place that is known now. False: cannot be one.
  bool set_address(Op& op, const Operand& address, Modifier space);
  bool is_launch_constant(const Operand& operand) const;
  // The predicate that a comparison combines its result with, which may be negated.
  void set_predicate(Op& op, const Operand& operand);

  // Ops. Those of instruction `index` follow.
  void begin_instruction(uint32_t index) { m_current = index; }
  size_t next_op() const { return m_program.ops.size(); }
  Handlers routine(Routine name) const { return m_table.both(name); }
  Op& append(uint32_t index, Op op);
  // With the handlers of its family. False: there are none.
  bool emit(uint32_t index, const Selector& s, Op op);
  bool copy(uint32_t index, uint32_t bits, uint32_t d, uint32_t a);
  // A conversion between the natural registers of two types.
  bool convert(uint32_t index, Modifier to, Modifier from, uint32_t d, uint32_t a);
  // Puts what follows behind the instruction's guard; finish_guard says where it ends.
  size_t begin_guard(uint32_t index, const Instruction& instruction);
  void finish_guard(size_t guard);
  void append_guarded(uint32_t index, const Instruction& instruction, const Op& op);
  bool emit_guarded(uint32_t index, const Instruction& instruction, const Selector& s, const Op& op);
  // The next op runs in this rounding mode, a value of fesetround.
  void append_rounding(uint32_t index, int mode);
  // A counter for the instruction.
  uint32_t counted(uint32_t index, CountedOp::Kind kind, Space space = Space::global,
                   AccessKind access = AccessKind::load);
  // The first of an access's counters. A generic one has three, one behind the other: for what ends in
  // global, shared and local memory.
  uint32_t count_access(uint32_t index, Modifier space, AccessKind access);

  // What is the same in every block of the launch.
  // A register that is written once, without a guard, from launch constants alone: its ops, from `first_op`
  // on, move to the prologue.
  void hoist_if_constant(size_t first_op, const Instruction& instruction, const Operand& result,
                         std::span<const Operand> sources);
  // True where the destination became another name of the slot.
  bool rename(const Instruction& instruction, const Operand& result, uint32_t slot, bool launch_constant);

 private:
  void give_registers_slots();
  void count_definitions();
  uint32_t special(const Operand& operand, uint32_t bits);
  uint32_t clock(SpecialRegister which);
  bool is_on_stack(const Operand& symbol) const;
  uint64_t window_of(const Operand& symbol) const;
  uint32_t stack_address(const Operand& symbol, uint32_t bits);

  Program& m_program;
  const ptx::Function& m_function;
  FunctionCode& m_code;
  uint32_t m_place;
  const CallGraph& m_graph;
  const Layout& m_layout;
  Frame& m_frame;  // of the whole program
  const OpsTable& m_table;
  ControlFlow m_flow;
  std::vector<DecodedRegister> m_registers;
  std::vector<uint32_t> m_variable_slots;
  std::optional<std::vector<std::vector<uint64_t>>> m_live;  // where it was asked for
  uint32_t m_current = 0;
  uint32_t m_carry = no_slot;
  std::vector<Diagnostic> m_diagnostics;
};

}  // namespace warplens::program
