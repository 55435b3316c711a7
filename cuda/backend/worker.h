// The process that runs launches on one device: it takes requests off the wire, one at a time, and answers
// each with its result. What a kernel does to the device, to the driver or to time ends with it.
#pragma once

#include "cuda/backend/child_process.h"
#include "cuda/backend/gpu_backend.h"

namespace warplens::cuda {

// What the messages' tags mean.
namespace tag {
constexpr char request = 'Q';  // to the worker: an encoded request
constexpr char started = 'S';  // the code is loaded, the first pass begins
constexpr char passed = 'P';   // a pass over the steps is over
constexpr char result = 'R';   // an encoded result, or error
constexpr char work = 'L';     // to the worker: encoded work for the libraries
constexpr char times = 'T';    // its encoded times, or error
}  // namespace tag

// Serves until the other end closes the wire. `make` makes the backend, once, with the signs of life of the
// first argument.
void serve(Wire& wire, const std::function<std::unique_ptr<Backend>(const GpuBackendOptions&)>& make);

// The whole of the child's main().
int device_worker(int ordinal);

}  // namespace warplens::cuda
