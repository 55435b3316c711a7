// A device's time, in microseconds since the first call, by the time model: when each stream is done, and
// each of the two engines that copy. Work that may overlap on a GPU overlaps here. The devices of a program
// run at the same time, and what the program itself waits for is the same for all.
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
  // `host_us`: until when the program has waited, which outlives this.
  explicit Clock(double& host_us) : m_host(host_us) {}

  // Adds work on a stream. The legacy default stream waits for all blocking streams and they for it.
  Interval run(Stream* stream, double us, Engine engine);
  // Adds a copy from one device to another: it leaves by one's engine and arrives by the other's.
  Interval run_between(Stream* stream, double us, Clock& from, Clock& to);
  // Everything that the two devices are given next begins after all that they have.
  static void meet_devices(Clock& one, Clock& other);
  // When everything given to the stream is done.
  double end_of(const Stream* stream) const;
  // Makes the stream wait for a time, as cuStreamWaitEvent does.
  void wait(Stream* stream, double until_us);
  // Makes the program wait for the device.
  void meet(double until_us);
  double latest_us() const { return m_latest; }

 private:
  Interval begin(const Stream* stream) const;

  double& m_host;
  double m_legacy_end = 0, m_latest = 0, m_blocking_end = 0, m_not_before = 0;
  double m_copy_end[2] = {0, 0};
};

}  // namespace warplens::driver
