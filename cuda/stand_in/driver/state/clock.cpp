#include "cuda/stand_in/driver/state/clock.h"

#include <algorithm>

#include "cuda/stand_in/driver/state/context.h"

namespace warplens::driver {

namespace {

bool blocks_with_legacy(const Stream& stream) { return (stream.flags & CU_STREAM_NON_BLOCKING) == 0; }

}  // namespace

Interval Clock::begin(const Stream* stream) const {
  Interval made{std::max({end_of(stream), m_host, m_not_before}), 0};
  if (is_legacy(stream)) made.begin_us = std::max(made.begin_us, m_blocking_end);
  return made;
}

Interval Clock::run(Stream* stream, double us, Engine engine) {
  Interval made = begin(stream);
  double* copies = engine == Engine::kernels ? nullptr : &m_copy_end[engine == Engine::to_device ? 0 : 1];
  if (copies != nullptr) made.begin_us = std::max(made.begin_us, *copies);
  made.end_us = made.begin_us + us;
  if (copies != nullptr) *copies = made.end_us;
  wait(stream, made.end_us);
  return made;
}

Interval Clock::run_between(Stream* stream, double us, Clock& from, Clock& to) {
  Interval made = begin(stream);
  made.begin_us = std::max({made.begin_us, from.m_copy_end[1], to.m_copy_end[0]});
  made.end_us = made.begin_us + us;
  from.m_copy_end[1] = to.m_copy_end[0] = made.end_us;
  for (Clock* clock : {&from, &to}) clock->m_latest = std::max(clock->m_latest, made.end_us);
  wait(stream, made.end_us);
  return made;
}

void Clock::meet_devices(Clock& one, Clock& other) {
  const double latest = std::max(one.m_latest, other.m_latest);
  for (Clock* clock : {&one, &other})
    clock->m_not_before = clock->m_latest = std::max(clock->m_latest, latest);
}

double Clock::end_of(const Stream* stream) const {
  if (is_legacy(stream)) return m_legacy_end;
  return blocks_with_legacy(*stream) ? std::max(stream->end_us, m_legacy_end) : stream->end_us;
}

void Clock::wait(Stream* stream, double until_us) {
  double& end = is_legacy(stream) ? m_legacy_end : stream->end_us;
  end = std::max(end, until_us);
  if (!is_legacy(stream) && blocks_with_legacy(*stream)) m_blocking_end = std::max(m_blocking_end, until_us);
  m_latest = std::max(m_latest, until_us);
}

void Clock::meet(double until_us) { m_host = std::max(m_host, until_us); }

}  // namespace warplens::driver
