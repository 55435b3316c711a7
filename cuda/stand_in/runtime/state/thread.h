// The CUDA state of a host thread: its last error, its device, and the context of that.
#pragma once

#include "cuda/stand_in/runtime/api.h"

namespace warplens::runtime {

// Codes of CUresult and cudaError_t are the same numbers since CUDA 10.1 (driver_types.h).
constexpr cudaError_t code_of(CUresult code) { return static_cast<cudaError_t>(code); }

// Initialises the driver, and makes the primary context of the thread's device current if it has none, as the
// first call of a thread does (CUDA Runtime API, "Interactions with the CUDA Driver API"). Errors: those of
// cuInit and of cuDevicePrimaryCtxRetain.
cudaError_t ensure_context();
// Initialises only the driver, for calls that need no context.
cudaError_t ensure_driver();
// cudaDeviceReset of the thread's device: its context is destroyed, and every thread takes a new one at its
// next call.
cudaError_t reset_device();
// The device of this thread: that of its current context, else the one that it chose, at first 0.
int current_device();
// Chooses a device, and makes its primary context current. Errors: cudaErrorInvalidDevice, and those of
// ensure_context().
cudaError_t choose_device(int device);
bool is_device(int device);

// Remembers an error as the thread's last one, and returns it. cudaErrorNotReady is an answer and not
// remembered. `call`: the function of the API that returns it, for the message if the program does not check
// it.
cudaError_t noted(cudaError_t code, const char* call = "");
const char* name_of(cudaError_t code);  // "cudaErrorInvalidValue"
// Notes that the program asks what an error means.
void note_asked();
// The last error. `forget` clears it, unless a fault has ended the context, since that error stays.
cudaError_t last_error(bool forget);

}  // namespace warplens::runtime
