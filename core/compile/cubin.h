// What a cubin (CUDA's ELF file) says of its kernels.
#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/device/occupancy.h"

namespace warplens {

// Registers, static shared bytes, stack and constant bytes of one entry. The ELF does not tell spills from
// other stack: those come from ptxas' own words (compiler_log.h) and stay 0 here.
Result<Resources> read_cubin(std::string_view elf, std::string_view entry);

}  // namespace warplens
