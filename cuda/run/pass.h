// One pass over the steps of a request on a device, from the initial buffers. Everything is put on one stream
// and waited for at the end, so that the device never waits for the host in between.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "core/launch/run_result.h"
#include "cuda/driver/context.h"
#include "cuda/run/module.h"
#include "cuda/run/textures.h"

namespace warplens::cuda {

// The host's arrays, in page-locked memory, where copies run at full speed and beside everything else. Kept
// from pass to pass.
class HostArrays {
 public:
  static Result<HostArrays> make(const Context& context, const LaunchRequest& request);
  // What they hold before the first step.
  void reset(const LaunchRequest& request);
  std::byte* data(size_t buffer) const { return static_cast<std::byte*>(m_arrays[buffer].get()); }
  // There is something to copy in: initial bytes, or what was copied out. Else the device's array is cleared.
  std::vector<bool> filled;

 private:
  std::vector<Owned<void*>> m_arrays;
};

// Microseconds of one pass.
struct PassTimes {
  double copy_in = 0, kernel = 0, copy_out = 0, launch = 0;
  bool copied_in = false, copied_out = false;
  std::vector<double> kernels;  // each launch for itself
};

// How a pass ended: to its end, refused at a launch, or with the fault of a kernel.
struct PassEnd {
  RunStatus status = RunStatus::ok;
  CUresult code = CUDA_SUCCESS;
  std::string entry;  // of the launch that was refused
};

struct PassInput {
  const Context& context;
  const LaunchRequest& request;
  const Module& module;
  const std::map<std::string, Function>& functions;  // by entry
  HostArrays& host;
  CUstream stream;
  CUdeviceptr flush =
      0;  // overwritten before the first launch, so that the L2 cache holds nothing of the arrays
  uint64_t flush_bytes = 0;
};

class DevicePass {
 public:
  explicit DevicePass(const PassInput& input);
  Result<PassEnd> run();
  // After a run that went to its end.
  Result<PassTimes> times() const;
  // The outputs, as the host's arrays have them now; those that were never copied out are left away.
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
