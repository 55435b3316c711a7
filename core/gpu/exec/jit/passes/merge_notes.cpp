#include <optional>
#include <utility>

#include "core/gpu/exec/jit/passes/passes.h"
#include "core/gpu/exec/state/traced_run.h"

namespace warplens::exec::jit {

namespace {

uint32_t first_of(const Instruction& note) { return static_cast<uint32_t>(note.number); }
uint32_t count_of(const Instruction& note) { return static_cast<uint32_t>(note.number >> 32); }

// Whether the note depends on what is next to it: the register of a guard, or an access.
bool must_stay(const Instruction& note) {
  return note.sources[0] != no_value || note.slot != no_slot || note.access.bytes != 0;
}

bool may_leave(Opcode o) { return ends_region(o) && o != Opcode::cut && !is_exchange(o); }

bool follows(const Instruction& note, const Instruction& earlier) {
  return first_of(note) == first_of(earlier) + count_of(earlier) &&
         count_of(earlier) + count_of(note) <= TracedRun::most_instructions;
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
      i.number = first_of(*waiting) | uint64_t{count_of(*waiting) + count_of(i)} << 32;
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
