// Makes types from entries of .debug_info.
#pragma once

#include <map>
#include <vector>

#include "core/ptx/debug/debug_info.h"
#include "core/ptx/debug/entries.h"

namespace warplens::debug {

// The index of each entry's type in the list; entries that are not types are not in it.
using TypeIndices = std::map<uint32_t, uint32_t>;

// Appends the types after void_type.
TypeIndices read_types(const Entries& entries, const Sections& sections, std::vector<Type>& types);
// The type to which the entry refers.
uint32_t type_of(const Entries& entries, const TypeIndices& indices, uint32_t entry);

}  // namespace warplens::debug
