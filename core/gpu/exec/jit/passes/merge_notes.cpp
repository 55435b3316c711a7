#include <optional>
#include <utility>

#include "core/gpu/exec/jit/passes/passes.h"
#include "core/gpu/exec/state/traced_run.h"

namespace warplens::exec::jit {

namespace {

// Whether the note depends on what is next to it: the register of a guard, or an access.
bool must_stay(const Instruction& note) {
  return note.sources[0] != no_value || note.slot != no_slot || note.access.bytes != 0;
}

bool may_leave(Opcode o) { return ends_region(o) && o != Opcode::cut && !is_exchange(o); }

bool follows(const Instruction& note, const Instruction& earlier) {
  return NotedRun::of(note).first == NotedRun::of(earlier).first + NotedRun::of(earlier).count &&
         NotedRun::of(earlier).count + NotedRun::of(note).count <= TracedRun::most_instructions;
}

}  // namespace

void merge_notes(Unit& unit) {
  std::vector<Instruction> code;
  std::optional<Instruction> waiting;
  const auto end_wait = [&] {
    if (waiting) code.push_back(*std::exchange(waiting, std::nullopt));
  };
  for (Instruction& i : unit.code) {
    if (i.opcode != Opcode::note) {
      if (may_leave(i.opcode)) end_wait();
      code.push_back(std::move(i));
      continue;
    }
    if (waiting && follows(i, *waiting)) {
      i.number = NotedRun{NotedRun::of(*waiting).first, NotedRun::of(*waiting).count + NotedRun::of(i).count}
                     .number();
      waiting.reset();
    }
    end_wait();
    if (must_stay(i)) {
      code.push_back(std::move(i));
    } else {
      waiting = std::move(i);
    }
  }
  end_wait();
  unit.code = std::move(code);
}

}  // namespace warplens::exec::jit
