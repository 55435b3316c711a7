// Loads and stores of global and shared memory whose lanes have the same relative offsets as before
// (core/gpu/exec/state/access_shape.h), by the rules of core/gpu/exec/ops/whole_warp.h. This part writes the
// checks and counts; a target moves the lanes. The handler runs an access that differs.
#pragma once

#include <memory>
#include <optional>

#include "core/gpu/exec/jit/target/x64/code.h"
#include "core/gpu/exec/state/counters.h"

namespace warplens::exec::jit::x64 {

constexpr x86::Gp shape_register = x86::rdx, first_register = x86::rcx, first_lane = x86::r8;

class AccessCode : public std::enable_shared_from_this<AccessCode> {
 public:
  AccessCode(Code& code, const Instruction& i)
      : m_code(code),
        m_out(code.assembler),
        m_i(i),
        m_access(i.access),
        m_store(is_store(i.opcode)),
        m_narrow(i.opcode == Opcode::load_b32 || i.opcode == Opcode::store_b32),
        m_is_part(!code.has_all_lanes()),
        m_state(static_cast<int32_t>(i.access.counter) * state_bytes) {
    if (i.sources[0] == no_value || !code.is_row(i.sources[0])) return;
    m_step = code.maker(i.sources[0]).step;
    m_rows = code.maker(i.sources[0]).rows;
  }
  AccessCode(const AccessCode&) = delete;
  AccessCode& operator=(const AccessCode&) = delete;
  virtual ~AccessCode() = default;
  void write();

