// The objects that programs register before main() and use by the addresses of host symbols: fat binaries,
// kernels and variables. Entries and their order are those of CUDA's crt/host_runtime.h
// (docs/adr/0074-a-runtime-library-for-programs.md).
#pragma once

#include <cstddef>

#include "cuda/stand_in/runtime/api.h"

namespace warplens::runtime {

struct Binary;  // one fat binary, or all those that a device link joined
struct KernelEntry;

Binary* register_binary(const void* wrapper);
// For a device link: `link` is the same address for all its objects; each object is one fat binary.
Binary* register_linked_part(const void* link, const void* wrapper);
void unregister_binary(Binary* binary);
void register_kernel(Binary* binary, const void* host, const char* name);
// `managed` is the host's pointer to a managed variable, which is set when its binary is loaded; null for
// others.
void register_variable(Binary* binary, const void* host, const char* name, size_t bytes, void** managed);

// Loads the code, and gives managed variables their addresses. Errors: those of cuLibraryLoadData, as
// cudaErrorNoKernelImageForDevice if there is only machine code.
cudaError_t load(Binary* binary);
// Resets the device. Managed variables keep their values and get new addresses; device variables get their
// initial values again, as measured on an H100 with CUDA 13.0.
cudaError_t reset_with_variables();

// The entry of a host function; null if none is registered for it.
KernelEntry* find_kernel(const void* host);
// The kernel that a launch names: a host function, an entry, or a handle of the driver. Errors:
// cudaErrorInvalidDeviceFunction, and those of load().
cudaError_t resolve_kernel(const void* function, CUkernel& kernel);
// The host function of a kernel, and any other handle as it is.
const void* host_function_of(const void* kernel);
// The same as a function of the current context.
cudaError_t resolve_function(const void* function, CUfunction& made);

struct DeviceVariable {
  CUdeviceptr address = 0;
  size_t bytes = 0;
};
// Errors: cudaErrorInvalidSymbol, and those of load().
cudaError_t resolve_variable(const void* host, DeviceVariable& variable);

}  // namespace warplens::runtime
