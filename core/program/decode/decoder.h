// Decode's working state: one function of a program on its way from tree to ops. Private to core/program; its
// methods are spread over decode.cpp (the pass) and the other decode_*.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/program/call_graph.h"
#include "core/program/frame.h"
#include "core/program/layout.h"
#include "core/program/op/watch_op.h"
#include "core/program/program.h"

namespace warplens::program {

using ptx::Instruction;
using ptx::Modifier;
using ptx::ModifierKind;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::SpecialRegister;

// The width of the register that holds a value of this type.
inline uint32_t register_bits(Modifier type) { return std::max(ptx::bits_of(type), 16u); }
inline bool is_predicate(Modifier type) { return type == Modifier::pred; }
inline bool is_half(Modifier type) { return type == Modifier::f16 || type == Modifier::bf16; }

bool changes_while_running(SpecialRegister special);

// What the modifiers say, sorted out.
Selector selector_of(const Instruction& instruction, std::span<const Modifier> modifiers);
bool has(std::span<const Modifier> modifiers, Modifier wanted);
// Op::extra of arithmetic and conversions of 16-bit floats.
uint8_t half_flags(std::span<const Modifier> modifiers);
// The state space among the modifiers; weak: none, so the address is generic.
Modifier space_of(std::span<const Modifier> modifiers);

// What a report calls the space; generic where only the address tells.
Space space_for_report(ptx::Modifier space);

class Decoder {
 public:
  // Gives the function its slots in the frame.
  Decoder(Program& program, uint32_t place, const CallGraph& graph, const Layout& layout, Frame& frame,
          const OpsTable& table);
  std::vector<Diagnostic> decode();

