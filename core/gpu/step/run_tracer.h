// Records the first warp instructions of a run while it runs: its blocks in the order in which they start,
// with what other blocks have written by then.
//
// The launch runs a copy of its program, in which every op that begins an instruction is called through a
// function that notes it first. Programs that are not traced know nothing of this.
#pragma once

#include <memory>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/gpu/step/program_table.h"
#include "core/gpu/step/trace.h"
#include "core/launch/launch_request.h"

namespace warplens::stepping {

class RunTracer final : public exec::BlockObserver, public exec::AccessRecorder {
 public:
  explicit RunTracer(uint64_t limit);

  // Puts itself into the launch, which runs on one worker then. Who recorded or observed it hears all the
  // same. The program was decoded for stepping; what the launch runs lives until the next launch.
  void start_launch(const LaunchStep& step, std::shared_ptr<const program::Program> program,
                    exec::GridLaunch& launch);
  std::shared_ptr<const Trace> take();

  void enter(uint64_t block) override;
  void record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override;
  void record_texture(std::span<const uint64_t> sectors) override;

 private:
  struct Original {  // of an op
    exec::Handlers handlers;
    uint32_t guard = exec::no_slot;
    bool guard_negated = false;
  };
  static const exec::Op* run_traced(const exec::Op* op, exec::Warp& warp);
  void wrap(const ProgramTable& table);
  void end_recording();

  size_t m_limit;
  std::shared_ptr<Trace> m_trace = std::make_shared<Trace>();
  std::unique_ptr<program::Program> m_program;  // with the ops that note
  std::vector<Original> m_originals;            // by op; empty: nothing is recorded any more
  exec::AccessRecorder* m_other_recorder = nullptr;
  exec::BlockObserver* m_other_observer = nullptr;
};

}  // namespace warplens::stepping
