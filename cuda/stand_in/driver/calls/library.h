// Work of our own libraries on a stream (cuda/stand_in/driver/library_call.h).
#pragma once

#include <cstdint>
#include <optional>

#include "core/device/device.h"
#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// The modelled time in microseconds: a launch, and the longer of the operations at the device's peak and the
// bytes at its memory's bandwidth. Empty if the device's file or the time model lacks a number.
std::optional<double> library_time(const Device& device, warplens_unit unit, double operations,
                                   uint64_t bytes);

// Runs the work as a node of a graph does, without the lock.
CUresult run_library(const LibraryWork& work, CUstream stream);

}  // namespace warplens::driver
