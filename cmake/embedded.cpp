#include "core/base/system/embedded.h"

#include <algorithm>

namespace warplens {

std::string_view find_embedded(std::string_view path) {
  const auto files = embedded_files();
  const auto found = std::ranges::lower_bound(files, path, {}, &EmbeddedFile::path);
  return found != files.end() && found->path == path ? found->bytes : std::string_view{};
}

}  // namespace warplens
