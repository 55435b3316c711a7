// Times work on a stream in the same way as launches.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include "core/launch/library_work.h"
#include "cuda/device/driver/context.h"

namespace warplens::cuda {

// A copy between page-locked host memory and the device.
struct HostCopy {
  CUdeviceptr device = 0;
  void* host = nullptr;
  uint64_t bytes = 0;
};

class Stopwatch {
 public:
  // Overwrites `flush_bytes` of memory before each call, if the device has room for them.
  static Result<Stopwatch> make(const Context& context, uint64_t flush_bytes);
  CUstream stream() const { return m_stream.get(); }

  // Runs the copies in, the call, and the copies out. It does so once to warm up, which brings the results
  // to host memory, then `repeat` times, or as often as fits into a moment. It returns an error of the call.
  // `time` has spreads only if all runs succeeded.
  Result<void> measure(const std::vector<HostCopy>& in, const std::function<Result<void>()>& call,
                       const std::vector<HostCopy>& out, uint32_t repeat, const std::stop_token& stop,
                       const std::function<void()>& passed, LibraryTime& time);

 private:
  struct DevicePass {
    double copy_in = 0, call = 0, copy_out = 0;  // microseconds
  };
  explicit Stopwatch(const Context& context) : m_context(&context) {}
  Result<void> copy(const std::vector<HostCopy>& copies, bool in);
  Result<void> record(size_t event);
  Result<double> between(size_t from, size_t to) const;
  Result<DevicePass> pass(const std::vector<HostCopy>& in, const std::function<Result<void>()>& call,
                          const std::vector<HostCopy>& out);

  const Context* m_context;
  Owned<CUstream> m_stream;
  std::vector<Owned<CUevent>> m_events;
  Owned<CUdeviceptr> m_flush;
  uint64_t m_flush_bytes = 0;
};

}  // namespace warplens::cuda
