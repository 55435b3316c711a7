// Tree → program. One pass over the instructions in program order; each becomes an op, or several (a guard in
// front, a rounding mode, a narrowing of a wide source), or none: a copy of a launch constant only renames
// its register.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <span>

#include "core/exec/memory.h"
#include "core/exec/warp.h"
#include "core/ir/frame.h"
#include "core/ir/layout.h"
#include "core/ir/liveness.h"
#include "core/ir/program.h"

namespace warplens::ir {

namespace {

using exec::Handlers;
using exec::no_slot;
using exec::Op;
using exec::Selector;
using ptx::Instruction;
using ptx::Modifier;
using ptx::ModifierKind;
using ptx::Opcode;
using ptx::Operand;
using ptx::OperandKind;
using ptx::SpecialRegister;

// The width of the register that holds a value of this type.
uint32_t register_bits(Modifier type) { return std::max(ptx::bits_of(type), 16u); }

bool is_predicate(Modifier type) { return type == Modifier::pred; }

// The same for every block of the launch.
bool of_launch(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::ctaid:
    case SpecialRegister::smid:
      return false;
    default:
      return true;
  }
}

bool changes_while_running(SpecialRegister special) {
  switch (special) {
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
      return true;
    default:
      return false;
  }
}

Selector selector_of(const Instruction& instruction, std::span<const Modifier> modifiers) {
  Selector s;
  s.opcode = instruction.opcode;
  uint32_t types = 0;
  for (Modifier m : modifiers) {
    switch (ptx::kind_of(m)) {
      case ModifierKind::type:
        (types++ == 0 ? s.type : s.source_type) = m;
        break;
      case ModifierKind::compare:
        if (m == Modifier::nan && instruction.opcode != Opcode::setp && instruction.opcode != Opcode::set) {
          s.nan = true;
        } else if ((m == Modifier::lo || m == Modifier::hi) && instruction.opcode != Opcode::setp &&
                   instruction.opcode != Opcode::set) {
          s.hi = m == Modifier::hi;
        } else {
          s.compare = m;
        }
        break;
      case ModifierKind::boolean:
        s.boolean = m;
        s.has_boolean = true;
        break;
      case ModifierKind::rounding:
        s.rounding = m;
        s.has_rounding = true;
        break;
      case ModifierKind::vector:
        s.vector = m == Modifier::v2 ? 2 : m == Modifier::v4 ? 4 : 8;
        break;
      default:
        break;
    }
    s.ftz = s.ftz || m == Modifier::ftz;
    s.sat = s.sat || m == Modifier::sat;
    s.approx = s.approx || m == Modifier::approx;
    s.full = s.full || m == Modifier::full;
    s.wide = s.wide || m == Modifier::wide;
    s.wrap = s.wrap || m == Modifier::wrap;
    s.left = s.left || m == Modifier::left;
  }
  if (types < 2) s.source_type = s.type;
  return s;
}

bool has(std::span<const Modifier> modifiers, Modifier wanted) {
  return std::find(modifiers.begin(), modifiers.end(), wanted) != modifiers.end();
}

Modifier space_of(std::span<const Modifier> modifiers) {
  for (Modifier m : modifiers) {
    if (ptx::kind_of(m) != ModifierKind::space) continue;
    switch (m) {
      case Modifier::shared_cta:
        return Modifier::shared;
      case Modifier::param_entry:
        return Modifier::param;
      default:
        return m;
    }
  }
  return Modifier::weak;  // generic
}

Space space_for_report(Modifier space) {
  switch (space) {
    case Modifier::global:
      return Space::global;
    case Modifier::shared:
      return Space::shared;
    case Modifier::local:
      return Space::local;
    case Modifier::constant:
      return Space::constant;
    case Modifier::param:
      return Space::parameter;
    default:
      return Space::generic;
  }
}

int fenv_mode(Modifier rounding) {
  switch (rounding) {
    case Modifier::rz:
      return FE_TOWARDZERO;
    case Modifier::rm:
      return FE_DOWNWARD;
    case Modifier::rp:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}

class Decoder {
 public:
  Decoder(Program& program, const exec::OpsTable& table)
      : m_program(program),
        m_module(*program.module),
        m_function(*program.function),
        m_table(table),
        m_frame(count_predicates(*program.function)) {}

  std::vector<Diagnostic> decode() {
    m_layout = lay_out(m_module, m_function, m_program);
    m_program.flow = control_flow_of(m_function);
    give_registers_slots();
    count_definitions();
    for (uint32_t b = 0; b < m_program.flow.blocks.size() && m_diagnostics.size() < 20; ++b) decode_block(b);
    if (m_program.ops.empty() || m_function.instructions.empty()) emit_exit();
    patch_branches();
    clear_uninitialised();
    m_program.frame_bytes = m_frame.bytes();
    return std::move(m_diagnostics);
  }

 private:
  static uint32_t count_predicates(const ptx::Function& function) {
    return static_cast<uint32_t>(std::count_if(function.registers.begin(), function.registers.end(),
                                               [](const ptx::Register& r) { return is_predicate(r.type); }));
  }

  void give_registers_slots() {
    for (const ptx::Register& r : m_function.registers) {
      if (is_predicate(r.type)) {
        m_program.register_slots.push_back(m_frame.predicate());
        continue;
      }
      m_program.register_slots.push_back(m_frame.lanes(register_bits(r.type)));
      for (uint8_t i = 1; i < r.vector; ++i) m_frame.lanes(register_bits(r.type));  // components follow
    }
    m_alias.assign(m_function.registers.size(), no_slot);
  }

  void count_definitions() {
    m_definitions.assign(m_function.registers.size(), 0);
    m_first_read.assign(m_function.registers.size(), 0xffffffff);
    for (uint32_t i = 0; i < m_function.instructions.size(); ++i) {
      const Uses uses = uses_of(m_function, m_function.instructions[i]);
      for (uint32_t r : uses.writes) ++m_definitions[r];
      for (uint32_t r : uses.reads) m_first_read[r] = std::min(m_first_read[r], i);
    }
  }

  void clear_uninitialised() {
    for (uint32_t r : maybe_uninitialised(m_function, m_program.flow)) {
      if (m_alias[r] != no_slot) continue;
      const ptx::Register& reg = m_function.registers[r];
      const uint32_t bytes =
          is_predicate(reg.type) ? 4 : Frame::exec_bytes(register_bits(reg.type)) * reg.vector;
      m_program.cleared.emplace_back(m_program.register_slots[r], bytes);
    }
  }

  // ---- Messages

  void refuse(const Instruction& instruction, std::string why) {
    std::string text(ptx::text_of(instruction.opcode));
    for (Modifier m : m_function.modifiers_of(instruction)) text += fmt::format(".{}", ptx::text_of(m));
    m_diagnostics.push_back(
        {Severity::error, m_module.name, instruction.line, 0, fmt::format("{}: {}", text, why)});
  }
  void refuse(const Instruction& instruction) {
    refuse(instruction, "the virtual GPU does not run this form yet.");
  }

  // ---- Operands

  bool is_launch_constant(const Operand& operand) const {
    switch (operand.kind) {
      case OperandKind::immediate:
      case OperandKind::symbol:
        return true;
      case OperandKind::special:
        return of_launch(static_cast<SpecialRegister>(operand.index)) &&
               !changes_while_running(static_cast<SpecialRegister>(operand.index));
      case OperandKind::reg:
        return m_constant_register[operand.index];
      default:
        return false;
    }
  }

  uint32_t component_slot(uint32_t r, uint8_t component) const {
    const uint32_t slot = m_alias[r] != no_slot ? m_alias[r] : m_program.register_slots[r];
    if (component == 255 || component == 0) return slot;
    return slot + component * Frame::exec_bytes(register_bits(m_function.registers[r].type));
  }

  // The slot that holds a source of this width; no_slot: not a value.
  uint32_t source(const Operand& operand, uint32_t bits) {
    switch (operand.kind) {
      case OperandKind::reg:
        return component_slot(operand.index, operand.component);
      case OperandKind::immediate:
        return m_frame.constant(m_program, truncated(operand.bits, bits), bits);
      case OperandKind::symbol: {
        const std::optional<uint64_t> address = m_layout.address_of(operand);
        return address ? m_frame.constant(m_program, truncated(*address, bits), bits) : no_slot;
      }
      case OperandKind::special:
        return special(operand, bits);
      default:
        return no_slot;
    }
  }
  static uint64_t truncated(uint64_t bits, uint32_t width) {
    return width >= 64 ? bits : bits & ((uint64_t{1} << width) - 1);
  }

  uint32_t special(const Operand& operand, uint32_t bits) {
    const auto which = static_cast<SpecialRegister>(operand.index);
    if (changes_while_running(which)) return no_slot;
    const uint8_t component = operand.component == 255 ? 0 : operand.component;
    const uint32_t slot = m_frame.special(m_program, which, component, !of_launch(which));
    const uint32_t own_bits = ptx::shape_of(which).bits;
    if (own_bits == bits) return slot;
    // mov.u16 of %tid.x and the like: narrowed or widened into a temporary.
    const uint32_t temporary = m_frame.lanes(bits);
    Selector s;
    s.opcode = Opcode::cvt;
    s.type = bits == 16 ? Modifier::u16 : bits == 64 ? Modifier::u64 : Modifier::u32;
    s.source_type = own_bits == 64 ? Modifier::u64 : Modifier::u32;
    emit(m_current, s, {.d = temporary, .a = slot});
    return temporary;
  }

  uint32_t destination(const Operand& operand) const {
    return operand.kind == OperandKind::reg ? component_slot_of_destination(operand) : no_slot;
  }
  uint32_t component_slot_of_destination(const Operand& operand) const {
    const uint32_t slot = m_program.register_slots[operand.index];
    if (operand.component == 255 || operand.component == 0) return slot;
    return slot +
           operand.component * Frame::exec_bytes(register_bits(m_function.registers[operand.index].type));
  }
  uint32_t bits_of_register(const Operand& operand) const {
    return operand.kind == OperandKind::reg ? register_bits(m_function.registers[operand.index].type) : 0;
  }

  // ---- Emitting

  Op& append(uint32_t instruction, Op op) {
    op.instruction = instruction;
    m_program.ops.push_back(op);
    return m_program.ops.back();
  }
  void emit_exit() { append(0, {.handlers = {{&exec::run_exit, &exec::run_exit}}}); }

  bool emit(uint32_t instruction, const Selector& s, Op op) {
    op.handlers = exec::find_handlers(m_table, s);
    if (!op.handlers) return false;
    append(instruction, op);
    return true;
  }

  // Puts what follows behind the instruction's guard; finish_guard says where it ends.
  size_t begin_guard(uint32_t index, const Instruction& instruction) {
    if (!instruction.guarded) return SIZE_MAX;
    Op op{.handlers = {{&exec::run_guard, &exec::run_guard}}, .a = component_slot(instruction.guard, 255)};
    if (instruction.guard_negated) op.flags |= exec::flag_negated;
    append(index, op);
    return m_program.ops.size() - 1;
  }
  void finish_guard(size_t guard) {
    if (guard != SIZE_MAX) m_program.ops[guard].jump = static_cast<int32_t>(m_program.ops.size() - guard);
  }

  uint32_t counted(uint32_t instruction, CountedOp::Kind kind, Space space = Space::global,
                   AccessKind access = AccessKind::load) {
    m_program.counted.push_back({instruction, kind, space, access});
    return static_cast<uint32_t>(m_program.counted.size() - 1);
  }

  // ---- Blocks and control flow

  void decode_block(uint32_t b) {
    const BasicBlock& block = m_program.flow.blocks[b];
    m_block_op.push_back(m_program.ops.size());
    append(block.first,
           {.handlers = {{&exec::run_enter, &exec::run_enter}}, .state = b, .immediate = block.count});
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      m_current = i;
      decode_instruction(i, m_function.instructions[i]);
    }
    const bool last = b + 1 == m_program.flow.blocks.size();
    if (last) emit_exit();  // falling off the end returns
  }

  void decode_instruction(uint32_t index, const Instruction& instruction) {
    switch (instruction.opcode) {
      case Opcode::bra:
        return decode_branch(index, instruction);
      case Opcode::ret:
      case Opcode::exit:
        return decode_ending(index, instruction, &exec::run_exit);
      case Opcode::trap:
        return decode_ending(index, instruction, &exec::run_trap);
      case Opcode::bar:
      case Opcode::barrier:
        return decode_barrier(index, instruction);
      case Opcode::membar:
      case Opcode::fence:
      case Opcode::prefetch:
      case Opcode::prefetchu:
      case Opcode::nanosleep:
      case Opcode::pmevent:
      case Opcode::griddepcontrol:
        return;  // nothing that a warp here could observe
      case Opcode::ld:
      case Opcode::ldu:
      case Opcode::st:
        return decode_access(index, instruction);
      case Opcode::atom:
      case Opcode::red:
        return decode_atomic(index, instruction);
      case Opcode::setp:
        return decode_setp(index, instruction);
      case Opcode::cvt:
        return decode_cvt(index, instruction);
      case Opcode::cvta:
        return decode_cvta(index, instruction);
      case Opcode::mov:
        return decode_mov(index, instruction);
      case Opcode::selp:
        return decode_selp(index, instruction);
      default:
        return decode_plain(index, instruction);
    }
  }

  void decode_branch(uint32_t index, const Instruction& instruction) {
    const Operand& label = m_function.operands_of(instruction)[0];
    const uint32_t target = m_function.labels[label.index].instruction;
    Op op{.handlers = {{&exec::run_branch, &exec::run_branch}}};
    if (instruction.guarded) {
      op.flags = exec::flag_guarded | (instruction.guard_negated ? exec::flag_negated : 0);
      op.a = component_slot(instruction.guard, 255);
    }
    op.state = counted(index, CountedOp::Kind::branch);
    append(index, op);
    const auto& flow = m_program.flow;
    const uint32_t target_block = target < flow.block_of.size() ? flow.block_of[target] : no_block;
    m_branches.push_back(
        {m_program.ops.size() - 1, target_block, flow.blocks[flow.block_of[index]].post_dominator});
  }

  // A guarded ret, exit, trap or barrier is a branch around the plain one.
  void branch_around(uint32_t index, const Instruction& instruction) {
    if (!instruction.guarded) return;
    Op op{.handlers = {{&exec::run_branch, &exec::run_branch}}, .a = component_slot(instruction.guard, 255)};
    op.flags = exec::flag_guarded | (instruction.guard_negated ? 0 : exec::flag_negated);
    op.state = counted(index, CountedOp::Kind::branch);
    append(index, op);
    const uint32_t next = m_program.flow.block_of[index] + 1;
    m_branches.push_back(
        {m_program.ops.size() - 1, next < m_program.flow.blocks.size() ? next : no_block, next});
  }

  void decode_ending(uint32_t index, const Instruction& instruction, exec::Handler handler) {
    branch_around(index, instruction);
    append(index, {.handlers = {{handler, handler}}});
  }

  void decode_barrier(uint32_t index, const Instruction& instruction) {
    const auto modifiers = m_function.modifiers_of(instruction);
    const auto operands = m_function.operands_of(instruction);
    if (!has(modifiers, Modifier::sync) || has(modifiers, Modifier::warp)) return refuse(instruction);
    for (const Operand& operand : operands) {
      if (operand.kind != OperandKind::immediate) {
        return refuse(instruction,
                      "barrier numbers and counts in registers do not run on the virtual GPU yet.");
      }
    }
    branch_around(index, instruction);
    Op op{.handlers = {{&exec::run_barrier, &exec::run_barrier}}};
    op.immediate = static_cast<int64_t>(operands[0].bits);
    op.b = operands.size() > 1 ? static_cast<uint32_t>(operands[1].bits) : 0;
    append(index, op);
  }

  void patch_branches() {
    const size_t end = m_program.ops.size() - 1;  // the exit behind the last instruction
    for (const Branch& branch : m_branches) {
      Op& op = m_program.ops[branch.op];
      const size_t target = branch.target == no_block ? end : m_block_op[branch.target];
      op.jump = static_cast<int32_t>(static_cast<int64_t>(target) - static_cast<int64_t>(branch.op));
      if (branch.meet < m_block_op.size()) {
        op.meet = static_cast<int32_t>(static_cast<int64_t>(m_block_op[branch.meet]) -
                                       static_cast<int64_t>(branch.op));
      }
    }
  }

  // ---- Instructions

  static bool is_pure(Opcode opcode) {
    switch (ptx::unit_of(opcode)) {
      case ptx::Unit::integer:
      case ptx::Unit::fp32:
      case ptx::Unit::fp64:
      case ptx::Unit::special:
      case ptx::Unit::convert:
      case ptx::Unit::move:
        return true;
      default:
        return false;
    }
  }

  // A register that is written once, without a guard, from launch constants alone holds the same value in
  // every block: its ops move to the prologue.
  void hoist_if_constant(size_t first_op, const Instruction& instruction, const Operand& result,
                         std::span<const Operand> sources) {
    if (instruction.guarded || result.kind != OperandKind::reg || result.component != 255) return;
    if (m_definitions[result.index] != 1 || !is_pure(instruction.opcode)) return;
    if (is_predicate(m_function.registers[result.index].type)) return;
    for (const Operand& operand : sources) {
      if (!is_launch_constant(operand)) return;
    }
    m_constant_register[result.index] = true;
    const auto first = m_program.ops.begin() + static_cast<std::ptrdiff_t>(first_op);
    m_program.prologue.insert(m_program.prologue.end(), first, m_program.ops.end());
    m_program.ops.erase(first, m_program.ops.end());
  }

  // True where the destination became another name of the slot.
  bool rename(const Instruction& instruction, const Operand& result, uint32_t slot, bool launch_constant) {
    if (instruction.guarded || result.kind != OperandKind::reg || result.component != 255) return false;
    if (m_definitions[result.index] != 1 || m_function.registers[result.index].vector != 1) return false;
    if (m_first_read[result.index] < m_current) return false;  // that op reads the register itself
    m_alias[result.index] = slot;
    m_constant_register[result.index] = launch_constant;
    return true;
  }

  // Opcodes whose operands are a destination and up to four sources, each of the width that its form gives.
  void decode_plain(uint32_t index, const Instruction& instruction) {
    const auto operands = m_function.operands_of(instruction);
    const auto modifiers = m_function.modifiers_of(instruction);
    Selector s = selector_of(instruction, modifiers);
    for (Modifier m : {Modifier::cc, Modifier::xorsign, Modifier::relu}) {
      if (has(modifiers, m)) return refuse(instruction);
    }
    if (operands.size() < 2 || operands.size() > 5) return refuse(instruction);
    if (ptx::unit_of(instruction.opcode) == ptx::Unit::warp) return refuse(instruction);
    const size_t first_op = m_program.ops.size();
    uint32_t slots[4] = {no_slot, no_slot, no_slot, no_slot};
    for (size_t i = 1; i < operands.size(); ++i) {
      slots[i - 1] = source(operands[i], source_bits(instruction.opcode, s, i));
      if (slots[i - 1] == no_slot || operands[i].negated) return refuse(instruction);
    }
    const uint32_t d = destination(operands[0]);
    if (d == no_slot) return refuse(instruction);
    const size_t guard = begin_guard(index, instruction);
    if (s.has_rounding && s.rounding != Modifier::rn) {
      append(index,
             {.handlers = {{&exec::run_rounded, &exec::run_rounded}}, .immediate = fenv_mode(s.rounding)});
    }
    if (!emit(index, s, {.d = d, .a = slots[0], .b = slots[1], .c = slots[2], .e = slots[3]})) {
      return refuse(instruction);
    }
    finish_guard(guard);
    hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
  }

  // The width of source i (1 is a).
  static uint32_t source_bits(Opcode opcode, const Selector& s, size_t i) {
    switch (opcode) {
      case Opcode::shl:
      case Opcode::shr:
        return i == 1 ? register_bits(s.type) : 32;
      case Opcode::bfe:
        return i == 1 ? register_bits(s.type) : 32;
      case Opcode::bfi:
        return i <= 2 ? register_bits(s.type) : 32;
      case Opcode::set:
        return register_bits(s.source_type);
      case Opcode::slct:
        return i == 3 ? 32 : register_bits(s.type);
      case Opcode::mul:
      case Opcode::mad:
        return s.wide && i == 3 ? 2 * register_bits(s.type) : register_bits(s.type);
      default:
        return register_bits(s.type);
    }
  }

  void decode_setp(uint32_t index, const Instruction& instruction) {
    const auto operands = m_function.operands_of(instruction);
    Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
    s.source_type = s.type;
    const bool pair = operands[0].kind == OperandKind::pair;
    const auto results = m_function.children_of(operands[0]);
    Op op;
    op.d = destination(pair ? results[0] : operands[0]);
    op.e = pair ? destination(results[1]) : no_slot;
    op.a = source(operands[1], register_bits(s.type));
    op.b = source(operands[2], register_bits(s.type));
    if (operands.size() > 3) {
      op.c = source(operands[3], 32);
      if (operands[3].kind != OperandKind::reg) return refuse(instruction);
      if (operands[3].negated) op.flags |= exec::flag_negated;
    }
    if (op.a == no_slot || op.b == no_slot) return refuse(instruction);
    const size_t guard = begin_guard(index, instruction);
    if (!emit(index, s, op)) return refuse(instruction);
    finish_guard(guard);
  }

  void decode_selp(uint32_t index, const Instruction& instruction) {
    const auto operands = m_function.operands_of(instruction);
    const Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
    Op op{.d = destination(operands[0]),
          .a = source(operands[1], register_bits(s.type)),
          .b = source(operands[2], register_bits(s.type))};
    if (operands[3].kind != OperandKind::reg || op.d == no_slot || op.a == no_slot || op.b == no_slot) {
      return refuse(instruction);
    }
    op.c = component_slot(operands[3].index, 255);
    if (operands[3].negated) op.flags |= exec::flag_negated;
    const size_t guard = begin_guard(index, instruction);
    if (!emit(index, s, op)) return refuse(instruction);
    finish_guard(guard);
  }

  // A conversion between the natural registers of two types.
  bool convert(uint32_t index, Modifier to, Modifier from, uint32_t d, uint32_t a) {
    Selector s;
    s.opcode = Opcode::cvt;
    s.type = to;
    s.source_type = from;
    return emit(index, s, {.d = d, .a = a});
  }
  static Modifier integer_of(uint32_t bits, bool is_signed) {
    switch (bits) {
      case 16:
        return is_signed ? Modifier::s16 : Modifier::u16;
      case 32:
        return is_signed ? Modifier::s32 : Modifier::u32;
      default:
        return is_signed ? Modifier::s64 : Modifier::u64;
    }
  }

  void decode_cvt(uint32_t index, const Instruction& instruction) {
    const auto operands = m_function.operands_of(instruction);
    Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
    const size_t first_op = m_program.ops.size();
    const uint32_t natural_source = register_bits(s.source_type), natural_result = register_bits(s.type);
    const uint32_t source_width = std::max(bits_of_register(operands[1]), natural_source);
    uint32_t a = source(operands[1], source_width);
    if (a == no_slot) return refuse(instruction);
    if (source_width > natural_source) {
      const uint32_t narrow = m_frame.lanes(natural_source);
      convert(index, integer_of(natural_source, false), integer_of(source_width, false), narrow, a);
      a = narrow;
    }
    const uint32_t result_width = bits_of_register(operands[0]);
    const uint32_t d = destination(operands[0]);
    const bool widen = result_width > natural_result;
    if (d == no_slot || (widen && ptx::is_float(s.type))) return refuse(instruction);
    const uint32_t target = widen ? m_frame.lanes(natural_result) : d;
    const bool rounded = s.has_rounding && ptx::is_float(s.type) && !ptx::is_float(s.source_type) &&
                         s.rounding != Modifier::rn;
    const bool narrowing =
        s.type == Modifier::f32 && s.source_type == Modifier::f64 && s.rounding != Modifier::rn;
    const size_t guard = widen ? SIZE_MAX : begin_guard(index, instruction);
    if (rounded || narrowing) {
      append(index,
             {.handlers = {{&exec::run_rounded, &exec::run_rounded}}, .immediate = fenv_mode(s.rounding)});
    }
    if (!emit(index, s, {.d = target, .a = a})) return refuse(instruction);
    finish_guard(guard);
    if (widen) {
      const bool is_signed = ptx::is_signed(s.type);
      const size_t widening = begin_guard(index, instruction);
      convert(index, integer_of(result_width, is_signed), integer_of(natural_result, is_signed), d, target);
      finish_guard(widening);
    }
    hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
  }

  void decode_cvta(uint32_t index, const Instruction& instruction) {
    const auto operands = m_function.operands_of(instruction);
    const auto modifiers = m_function.modifiers_of(instruction);
    const Selector s = selector_of(instruction, modifiers);
    if (register_bits(s.type) != 64)
      return refuse(instruction, "32-bit generic addresses do not exist on the GPUs of today.");
    const Modifier space = space_of(modifiers);
    const uint32_t a = source(operands[1], 64);
    const uint32_t d = destination(operands[0]);
    if (a == no_slot || d == no_slot || space == Modifier::param) return refuse(instruction);
    const bool constant = is_launch_constant(operands[1]);
    const bool stable =
        constant || (operands[1].kind == OperandKind::reg && m_alias[operands[1].index] != no_slot);
    uint64_t base = space == Modifier::shared  ? exec::shared_window
                    : space == Modifier::local ? exec::local_window
                                               : 0;
    if (has(modifiers, Modifier::to)) base = 0 - base;
    // Global addresses are generic addresses already.
    if (base == 0 && stable && rename(instruction, operands[0], a, constant)) return;
    const size_t first_op = m_program.ops.size();
    const uint32_t b = m_frame.constant(m_program, base, 64);
    const size_t guard = begin_guard(index, instruction);
    if (!emit(index, s, {.d = d, .a = a, .b = b})) return refuse(instruction);
    finish_guard(guard);
    hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
  }

  void decode_mov(uint32_t index, const Instruction& instruction) {
    const auto operands = m_function.operands_of(instruction);
    Selector s = selector_of(instruction, m_function.modifiers_of(instruction));
    const uint32_t bits = register_bits(s.type);
    if (s.vector != 1) return refuse(instruction);
    const size_t first_op = m_program.ops.size();
    Op op;
    if (operands[1].kind == OperandKind::vector) {
      if (!pack(s, op, operands)) return refuse(instruction);
    } else if (operands[0].kind == OperandKind::vector) {
      if (!unpack(s, op, operands)) return refuse(instruction);
    } else {
      const uint32_t a = is_predicate(s.type) && operands[1].kind == OperandKind::reg
                             ? component_slot(operands[1].index, 255)
                             : source(operands[1], bits);
      op.d = destination(operands[0]);
      op.a = a;
      if (a == no_slot || op.d == no_slot || operands[1].negated) return refuse(instruction);
      const bool constant = is_launch_constant(operands[1]);
      const bool stable = constant || operands[1].kind == OperandKind::special;
      if (stable && !is_predicate(s.type) && rename(instruction, operands[0], a, constant)) return;
    }
    const size_t guard = begin_guard(index, instruction);
    if (!emit(index, s, op)) return refuse(instruction);
    finish_guard(guard);
    if (operands[1].kind != OperandKind::vector) {
      hoist_if_constant(first_op, instruction, operands[0], operands.subspan(1));
    }
  }
  bool pack(Selector& s, Op& op, std::span<const Operand> operands) {
    const auto parts = m_function.children_of(operands[1]);
    s.vector = static_cast<uint8_t>(parts.size());
    s.source_bits = static_cast<uint8_t>(ptx::bits_of(s.type) / parts.size());
    uint32_t slots[4] = {no_slot, no_slot, no_slot, no_slot};
    if (parts.size() > 4) return false;
    for (size_t i = 0; i < parts.size(); ++i) {
      slots[i] = source(parts[i], s.source_bits);
      if (slots[i] == no_slot) return false;
    }
    op = {.d = destination(operands[0]), .a = slots[0], .b = slots[1], .c = slots[2], .e = slots[3]};
    return op.d != no_slot;
  }
  bool unpack(Selector& s, Op& op, std::span<const Operand> operands) {
    const auto parts = m_function.children_of(operands[0]);
    s.vector = static_cast<uint8_t>(parts.size());
    s.source_bits = static_cast<uint8_t>(ptx::bits_of(s.type));
    uint32_t slots[4] = {no_slot, no_slot, no_slot, no_slot};
    if (parts.size() > 4) return false;
    for (size_t i = 0; i < parts.size(); ++i) slots[i] = destination(parts[i]);
    op = {.d = slots[0],
          .a = source(operands[1], ptx::bits_of(s.type)),
          .b = slots[1],
          .c = slots[2],
          .e = slots[3]};
    return op.a != no_slot;
  }

  // ---- Memory

  // The address of an access: a register and an offset, or a place that is known now. False: cannot be one.
  bool set_address(Op& op, const Operand& address, Modifier space) {
    if (address.base == OperandKind::reg) {
      op.a = component_slot(address.index, address.component);
      op.immediate = address.offset;
      if (register_bits(m_function.registers[address.index].type) == 32) op.flags |= exec::flag_address32;
      return register_bits(m_function.registers[address.index].type) >= 32;
    }
    op.flags |= exec::flag_constant;
    if (address.base == OperandKind::immediate) {
      op.immediate = static_cast<int64_t>(address.bits) + address.offset;
      return true;
    }
    const std::optional<uint64_t> at = m_layout.address_of(address);
    if (!at) return false;
    op.immediate = static_cast<int64_t>(*at);
    if (space == Modifier::weak && m_layout.space_of(address) == ptx::StateSpace::shared) {
      op.immediate += static_cast<int64_t>(exec::shared_window);
    }
    return true;
  }

  void decode_access(uint32_t index, const Instruction& instruction) {
    const auto operands = m_function.operands_of(instruction);
    const auto modifiers = m_function.modifiers_of(instruction);
    Selector s = selector_of(instruction, modifiers);
    const bool store = instruction.opcode == Opcode::st;
    const Operand& address = operands[store ? 0 : 1];
    const Operand& data = operands[store ? 1 : 0];
    s.operation = space_of(modifiers);
    if (instruction.opcode == Opcode::ldu && s.operation == Modifier::weak) s.operation = Modifier::global;
    if (s.operation == Modifier::param && store)
      return refuse(instruction, "device function calls do not run on the virtual GPU yet.");
    if (s.vector > 4 || ptx::bits_of(s.type) > 64) return refuse(instruction);
    if (s.operation == Modifier::param && load_parameter(index, instruction, s, data, address)) return;
    Op op;
    const std::span<const Operand> values =
        data.kind == OperandKind::vector ? m_function.children_of(data) : std::span(&data, 1);
    uint32_t* const slots[4] = {&op.d, &op.b, &op.c, &op.e};
    uint32_t width = register_bits(s.type);
    for (const Operand& value : values) width = std::max(width, bits_of_register(value));
    for (size_t i = 0; i < 4; ++i) *slots[i] = no_slot;
    for (size_t i = 0; i < values.size() && i < 4; ++i) {
      *slots[i] = store ? source(values[i], width) : destination(values[i]);
      if (store && *slots[i] == no_slot) return refuse(instruction);
    }
    s.destination_bits = static_cast<uint8_t>(width);
    op.bytes = static_cast<uint8_t>(ptx::bits_of(s.type) / 8 * s.vector);
    if (store) op.flags |= exec::flag_store;
    if (!set_address(op, address, s.operation))
      return refuse(instruction, "this address cannot be resolved.");
    op.state = counted(index, CountedOp::Kind::access, space_for_report(s.operation),
                       store ? AccessKind::store : AccessKind::load);
    const size_t guard = begin_guard(index, instruction);
    if (!emit(index, s, op)) return refuse(instruction);
    finish_guard(guard);
  }

  // A parameter at a known place is a launch constant.
  bool load_parameter(uint32_t index, const Instruction& instruction, const Selector& s, const Operand& data,
                      const Operand& address) {
    if (address.base != OperandKind::symbol || address.symbol_kind != ptx::SymbolKind::parameter)
      return false;
    if (s.vector != 1 || data.kind != OperandKind::reg) return false;
    const std::optional<uint64_t> offset = m_layout.address_of(address);
    if (!offset || *offset + ptx::bits_of(s.type) / 8 > m_program.parameter_bytes) return false;
    const uint32_t bits = bits_of_register(data);
    const uint32_t slot = m_frame.parameter(m_program, static_cast<uint32_t>(*offset), s.type, bits);
    if (rename(instruction, data, slot, true)) return true;
    Selector copy;
    copy.opcode = Opcode::mov;
    copy.type = bits == 16 ? Modifier::b16 : bits == 32 ? Modifier::b32 : Modifier::b64;
    const size_t guard = begin_guard(index, instruction);
    emit(index, copy, {.d = destination(data), .a = slot});
    finish_guard(guard);
    return true;
  }

  void decode_atomic(uint32_t index, const Instruction& instruction) {
    const auto operands = m_function.operands_of(instruction);
    const auto modifiers = m_function.modifiers_of(instruction);
    Selector s = selector_of(instruction, modifiers);
    s.source_type = space_of(modifiers);
    for (Modifier m : modifiers) {
      const ModifierKind kind = ptx::kind_of(m);
      if (kind == ModifierKind::operation || kind == ModifierKind::boolean) s.operation = m;
    }
    s.has_boolean = false;
    const size_t first = instruction.opcode == Opcode::atom ? 1 : 0;
    Op op{.flags = exec::flag_atomic};
    op.d = first == 1 ? destination(operands[0]) : no_slot;
    op.b = source(operands[first + 1], register_bits(s.type));
    op.c = operands.size() > first + 2 ? source(operands[first + 2], register_bits(s.type)) : no_slot;
    op.bytes = static_cast<uint8_t>(ptx::bits_of(s.type) / 8);
    if (op.b == no_slot || !set_address(op, operands[first], s.source_type)) return refuse(instruction);
    op.state = counted(index, CountedOp::Kind::access, space_for_report(s.source_type), AccessKind::atomic);
    if (s.source_type != Modifier::shared && (op.d != no_slot || ptx::is_float(s.type)))
      m_program.order_dependent = true;
    const size_t guard = begin_guard(index, instruction);
    if (!emit(index, s, op)) return refuse(instruction);
    finish_guard(guard);
  }

  struct Branch {
    size_t op;
    uint32_t target, meet;  // blocks
  };

  Program& m_program;
  const ptx::Module& m_module;
  const ptx::Function& m_function;
  const exec::OpsTable& m_table;
  Frame m_frame;
  Layout m_layout;
  uint32_t m_current = 0;
  std::vector<uint32_t> m_alias;        // per register: the slot it is another name of
  std::vector<uint32_t> m_definitions;  // per register
  std::vector<uint32_t> m_first_read;   // per register: the first instruction of the text that reads it
  std::vector<bool> m_constant_register = std::vector<bool>(m_function.registers.size(), false);
  std::vector<size_t> m_block_op;  // per block: its enter op
  std::vector<Branch> m_branches;
  std::vector<Diagnostic> m_diagnostics;
};

}  // namespace

DecodeResult decode(std::shared_ptr<const ptx::Module> module, std::string_view entry,
                    const exec::OpsTable& table) {
  DecodeResult result;
  const ptx::Function* function = module->find_entry(entry);
  if (function == nullptr) {
    std::string entries;
    for (const ptx::Function& f : module->functions) {
      if (f.is_entry) entries += fmt::format("{}{}", entries.empty() ? "" : ", ", f.name);
    }
    result.diagnostics.push_back({Severity::error, module->name, 0, 0,
                                  fmt::format("there is no kernel \"{}\"; this module has: {}.", entry,
                                              entries.empty() ? "none" : entries)});
    return result;
  }
  auto program = std::make_shared<Program>();
  program->module = std::move(module);
  program->function = function;
  result.diagnostics = Decoder(*program, table).decode();
  if (result.diagnostics.empty()) result.program = std::move(program);
  return result;
}

}  // namespace warplens::ir
