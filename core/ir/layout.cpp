#include "core/ir/layout.h"

#include <algorithm>

#include "core/exec/memory.h"

namespace warplens::ir {

namespace {

using ptx::StateSpace;
using ptx::SymbolKind;

uint64_t aligned(uint64_t at, uint64_t alignment) {
  const uint64_t a = std::max<uint64_t>(alignment, 1);
  return (at + a - 1) / a * a;
}

struct Sizes {
  uint64_t shared = 0, local = 0;
};

Layout::Place place(const ptx::Variable& variable, Sizes& sizes) {
  uint64_t* end = variable.space == StateSpace::shared ? &sizes.shared : &sizes.local;
  const uint64_t at = aligned(*end, variable.alignment);
  if (!variable.unsized) *end = at + variable.bytes;
  return {variable.space, at};
}

const Layout::Place* find(const Layout& layout, const ptx::Operand& operand) {
  switch (operand.symbol_kind) {
    case SymbolKind::module_variable:
      return &layout.module_variables[operand.index];
    case SymbolKind::function_variable:
      return &layout.function_variables[operand.index];
    case SymbolKind::parameter:
      return &layout.parameters[operand.index];
    default:
      return nullptr;
  }
}

}  // namespace

std::optional<uint64_t> Layout::address_of(const ptx::Operand& operand) const {
  const Place* found = find(*this, operand);
  if (found == nullptr) return std::nullopt;
  return found->address + static_cast<uint64_t>(operand.offset);
}

ptx::StateSpace Layout::space_of(const ptx::Operand& operand) const {
  const Place* found = find(*this, operand);
  return found == nullptr ? StateSpace::reg : found->space;
}

Layout lay_out(const ptx::Module& module, const ptx::Function& function, Program& program) {
  Layout layout;
  Sizes sizes;
  uint64_t next = exec::module_base;
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space == StateSpace::shared || variable.space == StateSpace::local) {
      layout.module_variables.push_back(place(variable, sizes));
      continue;
    }
    next = aligned(next, std::max<uint64_t>(variable.alignment, 256));
    layout.module_variables.push_back({variable.space, next});
    program.variables.push_back({next, &variable});
    next += variable.bytes + exec::guard_bytes;
  }
  for (const ptx::Variable& variable : function.variables)
    layout.function_variables.push_back(place(variable, sizes));
  // The dynamic part begins behind all static arrays, where the strictest of its names may begin.
  uint64_t dynamic_alignment = 16;
  for (const auto* variables : {&module.variables, &function.variables}) {
    for (const ptx::Variable& v : *variables) {
      if (v.unsized && v.space == StateSpace::shared)
        dynamic_alignment = std::max<uint64_t>(dynamic_alignment, v.alignment);
    }
  }
  sizes.shared = aligned(sizes.shared, dynamic_alignment);
  const auto place_dynamic = [&](const std::vector<ptx::Variable>& variables,
                                 std::vector<Layout::Place>& places) {
    for (size_t i = 0; i < variables.size(); ++i) {
      if (variables[i].unsized && variables[i].space == StateSpace::shared) {
        places[i].address = sizes.shared;
      }
    }
  };
  place_dynamic(module.variables, layout.module_variables);
  place_dynamic(function.variables, layout.function_variables);
  uint64_t offset = 0;
  for (const ptx::Variable& parameter : function.parameters) {
    offset = aligned(offset, parameter.alignment);
    layout.parameters.push_back({StateSpace::param, offset});
    program.parameter_offsets.push_back(static_cast<uint32_t>(offset));
    offset += parameter.bytes;
  }
  program.parameter_bytes = static_cast<uint32_t>(offset);
  program.shared_static_bytes = static_cast<uint32_t>(aligned(sizes.shared, 16));
  program.local_bytes = static_cast<uint32_t>(aligned(sizes.local, 16));
  return layout;
}

}  // namespace warplens::ir
