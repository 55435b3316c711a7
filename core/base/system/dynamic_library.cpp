#include "core/base/system/dynamic_library.h"

#include <fmt/format.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace warplens {

namespace {

#ifdef _WIN32
void* load(const std::string& path) { return LoadLibraryA(path.c_str()); }
std::string load_error() { return fmt::format("Windows error {}", GetLastError()); }
void* find(void* handle, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle), name));
}
#else
// Local: CUDA's libraries of two versions may be loaded side by side.
void* load(const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); }
std::string load_error() {
  const char* text = dlerror();
  return text ? text : "unknown error";
}
void* find(void* handle, const char* name) { return dlsym(handle, name); }
#endif

}  // namespace

Result<DynamicLibrary> DynamicLibrary::open(const std::string& path) {
  // The loader takes "" for the program itself.
  if (path.empty()) return missing("the library's path is empty");
  if (void* handle = load(path)) return DynamicLibrary(handle, path);
  return missing(load_error());
}

Result<DynamicLibrary> DynamicLibrary::open_first(std::span<const std::string> candidates) {
  std::string reasons;
  for (const std::string& path : candidates) {
    Result<DynamicLibrary> library = open(path);
    if (library) return library;
    if (!reasons.empty()) reasons += "; ";
    reasons += library.error().message;
  }
  return missing(reasons.empty() ? "no path is set" : reasons);
}

void* DynamicLibrary::symbol(const char* name) const { return find(m_handle, name); }

}  // namespace warplens
