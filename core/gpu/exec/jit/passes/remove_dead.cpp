#include <algorithm>

#include "core/gpu/exec/jit/passes/passes.h"

namespace warplens::exec::jit {

void remove_dead(Unit& unit) {
  std::vector<bool> used(unit.values, false), kept(unit.code.size(), false);
  for (size_t at = unit.code.size(); at-- > 0;) {
    Instruction& i = unit.code[at];
    // Values on both sides of it are of two regions.
    if (is_gathering(i.opcode) && !used[i.result]) i = {.opcode = Opcode::cut, .at = i.at};
    kept[at] = i.result == no_value || is_load(i.opcode) || is_carried(i.opcode) || changes_lanes(i.opcode) ||
               used[i.result];
    if (!kept[at]) continue;
    for (const uint32_t source : i.sources)
      if (source != no_value) used[source] = true;
    for (const Put& put : i.state) used[put.value] = true;
    for (const Put& put : i.carries) used[put.value] = true;
  }
  size_t at = 0;
  std::erase_if(unit.code, [&](const Instruction&) { return !kept[at++]; });
}

bool run_passes(Unit& unit, LanesAt lanes) {
  find_rows(unit);
  merge_notes(unit);
  sink_puts(unit, lanes);
  if (lanes == LanesAt::frame && !reload(unit)) return false;
  relax_nans(unit, lanes);
  remove_dead(unit);
  if (lanes == LanesAt::registers) fuse_logic(unit);
  return true;
}

}  // namespace warplens::exec::jit
