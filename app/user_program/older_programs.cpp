#include "app/user_program/older_programs.h"

#include <algorithm>
#include <filesystem>

#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/system/places.h"

namespace warplens::nvcc {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view removed[] = {
    "cudaThreadSynchronize",
    "cudaThreadExit",
    "cudaThreadSetLimit",
    "cudaThreadGetLimit",
    "cudaThreadSetCacheConfig",
    "cudaThreadGetCacheConfig",
    "clockRate",
    "memoryClockRate",
    "deviceOverlap",
    "kernelExecTimeoutEnabled",
    "computeMode",
    "singleToDoublePrecisionPerfRatio",
    "cooperativeMultiDeviceLaunch",
    "maxTexture1DLinear",
    "cudaMemPrefetchAsync",
    "cudaMemAdvise",
    "\"int\" to \"cudaMemLocation\"",  // the third argument of a prefetch, the fourth of an advice
};

}  // namespace

bool misses_removed_names(std::string_view errors) {
  return errors.find("error") != errors.npos &&
         std::any_of(std::begin(removed), std::end(removed),
                     [&](std::string_view name) { return errors.find(name) != errors.npos; });
}

Result<std::string> write_older_names() {
  const fs::path path = cache_folder() / "front" / "cuda12_names.h";
  const std::string_view header = find_embedded("program/cuda12_names.h");
  if (const Result<std::string> there = read_text(path.string(), header.size() + 1);
      there && *there == header)
    return path.string();
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (const auto written = write_text(path.string(), std::string(header)); !written) return written.error();
  return path.string();
}

}  // namespace warplens::nvcc
