// Reads the resources of kernels from a cubin (CUDA's ELF file).
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/device/occupancy.h"

namespace warplens {

// The registers, static shared bytes, stack bytes and constant bytes of one entry. Spills and barriers stay
// 0 here, since the ELF does not tell them apart from other stack, and does not name the number of barriers
// on all architectures; they come from the log of ptxas (compiler_log.h).
Result<Resources> read_cubin(std::string_view elf, std::string_view entry);

}  // namespace warplens
