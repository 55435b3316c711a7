#include "core/device/device_list.h"

#include <algorithm>
#include <utility>

namespace warplens {

Result<std::vector<Device>> find_devices(std::string_view names) {
  std::vector<Device> devices;
  for (bool more = true; more;) {
    const size_t comma = names.find(',');
    more = comma != names.npos;
    Result<Device> device = find_device(names.substr(0, comma));
    if (!device) return device.error();
    devices.push_back(std::move(*device));
    if (more) names.remove_prefix(comma + 1);
  }
  return devices;
}

uint32_t capability_of_all(const std::vector<Device>& devices) {
  uint32_t oldest = UINT32_MAX;
  for (const Device& device : devices) oldest = std::min(oldest, device.compute_capability.number());
  return oldest;
}

}  // namespace warplens
