// One function of a program while it is decoded from tree to ops: the slots of its operands, and the ops made
// so far. It does not know any instruction; each family of instructions is a function that takes an Emitter
// (families.h). Private to core/program.
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
  uint32_t alias = no_slot;     // the slot that it shares, if it is only another name of it
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

  // The program that is decoded.
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
  // For each block, the registers that are live at its start; empty if unknown.
  const std::vector<std::vector<uint64_t>>& live_at_start();

  void refuse(const Instruction& instruction, std::string why);
  void refuse(const Instruction& instruction);
  const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }

  // Slots of the frame.
  uint32_t lanes(uint32_t bits) { return m_frame.lanes(bits); }
  uint32_t adjacent(uint32_t count, uint32_t bits);  // the first of `count` adjacent slots
  uint32_t constant(uint64_t bits, uint32_t width) { return m_frame.constant(m_program, bits, width); }
  uint32_t parameter(uint32_t offset, Modifier type, uint32_t bits) {
    return m_frame.parameter(m_program, offset, type, bits);
  }
  // The slot where .cc writes the carry, and addc reads it.
  uint32_t carry_slot();
  const DecodedRegister& register_at(uint32_t r) const { return m_registers[r]; }
  // The rows of the function's .param variables (passed.h).
  std::vector<uint32_t>& variable_slots() { return m_variable_slots; }
  const std::vector<uint32_t>& variable_slots() const { return m_variable_slots; }
  // Notes that a call writes or reads the register.
  void note_passed(uint32_t r) { ++m_registers[r].definitions; }

  // Slots of operands; no_slot if the operand is not a value. Some calls emit ops first, so call them at the
  // place where those ops belong.
  uint32_t source(const Operand& operand, uint32_t bits);
  uint32_t predicate_source(const Operand& operand);  // a predicate register, or a constant one
  uint32_t destination(const Operand& operand) const;
  uint32_t component_slot(uint32_t r, uint8_t component) const;
  uint32_t bits_of_register(const Operand& operand) const;  // 0 if it is not a register
  // Sets the address of an access: a register and an offset, or an address that is already known. False if
  // the operand cannot be an address.
  bool set_address(Op& op, const Operand& address, Modifier space);
  bool is_launch_constant(const Operand& operand) const;
  // The predicate that a comparison combines its result with, which may be negated.
  void set_predicate(Op& op, const Operand& operand);

  // Emitting ops. The ops that follow belong to instruction `index`.
  void begin_instruction(uint32_t index) { m_current = index; }
  size_t next_op() const { return m_program.ops.size(); }
  const Op& last_op() const { return m_program.ops.back(); }
  Handlers routine(Routine name) const { return m_table.both(name); }
  Op& append(uint32_t index, Op op);
  // Emits with the handlers of its family. False if there are none.
  bool emit(uint32_t index, const Selector& s, Op op);
  bool copy(uint32_t index, uint32_t bits, uint32_t d, uint32_t a);
  // A conversion between the natural registers of two types.
  bool convert(uint32_t index, Modifier to, Modifier from, uint32_t d, uint32_t a);
  // Makes the following ops depend on the instruction's guard; finish_guard marks their end.
  size_t begin_guard(uint32_t index, const Instruction& instruction);
  void finish_guard(size_t guard);
  void append_guarded(uint32_t index, const Instruction& instruction, const Op& op);
  bool emit_guarded(uint32_t index, const Instruction& instruction, const Selector& s, const Op& op);
  // The next op runs in this rounding mode, a value of fesetround.
  void append_rounding(uint32_t index, int mode);
  // A counter for the instruction.
  uint32_t counted(uint32_t index, CountedOp::Kind kind, Space space = Space::global,
                   AccessKind access = AccessKind::load);
  // The first of an access's counters. A generic access has three consecutive ones: for global, shared and
  // local memory.
  uint32_t count_access(uint32_t index, Modifier space, AccessKind access);

  // Values that are the same in every block of the launch.
  // For a register that is written once, without a guard, only from launch constants: moves its ops, from
  // `first_op` on, to the prologue.
  void hoist_if_constant(size_t first_op, const Instruction& instruction, const Operand& result,
                         std::span<const Operand> sources);
  // Returns true if the destination became another name of the slot.
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
  std::optional<std::vector<std::vector<uint64_t>>> m_live;  // once it was requested
  uint32_t m_current = 0;
  uint32_t m_carry = no_slot;
  std::vector<Diagnostic> m_diagnostics;
};

}  // namespace warplens::program
