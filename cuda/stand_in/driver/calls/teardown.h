// Frees what belongs to a context, or to a module.
#pragma once

#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// Frees all that was made in the context.
void tear_down(Gpu& device, Context& context);
void unload(Gpu& device, Module& module);
// Takes a block out of the device's memory and gives its pages back; `address` is where it begins.
void release_block(Gpu& device, uint64_t address);

}  // namespace warplens::driver
