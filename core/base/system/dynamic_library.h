// Shared libraries that are loaded at run time, because the program must start without them.
// The one place that calls the operating system's loader.
#pragma once

#include <span>
#include <string>

#include "core/base/result.h"

namespace warplens {

// A loaded library. It stays loaded until the process ends, so that copies of this value and pointers to its
// functions never dangle: CUDA's libraries keep threads and exit handlers of their own and do not like to go.
class DynamicLibrary {
 public:
  // A path, or a bare file name that the system's loader looks for.
  static Result<DynamicLibrary> open(const std::string& path);
  // The first of the candidates that loads; else an error of kind missing that lists why each did not.
  static Result<DynamicLibrary> open_first(std::span<const std::string> candidates);

  const std::string& path() const { return m_path; }

  // Null where the library has no such symbol.
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

}  // namespace warplens