 protected:
  using Form = AccessShape::Form;
  static constexpr int32_t row_place = WARPLENS_OFFSET(AccessShape, relative) +
                                       static_cast<int32_t>(AccessShape::half_lanes * sizeof(uint64_t));
  static int32_t window(uint32_t half) {
    return WARPLENS_OFFSET(AccessShape, windows) + static_cast<int32_t>(half * sizeof(AccessShape::Window));
  }
  x86::Mem state(int32_t member, uint32_t size = 0) const {
    return x86::ptr(counters_register, m_state + member, size);
  }
  x86::Mem bounds(int32_t member) const {
    return state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_bounds() + member);
  }
  x86::Mem reach(int32_t member) const {
    return state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_reach() + member);
  }
  // The offset of a lane, whose number is in a register, from lane 0's address in the shape.
  static x86::Mem relative(const x86::Gp& lane) {
    return x86::ptr(shape_register, lane, 3, WARPLENS_OFFSET(AccessShape, relative));
  }
  static x86::Mem shape(int32_t member, uint32_t size = 0) { return x86::ptr(shape_register, member, size); }
  bool is_contiguous() const { return lies_side_by_side() && m_rows.is_whole(); }
  // Whether the lanes of each row are contiguous in memory.
  bool lies_side_by_side() const { return m_step == int64_t{m_access.bytes}; }

  // For addresses that are no row: their key for Code::place_of_shape().
  virtual uint32_t shape_key() = 0;
  // Compares the lanes' relative offsets with the shape, in rdx.
  virtual void compare_lanes(const asmjit::Label& differ) = 0;
  // Loads the first lane's register into rcx, if the addresses are no row; one of 32 bits with zeros above.
  virtual void load_first() = 0;
  // Moves the lanes. The form is checked before anything is counted.
  virtual void move() = 0;
  // The same for a warp with some lanes active. r8 is the first of them. Loads its register into rcx.
  virtual void load_first_active() = 0;
  // Compares the active lanes' offsets from lane 0's address, which is in rax, with the shape, and goes to
  // the cold path if they differ.
  virtual void compare_active_lanes() = 0;
  // Moves the active lanes. rcx: lane 0's bytes in the host's memory, whether it is active or not.
  virtual void move_active_lanes() = 0;
  // Called where the handler has run in place of the code.
  virtual void finish_cold_path() {}
  // Moves lanes that lie in rows, in quarters, or each half at one place. rcx: as after begin_move().
  virtual void move_rows() = 0;
  virtual void move_quarters() = 0;
  virtual void load_equal_halves() = 0;
  // Called once the code of an access has been written that may have moved lanes to a register.
  virtual void note_moved() {}

  // Checks what must hold before anything is counted.
  void check_counts();
  void count();
  // rcx: the first lane's bytes, in the host's memory.
  void begin_move();
  // Where the first byte of lane 16 is. Overwrites rax.
  x86::Mem second_row();
  // Where the first byte of one of the address's rows is. Overwrites rax.
  x86::Mem row_start(uint32_t row);
  // The form, if it is known when the code is compiled. Empty if the shape tells it at run time.
  std::optional<Form> known_form() const;
  // Whether the rows are quarters of the warp, which have no form: the lanes of each are contiguous or, for a
  // load, all at one place.
  bool lies_in_quarters() const;
  // Of a store whose lanes the code does not note: the handler does if they are to be noted.
  void leave_noted_stores();
  // Notes that the bytes of both rows are stored, if they are to be noted. After begin_move(). Overwrites
  // rax.
  void note_rows();
  virtual void store_ones(const x86::Mem& to, uint32_t bytes) = 0;
  // Copies 32 lanes between memory and registers, one after the other. rax and rsi are overwritten.
  void move_lanes(const x86::Mem& registers);
  // The same for the active lanes. rdi and r9 are overwritten too.
  void move_each_active_lane(const x86::Mem& registers);
  static x86::Mem active_lanes(uint32_t byte = 0, uint32_t size = 4) {
    return x86::ptr(warp_register, WARPLENS_OFFSET(Warp, mask) + static_cast<int32_t>(byte), size);
  }
  void jump_if_other_form(Form form, const asmjit::Label& next);

  Code& m_code;
  Assembler& m_out;
  const Instruction& m_i;
  Access m_access;
  bool m_store, m_narrow;
  bool m_is_part;  // some lanes may not be active
  int32_t m_state;
  std::optional<int64_t> m_step;  // of the address, where it is a row
  RowShape m_rows;
  asmjit::Label m_cold, m_back;

 private:
  struct Seen {
    std::optional<x86::Mem> place;  // on the stack
    bool is_known = true;           // when the code is made
  };
  Seen find_seen();
  void check_shape(const asmjit::Label& differs);
  void check_rows(const asmjit::Label& differ);
  void load_first_lane();
  void find_first();
  void add_offset();
  void add_in_short_space();
  void write_whole();
  void write_grouped(const GroupUse& use);
  void check_group(const GroupUse& use, const asmjit::Label& fails);
  void write_otherwise(const GroupUse& use, const asmjit::Label& halves, const asmjit::Label& alone);
  void check_reach_of_group(const asmjit::Label& fails);
  void count_group(const asmjit::Label& fails);
  void leave_first(const GroupUse& use);
  void move_member(const GroupUse& use, Form form);
  void write_part();
  void find_first_active();
  void find_first_of_row();
  void check_alignment();
  void check_bounds();
  AccessShape::PartKind part_kind() const;
  void find_part();
  void count_part();
  bool may_count_rows() const;
  void check_bounds_of_rows();
  void add_sectors_of_row();
  void count_global_rows();
  void count_shared_rows();
  void begin_part();
  void check_reach();
  static x86::Mem cost(int32_t member, uint32_t size);
  void count_global();
  void forget_noted();
  void load_shape();
  // accesses: of the group that it is in; or null.
  void add_cold_path(const GroupedAccesses* accesses);

  Seen m_seen;  // of a whole warp
};

// Whether it may be in a group (GroupedAccesses).
bool may_be_grouped(Code& code, const Instruction& i);
// What it adds to the group's register.
int64_t offset_in_group(const Instruction& i);

}  // namespace warplens::exec::jit::x64
