#include "app/user_program/real_gpu.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "app/user_program/environment.h"
#include "core/system/library.h"

namespace warplens::program_run {

namespace {

namespace fs = std::filesystem;

// The second is where WSL keeps the driver of Windows.
constexpr const char* driver_names[] = {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"};

}  // namespace

Result<std::string> find_relay() {
  const Result<std::string> driver = find_driver();
  if (!driver) return driver.error();
  const fs::path path = fs::path(*driver).parent_path().parent_path() / "relay" / "libcuda.so.1";
  std::error_code error;
  if (fs::exists(path, error)) return path.string();
  return missing(fmt::format(
      "The library that notes what a program does on a real GPU ({}) is missing: install WarpLens again.",
      path.string()));
}

Result<std::string> find_nvidia_driver() {
  const char* chosen = std::getenv("WARPLENS_CUDA_DRIVER");
  if (chosen != nullptr && *chosen != 0) {
    if (std::string path = file_of_library(chosen); !path.empty()) return path;
    return missing(fmt::format("WARPLENS_CUDA_DRIVER={}: this library cannot be loaded.", chosen));
  }
  for (const char* name : driver_names)
    if (std::string path = file_of_library(name); !path.empty()) return path;
  return missing("NVIDIA's driver (libcuda.so.1) is not found: leave --device out for the virtual GPU.");
}

std::vector<std::pair<std::string, std::string>> variables_for_gpu(int ordinal, const std::string& driver) {
  std::string visible = std::to_string(ordinal);
  // Numbers count those that are visible here already.
  if (const char* list = std::getenv("CUDA_VISIBLE_DEVICES"); list != nullptr && *list != 0) {
    std::string_view rest = list;
    for (int i = 0; i < ordinal; ++i) {
      const size_t comma = rest.find(',');
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    if (!rest.empty()) visible = rest.substr(0, rest.find(','));
  }
  return {{"CUDA_VISIBLE_DEVICES", visible}, {"WARPLENS_PROGRAM_NEXT", driver}};
}

}  // namespace warplens::program_run
