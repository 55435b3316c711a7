#include "cuda/device/driver/context.h"

#include <fmt/format.h>

#include "cuda/device/driver/error.h"

namespace warplens::cuda {

Result<Context> Context::create(const Driver& driver, int ordinal) {
  CUdevice device = 0;
  if (const CUresult r = driver.cuDeviceGet(&device, ordinal); r != CUDA_SUCCESS)
    return error_of(driver, r, fmt::format("Opening cuda:{}", ordinal));
  CUcontext context = nullptr;
  // Waiting threads sleep, since the virtual GPU needs the cores.
  if (const CUresult r = driver.cuCtxCreate(&context, CU_CTX_SCHED_BLOCKING_SYNC, device); r != CUDA_SUCCESS)
    return error_of(driver, r, fmt::format("Making a context on cuda:{}", ordinal));
  const auto destroy = driver.cuCtxDestroy;
  return Context(driver, ordinal, device, Owned<CUcontext>(context, [destroy](CUcontext c) { destroy(c); }));
}

Result<void> Context::use() const {
  const CUresult r = m_driver.cuCtxSetCurrent(m_context.get());
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Using the context");
  return {};
}

Result<Owned<CUdeviceptr>> Context::allocate(uint64_t bytes, const std::string& what) const {
  CUdeviceptr pointer = 0;
  // CUDA does not allocate 0 bytes, but a kernel may still be given the address of an empty buffer.
  const CUresult r = m_driver.cuMemAlloc(&pointer, bytes == 0 ? 1 : bytes);
  if (r != CUDA_SUCCESS)
    return error_of(m_driver, r, fmt::format("Allocating {} on the device, {} bytes", what, bytes));
  const auto free = m_driver.cuMemFree;
  return Owned<CUdeviceptr>(pointer, [free](CUdeviceptr p) { free(p); });
}

Result<Owned<void*>> Context::allocate_host(uint64_t bytes) const {
  void* pointer = nullptr;
  const CUresult r = m_driver.cuMemHostAlloc(&pointer, bytes == 0 ? 1 : bytes, 0);
  if (r != CUDA_SUCCESS)
    return error_of(m_driver, r, fmt::format("Allocating {} bytes of page-locked host memory", bytes));
  const auto free = m_driver.cuMemFreeHost;
  return Owned<void*>(pointer, [free](void* p) { free(p); });
}

Result<Owned<CUstream>> Context::make_stream() const {
  CUstream stream = nullptr;
  const CUresult r = m_driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Making a stream");
  const auto destroy = m_driver.cuStreamDestroy;
  return Owned<CUstream>(stream, [destroy](CUstream s) { destroy(s); });
}

Result<Owned<CUevent>> Context::make_event() const {
  CUevent event = nullptr;
  const CUresult r = m_driver.cuEventCreate(&event, CU_EVENT_DEFAULT);
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Making an event");
  const auto destroy = m_driver.cuEventDestroy;
  return Owned<CUevent>(event, [destroy](CUevent e) { destroy(e); });
}

Result<Context::Memory> Context::memory() const {
  size_t free = 0, total = 0;
  const CUresult r = m_driver.cuMemGetInfo(&free, &total);
  if (r != CUDA_SUCCESS) return error_of(m_driver, r, "Asking for the device's memory");
  return Memory{free, total};
}

}  // namespace warplens::cuda
