#include "core/system/library.h"

namespace warplens {

Result<DynamicLibrary> DynamicLibrary::open(const std::string& path) {
  return missing(path + " cannot be loaded: this build loads no libraries.");
}

// No library can be loaded.
void* DynamicLibrary::symbol(const char*) const { return m_handle; }

std::string file_of_library(const std::string&) { return {}; }
std::set<std::string> loaded_libraries() { return {}; }

}  // namespace warplens
