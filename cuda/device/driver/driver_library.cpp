#include "cuda/device/driver/driver_library.h"

#include <fmt/format.h>

namespace warplens::cuda {

// The second name is where WSL keeps the driver of Windows.
std::vector<std::string> driver_library_names() { return {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}; }
std::vector<std::string> nvml_library_names() {
  return {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"};
}
std::string toolkit_library_name(std::string_view library, int major) {
  return fmt::format("lib{}.so.{}", library, major);
}

}  // namespace warplens::cuda
