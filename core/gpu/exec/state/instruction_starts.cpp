#include "core/gpu/exec/state/instruction_starts.h"

#include "core/gpu/exec/state/routines.h"

namespace warplens::exec {

std::vector<bool> instruction_starts(const program::Program& program) {
  std::vector<bool> starts(program.ops.size());
  for (size_t f = 0; f < program.functions.size(); ++f) {
    const size_t first = program.functions[f].entry_op;
    const size_t end = f + 1 < program.functions.size() ? program.functions[f + 1].entry_op : starts.size();
    uint32_t before = UINT32_MAX;
    bool in_block = false;
    // The last op handles running past the end; ops before the first basic block belong to no instruction.
    for (size_t i = first; i + 1 < end; ++i) {
      const Op& op = program.ops[i];
      if (op.handlers.run[all_lanes] == &run_enter) {
        in_block = true;
        before = UINT32_MAX;
        continue;
      }
      starts[i] = in_block && op.instruction != before;
      before = op.instruction;
    }
  }
  return starts;
}

}  // namespace warplens::exec
