#include "core/gpu/exec/jit/lower/special_rows.h"

namespace warplens::exec::jit {

namespace {

// A special register's step from lane to lane in a whole warp; nothing: its lanes form no row.
std::optional<int64_t> step_of(const program::SpecialSlot& slot, bool in_rows) {
  using ptx::SpecialRegister;
  switch (slot.special) {
    case SpecialRegister::tid:
      if (!in_rows) return {};
      return slot.component == 0 ? 1 : 0;
    case SpecialRegister::laneid:
      return 1;
    case SpecialRegister::lanemask_eq:
    case SpecialRegister::lanemask_le:
    case SpecialRegister::lanemask_lt:
    case SpecialRegister::lanemask_ge:
    case SpecialRegister::lanemask_gt:
      return {};
    default:
      return 0;
  }
}

}  // namespace

// Ops with links compute each lane's result from the lane's own sources.
FrameRows frame_rows(const program::Program& program, bool in_rows) {
  FrameRows rows;
  for (const program::SpecialSlot& slot : program.launch_specials)
    if (const auto step = step_of(slot, in_rows)) rows.emplace(slot.slot, FrameRow{.step = *step});
  for (uint32_t i = 0; i < program.block_specials.size(); ++i)
    if (const auto step = step_of(program.block_specials[i], in_rows))
      rows.emplace(program.block_specials[i].slot, FrameRow{.step = *step, .special = i});
  for (const program::ConstantSlot& slot : program.constants)
    rows.emplace(slot.slot, FrameRow{.constant = slot.bits});
  for (const program::ParameterSlot& slot : program.parameters) rows.emplace(slot.slot, FrameRow{});
  const auto is_uniform = [&](uint32_t slot) {
    const auto found = rows.find(slot);
    return found != rows.end() && found->second.step == 0;
  };
  for (const program::Op& op : program.prologue) {
    const program::Links* const links = op.handlers.links;
    if (links == nullptr || links->result_bytes == 0) continue;
    const uint32_t sources[3] = {op.a, op.b, op.c};
    bool uniform = true;
    for (uint32_t i = 0; i < 3; ++i)
      uniform = uniform && (links->source_bytes[i] == 0 || is_uniform(sources[i]));
    if (uniform) rows.emplace(op.d, FrameRow{});
  }
  return rows;
}

}  // namespace warplens::exec::jit
