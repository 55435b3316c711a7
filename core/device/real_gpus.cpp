#include "core/device/real_gpus.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {

RealGpus find_real_gpus(const FindRealGpus& find) {
  if (find) return find();
  return {{}, "This program was built without CUDA, so it knows virtual GPUs only."};
}

Result<Device> find_device(std::string_view name, const FindRealGpus& find) {
  const bool real = name.starts_with("cuda:");
  if (!name.empty() && !real) return find_device(name);
  RealGpus gpus = find_real_gpus(find);
  if (real) {
    const auto found = std::ranges::find(gpus.devices, name, &Device::id);
    if (found != gpus.devices.end()) return std::move(*found);
    if (gpus.devices.empty())
      return missing(fmt::format(
          "--device {}: {} Leave --device away for a virtual GPU, or choose one of warplens devices.", name,
          gpus.none));
    std::string ids;
    for (const Device& device : gpus.devices)
      ids += fmt::format("{}{} ({})", ids.empty() ? "" : ", ", device.id, device.name);
    return missing(fmt::format("--device {}: this machine has {}", name, ids));
  }
  if (!gpus.devices.empty()) return std::move(gpus.devices.front());
  if (built_in_devices().empty())
    return missing("This program was built without its device files, so there is no device to run on");
  return built_in_devices().front();
}

Device twin_of(const Device& real) {
  const Device* best = nullptr;
  for (const Device& device : built_in_devices()) {
    if (device.name == real.name) return device;
    const uint32_t capability = device.compute_capability.number();
    if (capability > real.compute_capability.number()) continue;
    if (best == nullptr || capability > best->compute_capability.number()) best = &device;
  }
  return best == nullptr ? built_in_devices().front() : *best;
}

}  // namespace warplens
