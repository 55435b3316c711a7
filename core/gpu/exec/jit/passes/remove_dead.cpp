#include <algorithm>

#include "core/gpu/exec/jit/passes/passes.h"

namespace warplens::exec::jit {

void remove_dead(Unit& unit) {
  std::vector<bool> used(unit.values, false), kept(unit.code.size(), false);
  for (size_t at = unit.code.size(); at-- > 0;) {
    const Instruction& i = unit.code[at];
    kept[at] = i.result == no_value || used[i.result];
    if (!kept[at]) continue;
    for (const uint32_t source : i.sources)
      if (source != no_value) used[source] = true;
    for (const Put& put : i.state) used[put.value] = true;
  }
  size_t at = 0;
  std::erase_if(unit.code, [&](const Instruction&) { return !kept[at++]; });
}

bool run_passes(Unit& unit) {
  find_rows(unit);
  sink_puts(unit);
  if (!reload(unit)) return false;
  relax_nans(unit);
  remove_dead(unit);
  return true;
}

}  // namespace warplens::exec::jit
