#include "core/gpu/stepping/trace/trace.h"

namespace warplens {

std::span<exec::TracedRun> TracedRuns::add_chunk() {
  m_chunks.push_back(std::make_unique_for_overwrite<exec::TracedRun[]>(chunk_runs));
  return {m_chunks.back().get(), chunk_runs};
}

std::vector<TraceEntry> TracedRuns::expand(uint64_t instructions) const {
  std::vector<TraceEntry> entries;
  entries.reserve(static_cast<size_t>(instructions));
  for (size_t chunk = 0; chunk < m_chunks.size(); ++chunk) {
    const size_t used = chunk + 1 < m_chunks.size() ? chunk_runs : m_used;
    for (const exec::TracedRun& run : std::span(m_chunks[chunk].get(), used)) {
      TraceEntry entry{.instruction = run.first,
                       .active = run.active,
                       .executed = run.active,
                       .warp = static_cast<uint16_t>(run.warp())};
      const uint32_t last = run.first + run.count() - 1;
      for (; entry.instruction < last; ++entry.instruction) entries.push_back(entry);
      entry.executed = run.executed;
      entry.bytes = run.bytes;
      entry.space = run.space;
      entries.push_back(entry);
    }
  }
  return entries;
}

}  // namespace warplens
