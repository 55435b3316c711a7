// The compiled tier: basic blocks that many warps enter become machine code, which runs them as the handlers
// would, with the same results, counts, faults and steps. Warps of which some lanes are active have code of
// their own. What the code does not know it leaves to the handlers. core/gpu/exec/jit/runtime/target.h has
// the list of what compiles. See docs/adr/0071-hot-blocks-are-compiled.md.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/gpu/exec/jit/runtime/target.h"
#include "core/gpu/exec/state/warp.h"
#include "core/program/program.h"

namespace warplens::exec {

// always: all of a program before its first warp starts, for who compares both ways. executor: the same, run
// by the slow executor of the IR (core/gpu/exec/jit/executor).
enum class Tier : uint8_t { off, hot, always, executor };
// What WARPLENS_TIER in the environment asks for: off, always, executor, or else hot.
Tier wished_tier();

// Who looks at a run, as far as its code has to know.
struct Lookers {
  bool counts;            // of memory accesses
  bool recorded = false;  // there is a recorder or a watch
  bool traced = false;    // what runs is the copy of a program, of which each instruction is noted
  // The recorder hears of all accesses to the space: their handlers run them.
  bool global = false, shared = false;
  // The lanes of each whole warp are threads side by side in x.
  bool in_rows;

  Lookers(bool count_memory, Dim3 block)
      : counts(count_memory), in_rows(block.x % warp_lanes == 0 || (block.y == 1 && block.z == 1)) {}
  size_t number() const {
    return size_t{counts} | size_t{recorded} << 1 | size_t{global} << 2 | size_t{shared} << 3 |
           size_t{in_rows} << 4;
  }
};
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
    tier::StepsOfShapes steps_of_shapes;                  // that all pieces of the code have
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

namespace tier {

// Runs an access's handler, and lets it learn the shape of its addresses also where it does without.
const Op* run_and_learn_shape(const Op* op, Warp& warp);
// Runs a handler that may throw. No exception passes compiled code: it waits in the block, and null comes
// back.
const Op* run_and_catch(const Op* op, Warp& warp, Handler handler) noexcept;

// False: this build has no encoder, and nothing is ever compiled.
bool can_compile();

// What the list of targets has for AVX-512.
jit::Made compile_for_avx512(const jit::CompileRequest& request);

// Machine code of some basic blocks. `entered` is where code can begin: an op, and how far behind the start.
// Both are empty where the encoder refused an instruction.
struct Compiled {
  std::vector<uint8_t> bytes;
  std::vector<std::pair<uint32_t, size_t>> entered;
};
// ops: those that run. starts: of them. steps_of_shapes: see Piece. checks: the operands of each instruction,
// for tests. entries: what other code of this mode goes on by (CompiledProgram).
Compiled compile_blocks(const program::Program& program, const Op* ops, const std::vector<uint32_t>& starts,
                        Mode mode, const Lookers& lookers, bool checks,
                        const std::atomic<const void*>* entries, StepsOfShapes& steps_of_shapes);

}  // namespace tier

}  // namespace warplens::exec
