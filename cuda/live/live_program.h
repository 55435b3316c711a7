// One request made ready on a device, to run again and again: code loaded, arrays filled. A frame puts its
// memory back to what the request starts with, by copies inside the device, and runs the launches with the
// numbers of that frame.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/gpu/live/live_engine.h"
#include "cuda/driver/context.h"
#include "cuda/run/module.h"
#include "cuda/run/textures.h"

namespace warplens::cuda {

class LiveProgram {
 public:
  // Takes a moment (the linker, copies to the device); on any thread that uses the context. Errors: what
  // cannot run live, and everything that the driver refuses.
  static Result<std::unique_ptr<LiveProgram>> make(const Context& context,
                                                   std::shared_ptr<const LaunchRequest> request);

  // The request is this one with other numbers: same code, same arrays with the same first contents.
  bool fits(const LaunchRequest& request) const;

  // Puts a frame on the stream, its picture at `target`, with events in front of the first launch and behind
  // the last. `request` fits.
  Result<void> run(const LaunchRequest& request, CUdeviceptr target, CUstream stream, CUevent begin,
                   CUevent end);

  uint64_t picture_bytes() const { return m_request->buffers[m_output].bytes; }
  // Copies from the host since it was made: module variables that changed from frame to frame.
  BusTraffic traffic() const { return m_traffic; }

 private:
  struct Array {
    Owned<CUdeviceptr> memory;   // what the kernels work on; none for the picture, which is the frame's
    Owned<CUdeviceptr> initial;  // what it starts with; none: it is cleared
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
  std::vector<GlobalInit> m_globals;                        // as they were set last
  BusTraffic m_traffic;
};

}  // namespace warplens::cuda