 private:
  void give_registers_slots();
  void count_definitions();
  void clear_uninitialised();
  void refuse(const Instruction& instruction, std::string why);
  void refuse(const Instruction& instruction);
  bool is_launch_constant(const Operand& operand) const;
  uint32_t component_slot(uint32_t r, uint8_t component) const;
  // The slot that holds a source of this width; no_slot: not a value.
  uint32_t source(const Operand& operand, uint32_t bits);
  static uint64_t truncated(uint64_t bits, uint32_t width);
  uint32_t special(const Operand& operand, uint32_t bits);
  uint32_t destination(const Operand& operand) const;
  uint32_t component_slot_of_destination(const Operand& operand) const;
  uint32_t bits_of_register(const Operand& operand) const;
  Op& append(uint32_t instruction, Op op);
  void emit_end();
  void append_flow();
  bool is_on_stack(const Operand& symbol) const;
  uint32_t stack_address(const Operand& symbol, uint32_t bits);
  uint32_t clock(SpecialRegister which);
  bool emit(uint32_t instruction, const Selector& s, Op op);
  // Puts what follows behind the instruction's guard; finish_guard says where it ends.
  size_t begin_guard(uint32_t index, const Instruction& instruction);
  void finish_guard(size_t guard);
  uint32_t counted(uint32_t instruction, CountedOp::Kind kind, Space space = Space::global,
                   AccessKind access = AccessKind::load);
  void decode_block(uint32_t b);
  void decode_instruction(uint32_t index, const Instruction& instruction);
  void decode_branch(uint32_t index, const Instruction& instruction);
  // A guarded ret, exit, trap or barrier is a branch around the plain one.
  void branch_around(uint32_t index, const Instruction& instruction);
  void decode_ending(uint32_t index, const Instruction& instruction, Routine routine);
  void decode_barrier(uint32_t index, const Instruction& instruction);
  void patch_branches();
  // Links between neighbouring ops: decode_links.cpp.
  void link_ops();
  void link_block(uint32_t b, const std::vector<bool>& alone);
  std::vector<bool> ops_that_stay_alone() const;
  bool is_read_once(const Op& first, const Op& second, const std::vector<uint64_t>& live) const;
  std::vector<uint64_t> live_behind(const BasicBlock& block);
  const std::vector<std::vector<uint64_t>>& live_at_start();
  // A register that is written once, without a guard, from launch constants alone holds the same value in
  // every block: its ops move to the prologue.
  void hoist_if_constant(size_t first_op, const Instruction& instruction, const Operand& result,
                         std::span<const Operand> sources);
  // True where the destination became another name of the slot.
  bool rename(const Instruction& instruction, const Operand& result, uint32_t slot, bool launch_constant);
  // Opcodes whose operands are a destination and up to four sources, each of the width that its form gives.
  void decode_plain(uint32_t index, const Instruction& instruction);
  // The width of source i (1 is a).
  static uint32_t source_bits(Opcode opcode, const Selector& s, size_t i);
  void decode_setp(uint32_t index, const Instruction& instruction);
  void decode_selp(uint32_t index, const Instruction& instruction);
  // A conversion between the natural registers of two types.
  bool convert(uint32_t index, Modifier to, Modifier from, uint32_t d, uint32_t a);
  static Modifier integer_of(uint32_t bits, bool is_signed);
  void decode_cvt(uint32_t index, const Instruction& instruction);
  bool convert_rounded(uint32_t index, const Selector& s, const Op& op);
  bool convert_half(uint32_t index, Selector s, Op op);
  bool convert_from_half(uint32_t index, Selector s, Op op);
  // setp of any type, into the predicates d and e.
  bool emit_comparison(uint32_t index, const Selector& s, const Op& op);
  uint32_t widened(uint32_t index, uint32_t half, const Selector& s);
  void decode_video(uint32_t index, const Instruction& instruction);
  void decode_set(uint32_t index, const Instruction& instruction);
  bool emit_choice(uint32_t index, uint32_t d, uint32_t bits, uint64_t chosen, uint32_t predicate);
  void decode_mov_vector(uint32_t index, const Instruction& instruction);
  std::vector<Operand> elements_of(const Operand& operand, uint32_t count) const;
  void decode_lop3(uint32_t index, const Instruction& instruction);
  void decode_createpolicy(uint32_t index, const Instruction& instruction);
  uint32_t carry_slot();
  void decode_cvta(uint32_t index, const Instruction& instruction);
  void decode_mov(uint32_t index, const Instruction& instruction);
  bool pack(Selector& s, Op& op, std::span<const Operand> operands);
  bool unpack(Selector& s, Op& op, std::span<const Operand> operands);
  // The address of an access: a register and an offset, or a place that is known now. False: cannot be one.
  bool set_address(Op& op, const Operand& address, Modifier space);
  void decode_access(uint32_t index, const Instruction& instruction);
  // A parameter at a known place is a launch constant.
  bool load_parameter(uint32_t index, const Instruction& instruction, const Selector& s, const Operand& data,
                      const Operand& address);
  void decode_atomic(uint32_t index, const Instruction& instruction);
  bool is_unread_sum(const Operand& result, const Selector& s) const;
  uint32_t adjacent_slots(uint32_t count, uint32_t bits);
  bool copy_elements(uint32_t index, const Operand& vector, uint32_t first, uint32_t bits, bool in);
  uint32_t count_access(uint32_t index, Modifier space, AccessKind access);
  void decode_is_space(uint32_t index, const Instruction& instruction);
  void decode_cluster_address(uint32_t index, const Instruction& instruction);

  // Ops that tell a watch: decode_watch.cpp.
  void find_watched_registers();
  void watch_before(uint32_t index, const Instruction& instruction);
  void watch_after(uint32_t index, const Instruction& instruction);
  void watch_divisor(uint32_t index, const Instruction& instruction);
  void watch_read(uint32_t index, uint32_t r);
  void watch_write(uint32_t index, const Instruction& instruction, uint32_t r);
  void watch_collective(uint32_t index, const Op& op, WatchJob job);
  bool is_copy(const Instruction& instruction) const;

