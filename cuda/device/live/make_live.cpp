#include "cuda/device/live/make_live.h"

#include "core/gpu/live/virtual_live.h"
#include "cuda/device/devices/live_devices.h"
#include "cuda/device/live/live_gpu.h"

namespace warplens::cuda {

Result<std::unique_ptr<LiveEngine>> make_live(const Device& device, std::function<void()> wake) {
  const std::optional<int> ordinal = ordinal_of(device.id);
  if (!ordinal) return make_virtual_live(std::move(wake));
  Result<Driver> driver = load_driver();
  if (!driver) return driver.error();
  return std::unique_ptr<LiveEngine>(
      std::make_unique<LiveGpu>(std::move(*driver), *ordinal, LiveGpu::Options{true, std::move(wake)}));
}

}  // namespace warplens::cuda
