// The state of a device from NVIDIA's management library: clocks, temperature, and why clocks are lowered.
#pragma once

#include <optional>
#include <string>

#include "core/system/library.h"

namespace warplens::cuda {

struct DeviceCondition {
  std::optional<double> sm_clock_mhz, memory_clock_mhz, temperature_c;
  std::string throttled;  // empty if clocks are not lowered, or if it is not known
};

// NVML, loaded at run time. If it is absent, every answer is empty.
class Nvml {
 public:
  static Nvml load();
  // `bus` as cuDeviceGetPCIBusId writes it.
  DeviceCondition condition_of(const std::string& bus) const;

 private:
  // NVML's C interface (NVML API Reference Guide). It is declared here because no CUDA package that the
  // build needs has its header.
  struct Handle;
  using Init = int();
  using ByBus = int(const char*, Handle**);
  using ClockInfo = int(Handle*, int type, unsigned*);
  using Reasons = int(Handle*, unsigned long long*);
  using Temperature = int(Handle*, int sensor, unsigned*);

  ByBus* m_by_bus = nullptr;
  ClockInfo* m_clock = nullptr;
  Reasons* m_reasons = nullptr;
  Temperature* m_temperature = nullptr;
};

}  // namespace warplens::cuda
