#include "core/compile/locations.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include "warplens_config.h"

namespace warplens {

namespace {

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    size_t end = list.find_first_of(":;");
    if (end != 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(end == list.npos ? list.size() : end + 1);
  }
  return parts;
}

std::vector<std::string> candidates(const char* variable, const char* configured,
                                    std::initializer_list<const char*> file_names) {
  if (auto chosen = environment(variable)) return {*chosen};
  std::vector<std::string> paths = split(configured);
  paths.insert(paths.end(), file_names.begin(), file_names.end());
  return paths;
}

}  // namespace

std::vector<std::string> nvrtc_candidates() {
  return candidates("WARPLENS_NVRTC", config::nvrtc, {"libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so"});
}

std::vector<std::string> nvjitlink_candidates() {
  return candidates("WARPLENS_NVJITLINK", config::nvjitlink,
                    {"libnvJitLink.so.12", "libnvJitLink.so.13", "libnvJitLink.so"});
}

std::vector<std::string> nvjitlink13_candidates() {
  return candidates("WARPLENS_NVJITLINK13", config::nvjitlink13, {"libnvJitLink.so.13", "libnvJitLink.so"});
}

std::vector<std::string> cuda_include_directories() {
  std::vector<std::string> directories;
  if (auto chosen = environment("WARPLENS_CUDA_INCLUDE_DIRS")) {
    directories = split(*chosen);
  } else if (directories = split(config::cuda_include_dirs); directories.empty()) {
    std::vector<std::string> toolkits;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
      if (auto toolkit = environment(variable); toolkit && !toolkit->empty()) toolkits.push_back(*toolkit);
    toolkits.emplace_back("/usr/local/cuda");
    // From 13.0 on, libcu++ and CUB have a folder of their own.
    for (const std::string& toolkit : toolkits)
      for (const char* folder : {"/include", "/include/cccl"}) directories.push_back(toolkit + folder);
  }
  std::erase_if(directories, [](const std::string& directory) {
    std::error_code ignored;
    return !std::filesystem::is_directory(directory, ignored);
  });
  return directories;
}

}  // namespace warplens
