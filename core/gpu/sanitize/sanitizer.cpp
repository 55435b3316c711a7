#include "core/gpu/sanitize/sanitizer.h"

#include <algorithm>

namespace warplens::sanitize {

namespace {

// If the time counter is above this, it starts again with the next launch, and the earlier launches are
// forgotten.
constexpr Time late = Time{1} << 31;

}  // namespace

GlobalShadow& Sanitizer::shadow_of(const exec::Allocation& allocation) {
  const auto [at, is_new] = m_global.try_emplace(allocation.begin);
  GlobalShadow& shadow = at->second;
  if (is_new) {
    shadow.begin = allocation.begin;
    shadow.end = allocation.end;
    shadow.host = allocation.host;
    shadow.name = short_name(allocation.name);
    shadow.buffer = allocation.buffer;
  }
  return shadow;
}

void Sanitizer::allocate_buffer(const exec::Allocation& allocation) {
  if (m_everything) shadow_of(allocation).tracks_written = true;
}

void Sanitizer::copy_in(const exec::Allocation& allocation, uint64_t bytes) { copy_to(allocation, 0, bytes); }

void Sanitizer::copy_to(const exec::Allocation& allocation, uint64_t offset, uint64_t bytes) {
  if (!m_everything) return;
  GlobalShadow& shadow = shadow_of(allocation);
  const uint64_t size = shadow.end - shadow.begin;
  if (offset == 0 && bytes >= size) {
    shadow.tracks_written = false;
    shadow.written.clear();
  } else if (offset < size) {
    shadow.written.set(offset, std::min(bytes, size - offset));
  }
}

void Sanitizer::free_buffer(const exec::Allocation& allocation) { m_global.erase(allocation.begin); }

void Sanitizer::start_launch(const LaunchStep& step, std::shared_ptr<const program::Program> program,
                             const exec::Memory& memory, const std::vector<std::byte>& parameters,
                             bool lockstep) {
  if (m_now >= late) {
    for (auto& [begin, shadow] : m_global) shadow.races.clear();
    m_spare.clear();
    m_now = 1;
  }
  m_floor = tick();
  m_grid = step.grid;
  m_block_extent = step.block;
  m_memory = &memory;
  m_lockstep = lockstep;
  ++m_launch;
  m_published.clear();
  m_sync.clear();
  m_open.clear();
  m_places = nullptr;
  m_program = std::move(program);
  if (!m_everything) return;
  m_known.clear();
  m_known.resize(m_program->instructions());
  m_patterns.clear();
  m_in_vain = 0;
  m_takes_notes = exec::shapes_are_learnt();
  note_arguments(step, parameters);
}

// It is made on first use: if accesses are not followed, few launches need it.
const Places& Sanitizer::places() {
  const std::scoped_lock lock(m_places_mutex);
  if (m_places == nullptr) {
    std::unique_ptr<const Places>& made = m_all_places[m_program];
    if (made == nullptr) made = std::make_unique<const Places>(*m_program);
    m_places = made.get();
  }
  return *m_places;
}

void Sanitizer::finish() {
  for (const auto& [address, finding] : m_heap) m_findings.add(finding, [](Finding&) {});
  m_heap.clear();
}

void Sanitizer::enter(uint64_t block, std::span<exec::Warp> warps) {
  places();
  m_block = static_cast<uint32_t>(block);
  m_warps = warps;
  std::unique_ptr<BlockShadow>& shadow = m_open[block];
  if (shadow == nullptr) {
    if (m_spare.empty()) {
      shadow = std::make_unique<BlockShadow>();
    } else {
      shadow = std::move(m_spare.back());
      m_spare.pop_back();
    }
    shadow->clocks.start(warps.size(), tick());
    shadow->written.clear();
    shadow->local.resize(warps.size() * warp_lanes);
    for (WrittenBytes& written : shadow->local) written.clear();
    shadow->sync.clear();
    shadow->copies.clear();
    shadow->undefined.clear();
    shadow->may_pend = false;
    shadow->interval.start_block();
    if (!takes_notes()) shadow->interval.close();
  }
  m_shadow = shadow.get();
}

void Sanitizer::leave(uint64_t block) {
  const auto at = m_open.find(block);
  if (at == m_open.end()) return;
  forget_interval();
  m_spare.push_back(std::move(at->second));
  m_open.erase(at);
  m_shadow = nullptr;
}

}  // namespace warplens::sanitize
