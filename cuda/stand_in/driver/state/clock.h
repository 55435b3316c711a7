// The device's time, in microseconds since the first call, by the time model: when each stream is done, and
// each of the two engines that copy. Work that may overlap on a GPU overlaps here.
#pragma once

#include <cstdint>

namespace warplens::driver {

struct Stream;

enum class Engine : uint8_t { kernels, to_device, from_device };

struct Interval {
  double begin_us = 0, end_us = 0;
};

class Clock {
 public:
  // Adds work on a stream. Null is the legacy default stream, which waits for all blocking streams and they
  // for it.
  Interval run(Stream* stream, double us, Engine engine);
  // When everything given to the stream is done.
  double end_of(const Stream* stream) const;
  // Makes the stream wait for a time, as cuStreamWaitEvent does.
  void wait(Stream* stream, double until_us);
  // Makes the program wait for the device.
  void meet(double until_us);
  // Makes the program wait for the driver.
  void host_waits(double us) { m_host += us; }
  double latest_us() const { return m_latest; }

 private:
  double m_legacy_end = 0, m_host = 0, m_latest = 0, m_blocking_end = 0;
  double m_copy_end[2] = {0, 0};
};

}  // namespace warplens::driver
