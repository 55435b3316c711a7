// The process that runs launches on one device. It reads requests from the wire, one at a time, and answers
// each with its result. If a kernel breaks the device's context or the driver, or never ends, only this
// process must be ended.
#pragma once

#include "cuda/device/backend/child_process.h"
#include "cuda/device/backend/gpu_backend.h"

namespace warplens::cuda {

// The tags of the messages.
namespace tag {
constexpr char request = 'Q';  // to the worker: an encoded request
constexpr char started = 'S';  // the code is loaded and the first pass begins
constexpr char passed = 'P';   // a pass over the steps has ended
constexpr char result = 'R';   // an encoded result, or error
constexpr char work = 'L';     // to the worker: encoded work for the libraries
constexpr char times = 'T';    // its encoded times, or error
}  // namespace tag

// Serves until the other end closes the wire. It calls `make` once for the backend; the backend must send
// its signs of life through the options.
void serve(Wire& wire, const std::function<std::unique_ptr<Backend>(const GpuBackendOptions&)>& make);

// The main() of the child.
int device_worker(int ordinal);

}  // namespace warplens::cuda
