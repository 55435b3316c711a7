// Which instruction set this machine runs, and which family knows an instruction.
#include <cfenv>
#include <cstdlib>
#include <string_view>

#include "core/exec/selector.h"

namespace warplens::exec {

namespace {

struct Choice {
  const OpsTable* table;
  const char* name;
};

Choice choose() {
  const char* wish = std::getenv("WARPLENS_ISA");
  [[maybe_unused]] const std::string_view wanted = wish != nullptr ? wish : "";
  // The build says which sets it has: WARPLENS_OPS_….
#if defined(WARPLENS_OPS_avx512)
  if (wanted != "baseline" && wanted != "avx2") {
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512cd");
    if (avx512) return {&ops_avx512(), "avx512"};
  }
#endif
#if defined(WARPLENS_OPS_avx2)
  if (wanted != "baseline") {
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (avx2) return {&ops_avx2(), "avx2"};
  }
#endif
  return {&ops_baseline(), "baseline"};
}

const Choice& choice() {
  static const Choice chosen = choose();
  return chosen;
}

}  // namespace

const OpsTable& best_ops() { return *choice().table; }
const char* best_ops_name() { return choice().name; }

Handlers find_handlers(const OpsTable& table, const Selector& selector) {
  const auto is_float = ptx::is_float(selector.type);
  for (const auto family : {table.memory, table.carry, table.bits, table.atomic_half, table.atomic,
                            table.compare, table.convert_half, table.convert, table.move, table.logic,
                            table.half, is_float ? table.floating : table.integer}) {
    if (const Handlers handlers = family(selector)) return handlers;
  }
  return {};
}

}  // namespace warplens::exec
