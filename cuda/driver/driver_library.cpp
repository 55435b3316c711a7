#include "cuda/driver/driver_library.h"

#include <fmt/format.h>

namespace warplens::cuda {

#ifdef _WIN32
std::vector<std::string> driver_library_names() { return {"nvcuda.dll"}; }
std::vector<std::string> nvml_library_names() { return {"nvml.dll"}; }
std::string toolkit_library_name(std::string_view library, int major) {
  return fmt::format("{}64_{}.dll", library, major);
}
#else
// The second name is where WSL keeps the driver of Windows.
std::vector<std::string> driver_library_names() { return {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}; }
std::vector<std::string> nvml_library_names() {
  return {"libnvidia-ml.so.1", "/usr/lib/wsl/lib/libnvidia-ml.so.1"};
}
std::string toolkit_library_name(std::string_view library, int major) {
  return fmt::format("lib{}.so.{}", library, major);
}
#endif

}  // namespace warplens::cuda
