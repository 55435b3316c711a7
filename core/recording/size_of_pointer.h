// The mistake of giving the size of a pointer to a copy: cudaMemcpy(d, v, sizeof(v), …).
#pragma once

#include <cstdint>
#include <string>

#include "core/recording/journal.h"

namespace warplens::recording {

// "sizeof(v) is 8, the size of a pointer: …" if the line of a copy of so many bytes has a sizeof of a name
// that its file declares as a pointer. Empty if not, or if the file cannot be read.
std::string size_of_pointer(const HostPlace* copy, uint64_t bytes);

}  // namespace warplens::recording
