#include "core/program/layout.h"

#include <algorithm>

#include "core/program/op/address_space.h"

namespace warplens::program {

namespace {

using ptx::StateSpace;
using ptx::SymbolKind;

uint64_t aligned(uint64_t at, uint64_t alignment) {
  const uint64_t a = std::max<uint64_t>(alignment, 1);
  return (at + a - 1) / a * a;
}

// An overflow saturates, so that decode refuses the program.
uint32_t capped(uint64_t bytes) { return static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX)); }

// The size used so far of each space.
struct Sizes {
  uint64_t shared = 0, local = 0;
  uint64_t global = 0, constant = 0;
};

Layout::Place place(const ptx::Variable& variable, Sizes& sizes, Program& program) {
  if (variable.space == StateSpace::param) return {variable.space, 0};
  if (variable.space == StateSpace::shared || variable.space == StateSpace::local) {
    uint64_t& end = variable.space == StateSpace::shared ? sizes.shared : sizes.local;
    const uint64_t at = aligned(end, variable.alignment);
    if (!variable.unsized) end = at + variable.bytes;
    if (!variable.unsized && variable.space == StateSpace::shared)
      program.shared_variables.push_back({at, end, variable.name});
    return {variable.space, at};
  }
  uint64_t& next = variable.space == StateSpace::constant ? sizes.constant : sizes.global;
  next = aligned(next, std::max<uint64_t>(variable.alignment, 256));
  program.variables.push_back({next, &variable});
  const uint64_t at = next;
  next += variable.bytes + guard_bytes;
  return {variable.space, at};
}

// The dynamic part of shared memory begins after all static arrays, at the largest alignment of its names.
uint64_t dynamic_alignment(const ptx::Module& module, const Program& program) {
  uint64_t strictest = 16;
  const auto look = [&](const std::vector<ptx::Variable>& variables) {
    for (const ptx::Variable& v : variables) {
      if (v.unsized && v.space == StateSpace::shared) strictest = std::max<uint64_t>(strictest, v.alignment);
    }
  };
  look(module.variables);
  for (const FunctionCode& code : program.functions) look(code.function->variables);
  return strictest;
}

void place_dynamic(const std::vector<ptx::Variable>& variables, std::vector<Layout::Place>& places,
                   uint64_t at, Program& program) {
  for (size_t i = 0; i < variables.size(); ++i) {
    if (!variables[i].unsized || variables[i].space != StateSpace::shared) continue;
    places[i].address = at;
    program.shared_variables.push_back({at, UINT64_MAX, variables[i].name});
  }
}

void spill_parameters(const ptx::Function& function, Layout& layout, Sizes& sizes) {
  layout.spilled.assign(function.parameters.size(), {StateSpace::reg, 0});
  for (const ptx::Instruction& instruction : function.instructions) {
    if (instruction.opcode != ptx::Opcode::mov) continue;
    const ptx::Operand& source = function.operands_of(instruction)[1];
    const bool is_parameter =
        source.kind == ptx::OperandKind::symbol && source.symbol_kind == SymbolKind::parameter;
    if (!is_parameter || layout.spilled[source.index].space == StateSpace::local) continue;
    const ptx::Variable& parameter = function.parameters[source.index];
    const uint64_t at = aligned(sizes.local, std::max(parameter.alignment, 4u));
    sizes.local = at + aligned(parameter.bytes, 4);
    layout.spilled[source.index] = {StateSpace::local, at};
  }
}

// The variables of one function.
Layout place_all(FunctionCode& code, Sizes& sizes, Program& program) {
  Layout layout;
  Sizes own;  // after the base of the activation on the stack
  for (const ptx::Variable& variable : code.function->variables) {
    const bool stacked = code.on_stack && variable.space == StateSpace::local;
    layout.function_variables.push_back(place(variable, stacked ? own : sizes, program));
  }
  if (!code.function->is_entry) spill_parameters(*code.function, layout, code.on_stack ? own : sizes);
  code.stack_bytes = capped(aligned(own.local, 16));
  return layout;
}

void place_parameters(Layout& layout, Program& program) {
  const std::vector<uint64_t> offsets = parameter_offsets(*program.function);
  for (size_t i = 0; i + 1 < offsets.size(); ++i) {
    layout.parameters.push_back({StateSpace::param, offsets[i]});
    program.parameter_offsets.push_back(static_cast<uint32_t>(offsets[i]));
  }
  program.parameter_bytes = capped(offsets.back());
}

