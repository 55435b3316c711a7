#include "core/gpu/step/run_tracer.h"

#include <algorithm>
#include <utility>

namespace warplens::stepping {

RunTracer::RunTracer(uint64_t limit) : m_limit(static_cast<size_t>(limit)) {
  m_trace->complete = true;
  m_trace->entries.reserve(std::min<size_t>(m_limit, default_trace_limit));
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
  if (m_trace->entries.size() < m_limit) {
    wrap(ProgramTable(program));
  } else {
    m_trace->complete = false;
  }
  m_trace->launches.push_back({std::move(program), step.entry, step.grid, step.block});
  m_other_recorder = std::exchange(launch.recorder, this);
  m_other_observer = std::exchange(launch.block_observer, this);
  launch.program = m_program.get();
  launch.workers = 1;
}

std::shared_ptr<const Trace> RunTracer::take() {
  m_originals.clear();
  return std::exchange(m_trace, std::make_shared<Trace>());
}

// Ops are called directly again.
void RunTracer::end_recording() {
  for (size_t i = 0; i < m_originals.size(); ++i) m_program->ops[i].handlers = m_originals[i].handlers;
  m_originals.clear();
  m_trace->complete = false;
  if (m_trace->turns.back().first == m_trace->entries.size()) m_trace->turns.pop_back();
}

void RunTracer::enter(uint64_t block) {
  if (m_other_observer != nullptr) m_other_observer->enter(block);
  if (m_originals.empty()) return;
  m_trace->turns.push_back(
      {static_cast<uint32_t>(m_trace->launches.size() - 1), block, m_trace->entries.size()});
}

const exec::Op* RunTracer::run_traced(const exec::Op* op, exec::Warp& warp) {
  // The launch's recorder is the tracer: see start_launch.
  auto& tracer = static_cast<RunTracer&>(*warp.block->recorder);
  const Original& original = tracer.m_originals[static_cast<size_t>(op - tracer.m_program->ops.data())];
  const exec::Handler run = original.handlers.run[warp.mode];
  std::vector<TraceEntry>& entries = tracer.m_trace->entries;
  if (entries.size() == tracer.m_limit) {
    tracer.end_recording();
    return run(op, warp);
  }
  uint32_t executed = warp.mask;
  if (original.guard != exec::no_slot) {
    const uint32_t predicate = warp.predicate(original.guard);
    executed &= original.guard_negated ? ~predicate : predicate;
  }
  entries.push_back({.instruction = op->instruction,
                     .active = warp.mask,
                     .executed = executed,
                     .warp = static_cast<uint16_t>(warp.index)});
  return run(op, warp);
}

void RunTracer::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                       const uint64_t* addresses) {
  if (!m_originals.empty() && !m_trace->entries.empty() && m_trace->entries.back().bytes == 0) {
    m_trace->entries.back().bytes = op.bytes;
    m_trace->entries.back().space = space;
  }
  if (m_other_recorder != nullptr) m_other_recorder->record(op, warp, mask, space, kind, addresses);
}

void RunTracer::record_texture(std::span<const uint64_t> sectors) {
  if (m_other_recorder != nullptr) m_other_recorder->record_texture(sectors);
}

}  // namespace warplens::stepping
