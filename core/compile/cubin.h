// Reads the resources of kernels from a cubin (CUDA's ELF file).
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/device/occupancy.h"

namespace warplens {

// The registers, static shared bytes, stack bytes and constant bytes of one entry. Spills stay 0 here, since
// the ELF does not distinguish them from other stack; they come from the log of ptxas (compiler_log.h).
Result<Resources> read_cubin(std::string_view elf, std::string_view entry);

}  // namespace warplens
