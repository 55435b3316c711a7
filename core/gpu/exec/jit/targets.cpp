#include "core/gpu/exec/jit/targets.h"

#include <algorithm>
#include <array>

#include "core/gpu/exec/isa/isa.h"
#include "core/gpu/exec/jit/executor/executor.h"
#include "core/gpu/exec/jit/target/avx2/compile.h"
#include "core/gpu/exec/jit/target/avx512/compile.h"

namespace warplens::exec::jit {

namespace {

constexpr std::array<Target, 2> k_targets{{
    {"avx512", "avx512", true, &avx512::compile},
    {"avx2", "avx2", true, &avx2::compile},
}};

constexpr Target k_executor{"executor", "", true, &compile_for_executor};
constexpr Target k_executor_of_registers{"executor", "avx512", true, &compile_for_executor_of_registers};

}  // namespace

namespace {

// Empty: they are not for this machine, whose vectors those of the code have to be.
std::string_view name_of(const OpsTable* table) {
  static const std::vector<InstructionSet> sets = instruction_sets(machine_features());
  const auto set = std::ranges::find(sets, table, &InstructionSet::table);
  return set == sets.end() ? std::string_view() : set->name;
}

}  // namespace

const Target& executor_for(const OpsTable* table) {
  return name_of(table) == k_executor_of_registers.handlers ? k_executor_of_registers : k_executor;
}

const Target* target_for(const OpsTable* table) {
  if (!can_compile()) return nullptr;
  const auto target = std::ranges::find(k_targets, name_of(table), &Target::handlers);
  return target == k_targets.end() ? nullptr : &*target;
}

}  // namespace warplens::exec::jit
