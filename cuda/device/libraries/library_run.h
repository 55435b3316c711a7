// Runs library work with cuBLAS, cuSOLVER and cuRAND on a device. It is timed like a kernel, by events on
// the stream: one call warms up and gives the results, then up to twenty calls follow, each after the L2
// cache is cleared.
#pragma once

#include <functional>
#include <stop_token>

#include "core/device/device.h"
#include "core/launch/library_work.h"
#include "cuda/device/driver/context.h"
#include "cuda/device/libraries/libraries.h"

namespace warplens::cuda {

// The context must be in use. An absent library or a failed routine gives a row with the reason. An Error is
// of the device itself. `passed` is called after each measured call, as a sign of life.
Result<LibraryRun> measure_libraries(const Context& context, const Device& device, const Libraries& libraries,
                                     const LibraryWork& work, const std::stop_token& stop,
                                     const std::function<void()>& passed);

}  // namespace warplens::cuda
