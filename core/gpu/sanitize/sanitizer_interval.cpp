// Accesses to shared memory that cannot conflict with any other one since all warps of the block were last
// ordered: see Interval.
#include <algorithm>

#include "core/gpu/sanitize/sanitizer.h"

namespace warplens::sanitize {

namespace {

// For kernels whose address patterns keep changing. Noted accesses refer to patterns, so they are deleted
// together.
constexpr size_t most_patterns = 4096;

// Whether all bytes that the lanes read have been written. The bytes between them may not have been.
bool is_written(const WrittenBytes& written, const Pattern& pattern, uint64_t first, uint32_t bytes) {
  if (written.has(first + pattern.low(), pattern.width())) return true;
  return std::ranges::all_of(pattern.relative(),
                             [&](uint64_t lane) { return written.missing(first + lane, bytes) == 0; });
}

}  // namespace

// Null if there are too many patterns, or if it spans too many bytes.
Pattern* Sanitizer::pattern_of(Known& known, const exec::AccessShape& shape) {
  if (known.pattern_of == shape.id) return known.pattern;
  known.pattern_of = 0;
  auto found = m_patterns.find(shape.id);
  if (found == m_patterns.end()) {
    if (m_patterns.size() >= most_patterns) return nullptr;
    found = m_patterns.emplace(shape.id, std::make_unique<Pattern>(shape)).first;
  }
  known.pattern = found->second->is_near() ? found->second.get() : nullptr;
  known.pattern_of = shape.id;
  return known.pattern;
}

// False if it must be compared, together with everything that was noted before it.
bool Sanitizer::note_shared(const exec::Op& op, const exec::Warp& warp, AccessKind kind, Pattern& pattern,
                            uint64_t first) {
  Interval& interval = m_shadow->interval;
  if (!interval.is_open()) return false;
  WrittenBytes& written = m_shadow->written;
  const bool is_load = kind == AccessKind::load;
  const Time time = m_shadow->clocks.epoch(warp.index);
  const Place& place = (*m_places)[op.instruction];
  if ((place.strong && m_places->orders(true)) ||
      (is_load && !is_written(written, pattern, first, op.bytes)) ||
      !interval.add({.op = &op,
                     .pattern = &pattern,
                     .first = first,
                     .warp = warp.index,
                     .time = time,
                     .floor = m_shadow->clocks.safe(warp.index),
                     .kind = kind},
                    pattern, warp.block->shared_bytes)) {
    end_interval();
    return false;
  }
  interval.note_time(time);
  if (is_load) return true;
  if (pattern.is_whole()) {
    written.set(first + pattern.low(), pattern.width());
  } else {
    for (const uint64_t lane : pattern.relative()) written.set_few(first + lane, op.bytes);
  }
  return true;
}

bool Sanitizer::note_shared(const Event& event) {
  Interval& interval = m_shadow->interval;
  const Time time = m_shadow->clocks.epoch(event.warp.index);
  interval.note_time(time);
  if (event.pending) m_shadow->may_pend = true;
  if (!interval.is_open()) return false;
  WrittenBytes& written = m_shadow->written;
  bool may_note = !orders(event) && !event.pending && event.kind != AccessKind::atomic;
  for (uint32_t rest = event.mask; may_note && event.kind == AccessKind::load && rest != 0; rest &= rest - 1)
    may_note = written.missing(event.addresses[std::countr_zero(rest)], event.bytes) == 0;
  if (!may_note || !interval.add({.warp = event.warp.index,
                                  .time = time,
                                  .floor = m_shadow->clocks.safe(event.warp.index),
                                  .kind = event.kind},
                                 event.op, event.mask, event.addresses, event.warp.block->shared_bytes)) {
    end_interval();
    return false;
  }
  for (uint32_t rest = event.mask; event.kind == AccessKind::store && rest != 0; rest &= rest - 1)
    written.set_few(event.addresses[std::countr_zero(rest)], event.bytes);
  return true;
}

// Compares the noted accesses, in order. They do not conflict, so this only brings the shadow to the state
// that it would have without notes; from then on accesses are compared immediately.
void Sanitizer::end_interval() {
  if (m_shadow == nullptr || !m_shadow->interval.is_open()) return;
  Interval& interval = m_shadow->interval;
  interval.close();
  if (interval.noted().empty()) return;
  m_in_vain += interval.noted().size();
  m_replays = true;
  for (const Noted& noted : interval.noted()) {
    std::array<uint64_t, warp_lanes> addresses{};
    const NotedLanes* const lanes = noted.op == nullptr ? &interval.lanes_of(noted) : nullptr;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane)
      addresses[lane] =
          lanes != nullptr ? lanes->addresses[lane] : noted.first + noted.pattern->relative()[lane];
    Event event = event_of(lanes != nullptr ? lanes->op : *noted.op, noted.warp,
                           lanes != nullptr ? lanes->mask : ~0u, Space::shared, noted.kind, addresses.data());
    remember_first(event);
    event.first.time = noted.time;
    event.floor = noted.floor;
    record_lanes(event);
  }
  m_replays = false;
}

// A barrier has completed. If all accesses so far are ordered before everything that any warp may still do,
// they are dropped.
void Sanitizer::end_or_renew_interval() {
  Interval& interval = m_shadow->interval;
  const bool is_settled = std::ranges::all_of(m_warps, [&](const exec::Warp& warp) {
    return warp.live == 0 || m_shadow->clocks.safe(warp.index) > interval.newest();
  });
  if (!is_settled) return end_interval();
  forget_interval();
  if (takes_notes() && !m_shadow->may_pend) interval.open();
}

void Sanitizer::forget_interval() {
  if (m_shadow == nullptr || !m_shadow->interval.is_open()) return;
  m_in_vain -= std::min(m_in_vain, m_shadow->interval.noted().size());
  m_shadow->interval.close();
}

// Since the interval began, no warp has been ordered after another one: otherwise the interval would have
// ended.
bool Sanitizer::is_ordered_in_interval(const Access& earlier, const Reader& now) const {
  return earlier.block == now.block &&
         (earlier.thread() == now.thread || (m_lockstep && earlier.warp() == now.warp()));
}

}  // namespace warplens::sanitize