  // Calls.
  struct Signature {
    const std::vector<ptx::Variable>*returns = nullptr, *parameters = nullptr;
  };
  struct PassedResult {  // is loaded into its register behind the call
    Operand value;
    const ptx::Variable* formal;
    uint32_t row;
  };
  void give_signature_slots();
  void spill_parameters();
  std::optional<Piece> passed_variable(const Operand& symbol) const;
  bool set_passed_address(Op& op, const Operand& address, uint32_t element_bytes) const;
  bool move_passed(uint32_t index, const Operand& value, const ptx::Variable& formal, uint32_t row,
                   bool store);
  std::optional<Piece> passed_value(uint32_t index, const Operand& value, const ptx::Variable& formal,
                                    std::vector<PassedResult>* moves);
  std::vector<Piece> saved_over(uint32_t index);
  Signature signature_of(const Instruction& instruction) const;
  bool may_come_back(uint32_t callee) const;
  void decode_call(uint32_t index, const Instruction& instruction);
  bool append_call(uint32_t index, const Instruction& instruction, CallSite site);
  void decode_branch_table(uint32_t index, const Instruction& instruction);
  void decode_stack(uint32_t index, const Instruction& instruction);
  void decode_collective(uint32_t index, const Instruction& instruction);
  void decode_texture(uint32_t index, const Instruction& instruction);
  bool set_texture(TextureAccess& access, const Operand& address);
  void set_level(TextureAccess& access, std::span<const Operand> operands);
  bool set_coordinates(TextureAccess& access, std::span<const Operand> coordinates);
  void set_values(TextureAccess& access, const Operand& values);
  bool set_mask(Op& op, std::span<const Operand> operands, bool is_sync);
  uint32_t predicate_source(const Operand& operand);
  std::span<const Operand> registers_of(const Operand& operand) const;
  bool set_matrix(const Instruction& instruction, MatrixOperand& matrix, const Operand& operand,
                  std::optional<Fragment> fragment, uint32_t registers, Modifier type, bool is_destination);
  bool set_indices(const Instruction& instruction, MatrixOp& matrix, std::span<const Operand> operands,
                   Modifier type);
  bool set_stored_matrix(const Instruction& instruction, MatrixOp& matrix, const Operand& operand,
                         bool store);
  void decode_product(uint32_t index, const Instruction& instruction);
  void append_rounding(uint32_t index, std::span<const Modifier> modifiers);
  void decode_matrix_rows(uint32_t index, const Instruction& instruction);
  void decode_movmatrix(uint32_t index, const Instruction& instruction);
  struct WmmaMemory;
  void decode_wmma_memory(uint32_t index, const Instruction& instruction);
  bool append_element(const WmmaMemory& memory, uint32_t element, uint32_t bits, uint32_t slot);
  bool append_parts(const WmmaMemory& memory, uint32_t element, uint32_t bits, uint32_t slot);
  static uint64_t stride_of(std::span<const Operand> operands, bool bits, uint32_t line);
  void decode_copy(uint32_t index, const Instruction& instruction);
  void decode_async_copy(uint32_t index, const Instruction& instruction);
  void decode_bulk_copy(uint32_t index, const Instruction& instruction);
  void decode_mbarrier(uint32_t index, const Instruction& instruction);
  bool append_mbarrier(uint32_t index, const Instruction& instruction, Op op, const Operand& address,
                       Modifier space);

  struct Branch {
    size_t op;
    uint32_t target, meet;  // blocks
  };
  struct Table {
    size_t op;
    uint32_t index, meet;  // in Program::branch_tables; block
  };
  Program& m_program;
  const ptx::Module& m_module;
  const ptx::Function& m_function;
  FunctionCode& m_code;
  uint32_t m_place;  // in Program::functions
  const CallGraph& m_graph;
  const OpsTable& m_table;
  Frame& m_frame;  // of the whole program
  const Layout& m_layout;
  ControlFlow m_flow;
  std::vector<uint32_t> m_register_slots;
  std::vector<uint32_t> m_variable_slots;  // of .param variables: their rows
  std::optional<std::vector<std::vector<uint64_t>>>
      m_live;                       // at the start of each block, where it was asked for
  std::vector<uint32_t> m_watched;  // per register: where it says which lanes have written it
  uint32_t m_current = 0;
  uint32_t m_carry = no_slot;
  std::vector<uint32_t> m_alias;        // per register: the slot it is another name of
  std::vector<uint32_t> m_definitions;  // per register
  static constexpr uint32_t never_read = 0xffffffff;
  std::vector<uint32_t> m_first_read;  // per register: the first instruction of the text that reads it
  std::vector<bool> m_constant_register = std::vector<bool>(m_function.registers.size(), false);
  std::vector<size_t> m_block_op;      // per block: its enter op
  size_t m_comparison = SIZE_MAX - 1;  // the op of the last setp without a guard
  std::vector<Branch> m_branches;
  std::vector<Table> m_tables;
  std::vector<Diagnostic> m_diagnostics;
};

}  // namespace warplens::program
