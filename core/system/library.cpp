#include "core/system/library.h"

namespace warplens {

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

}  // namespace warplens
