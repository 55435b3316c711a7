#include "core/compile/locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/system/places.h"
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

// The paths that exist, each once.
std::vector<std::string> programs(std::vector<std::string> paths) {
  std::vector<std::string> found;
  for (std::string& path : paths)
    if (is_file(path) && std::find(found.begin(), found.end(), path) == found.end())
      found.push_back(std::move(path));
  return found;
}

// The first path at which a shell would look for this name, whether it exists or not.
void add_from_path(const std::string& name, std::vector<std::string>& paths) {
  if (const auto path = chosen_path("PATH"))
    for (const std::string& folder : split_paths(*path)) paths.push_back(fmt::format("{}/{}", folder, name));
}

// Those of CUDA toolkits, and those that a shell would find.
std::vector<std::string> toolkit_ptxas() {
  std::vector<std::string> paths;
  for (const std::string& toolkit : toolkit_folders()) paths.push_back(toolkit + "/bin/ptxas");
  add_from_path("ptxas", paths);
  return paths;
}

}  // namespace

std::vector<std::string> nvrtc_candidates() {
  return candidates("WARPLENS_NVRTC", config::nvrtc, config::cuda_folder + "/lib/libnvrtc.so.12",
                    {"libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so"});
}

std::vector<std::string> ptxas_candidates() {
  if (const auto chosen = chosen_path("WARPLENS_PTXAS")) return programs({*chosen});
  std::vector<std::string> paths =
      places_of(config::ptxas, config::ptxas_folder + "/bin/ptxas", toolkit_ptxas());
  // An assembler that is older than the driver is better than none.
  for (std::string& older : places_of(config::ptxas12, config::ptxas12_folder + "/bin/ptxas"))
    paths.push_back(std::move(older));
  return programs(std::move(paths));
}

std::vector<std::string> ptxas12_candidates() {
  if (const auto chosen = chosen_path("WARPLENS_PTXAS12")) return programs({*chosen});
  return programs(places_of(config::ptxas12, config::ptxas12_folder + "/bin/ptxas", toolkit_ptxas()));
}

std::vector<std::string> clang_candidates() {
  if (auto chosen = chosen_path("WARPLENS_CLANG")) return programs({*chosen});
  constexpr int oldest = 14, newest = 22;
  std::vector<std::string> paths;
  for (int major = newest; major >= oldest; --major) add_from_path(fmt::format("clang-{}", major), paths);
  add_from_path("clang", paths);
  return programs(std::move(paths));
}

std::string libclc_place() {
  if (auto chosen = chosen_path("WARPLENS_LIBCLC")) return *chosen;
  for (const char* folder : {"/usr/lib/clc", "/usr/share/clc", "/usr/lib64/clc", "/usr/local/share/clc"})
    for (const char* name : {"nvptx64--.bc", "nvptx64--nvidiacl.bc"})
      if (std::string path = fmt::format("{}/{}", folder, name); is_file(path)) return path;
  return "";
}

std::vector<std::string> cuda_include_directories() {
  if (const auto chosen = chosen_path("WARPLENS_CUDA_INCLUDE_DIRS")) return existing(split_paths(*chosen));
  if (std::vector<std::string> told = existing(told_paths(config::cuda_include)); !told.empty()) return told;
  std::vector<std::string> of_toolkits;
  for (const std::string& toolkit : toolkit_folders()) of_toolkits.push_back(toolkit + "/include");
  // From 13.0 on, libcu++ and CUB have a folder of their own.
  for (const std::string& place :
       places_of(config::cuda_include, config::cuda_folder + "/include", of_toolkits))
    if (is_file(place + "/" + known_header)) return existing({place, place + "/cccl"});
  return {};
}

}  // namespace warplens
