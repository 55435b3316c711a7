// The compiled tier: basic blocks that many warps enter become machine code, which runs them as the handlers
// would, with the same results, counts, faults and steps. Warps of which some lanes are active have code of
// their own. What the code does not know it leaves to the handlers. core/gpu/exec/jit/targets.h has the
// list of what compiles. See docs/adr/0071-hot-blocks-are-compiled.md.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/runtime/lookers.h"
#include "core/gpu/exec/jit/runtime/target.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/program.h"

namespace warplens::exec {

// always: all of a program before its first warp starts, for who compares both ways. executor: the same, run
// by the slow executor of the IR (core/gpu/exec/jit/executor).
enum class Tier : uint8_t { off, hot, always, executor };
// What WARPLENS_TIER in the environment asks for: off, always, executor, or else hot.
Tier wished_tier();

// Of the run that a block is part of.
Lookers lookers_of(const BlockContext& block);

// The code of one program for some lookers. All workers share it.
class CompiledProgram {
 public:
  // A block that one worker's warps have entered so often is worth the time.
  static constexpr uint64_t many_entries = 1024;

  // ops: those that run, of the program or of its copy.
  CompiledProgram(const program::Program& program, const Op* ops, const Lookers& lookers,
                  const jit::Target& target);

  // Where an op's code for such warps begins; null: it has none.
  const void* find(const Op* op, Mode mode) const {
    return m_codes[mode].entries[static_cast<size_t>(op - m_ops)].load(std::memory_order_acquire);
  }
  // From such a place on; returns what a handler does.
  const Op* run(const void* at, Warp& warp) const {
    const Op* const next = m_codes[warp.mode].enter.load(std::memory_order_relaxed)(&warp, at);
    if (next == nullptr && warp.block->thrown != nullptr) throw_again(*warp.block);
    return next;
  }

  // The blocks that were entered about as often as the one that is hot, as these counts say.
  void compile_hot(std::span<const BlockCount> counts);
  void compile_all();
  // Blocks that were to be compiled and were refused, by the encoder or by the system.
  uint32_t refused();

 private:
  [[noreturn]] static void throw_again(BlockContext& block);

  using Enter = jit::Enter;

  // For warps of one mode.
  struct Code {
    std::atomic<Enter> enter{nullptr};
    std::unique_ptr<std::atomic<const void*>[]> entries;  // per op
    std::vector<bool> tried;                              // per op that starts a block
    jit::StepsOfShapes steps_of_shapes;                   // that all pieces of the code have
  };

  // The blocks of which a count of entries, as `entries_of` has it, is not small.
  template <class EntriesOf>
  void compile_often_entered(Mode mode, EntriesOf entries_of);
  void compile(Mode mode, const std::vector<uint32_t>& starts, bool checks);

  const program::Program& m_program;  // traced: the one whose handlers note nothing
  const Op* m_ops;                    // that run
  Lookers m_lookers;
  const jit::Target& m_target;
  std::array<Code, 2> m_codes;                // by Mode
  std::vector<uint32_t> m_starts;             // the first op of each basic block that can be reached
  std::mutex m_mutex;                         // of Code::tried and what follows
  std::vector<std::shared_ptr<void>> m_kept;  // what holds the code
  uint32_t m_refused = 0;
};

// Null: there is none for this program, this machine or this wish.
// trace: of a copy that is traced.
CompiledProgram* compiled_program(const program::Program& program, const Lookers& lookers, Tier tier,
                                  const TraceLog* trace = nullptr);

}  // namespace warplens::exec
