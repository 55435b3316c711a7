// What cuBLAS, cuSOLVER and cuRAND do of some work on a device, timed as kernels are: a call that warms up
// and gives the results, then up to twenty, each behind a cleared L2 cache, by events on the stream.
#pragma once

#include <functional>
#include <stop_token>

#include "core/device/device.h"
#include "core/launch/library_work.h"
#include "cuda/driver/context.h"
#include "cuda/libraries/libraries.h"

namespace warplens::cuda {

// The context is in use. A library that is absent, or a routine that answers an error, is a row with the
// reason; an error is of the device itself. `passed` is called after each measured call: a sign of life.
Result<LibraryRun> measure_libraries(const Context& context, const Device& device, const Libraries& libraries,
                                     const LibraryWork& work, const std::stop_token& stop,
                                     const std::function<void()>& passed);

}  // namespace warplens::cuda
