#include "core/step/run_tracer.h"

#include <utility>

namespace warplens::step {

RunTracer::RunTracer(uint64_t limit) : m_left(limit) { m_trace->complete = true; }

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

void RunTracer::start_launch(const LaunchStep& step, std::shared_ptr<const ir::Program> program,
                             exec::GridLaunch& launch) {
  m_program = std::make_unique<ir::Program>(*program);
  wrap(ProgramTable(program));
  m_trace->launches.push_back({std::move(program), step.entry, step.grid, step.block});
  m_places.clear();
  m_block = nullptr;
  m_other_recorder = std::exchange(launch.recorder, this);
  m_other_observer = std::exchange(launch.block_observer, this);
  launch.program = m_program.get();
  launch.workers = 1;
}

std::shared_ptr<const Trace> RunTracer::take() {
  m_block = nullptr;
  return std::exchange(m_trace, std::make_shared<Trace>());
}

void RunTracer::enter(uint64_t block) {
  if (m_other_observer != nullptr) m_other_observer->enter(block);
  const auto known = m_places.find(block);
  if (known != m_places.end()) {
    m_block = &m_trace->blocks[known->second];
  } else if (m_left == 0) {
    m_trace->complete = false;
    m_block = nullptr;
  } else {
    m_places.emplace(block, m_trace->blocks.size());
    m_trace->blocks.push_back({static_cast<uint32_t>(m_trace->launches.size() - 1), block, {}, true});
    m_block = &m_trace->blocks.back();
  }
}

void RunTracer::note(const exec::Op& op, const Original& original, const exec::Warp& warp) {
  if (m_left == 0) {
    m_trace->complete = m_block->complete = false;
    m_block = nullptr;
    return;
  }
  --m_left;
  ++m_trace->instructions;
  uint32_t executed = warp.mask;
  if (original.guard != exec::no_slot) {
    const uint32_t predicate = warp.predicate(original.guard);
    executed &= original.guard_negated ? ~predicate : predicate;
  }
  m_block->entries.push_back({.instruction = op.instruction,
                              .active = warp.mask,
                              .executed = executed,
                              .warp = static_cast<uint16_t>(warp.index)});
}

const exec::Op* RunTracer::run_traced(const exec::Op* op, exec::Warp& warp) {
  // The launch's recorder is the tracer: see start_launch.
  auto& tracer = static_cast<RunTracer&>(*warp.block->recorder);
  const Original& original = tracer.m_originals[static_cast<size_t>(op - tracer.m_program->ops.data())];
  if (tracer.m_block != nullptr) tracer.note(*op, original, warp);
  return original.handlers.run[warp.mode](op, warp);
}

void RunTracer::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                       const uint64_t* addresses) {
  if (m_block != nullptr && !m_block->entries.empty() && m_block->entries.back().bytes == 0) {
    m_block->entries.back().bytes = op.bytes;
    m_block->entries.back().space = space;
  }
  if (m_other_recorder != nullptr) m_other_recorder->record(op, warp, mask, space, kind, addresses);
}

}  // namespace warplens::step
