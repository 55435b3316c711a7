#include "core/system/places.h"
#include "core/base/system/variable.h"

#include <cstdlib>

namespace warplens {

namespace fs = std::filesystem;

namespace {

void add(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

}  // namespace

std::string chosen_python() {
  std::string chosen = environment_variable("WARPLENS_PYTHON");
  return chosen.empty() ? "python3" : chosen;
}

fs::path cache_folder() {
  const fs::path caches = folder_of_caches();
  return caches.empty() ? caches : caches / "warplens";
}

std::vector<std::string> told_paths(const BuiltPlace& built) {
  return built.told ? split_paths(built.path) : std::vector<std::string>();
}

std::optional<std::string> chosen_path(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<std::string> split_paths(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const size_t end = list.find_first_of(":;");
    if (end != 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(end == list.npos ? list.size() : end + 1);
  }
  return parts;
}

std::vector<std::string> places_of(const BuiltPlace& built, const std::string& name,
                                   const std::vector<std::string>& others) {
  std::vector<std::string> places = told_paths(built);
  const fs::path program = program_path(), cache = cache_folder();
  if (!built.told && !program.empty())
    places.push_back((program.parent_path().parent_path() / "share" / "warplens" / name).string());
  if (!built.told && !cache.empty()) places.push_back((cache / name).string());
  add(places, others);
  return places;
}

std::vector<std::string> toolkit_folders() {
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::string folder = environment_variable(variable); !folder.empty())
      folders.push_back(std::move(folder));
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

}  // namespace warplens
