// The compiled tier: basic blocks that many warps enter become machine code, which runs them as the handlers
// would, with the same results, counts, faults and steps. Warps with inactive lanes have code of their own.
// Handlers run what the code does not support. core/gpu/exec/jit/targets.h lists the compilers. See
// docs/adr/0071-hot-blocks-are-compiled.md.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/runtime/observers.h"
#include "core/gpu/exec/jit/runtime/target.h"
#include "core/gpu/exec/state/counters.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/program.h"

namespace warplens::exec {

// always: compile all of a program before its first warp starts, for differential tests. executor: the same,
// but run by the slow executor of the IR (core/gpu/exec/jit/executor).
enum class Tier : uint8_t { off, hot, always, executor };
// The tier that WARPLENS_TIER in the environment names: off, always, executor, or else hot.
Tier tier_from_environment();

// The observers of the run that a block is part of.
Observers observers_of(const BlockContext& block);

// For which lanes code is: for all 32; for some of them, while the others keep what they have; or for all
// that have not exited of a warp that started with fewer, where the others' registers are free.
enum class CodeFor : uint8_t { all, some, live };

// The code of one program for a set of observers. All workers share it.
class CompiledProgram {
 public:
  // A block is worth compiling once the warps of one worker have entered it this often.
  static constexpr uint64_t many_entries = 1024;

  // ops: the ops that run, of the program or of its traced copy.
  CompiledProgram(const program::Program& program, const Op* ops, const Observers& observers,
                  const jit::Target& target);

  CodeFor code_for(const Warp& warp) const {
    if (warp.mode == all_lanes) return CodeFor::all;
    return m_has_live && warp.is_short && warp.mask == warp.live ? CodeFor::live : CodeFor::some;
  }
  // Where an op's code for the warp's active lanes begins; null if it has none.
  const void* find(const Op* op, const Warp& warp) const { return find(op, code_for(warp)); }
  const void* find(const Op* op, CodeFor lanes) const {
    return of(lanes).entries[static_cast<size_t>(op - m_ops)].load(std::memory_order_acquire);
  }
  // Runs the code from such a place on. Returns the same as a handler.
  const Op* run(const void* at, Warp& warp) const {
    const CodeFor lanes = code_for(warp);
    const Op* const next = of(lanes).enter.load(std::memory_order_relaxed)(&warp, at);
    if (next == nullptr && warp.block->thrown != nullptr) throw_again(*warp.block);
    if (next == nullptr || code_for(warp) == lanes) return next;
    // Another path is running now. The caller would go on with handlers of the first one's mode.
    warp.paths[warp.current].next = next;
    warp.signal = Signal::none;
    return nullptr;
  }

  // Compiles the blocks that were entered about as often as the hot one, according to these counts.
  void compile_hot(std::span<const BlockCount> counts, CodeFor lanes);
  // For most warps with lanes missing.
  CodeFor for_other_lanes() const { return m_has_live ? CodeFor::live : CodeFor::some; }
  void compile_all();
  // The number of blocks that the encoder or the system refused to compile.
  uint32_t refused();

 private:
  [[noreturn]] static void throw_again(BlockContext& block);

  using Enter = jit::Enter;

  struct Code {
    std::atomic<Enter> enter{nullptr};
    std::unique_ptr<std::atomic<const void*>[]> entries;  // per op
    std::vector<bool> tried;                              // per op that starts a block
    jit::StepsOfShapes steps_of_shapes;                   // that all parts of the code share
    jit::GroupsOfAccesses groups;                         // the same
  };

  // Compiles the blocks whose number of entries, as `entries_of` gives it, is not small.
  template <class EntriesOf>
  void compile_often_entered(CodeFor lanes, EntriesOf entries_of);
  void compile(CodeFor lanes, const std::vector<uint32_t>& starts, bool checks);
  const Code& of(CodeFor lanes) const { return m_codes[static_cast<size_t>(lanes)]; }
  Code& of(CodeFor lanes) { return m_codes[static_cast<size_t>(lanes)]; }

  const program::Program& m_program;  // in a traced run: the original, whose handlers note nothing
  const Op* m_ops;                    // that run
  Observers m_observers;
  const jit::Target& m_target;
  bool m_has_live;
  std::array<Code, 3> m_codes;                // by CodeFor
  std::vector<uint32_t> m_starts;             // the first op of each basic block that can be reached
  std::mutex m_mutex;                         // guards Code::tried and the members below
  std::vector<std::shared_ptr<void>> m_kept;  // what holds the code
  uint32_t m_refused = 0;
};

// Null if there is no code for this program, on this machine or in this tier. trace: for a traced copy.
CompiledProgram* compiled_program(const program::Program& program, const Observers& observers, Tier tier,
                                  const TraceLog* trace = nullptr);

}  // namespace warplens::exec
