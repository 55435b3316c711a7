// Counts what each thread of one block does, while the block runs.
//
// As for a trace, the launch runs a copy of its program in which every op that begins an instruction is
// called through a function that counts first. So launches that are not counted by thread are not slowed
// down.
#pragma once

#include <memory>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/observer.h"
#include "core/launch/footprint.h"
#include "core/program/program.h"

namespace warplens::stepping {

class ThreadCounter final : public exec::AccessRecorder {
 public:
  // Installs itself in the launch, which must run a single block on one worker. A recorder that the launch
  // already has is still called. The program must be decoded for stepping.
  ThreadCounter(const program::Program& program, exec::GridLaunch& launch);

  std::vector<ThreadCounts> take() { return std::move(m_threads); }

  void record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override;
  void record_texture(std::span<const uint64_t> sectors) override;

 private:
  static const exec::Op* run_counted(const exec::Op* op, exec::Warp& warp);
  void wrap();

  program::Program m_program;               // with the wrapped ops
  std::vector<exec::Handlers> m_originals;  // by op
  std::vector<bool> m_loop_starts;          // by instruction
  std::vector<ThreadCounts> m_threads;
  exec::AccessRecorder* m_other;
};

}  // namespace warplens::stepping
