// Follows which bytes of arrays are written, and warns of bytes that are used although they never were.
#pragma once

#include <cstdint>
#include <span>

#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// A new array of the device, if there is a journal to write warnings to.
void follow(Gpu& device, Block& block);
// The program's copies and memsets.
void note_host_write(Block& block, uint64_t address, uint64_t bytes, bool set);
// Before and after a launch.
void begin_following(Gpu& device, uint64_t threads);
void note_stores(Gpu& device, const Function& function, Dim3 grid, Dim3 block,
                 std::span<const std::byte> parameters);
// Rows of an array are copied to the host.
void note_copied_back(Gpu& device, uint64_t address, uint64_t width, uint64_t rows, uint64_t pitch);

}  // namespace warplens::driver
