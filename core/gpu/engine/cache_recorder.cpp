#include "core/gpu/engine/cache_recorder.h"

#include "core/launch/steps.h"

namespace warplens {

namespace {

observe::CacheHierarchy hierarchy(const LaunchRequest& request) {
  return {request.device.sms,
          {.bytes = l1_bytes_beside_shared(request, first_launch(request))},
          {.bytes = *request.device.l2_bytes}};
}

}  // namespace

bool CacheRecorder::knows(const Device& device) {
  return device.sms > 0 && device.l1_bytes_per_sm.value_or(0) > 0 && device.l2_bytes.value_or(0) > 0;
}

CacheRecorder::CacheRecorder(const LaunchRequest& request)
    : m_request(request), m_caches(hierarchy(request)) {}

void CacheRecorder::start_launch(const LaunchStep& step, const program::Program& program) {
  m_lines.start_launch(step, program);
  m_caches.start_launch();
}

void CacheRecorder::report(Counters& counters) const {
  const observe::CacheTraffic& traffic = m_caches.traffic();
  counters.l1_hit_sectors = traffic.l1_hit_sectors;
  counters.l2_read_sectors = traffic.l2_read_sectors;
  counters.dram_read_bytes = traffic.dram_read_sectors * 32;
  counters.dram_write_bytes = traffic.dram_written_sectors * 32;
}

void CacheRecorder::enter(uint64_t block) {
  m_lines.enter(block);
  m_sm = static_cast<uint32_t>(block % m_request.device.sms);
}

void CacheRecorder::pass_on(std::span<const observe::LinePart> parts, AccessKind kind, bool local,
                            bool past_l1) {
  for (const observe::LinePart& part : parts) {
    if (kind == AccessKind::atomic) {
      m_caches.atomic(part);
    } else if (kind == AccessKind::store) {
      m_caches.store(m_sm, part, local);
    } else if (past_l1) {
      m_caches.load_past_l1(part);
    } else {
      m_caches.load(m_sm, part);
    }
  }
}

void CacheRecorder::record_shaped(const exec::Op& op, uint32_t, Space space, AccessKind kind,
                                  exec::AccessShape& shape, uint64_t first) {
  if (space != Space::global) return;
  const AccessLines::Way way = m_lines.way_of(op, kind);
  if (way == AccessLines::Way::elsewhere) return;
  pass_on(m_lines.of_shape(op, shape, first), kind, false, way == AccessLines::Way::past_l1);
}

void CacheRecorder::record(const exec::Op& op, uint32_t warp, uint32_t mask, Space space, AccessKind kind,
                           const uint64_t* addresses) {
  if (space == Space::local) {
    const bool store = kind == AccessKind::store;
    return pass_on(m_lines.of_local(op, warp, mask, addresses), store ? AccessKind::store : AccessKind::load,
                   true, false);
  }
  if (space != Space::global) return;
  const AccessLines::Way way = m_lines.way_of(op, kind);
  if (way == AccessLines::Way::elsewhere) return;
  pass_on(m_lines.of_global(op, mask, addresses), kind, false, way == AccessLines::Way::past_l1);
}

void CacheRecorder::record_texture(std::span<const uint64_t> sectors) {
  for (const uint64_t sector : sectors)
    pass_on(m_lines.of_sectors({&sector, 1}), AccessKind::load, false, false);
}

}  // namespace warplens
