#include "core/program/decode/passed.h"

#include <algorithm>

#include "core/program/op/call_op.h"

namespace warplens::program {

namespace {

constexpr uint32_t row_bytes = 4 * warp_lanes;

}  // namespace

SlotRange piece_of(const ptx::Variable& variable, uint32_t slot) {
  if (variable.space == ptx::StateSpace::reg) {
    const uint32_t bytes = is_predicate(variable.type) ? 0 : register_bits(variable.type) / 8;
    return {slot, static_cast<uint8_t>(bytes), variable.vector};
  }
  return {slot, 4, std::max<uint32_t>(1, static_cast<uint32_t>((variable.bytes + 3) / 4))};
}

uint32_t rows_for(Emitter& emitter, const ptx::Variable& variable) {
  return emitter.adjacent(piece_of(variable, 0).rows, 32);
}

void give_signature_slots(Emitter& emitter) {
  emitter.variable_slots().assign(emitter.function().variables.size(), no_slot);
  for (size_t i = 0; i < emitter.function().variables.size(); ++i) {
    const ptx::Variable& variable = emitter.function().variables[i];
    if (variable.space == ptx::StateSpace::param) emitter.variable_slots()[i] = rows_for(emitter, variable);
  }
  if (emitter.function().is_entry) return;
  uint32_t next_register = 0;  // .reg ones are the function's first registers, results first
  const auto give = [&](const std::vector<ptx::Variable>& variables, std::vector<SlotRange>& pieces) {
    for (const ptx::Variable& variable : variables) {
      const bool in_register = variable.space == ptx::StateSpace::reg;
      pieces.push_back(piece_of(
          variable, in_register ? emitter.register_at(next_register++).slot : rows_for(emitter, variable)));
    }
  };
  give(emitter.function().returns, emitter.code().returns);
  give(emitter.function().parameters, emitter.code().parameters);
  for (uint32_t r = 0; r < next_register; ++r) emitter.note_passed(r);  // a call writes them, or reads them
  if (emitter.code().on_stack) emitter.code().base_slot = emitter.lanes(64);
}

void spill_parameters(Emitter& emitter) {
  for (uint32_t i = 0; i < emitter.layout().spilled.size(); ++i) {
    const SlotRange& piece = emitter.code().parameters[i];
    if (emitter.layout().spilled[i].space != ptx::StateSpace::local || piece.lane_bytes != 4) continue;
    Op op{.handlers = emitter.routine(Routine::spill)};
    SpillOp{.base = emitter.code().on_stack ? emitter.code().base_slot : no_slot,
            .first = piece.slot,
            .rows = piece.rows,
            .offset = emitter.layout().spilled[i].address}
        .write(op);
    emitter.append(0, op);
  }
}

std::optional<SlotRange> passed_variable(const Emitter& emitter, const Operand& symbol) {
  switch (symbol.symbol_kind) {
    case ptx::SymbolKind::function_variable: {
      const ptx::Variable& variable = emitter.function().variables[symbol.index];
      if (variable.space != ptx::StateSpace::param || variable.unsized) return std::nullopt;
      return piece_of(variable, emitter.variable_slots()[symbol.index]);
    }
    case ptx::SymbolKind::return_value:
      if (emitter.function().is_entry) return std::nullopt;
      return emitter.code().returns[symbol.index];
    case ptx::SymbolKind::parameter:
      if (emitter.function().is_entry) return std::nullopt;
      return emitter.code().parameters[symbol.index];
    default:
      return std::nullopt;
  }
}

bool set_passed_address(const Emitter& emitter, Op& op, const AccessOp& access, const Operand& address,
                        uint32_t element_bytes) {
  if (address.base != OperandKind::symbol) return false;
  const std::optional<SlotRange> piece = passed_variable(emitter, address);
  if (emitter.layout().space_of(address) == ptx::StateSpace::local)
    return false;  // its value may have changed there
  if (!piece || piece->lane_bytes != 4) return false;
  const bool inside = address.offset >= 0 && address.offset + access.bytes <= int64_t{4} * piece->rows;
  if (!inside || address.offset % std::min<int64_t>(element_bytes, 4) != 0) return false;
  AddressOp{.base = piece->slot + static_cast<uint32_t>(address.offset / 4) * row_bytes,
            .offset = static_cast<uint64_t>(address.offset % 4)}
      .write(op);
  return true;
}

}  // namespace warplens::program
