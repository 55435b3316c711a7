#include "core/gpu/exec/jit/lower/units.h"

#include <algorithm>

#include "core/gpu/exec/jit/lower/lower.h"
#include "core/gpu/exec/jit/lower/reads.h"
#include "core/gpu/exec/jit/passes/passes.h"
#include "core/gpu/exec/jit/runtime/observers.h"
#include "core/gpu/exec/state/routines.h"
#include "core/program/op/flow_op.h"

namespace warplens::exec::jit {

namespace {

// Blocks with only one predecessor, which is the branch before them.
std::set<uint32_t> followed_blocks(const CompileRequest& request) {
  const program::Program& program = *request.program;
  std::vector<uint32_t> ways_in(program.flow.blocks.size());
  for (const program::BasicBlock& block : program.flow.blocks)
    for (const uint32_t next : block.successors) ++ways_in[next];
  std::set<uint32_t> followed;
  for (const uint32_t start : *request.starts)
    if (ways_in[program::entered_block(program.ops[start])] == 1) followed.insert(start);
  return followed;
}

// Handlers are faster than code that mostly calls them: each call writes the frame, and the code after it
// reads the frame again.
bool is_mostly_calls(const Unit& unit) {
  size_t calls = 0, others = 0;
  for (const Instruction& i : unit.code) {
    if (i.opcode == Opcode::call) ++calls;
    if (info_of(i.opcode).is_lane || is_access(i.opcode) || is_branch(i.opcode)) ++others;
  }
  return calls > others;
}

}  // namespace

std::vector<Unit> units_of(const CompileRequest& request, LanesAt lanes) {
  LowerRequest lowering{.program = request.program,
                        .mode = request.mode,
                        .live = request.live,
                        .lanes = lanes,
                        .listeners = {request.observers->global, request.observers->shared},
                        .rows = frame_rows(*request.program, request.observers->rows),
                        .traced = request.observers->traced,
                        .followed = followed_blocks(request)};
  std::vector<Unit> units;
  for (const uint32_t start : *request.starts) {
    for (Unit& unit : lower(lowering, start))
      // Where all is compiled for a test, this is too.
      if (run_passes(unit, lanes) && (request.checks || !is_mostly_calls(unit)))
        units.push_back(std::move(unit));
    if (request.mode != program::all_lanes || is_watched(*request.observers, *request.program)) continue;
    for (uint32_t at = start + 1; !starts_block(*request.program, at); ++at)
      if (auto unit = lower_divergent(lowering, at); unit && run_passes(*unit, lanes))
        units.push_back(std::move(*unit));
  }
  return units;
}

std::vector<UnitEntry> entries_of(const Unit& unit) {
  if (is_divergent(unit)) return {};  // only the code of the branch goes there
  std::vector<UnitEntry> entries{{unit.start, 0, 0}};
  size_t enter = 0;
  const auto loop = std::ranges::find(unit.code, Opcode::loop, &Instruction::opcode);
  if (loop != unit.code.end()) enter = static_cast<size_t>(loop - unit.code.begin()) + 1;
  // Code that only goes on at that op is no code of it: it would go round and round.
  const auto is_code = [](const Instruction& next, uint32_t op) {
    return next.opcode != Opcode::jump || target_of(next) != op;
  };
  if (unit.code[enter].opcode == Opcode::enter && enter + 1 < unit.code.size() &&
      is_code(unit.code[enter + 1], unit.code[enter].at + 1))
    entries.push_back({unit.code[enter].at + 1, enter + 1, enter == 0 ? 0 : enter - 1});
  return entries;
}

}  // namespace warplens::exec::jit
