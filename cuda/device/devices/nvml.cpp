#include "cuda/device/devices/nvml.h"

#include <array>

#include "cuda/device/driver/driver_library.h"

namespace warplens::cuda {

namespace {

constexpr int success = 0;
constexpr int sm_clock = 1, memory_clock = 2;  // nvmlClockType_t
constexpr int gpu_sensor = 0;                  // NVML_TEMPERATURE_GPU

struct Reason {
  unsigned long long bit;
  const char* words;
};
// nvmlClocksThrottleReasons*, without idle and without clocks that the user set.
constexpr std::array reasons{
    Reason{0x04, "the power limit"},       Reason{0x08, "a hardware slowdown"},
    Reason{0x20, "the temperature"},       Reason{0x40, "the temperature, by hardware"},
    Reason{0x80, "the power brake"},       Reason{0x10, "another GPU of its group"},
    Reason{0x100, "the display's clocks"},
};

}  // namespace

Nvml Nvml::load() {
  Nvml nvml;
  const Result<DynamicLibrary> library = DynamicLibrary::open_first(nvml_library_names());
  if (!library) return nvml;
  Init* init = library->function<Init>("nvmlInit_v2");
  if (init == nullptr || init() != success) return nvml;
  nvml.m_by_bus = library->function<ByBus>("nvmlDeviceGetHandleByPciBusId_v2");
  nvml.m_clock = library->function<ClockInfo>("nvmlDeviceGetClockInfo");
  nvml.m_reasons = library->function<Reasons>("nvmlDeviceGetCurrentClocksThrottleReasons");
  nvml.m_temperature = library->function<Temperature>("nvmlDeviceGetTemperature");
  return nvml;
}

DeviceCondition Nvml::condition_of(const std::string& bus) const {
  DeviceCondition condition;
  Handle* handle = nullptr;
  if (m_by_bus == nullptr || m_by_bus(bus.c_str(), &handle) != success) return condition;
  unsigned number = 0;
  if (m_clock != nullptr && m_clock(handle, sm_clock, &number) == success) condition.sm_clock_mhz = number;
  if (m_clock != nullptr && m_clock(handle, memory_clock, &number) == success)
    condition.memory_clock_mhz = number;
  if (m_temperature != nullptr && m_temperature(handle, gpu_sensor, &number) == success)
    condition.temperature_c = number;
  unsigned long long bits = 0;
  if (m_reasons == nullptr || m_reasons(handle, &bits) != success) return condition;
  for (const Reason& reason : reasons)
    if ((bits & reason.bit) != 0)
      condition.throttled += (condition.throttled.empty() ? "" : ", ") + std::string(reason.words);
  return condition;
}

}  // namespace warplens::cuda
