#include "core/ptx/tree.h"

#include <algorithm>

namespace warplens::ptx {

const Function* Module::find_entry(std::string_view entry) const {
  const auto found = std::ranges::find_if(
      functions, [&](const Function& function) { return function.is_entry && function.name == entry; });
  return found == functions.end() ? nullptr : &*found;
}

const SourceFile* Module::find_file(uint32_t number) const {
  const auto found = std::ranges::find(files, number, &SourceFile::number);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace warplens::ptx
