// Video instructions: converts their modifiers and register parts to a plan.
#include "core/program/decode/families.h"
#include "core/program/op/video_plan.h"

namespace warplens::program {

namespace {

VideoOperation operation_of(std::string_view name) {
  constexpr std::pair<std::string_view, VideoOperation> rows[] = {
      {"vadd", VideoOperation::add},        {"vsub", VideoOperation::sub},
      {"vmin", VideoOperation::min},        {"vmax", VideoOperation::max},
      {"vavrg", VideoOperation::average},   {"vabsdiff", VideoOperation::absolute_difference},
      {"vset", VideoOperation::set},        {"vmad", VideoOperation::mad},
      {"vshl", VideoOperation::shift_left}, {"vshr", VideoOperation::shift_right}};
  for (const auto& [text, operation] : rows) {
    if (name == text) return operation;
  }
  return VideoOperation::add;
}

VideoCompare compare_of(Modifier m) {
  switch (m) {
    case Modifier::ne:
      return VideoCompare::ne;
    case Modifier::lt:
      return VideoCompare::lt;
    case Modifier::le:
      return VideoCompare::le;
    case Modifier::gt:
      return VideoCompare::gt;
    case Modifier::ge:
      return VideoCompare::ge;
    default:
      return VideoCompare::eq;
  }
}

VideoPart part_kind(const ptx::Part& part) {
  return part.count == 0 ? VideoPart::word : part.halves ? VideoPart::half : VideoPart::byte;
}

void set_modifiers(VideoPlan& plan, std::span<const Modifier> modifiers) {
  // vset names only the types of its sources: its result is unsigned.
  uint32_t type = plan.operation == VideoOperation::set ? 1 : 0;
  for (const Modifier m : modifiers) {
    if (ptx::kind_of(m) == ModifierKind::type) {
      (type == 0 ? plan.d_signed : type == 1 ? plan.a_signed : plan.b_signed) = ptx::is_signed(m);
      ++type;
    }
    if (ptx::kind_of(m) == ModifierKind::compare) plan.compare = compare_of(m);
    plan.saturate = plan.saturate || m == Modifier::sat;
    plan.wrap = plan.wrap || m == Modifier::wrap;
    plan.plus_one = plan.plus_one || m == Modifier::po;
    if (m == Modifier::add) plan.second = VideoSecond::add;
    if (m == Modifier::min) plan.second = VideoSecond::min;
    if (m == Modifier::max) plan.second = VideoSecond::max;
    if (m == Modifier::shr7) plan.shift = 7;
    if (m == Modifier::shr15) plan.shift = 15;
  }
}

// Sets the parts of the operands: those written, or the manual's defaults.
void set_parts(VideoPlan& plan, std::span<const Operand> operands) {
  const ptx::Part d = ptx::part_of(operands[0]), a = ptx::part_of(operands[1]), b = ptx::part_of(operands[2]);
  if (plan.lanes == 1) {
    plan.d_part = part_kind(d);
    plan.a_part = part_kind(a);
    plan.b_part = part_kind(b);
    plan.d_index = static_cast<uint8_t>(d.index(0));
    plan.a_index = static_cast<uint16_t>(a.index(0));
    plan.b_index = static_cast<uint16_t>(b.index(0));
    return;
  }
  const bool halves = plan.lanes == 2;
  plan.a_index = static_cast<uint16_t>(a.count != 0 ? a.indices : halves ? 0x10 : 0x3210);
  plan.b_index = static_cast<uint16_t>(b.count != 0 ? b.indices : halves ? 0x32 : 0x7654);
  for (uint32_t i = 0; i < d.count; ++i) plan.d_index = static_cast<uint8_t>(plan.d_index | 1u << d.index(i));
  if (d.count == 0) plan.d_index = static_cast<uint8_t>((1u << plan.lanes) - 1);
}

}  // namespace

void decode_video(Emitter& emitter, uint32_t index, const Instruction& instruction) {
  const auto operands = emitter.operands(instruction);
  std::string_view name = ptx::text_of(instruction.opcode);
  VideoPlan plan;
  plan.lanes = name.ends_with('2') ? 2 : name.ends_with('4') ? 4 : 1;
  if (plan.lanes != 1) name.remove_suffix(1);
  plan.operation = operation_of(name);
  set_modifiers(plan, emitter.modifiers(instruction));
  set_parts(plan, operands);
  plan.negate_product = operands[1].negated != operands[2].negated;
  plan.negate_c = operands.size() > 3 && operands[3].negated;
  Op op{.handlers = emitter.routine(Routine::video),
        .d = emitter.destination(operands[0]),
        .a = emitter.source(operands[1], 32),
        .b = emitter.source(operands[2], 32)};
  op.c = operands.size() > 3 ? emitter.source(operands[3], 32) : op.a;
  if (op.d == no_slot || op.a == no_slot || op.b == no_slot || op.c == no_slot)
    return emitter.refuse(instruction);
  plan.write(op);
  emitter.append_guarded(index, instruction, op);
}

}  // namespace warplens::program
