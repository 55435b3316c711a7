#include "core/gpu/exec/jit/targets.h"

#include <algorithm>
#include <array>

#include "core/gpu/exec/isa/isa.h"
#include "core/gpu/exec/jit/executor/executor.h"
#include "core/gpu/exec/jit/target/avx2/compile.h"
#include "core/gpu/exec/tier/compile.h"

namespace warplens::exec::jit {

namespace {

constexpr std::array<Target, 2> k_targets{{
    {"avx512", "avx512", true, &tier::compile_for_avx512},
    {"avx2", "avx2", false, &avx2::compile},
}};

constexpr Target k_executor{"executor", "", false, &compile_for_executor};

}  // namespace

const Target& executor_target() { return k_executor; }

const Target* target_beside(const OpsTable* table) {
  if (!tier::can_compile()) return nullptr;
  // The vectors of the code have to be those of this machine.
  static const std::vector<InstructionSet> sets = instruction_sets(machine_features());
  const auto set = std::ranges::find(sets, table, &InstructionSet::table);
  if (set == sets.end()) return nullptr;
  const auto target = std::ranges::find(k_targets, set->name, &Target::handlers);
  return target == k_targets.end() ? nullptr : &*target;
}

}  // namespace warplens::exec::jit
