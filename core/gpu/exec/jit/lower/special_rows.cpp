#include "core/gpu/exec/jit/lower/special_rows.h"

#include <algorithm>
#include <array>
#include <span>

namespace warplens::exec::jit {

namespace {

// A special register's lanes in a whole warp; nothing: they form no row.
std::optional<FrameRow> row_of(const program::SpecialSlot& slot, std::optional<RowShape> threads) {
  using ptx::SpecialRegister;
  switch (slot.special) {
    case SpecialRegister::tid:
      if (!threads) return {};
      if (slot.component == 0) return FrameRow{.step = 1, .rows = *threads};
      return FrameRow{.step = 0, .rows = {threads->lanes, false}};
    case SpecialRegister::laneid:
      return FrameRow{.step = 1};
    case SpecialRegister::lanemask_eq:
    case SpecialRegister::lanemask_le:
    case SpecialRegister::lanemask_lt:
    case SpecialRegister::lanemask_ge:
    case SpecialRegister::lanemask_gt:
      return {};
    default:
      return FrameRow{};
  }
}

}  // namespace

FrameRows frame_rows(const program::Program& program, std::optional<RowShape> threads) {
  FrameRows rows;
  for (const program::SpecialSlot& slot : program.launch_specials)
    if (const auto row = row_of(slot, threads)) rows.emplace(slot.slot, *row);
  for (uint32_t i = 0; i < program.block_specials.size(); ++i) {
    auto row = row_of(program.block_specials[i], threads);
    if (!row) continue;
    row->special = i;
    rows.emplace(program.block_specials[i].slot, *row);
  }
  for (const program::ConstantSlot& slot : program.constants)
    rows.emplace(slot.slot, FrameRow{.constant = slot.bits});
  for (const program::ParameterSlot& slot : program.parameters) rows.emplace(slot.slot, FrameRow{});
  const auto is_uniform = [&](uint32_t slot) {
    const auto found = rows.find(slot);
    return found != rows.end() && found->second.step == 0 && found->second.rows.is_whole();
  };
  for (const program::Op& op : program.prologue) {
    const std::array sources{op.a, op.b, op.c, op.e};
    if (op.handlers.is_lanewise &&
        std::ranges::all_of(std::span(sources).first(op.handlers.sources), is_uniform))
      rows.emplace(op.d, FrameRow{});
  }
  return rows;
}

}  // namespace warplens::exec::jit
