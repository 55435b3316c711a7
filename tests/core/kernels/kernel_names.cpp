#include "tests/core/kernels/kernel_names.h"

#include "core/base/system/embedded.h"

namespace warplens::test_files {

std::vector<std::string> built_in_kernel_names() {
  constexpr std::string_view folder = "kernels/", ending = ".json";
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files())
    if (file.path.starts_with(folder) && file.path.ends_with(ending))
      names.emplace_back(file.path.substr(folder.size(), file.path.size() - folder.size() - ending.size()));
  return names;
}

}  // namespace warplens::test_files
