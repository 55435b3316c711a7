// Loads and stores of global and shared memory whose lanes lie to each other as they did before
// (core/gpu/exec/state/access_shape.h): the rules of core/gpu/exec/ops/whole_warp.h. Here is what is checked
// and counted; a target moves the lanes. What differs goes to the handler.
#pragma once

#include <memory>
#include <optional>

#include "core/gpu/exec/jit/target/x64/code.h"

namespace warplens::exec::jit::x64 {

constexpr x86::Gp shape_register = x86::rdx, first_register = x86::rcx;

class AccessCode : public std::enable_shared_from_this<AccessCode> {
 public:
  AccessCode(Code& code, const Instruction& i)
      : m_code(code),
        m_out(code.assembler),
        m_i(i),
        m_access(i.access),
        m_store(is_store(i.opcode)),
        m_narrow(i.opcode == Opcode::load_b32 || i.opcode == Opcode::store_b32),
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
  x86::Mem reach(int32_t member) const {
    return state(WARPLENS_OFFSET(MemoryOpState, shape) + LearntShape::offset_of_reach() + member);
  }
  static x86::Mem shape(int32_t member, uint32_t size = 0) { return x86::ptr(shape_register, member, size); }
  bool is_contiguous() const { return lies_side_by_side() && m_rows.is_whole(); }
  // The lanes of each row.
  bool lies_side_by_side() const { return m_step == int64_t{m_access.bytes}; }

  // Of addresses that are no row: what Code::place_of_shape() knows them by.
  virtual uint32_t shape_key() = 0;
  // Compares how the lanes lie with the shape, in rdx, and goes beside where they lie otherwise.
  virtual void compare_lanes() = 0;
  // rcx: the first lane's address, where that is no row.
  virtual void load_first() = 0;
  // Moves the lanes. Each form is looked at before anything is counted.
  virtual void move() = 0;
  // Where the handler has run in place of the code.
  virtual void finish_beside() {}

  // What has to hold before anything is counted.
  void check_counts();
  void count();
  // rcx: the first lane's bytes, in the host's memory.
  void begin_move();
  // Where the first byte of lane 16 is; rax is lost.
  x86::Mem second_row();
  // Where the first byte of one of the address's rows is; rax is lost.
  x86::Mem row_start(uint32_t row);
  // What the form is wherever the shape is the right one; nothing: the shape says it.
  std::optional<Form> known_form() const;
  // Rows of a quarter of the warp, which have no form: the lanes of each side by side, or, of a load, in one
  // place.
  bool lies_in_quarters() const;
  // Between memory and 32 registers of lanes, one behind the other. rax and rsi are lost.
  void move_lanes(const x86::Mem& registers);
  void jump_if_other_form(Form form, const asmjit::Label& next);

  Code& m_code;
  Assembler& m_out;
  const Instruction& m_i;
  Access m_access;
  bool m_store, m_narrow;
  int32_t m_state;
  std::optional<int64_t> m_step;  // of the address, where it is a row
  RowShape m_rows;
  asmjit::Label m_beside, m_back;

 private:
  void check_shape();
  void check_rows();
  void find_first();
  void check_reach();
  void count_global();
  void forget_noted();
  void go_beside();
};

}  // namespace warplens::exec::jit::x64
