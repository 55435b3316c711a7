#include "core/job/files/device_figures.h"

#include "core/device/device.h"
#include "core/gpu/timing/parameters.h"

namespace warplens {

recording::DeviceFigures figures_of_device(std::string_view id) {
  const Result<Device> device = find_device(id);
  if (!device) return {};
  return {device->sms, default_time_parameters().launch_us.band.value};
}

}  // namespace warplens
