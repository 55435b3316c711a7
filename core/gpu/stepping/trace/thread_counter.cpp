#include "core/gpu/stepping/trace/thread_counter.h"

#include <bit>
#include <utility>

#include "core/gpu/exec/block_steps.h"
#include "core/gpu/exec/state/instruction_starts.h"

namespace warplens::stepping {

namespace {

// The first instructions of the basic blocks to which the code jumps back.
std::vector<bool> loop_starts_of(const program::Program& program) {
  std::vector<bool> starts(program.instructions());
  const auto& blocks = program.flow.blocks;
  for (uint32_t from = 0; from < blocks.size(); ++from)
    for (const uint32_t to : blocks[from].successors)
      if (to <= from && blocks[to].count > 0) starts[blocks[to].first] = true;
  return starts;
}

}  // namespace

ThreadCounter::ThreadCounter(const program::Program& program, exec::GridLaunch& launch)
    : m_program(program),
      m_loop_starts(loop_starts_of(program)),
      m_threads(launch.block.count()),
      m_other(std::exchange(launch.recorder, this)) {
  wrap();
  launch.program = &m_program;
  launch.workers = 1;
}

void ThreadCounter::wrap() {
  const std::vector<bool> starts = exec::instruction_starts(m_program);
  m_originals.reserve(m_program.ops.size());
  for (size_t i = 0; i < m_program.ops.size(); ++i) {
    exec::Handlers& handlers = m_program.ops[i].handlers;
    m_originals.push_back(handlers);
    if (starts[i]) handlers.run[exec::all_lanes] = handlers.run[exec::some_lanes] = &run_counted;
  }
}

const exec::Op* ThreadCounter::run_counted(const exec::Op* op, exec::Warp& warp) {
  // The launch's recorder is the counter: see the constructor.
  auto& counter = static_cast<ThreadCounter&>(*warp.block->recorder);
  const bool loop = counter.m_loop_starts[op->instruction];
  ThreadCounts* threads = counter.m_threads.data() + size_t{warp.index} * warp_lanes;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    ThreadCounts& thread = threads[std::countr_zero(rest)];
    ++thread.instructions;
    thread.loop_passes += loop ? 1 : 0;
  }
  const auto place = static_cast<size_t>(op - counter.m_program.ops.data());
  return counter.m_originals[place].run[warp.mode](op, warp);
}

void ThreadCounter::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                           const uint64_t* addresses) {
  if (m_other != nullptr) m_other->record(op, warp, mask, space, kind, addresses);
}

void ThreadCounter::record_texture(std::span<const uint64_t> sectors) {
  if (m_other != nullptr) m_other->record_texture(sectors);
}

}  // namespace warplens::stepping
