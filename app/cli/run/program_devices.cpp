#include "app/cli/run/program_devices.h"

#include <fmt/format.h>

#include "app/cli/shared/values.h"
#include "core/device/device_list.h"
#include "core/recording/journal.h"

namespace warplens {

namespace {

Error real_and_several(const std::string& given) {
  return bad_input(fmt::format(
      "{}: several devices are virtual ones, and a program finds one real GPU. Leave --devices out "
      "for cuda:0, or choose virtual devices (warplens devices).",
      given));
}

}  // namespace

Result<std::vector<Device>> program_devices(const std::string& device_name, const std::string& list,
                                            const FindRealGpus& real_gpus) {
  const std::string name = device_name.empty() ? "rtx_3060" : device_name;
  if (list.find_first_not_of("0123456789") == list.npos) {
    if (name.starts_with("cuda:") && list != "1")
      return real_and_several(fmt::format("--device {} --devices {}", name, list));
    const Result<Device> device =
        name.starts_with("cuda:") ? find_device(name, real_gpus) : find_device(name);
    if (!device) return device.error();
    const Result<uint64_t> count = parse_count("--devices", list, 1, recording::most_devices);
    if (!count)
      return bad_input(
          fmt::format("{}, or names of devices with commas between them", count.error().message));
    return std::vector<Device>(*count, *device);
  }
  if (!device_name.empty())
    return bad_input(
        fmt::format("--devices {} names the devices: leave --device out, or give --devices a number", list));
  if (list.find("cuda:") != list.npos) return real_and_several(fmt::format("--devices {}", list));
  Result<std::vector<Device>> devices = find_devices(list);
  if (devices && devices->size() > recording::most_devices)
    return bad_input(fmt::format("--devices {}: at most {} devices", list, recording::most_devices));
  return devices;
}

}  // namespace warplens
