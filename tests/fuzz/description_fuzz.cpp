// Any bytes are a device file, a kernel's description or a launch file: each reader must answer.
#include <cstdlib>
#include <string_view>

#include "core/device/device.h"
#include "core/job/files/launch_file.h"
#include "core/kernels/catalogue.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t count) {
  using namespace warplens;
  const std::string_view text(reinterpret_cast<const char*>(bytes), count);
  const auto device = parse_device(text, "fuzz.json");
  if (!device && device.error().message.empty()) std::abort();
  const auto kernel = parse_kernel(text, "fuzz.json");
  if (!kernel && kernel.error().message.empty()) std::abort();
  const auto launch = parse_launch_file(text, "fuzz.json", "/nonexistent");
  if (!launch && launch.error().message.empty()) std::abort();
  return 0;
}
