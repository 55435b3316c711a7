// A request that is prepared on a device (code loaded, arrays filled), so that it can run for every frame. A
// frame first restores the memory to the request's initial contents, by copies inside the device. Then it
// runs the launches with the numbers of that frame.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/live/live_engine.h"
#include "cuda/device/driver/context.h"
#include "cuda/device/run/module.h"
#include "cuda/device/run/textures.h"

namespace warplens::cuda {

class LiveProgram {
 public:
  // Takes a moment (the linker, copies to the device). Call it on any thread that uses the context. It fails
  // if the request cannot run live, or if the driver refuses something.
  static Result<std::unique_ptr<LiveProgram>> make(const Context& context,
                                                   std::shared_ptr<const LaunchRequest> request);

  // Whether the request differs from this one only in its numbers: same code, same arrays with the same
  // initial contents.
  bool fits(const LaunchRequest& request) const;

  // Puts a frame on the stream. Its picture goes to `target`; `begin` and `end` are recorded before the
  // first launch and after the last. The request must fit (fits()).
  Result<void> run(const LaunchRequest& request, CUdeviceptr target, CUstream stream, CUevent begin,
                   CUevent end);

  uint64_t picture_bytes() const { return m_request->buffers[m_output].bytes; }
  // The copies from the host since it was made: module variables that changed between frames.
  BusTraffic traffic() const { return m_traffic; }

 private:
  struct Array {
    Owned<CUdeviceptr> memory;   // kernels work on this; empty for the picture, which is the frame's
    Owned<CUdeviceptr> initial;  // the initial contents; empty if it is cleared
  };

  LiveProgram(const Context& context, std::shared_ptr<const LaunchRequest> request, uint32_t output)
      : m_context(context), m_driver(context.driver()), m_request(std::move(request)), m_output(output) {}
  Result<void> prepare();
  Result<void> fill_arrays();
  Result<void> make_textures();
  Result<void> set_globals(const LaunchRequest& request, CUstream stream);
  Result<void> put_back(uint32_t buffer, CUstream stream) const;
  Result<void> launch(const LaunchStep& step, size_t index, CUstream stream);
  Result<Bytes> argument(const LaunchStep& step, size_t launch, size_t index) const;
  CUdeviceptr address(const BufferArgument& argument) const;

  const Context& m_context;
  const Driver& m_driver;
  std::shared_ptr<const LaunchRequest> m_request;
  uint32_t m_output;
  CUdeviceptr m_target = 0;
  Module m_module;
  std::map<std::string, Function> m_functions;
  std::vector<Array> m_arrays;
  std::map<std::pair<size_t, size_t>, Texture> m_textures;  // by launch and argument
  std::vector<GlobalInit> m_globals;                        // their latest values
  BusTraffic m_traffic;
};

}  // namespace warplens::cuda
