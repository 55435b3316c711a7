// Shared libraries that are loaded at run time, because the program must also start without them.
#pragma once

#include <set>
#include <span>
#include <string>

#include "core/base/result.h"

namespace warplens {

// A loaded library. It stays loaded until the process ends. So copies of this value and pointers to its
// functions stay valid, and CUDA's libraries, which own threads and exit handlers, are never unloaded.
class DynamicLibrary {
 public:
  // A path, or a bare file name that the system's loader looks for.
  static Result<DynamicLibrary> open(const std::string& path);
  // Opens the first candidate that loads. If none does, the error (of kind missing) gives the reason for
  // each.
  static Result<DynamicLibrary> open_first(std::span<const std::string> candidates);

  const std::string& path() const { return m_path; }

  // Null if the library has no such symbol.
  void* symbol(const char* name) const;
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  DynamicLibrary(void* handle, std::string path) : m_handle(handle), m_path(std::move(path)) {}

  void* m_handle = nullptr;
  std::string m_path;
};

// The file of a library, as the loader finds it by this name or path. The library stays loaded. Empty if
// there is none.
std::string file_of_library(const std::string& name);

// The files of all libraries that this process has loaded.
std::set<std::string> loaded_libraries();

}  // namespace warplens
