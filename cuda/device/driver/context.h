// A context of one device. Allocations, modules and streams belong to it, and a fault destroys it with them.
#pragma once

#include "core/base/result.h"
#include "cuda/device/driver/driver.h"
#include "cuda/device/driver/owned.h"

namespace warplens::cuda {

class Context {
 public:
  // Creates a context of the device cuda:<ordinal>. It is current on the thread that made it.
  static Result<Context> create(const Driver& driver, int ordinal);

  const Driver& driver() const { return m_driver; }
  CUdevice device() const { return m_device; }
  int ordinal() const { return m_ordinal; }
  // Makes it current on the calling thread.
  Result<void> use() const;

  Result<Owned<CUdeviceptr>> allocate(uint64_t bytes, const std::string& what) const;
  // Page-locked host memory.
  Result<Owned<void*>> allocate_host(uint64_t bytes) const;
  Result<Owned<CUstream>> make_stream() const;
  Result<Owned<CUevent>> make_event() const;

  // The memory of the whole device, including that of other processes.
  struct Memory {
    uint64_t free = 0, total = 0;
  };
  Result<Memory> memory() const;

 private:
  Context(Driver driver, int ordinal, CUdevice device, Owned<CUcontext> context)
      : m_driver(std::move(driver)), m_ordinal(ordinal), m_device(device), m_context(std::move(context)) {}

  Driver m_driver;
  int m_ordinal;
  CUdevice m_device;
  Owned<CUcontext> m_context;
};

}  // namespace warplens::cuda
