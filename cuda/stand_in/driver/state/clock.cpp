#include "cuda/stand_in/driver/state/clock.h"

#include <algorithm>

#include "cuda/stand_in/driver/state/context.h"

namespace warplens::driver {

namespace {

bool blocks_with_legacy(const Stream& stream) { return (stream.flags & CU_STREAM_NON_BLOCKING) == 0; }

}  // namespace

Interval Clock::run(Stream* stream, double us, Engine engine) {
  Interval made{std::max(end_of(stream), m_host), 0};
  if (stream == nullptr) made.begin_us = std::max(made.begin_us, m_blocking_end);
  double* copies = engine == Engine::kernels ? nullptr : &m_copy_end[engine == Engine::to_device ? 0 : 1];
  if (copies != nullptr) made.begin_us = std::max(made.begin_us, *copies);
  made.end_us = made.begin_us + us;
  if (copies != nullptr) *copies = made.end_us;
  wait(stream, made.end_us);
  return made;
}

double Clock::end_of(const Stream* stream) const {
  if (stream == nullptr) return m_legacy_end;
  return blocks_with_legacy(*stream) ? std::max(stream->end_us, m_legacy_end) : stream->end_us;
}

void Clock::wait(Stream* stream, double until_us) {
  double& end = stream == nullptr ? m_legacy_end : stream->end_us;
  end = std::max(end, until_us);
  if (stream != nullptr && blocks_with_legacy(*stream)) m_blocking_end = std::max(m_blocking_end, until_us);
  m_latest = std::max(m_latest, until_us);
}

void Clock::meet(double until_us) { m_host = std::max(m_host, until_us); }

}  // namespace warplens::driver
