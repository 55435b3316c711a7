// Records the first warp instructions of a run while it runs. Blocks are in the order in which they start,
// and see what other blocks have written by then.
//
// The launch runs a copy of its program. In it, every op that begins an instruction is called through a
// function that records the instruction first; compiled code notes several at once. So programs that are not
// traced are not slowed down.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/gpu/exec/grid.h"
#include "core/gpu/exec/state/observer.h"
#include "core/gpu/exec/state/trace_log.h"
#include "core/gpu/stepping/program/program_table.h"
#include "core/gpu/stepping/trace/trace.h"
#include "core/launch/launch_request.h"

namespace warplens::stepping {

class RunTracer final : public exec::BlockObserver, public exec::AccessRecorder {
 public:
  explicit RunTracer(uint64_t limit);

  // Installs the tracer in the launch, which then runs on one worker. A recorder or observer that the launch
  // already has is still called. The program must be decoded for stepping. The copy that the launch runs
  // lives until the next launch.
  void start_launch(const LaunchStep& step, std::shared_ptr<const program::Program> program,
                    exec::GridLaunch& launch);
  std::shared_ptr<const Trace> take();
  // The number, in the trace, of the instruction that ran last.
  uint64_t position() const { return recorded() - 1; }

  void enter(uint64_t block) override;
  void record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
              const uint64_t* addresses) override;
  void record_shaped(const exec::Op& op, uint32_t warp, Space space, AccessKind kind,
                     exec::AccessShape& shape, uint64_t first) override;
  void record_texture(std::span<const uint64_t> sectors) override;

 private:
  struct Original {  // what an op was before it was wrapped
    exec::Handlers handlers;
    uint32_t guard = exec::no_slot;
    bool guard_negated = false;
  };
  // The log that handlers and compiled code write to.
  struct Log : exec::TraceLog {
    RunTracer* tracer = nullptr;
  };

  static const exec::Op* run_traced(const exec::Op* op, exec::Warp& warp);
  static bool add_run(exec::TraceLog& log, const exec::Warp& warp, const exec::TracedRun& run) noexcept;
  void add(const exec::TracedRun& run);
  void wrap(const ProgramTable& table);
  void end_recording();
  void note_access(const exec::Op& op, Space space);
  uint64_t recorded() const { return m_recording ? m_limit - static_cast<uint64_t>(m_log.left) : m_limit; }

  uint64_t m_limit;
  std::shared_ptr<Trace> m_trace = std::make_shared<Trace>();
  std::unique_ptr<program::Program> m_program;  // with the wrapped ops
  std::vector<Original> m_originals;            // by op; empty once recording has ended
  bool m_recording = true;
  Log m_log;
  exec::TracedRun* m_chunk = nullptr;  // the last chunk of the trace
  // Space for compiled code that writes past the end of the recording. The first element precedes all others.
  std::array<exec::TracedRun, 256> m_unread{};
  exec::AccessRecorder* m_other_recorder = nullptr;
  exec::BlockObserver* m_other_observer = nullptr;
};

}  // namespace warplens::stepping
