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

Part part_of(const Operand& operand) {
  return {(operand.part >> 24 & 1) != 0, operand.part >> 16 & 15, operand.part & 0xffff};
}

uint32_t encoded(const Part& part) { return (part.halves ? 1u << 24 : 0) | part.count << 16 | part.indices; }

}  // namespace warplens::ptx
