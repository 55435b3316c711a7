#include "cuda/device/live/gl_interop.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "cuda/device/driver/error.h"

#include "core/base/system/variable.h"

namespace warplens::cuda {

namespace {

constexpr int all_devices = 1;         // CU_GL_DEVICE_LIST_ALL
constexpr unsigned write_discard = 2;  // CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD
constexpr unsigned most_devices = 64;

bool has(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

bool drawn_in_software(std::string_view renderer) {
  constexpr std::array<std::string_view, 5> names = {"llvmpipe", "softpipe", "swrast", "SWR", "software"};
  return std::ranges::any_of(names, [&](std::string_view name) { return has(renderer, name); });
}

// Advice for laptops with two GPUs. The program does not switch by itself, since the other GPU uses more
// battery.
constexpr const char* offload_advice =
    "Start it with __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia to draw on the NVIDIA GPU.";

// Whether the device is among those that draw the OpenGL context. Empty if it is; otherwise says what was
// found instead.
std::string elsewhere(const Context& context, const GlEntries& entries) {
  std::array<CUdevice, most_devices> devices{};
  unsigned count = 0;
  const CUresult r = entries.get_devices(&count, devices.data(), most_devices, all_devices);
  if (r != CUDA_SUCCESS) return "asking for OpenGL's devices: " + describe(context.driver(), r);
  count = std::min(count, most_devices);
  if (std::find(devices.begin(), devices.begin() + count, context.device()) != devices.begin() + count)
    return "";
  return fmt::format("OpenGL draws on {} CUDA device{}, and cuda:{} is not among them", count,
                     count == 1 ? "" : "s", context.ordinal());
}

Result<void> try_out(GlBuffer& buffer, CUstream stream, uint64_t bytes) {
  const Result<CUdeviceptr> address = buffer.map(stream, bytes);
  Result<void> back = buffer.mapped() ? buffer.unmap(stream) : Result<void>();
  if (!address) return address.error();
  return back;
}

}  // namespace

GlEntries gl_entries(const Driver& driver) {
  GlEntries entries;
  if (!driver.find) return entries;
  const auto take = [&](auto& entry, const char* name, int version) {
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(driver.find(name, version));
  };
  take(entries.get_devices, "cuGLGetDevices", 6050);
  take(entries.register_buffer, "cuGraphicsGLRegisterBuffer", 3000);
  return entries;
}

FramePath not_shared(const OpenGlBuffers& buffers, const std::string& failure) {
  const std::string& renderer = buffers.renderer;
  FramePath path;
  if (has(renderer, "D3D12")) {
    path.why_not = "Under WSL, OpenGL draws through Direct3D, which cannot share memory with CUDA.";
  } else if (drawn_in_software(renderer)) {
    const bool remote = !environment_variable("SSH_CONNECTION").empty() ||
                        !environment_variable("XRDP_SESSION").empty() ||
                        !environment_variable("VNCDESKTOP").empty();
    path.why_not =
        fmt::format("The window is drawn by the processor ({}){}, so there is no OpenGL memory on the GPU.",
                    renderer, remote ? ", as remote desktops do" : "");
    if (!remote) path.advice = offload_advice;
  } else if (!has(buffers.vendor, "NVIDIA")) {
    path.why_not =
        fmt::format("The window is drawn by another GPU ({}), which CUDA cannot share memory with.",
                    renderer.empty() ? "unnamed" : renderer);
    path.advice = offload_advice;
  } else {
    path.why_not = fmt::format("CUDA does not share memory with this window's OpenGL ({}).", failure);
  }
  return path;
}

Result<GlBuffer> GlBuffer::take(const Context& context, const GlEntries& entries, unsigned name) {
  CUgraphicsResource resource = nullptr;
  const Driver& driver = context.driver();
  const CUresult r = entries.register_buffer(&resource, name, write_discard);
  if (r != CUDA_SUCCESS) return error_of(driver, r, "Registering an OpenGL buffer");
  const auto unregister = driver.cuGraphicsUnregisterResource;
  return GlBuffer(driver, Owned<CUgraphicsResource>(
                              resource, [unregister](CUgraphicsResource taken) { unregister(taken); }));
}

Result<CUdeviceptr> GlBuffer::map(CUstream stream, uint64_t bytes) {
  CUgraphicsResource resource = m_resource.get();
  CUresult r = m_driver->cuGraphicsMapResources(1, &resource, stream);
  if (r != CUDA_SUCCESS) return error_of(*m_driver, r, "Mapping an OpenGL buffer");
  m_mapped = true;
  CUdeviceptr address = 0;
  size_t length = 0;
  r = m_driver->cuGraphicsResourceGetMappedPointer(&address, &length, resource);
  if (r != CUDA_SUCCESS) return error_of(*m_driver, r, "Asking for the address of an OpenGL buffer");
  if (length < bytes)
    return failed(fmt::format("The OpenGL buffer has {} bytes for CUDA, and {} are needed.", length, bytes));
  return address;
}

Result<void> GlBuffer::unmap(CUstream stream) {
  CUgraphicsResource resource = m_resource.get();
  m_mapped = false;
  const CUresult r = m_driver->cuGraphicsUnmapResources(1, &resource, stream);
  if (r != CUDA_SUCCESS) return error_of(*m_driver, r, "Giving an OpenGL buffer back");
  return {};
}

SharedBuffers share_buffers(const Context& context, const OpenGlBuffers& buffers, CUstream stream) {
  const GlEntries entries = gl_entries(context.driver());
  SharedBuffers shared;
  if (entries.get_devices == nullptr || entries.register_buffer == nullptr) {
    shared.path = not_shared(buffers, "the driver has no entries for it");
    return shared;
  }
  std::string failure = elsewhere(context, entries);
  for (size_t i = 0; failure.empty() && i < buffers.names.size(); ++i) {
    Result<GlBuffer> taken = GlBuffer::take(context, entries, buffers.names[i]);
    if (taken)
      shared.slots.push_back(std::move(*taken));
    else
      failure = taken.error().message;
  }
  if (failure.empty() && !shared.slots.empty())
    if (const Result<void> tried = try_out(shared.slots.front(), stream, buffers.bytes); !tried)
      failure = tried.error().message;
  if (failure.empty() && shared.slots.empty()) failure = "the window lends no buffers";
  if (failure.empty()) {
    shared.path.shared = true;
    return shared;
  }
  shared.slots.clear();
  shared.path = not_shared(buffers, failure);
  return shared;
}

}  // namespace warplens::cuda
