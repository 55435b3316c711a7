// One pass over the steps of a request on a device, starting with the initial buffers. All work is put on
// one stream, and the host waits only at the end. So the device never waits for the host in between.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "core/launch/run_result.h"
#include "cuda/device/driver/context.h"
#include "cuda/device/run/module.h"
#include "cuda/device/run/textures.h"

namespace warplens::cuda {

// The host's arrays. They are in page-locked memory, so that copies run at full speed and asynchronously.
// They are kept between passes.
class HostArrays {
 public:
  static Result<HostArrays> make(const Context& context, const LaunchRequest& request);
  // Sets the contents that they have before the first step.
  void reset(const LaunchRequest& request);
  std::byte* data(size_t buffer) const { return static_cast<std::byte*>(m_arrays[buffer].get()); }
  // For each array, whether there is something to copy in: initial bytes, or bytes that were copied out.
  // Otherwise the device's array is cleared.
  std::vector<bool> filled;

 private:
  std::vector<Owned<void*>> m_arrays;
};

// The times of one pass in microseconds.
struct PassTimes {
  double copy_in = 0, kernel = 0, copy_out = 0, launch = 0;
  bool copied_in = false, copied_out = false;
  std::vector<double> kernels;  // each launch on its own
};

// How a pass ended: it completed, a launch was refused, or a kernel faulted.
struct PassEnd {
  RunStatus status = RunStatus::ok;
  CUresult code = CUDA_SUCCESS;
  std::string entry;  // of the refused launch
};

struct PassInput {
  const Context& context;
  const LaunchRequest& request;
  const Module& module;
  const std::map<std::string, Function>& functions;  // by entry
  HostArrays& host;
  CUstream stream;
  CUdeviceptr flush = 0;  // overwritten before the first launch, so that no array is in the L2 cache
  uint64_t flush_bytes = 0;
};

class DevicePass {
 public:
  explicit DevicePass(const PassInput& input);
  Result<PassEnd> run();
  // Only after a run that completed.
  Result<PassTimes> times() const;
  // The outputs in the host's arrays, without those that were never copied out.
  std::vector<OutputBuffer> outputs() const;

 private:
  enum class Kind : uint8_t { copy_in, kernel, copy_out };
  struct Span {
    Kind kind;
    Owned<CUevent> begin, end;
  };

  bool fine(CUresult code, const std::string& doing);
  bool take(const Step& step);
  bool set_globals();
  bool allocate(uint32_t buffer);
  bool copy_in(uint32_t buffer);
  bool copy_out(uint32_t buffer);
  bool launch(const LaunchStep& step);
  bool start(const LaunchStep& step, std::vector<Bytes>& storage, std::vector<Texture>& textures);
  bool fill(const LaunchStep& step, size_t index, Bytes& into, std::vector<Texture>& textures);
  std::optional<CUdeviceptr> address_of(const BufferArgument& argument, const std::string& what);
  bool open_span(Kind kind);
  bool close_span();
  bool fail(Error error);

  PassInput m_in;
  const Driver& m_driver;
  std::vector<Owned<CUdeviceptr>> m_buffers;
  std::vector<bool> m_copied_out;
  std::vector<Span> m_spans;
  std::vector<std::vector<Texture>> m_textures;  // of launches that may still run
  double m_launch_us = 0;
  bool m_flushed = false;
  PassEnd m_end;
  std::optional<Error> m_error;
};

}  // namespace warplens::cuda
