// One block while it runs: its warps, shared and local memory, and barriers. A block is a resumable value:
// run it for a slice, put it aside, go on later.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/exec/barrier.h"
#include "core/exec/console.h"
#include "core/exec/grid.h"
#include "core/exec/warp.h"

namespace warplens::exec {

enum class BlockState : uint8_t { running, finished, fault };

class Block {
 public:
  // Lays out the frames of all warps and fills in what is the same for every block of the launch.
  explicit Block(const GridLaunch& launch, BlockCount* counts, MemoryOpState* memory_ops);

  void start(uint64_t block_index);
  // Runs until the block ends or about `steps` are used up; `steps` is lowered by what was used.
  BlockState run(int64_t& steps);

  uint64_t index() const { return m_index; }
  const Fault& fault() const { return m_fault; }
  // A fault of this kind at the place where the first unfinished warp is.
  Fault fault_here(FaultKind kind) const;
  const BlockContext& context() const { return m_context; }
  Console& console() { return m_console; }

 private:
  void prepare_frame(Warp& warp);
  void clear_local(Warp& warp);
  void fill_special(Warp& warp, const ir::SpecialSlot& slot) const;
  bool arrive(Warp& warp);
  void open(uint32_t number);
  void raise_deadlock();

  const GridLaunch& m_launch;
  BlockContext m_context;
  uint64_t m_index = 0;
  uint32_t m_threads = 0;
  std::vector<std::byte> m_frames, m_shared;
  // Stacks are large and seldom used: pages that nobody touches are not there.
  std::unique_ptr<std::byte, void (*)(void*)> m_local{nullptr, nullptr};
  Console m_console;
  std::vector<Warp> m_warps;
  std::vector<WarpState> m_states;
  Barriers m_barriers;
  uint32_t m_running = 0;  // warps that have not finished
  Fault m_fault;
};

}  // namespace warplens::exec
