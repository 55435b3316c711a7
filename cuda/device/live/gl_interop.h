// The window's OpenGL buffers as device memory, if this machine can share them. Call everything on the
// thread whose OpenGL context is current, with the CUDA context in use.
#pragma once

#include <string>
#include <vector>

#include "core/gpu/live/live_engine.h"
#include "cuda/device/driver/context.h"

namespace warplens::cuda {

// The entries of cudaGL.h that are used, looked up in the driver. Null if the driver lacks them. They are
// declared here, since cudaGL.h needs OpenGL's headers. A name of OpenGL is an unsigned int.
struct GlEntries {
  CUresult(CUDAAPI* get_devices)(unsigned* count, CUdevice* devices, unsigned room, int list) = nullptr;
  CUresult(CUDAAPI* register_buffer)(CUgraphicsResource* resource, unsigned buffer, unsigned flags) = nullptr;
};
GlEntries gl_entries(const Driver& driver);

// Explains to the user why the buffers cannot be shared. `failure` says what was tried and what the driver
// answered.
FramePath not_shared(const OpenGlBuffers& buffers, const std::string& failure);

// A buffer to which CUDA may write from map() to unmap(). The registration ends when this object is
// destroyed.
class GlBuffer {
 public:
  static Result<GlBuffer> take(const Context& context, const GlEntries& entries, unsigned name);

  // Its address, for later work on the stream. It is at least `bytes` long.
  Result<CUdeviceptr> map(CUstream stream, uint64_t bytes);
  Result<void> unmap(CUstream stream);
  bool mapped() const { return m_mapped; }

 private:
  GlBuffer(const Driver& driver, Owned<CUgraphicsResource> resource)
      : m_driver(&driver), m_resource(std::move(resource)) {}

  const Driver* m_driver;  // the context's, which outlives it
  Owned<CUgraphicsResource> m_resource;
  bool m_mapped = false;
};

struct SharedBuffers {
  std::vector<GlBuffer> slots;  // empty if not shared
  FramePath path;
};
// Asks which devices draw this OpenGL context, registers the buffers, and maps the first one as a trial. If
// anything fails, no buffer stays registered, and the path says why.
SharedBuffers share_buffers(const Context& context, const OpenGlBuffers& buffers, CUstream stream);

}  // namespace warplens::cuda
