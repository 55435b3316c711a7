#include "core/gpu/stepping/trace/run_tracer.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace warplens::stepping {

RunTracer::RunTracer(uint64_t limit) : m_limit(std::min<uint64_t>(limit, INT64_MAX)) {
  m_trace->complete = true;
  m_log.tracer = this;
  m_log.add = &RunTracer::add_run;
  m_log.left = static_cast<int64_t>(m_limit);
}

void RunTracer::wrap(const ProgramTable& table) {
  m_originals.assign(m_program->ops.size(), {});
  for (size_t i = 0; i < m_originals.size(); ++i) {
    exec::Op& op = m_program->ops[i];
    Original& original = m_originals[i];
    original.handlers = op.handlers;
    if (!table.starts()[i]) continue;
    const InstructionInfo& info = table.instruction(op.instruction);
    if (info.guard != UINT32_MAX)
      original.guard = table.reg(table.first_register(info.function) + info.guard).slot;
    original.guard_negated = info.guard_negated;
    op.handlers.run[exec::all_lanes] = op.handlers.run[exec::some_lanes] = &RunTracer::run_traced;
  }
}

void RunTracer::start_launch(const LaunchStep& step, std::shared_ptr<const program::Program> program,
                             exec::GridLaunch& launch) {
  m_program = std::make_unique<program::Program>(*program);
  m_originals.clear();
  m_other_recorder = std::exchange(launch.recorder, this);
  m_other_observer = std::exchange(launch.block_observer, this);
  if (m_recording && m_log.left > 0) {
    wrap(ProgramTable(program));
  } else {
    end_recording();
  }
  const auto others_listen = [&](Space space) {
    return m_other_recorder != nullptr && m_other_recorder->listens_to(space);
  };
  m_log.global = others_listen(Space::global);
  m_log.shared = others_listen(Space::shared);
  m_log.untraced = program.get();
  launch.trace = &m_log;
  launch.program = m_program.get();
  launch.workers = 1;
  m_trace->launches.push_back({std::move(program), step.entry, step.grid, step.block});
}

std::shared_ptr<const Trace> RunTracer::take() {
  m_originals.clear();
  if (m_recording) {
    m_trace->instructions = recorded();
    if (m_chunk != nullptr) m_trace->runs.finish(static_cast<size_t>(m_log.at - m_chunk));
  }
  return std::exchange(m_trace, std::make_shared<Trace>());
}

// Handlers are called directly again. Compiled code continues to record, but its entries are not read.
void RunTracer::end_recording() {
  for (size_t i = 0; i < m_originals.size(); ++i) m_program->ops[i].handlers = m_originals[i].handlers;
  m_originals.clear();
  m_trace->complete = false;
  if (!m_recording) return;
  m_trace->instructions = recorded();
  if (m_chunk != nullptr) m_trace->runs.finish(static_cast<size_t>(m_log.at - m_chunk));
  if (!m_trace->turns.empty() && m_trace->turns.back().first == m_trace->instructions)
    m_trace->turns.pop_back();
  m_recording = false;
  m_log.left = INT64_MAX;
  m_log.at = m_log.end = m_unread.data() + m_unread.size();
}

void RunTracer::enter(uint64_t block) {
  if (m_other_observer != nullptr) m_other_observer->enter(block);
  if (!m_recording) return;
  m_trace->turns.push_back({static_cast<uint32_t>(m_trace->launches.size() - 1), block, recorded()});
}

bool RunTracer::add_run(exec::TraceLog& log, const exec::Warp& warp, const exec::TracedRun& run) noexcept {
  try {
    static_cast<Log&>(log).tracer->add(run);
    return true;
  } catch (...) {
    warp.block->thrown = std::current_exception();
    return false;
  }
}

// Called when note_run has no space left.
void RunTracer::add(const exec::TracedRun& run) {
  const auto count = static_cast<int64_t>(run.count());
  if (m_recording && m_log.left < count) {
    if (m_log.left > 0) {
      exec::TracedRun first = run;
      first.warp_and_count = exec::TracedRun::pack(run.warp(), static_cast<uint32_t>(m_log.left));
      first.executed = run.active;
      first.bytes = 0;
      first.space = Space::generic;
      add(first);
    }
    end_recording();
  }
  if (!m_recording) {
    if (m_log.at == m_log.end) m_log.at = m_unread.data() + 1;
    m_log.left = INT64_MAX;
    return;
  }
  if (m_log.at == m_log.end) {
    const std::span<exec::TracedRun> chunk = m_trace->runs.add_chunk();
    m_chunk = m_log.at = chunk.data();
    m_log.end = m_chunk + chunk.size();
  }
  *m_log.at++ = run;
  m_log.left -= count;
}

const exec::Op* RunTracer::run_traced(const exec::Op* op, exec::Warp& warp) {
  // The launch's recorder is the tracer: see start_launch.
  auto& tracer = static_cast<RunTracer&>(*warp.block->recorder);
  const Original& original = tracer.m_originals[static_cast<size_t>(op - tracer.m_program->ops.data())];
  const exec::Handler run = original.handlers.run[warp.mode];
  uint32_t executed = warp.mask;
  if (original.guard != exec::no_slot) {
    const uint32_t predicate = warp.predicate(original.guard);
    executed &= original.guard_negated ? ~predicate : predicate;
  }
  const exec::TracedRun noted{.first = op->instruction,
                              .active = warp.mask,
                              .executed = executed,
                              .warp_and_count = exec::TracedRun::pack(warp.index, 1),
                              .bytes = 0,
                              .space = Space::generic};
  Log& log = tracer.m_log;
  if (log.left < 1 || log.at == log.end) {
    tracer.add(noted);  // may end the recording, and `original` with it
  } else {
    --log.left;
    *log.at++ = noted;
  }
  return run(op, warp);
}

void RunTracer::note_access(const exec::Op& op, Space space) {
  if (!m_recording || m_log.at == nullptr) return;
  exec::TracedRun& last = m_log.at[-1];
  if (last.bytes != 0) return;
  last.bytes = op.bytes;
  last.space = space;
}

void RunTracer::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                       const uint64_t* addresses) {
  note_access(op, space);
  if (m_other_recorder != nullptr) m_other_recorder->record(op, warp, mask, space, kind, addresses);
}

void RunTracer::record_shaped(const exec::Op& op, uint32_t warp, Space space, AccessKind kind,
                              exec::AccessShape& shape, uint64_t first) {
  note_access(op, space);
  if (space == Space::global ? m_log.global : m_log.shared)
    m_other_recorder->record_shaped(op, warp, space, kind, shape, first);
}

void RunTracer::record_texture(std::span<const uint64_t> sectors) {
  if (m_other_recorder != nullptr) m_other_recorder->record_texture(sectors);
}

}  // namespace warplens::stepping
