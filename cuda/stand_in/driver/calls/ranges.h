// A program's advice about the place of managed memory.
#pragma once

#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// Advice that cuMemAdvise has accepted.
void note_advice(Block& block, CUmem_advise advice, CUdevice place);

}  // namespace warplens::driver