const Layout::Place* find(const Layout& layout, const ptx::Operand& operand) {
  switch (operand.symbol_kind) {
    case SymbolKind::module_variable:
      return &layout.module_variables[operand.index];
    case SymbolKind::function_variable: {
      const Layout::Place& found = layout.function_variables[operand.index];
      return found.space == StateSpace::param ? nullptr : &found;
    }
    case SymbolKind::parameter:  // most passed values are in the frame
      if (operand.index < layout.spilled.size()) {
        const Layout::Place& found = layout.spilled[operand.index];
        return found.space == StateSpace::local ? &found : nullptr;
      }
      return operand.index < layout.parameters.size() ? &layout.parameters[operand.index] : nullptr;
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

namespace {

// Places what is in memory, in the same order as lay_out.
Sizes place_in_memory(const ptx::Module& module, const ModuleBase& base, Program& program) {
  Sizes sizes;
  sizes.global = base.global;
  sizes.constant = base.constant;
  const auto add = [&](const std::vector<ptx::Variable>& variables) {
    for (const ptx::Variable& variable : variables) {
      const bool in_memory = variable.space == StateSpace::global || variable.space == StateSpace::constant;
      if (in_memory) place(variable, sizes, program);
    }
  };
  add(module.variables);
  for (const ptx::Function& function : module.functions) add(function.variables);
  return sizes;
}

}  // namespace

std::vector<ModuleVariable> variables_of(const ptx::Module& module, const ModuleBase& base) {
  Program program;
  place_in_memory(module, base, program);
  return std::move(program.variables);
}

ModuleExtent extent_of(const ptx::Module& module) {
  Program program;
  const ModuleBase base;
  const Sizes sizes = place_in_memory(module, base, program);
  return {sizes.global - base.global, sizes.constant - base.constant};
}

namespace {

// The variables of the module that are named by the entry or by the functions that it reaches.
std::vector<bool> named_variables(const ptx::Module& module, const Program& program) {
  std::vector<bool> named(module.variables.size());
  for (const FunctionCode& code : program.functions) {
    for (const ptx::Operand& operand : code.function->operands) {
      const bool is_symbol =
          operand.kind == ptx::OperandKind::symbol ||
          (operand.kind == ptx::OperandKind::address && operand.base == ptx::OperandKind::symbol);
      if (is_symbol && operand.symbol_kind == SymbolKind::module_variable) named[operand.index] = true;
    }
  }
  return named;
}

}  // namespace

std::vector<Layout> lay_out(const ptx::Module& module, Program& program) {
  Sizes sizes;
  sizes.global = program.base.global;
  sizes.constant = program.base.constant;
  std::vector<Layout::Place> of_module;
  // In relocatable code, the shared arrays of all kernels belong to the module: each kernel gets only its
  // own.
  const std::vector<bool> named = named_variables(module, program);
  for (size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    const bool in_memory = variable.space == StateSpace::global || variable.space == StateSpace::constant;
    of_module.push_back(named[i] || in_memory ? place(variable, sizes, program)
                                              : Layout::Place{variable.space, 0});
  }
  // Those of functions that this entry does not reach are placed too, since all entries of a module share
  // memory.
  std::vector<Layout> layouts(program.functions.size());
  for (size_t f = 0; f < module.functions.size(); ++f) {
    const uint32_t at = program.function_places[f];
    if (at != no_function) {
      layouts[at] = place_all(program.functions[at], sizes, program);
      continue;
    }
    for (const ptx::Variable& variable : module.functions[f].variables) {
      const bool in_memory = variable.space == StateSpace::global || variable.space == StateSpace::constant;
      if (in_memory) place(variable, sizes, program);
    }
  }
  sizes.shared = aligned(sizes.shared, dynamic_alignment(module, program));
  place_dynamic(module.variables, of_module, sizes.shared, program);
  for (size_t f = 0; f < layouts.size(); ++f) {
    layouts[f].module_variables = of_module;
    place_dynamic(program.functions[f].function->variables, layouts[f].function_variables, sizes.shared,
                  program);
  }
  place_parameters(layouts[0], program);
  program.shared_static_bytes = capped(aligned(sizes.shared, 16));
  program.local_bytes = capped(aligned(sizes.local, 16));
  return layouts;
}

std::vector<uint64_t> parameter_offsets(const ptx::Function& entry) {
  std::vector<uint64_t> offsets;
  uint64_t end = 0;
  for (const ptx::Variable& parameter : entry.parameters) {
    offsets.push_back(aligned(end, parameter.alignment));
    end = offsets.back() + parameter.bytes;
  }
  offsets.push_back(end);
  return offsets;
}

}  // namespace warplens::program
