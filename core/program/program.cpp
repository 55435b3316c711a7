#include "core/program/program.h"

#include <algorithm>

#include "core/program/op/address_space.h"

namespace warplens::program {

namespace {

constexpr uint64_t function_alignment = 128;

}  // namespace

const FunctionCode& Program::code_of(uint32_t instruction) const {
  const auto after = std::upper_bound(
      functions.begin() + 1, functions.end(), instruction,
      [](uint32_t number, const FunctionCode& code) { return number < code.first_instruction; });
  return *std::prev(after);
}

uint32_t Program::instructions() const {
  return functions.back().first_instruction +
         static_cast<uint32_t>(functions.back().function->instructions.size());
}

uint64_t address_of_function(uint32_t module_function) {
  return code_base + (uint64_t{module_function} + 1) * function_alignment;
}

std::optional<uint32_t> module_function_at(const ptx::Module& module, uint64_t address) {
  const uint64_t number = (address - code_base) / function_alignment - 1;
  if (number >= module.functions.size()) return {};
  const auto function = static_cast<uint32_t>(number);
  return address_of_function(function) == address ? std::optional(function) : std::nullopt;
}

uint32_t Program::function_at(uint64_t address) const {
  const uint64_t number = (address - code_base) / function_alignment;
  if (address % function_alignment != 0 || number == 0 || number > function_places.size()) return no_function;
  return function_places[number - 1];
}

}  // namespace warplens::program
