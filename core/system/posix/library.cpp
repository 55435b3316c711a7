#include "core/system/library.h"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <fstream>

namespace warplens {

Result<DynamicLibrary> DynamicLibrary::open(const std::string& path) {
  // The loader uses "" for the program itself.
  if (path.empty()) return missing("the library's path is empty");
  // Local, since two versions of CUDA's libraries may be loaded at the same time.
  if (void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return DynamicLibrary(handle, path);
  const char* text = ::dlerror();
  return missing(text != nullptr ? text : "unknown error");
}

void* DynamicLibrary::symbol(const char* name) const { return ::dlsym(m_handle, name); }

std::string file_of_library(const std::string& name) {
  void* library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  link_map* map = nullptr;
  if (library == nullptr || ::dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(map->l_name, error);
  return error ? std::string() : path.string();
}

std::set<std::string> loaded_libraries() {
  std::set<std::string> files;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (const size_t path = line.find('/'); path != line.npos && line.find(".so", path) != line.npos)
      files.insert(line.substr(path));
  return files;
}

}  // namespace warplens
