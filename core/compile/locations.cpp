#include "core/compile/locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/base/system/places.h"
#include "warplens_config.h"

namespace warplens {

namespace {

namespace fs = std::filesystem;

// A header that every version of CUDA has, and that no other software has.
constexpr const char* known_header = "cuda_fp16.h";

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<std::string> existing(std::vector<std::string> directories) {
  std::erase_if(directories, [](const std::string& directory) {
    std::error_code ignored;
    return !fs::is_directory(directory, ignored);
  });
  return directories;
}

// `name` is the place that set-up uses; `file_names` are the names in toolkits, the best first.
std::vector<std::string> candidates(const char* variable, const BuiltPlace& built, const std::string& name,
                                    const std::vector<std::string>& file_names) {
  if (auto chosen = chosen_path(variable)) return {*chosen};
  std::vector<std::string> of_toolkits;
  for (const std::string& toolkit : toolkit_folders())
    for (const char* folder : {"lib64", "lib"})
      for (const std::string& file : file_names)
        of_toolkits.push_back(fmt::format("{}/{}/{}", toolkit, folder, file));
  std::vector<std::string> paths = places_of(built, name, of_toolkits);
  // Messages list the tried paths, so paths that do not exist are left out.
  const auto behind_told = paths.begin() + static_cast<std::ptrdiff_t>(told_paths(built).size());
  paths.erase(
      std::remove_if(behind_told, paths.end(), [](const std::string& path) { return !is_file(path); }),
      paths.end());
  paths.insert(paths.end(), file_names.begin(), file_names.end());
  return paths;
}

}  // namespace

std::vector<std::string> nvrtc_candidates() {
  return candidates("WARPLENS_NVRTC", config::nvrtc, config::cuda_folder + "/lib/libnvrtc.so.12",
                    {"libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so"});
}

std::vector<std::string> nvjitlink_candidates() {
  return candidates("WARPLENS_NVJITLINK", config::nvjitlink, config::cuda_folder + "/lib/libnvJitLink.so.12",
                    {"libnvJitLink.so.12", "libnvJitLink.so.13", "libnvJitLink.so"});
}

std::vector<std::string> nvjitlink13_candidates() {
  return candidates("WARPLENS_NVJITLINK13", config::nvjitlink13,
                    config::nvjitlink13_folder + "/lib/libnvJitLink.so.13",
                    {"libnvJitLink.so.13", "libnvJitLink.so"});
}

std::vector<std::string> cuda_include_directories() {
  if (const auto chosen = chosen_path("WARPLENS_CUDA_INCLUDE_DIRS")) return existing(split_paths(*chosen));
  if (const std::vector<std::string> told = existing(told_paths(config::cuda_include)); !told.empty())
    return told;
  std::vector<std::string> of_toolkits;
  for (const std::string& toolkit : toolkit_folders()) of_toolkits.push_back(toolkit + "/include");
  // From 13.0 on, libcu++ and CUB have a folder of their own.
  for (const std::string& place :
       places_of(config::cuda_include, config::cuda_folder + "/include", of_toolkits))
    if (is_file(place + "/" + known_header)) return existing({place, place + "/cccl"});
  return {};
}

}  // namespace warplens
