// What copies of all shapes share.
#pragma once

#include "runtime/api.h"

namespace warplens::runtime {

// The stream of an asynchronous call; the other calls wait.
struct When {
  bool waits = true;
  CUstream stream = nullptr;
};

// Which side a pointer is on, as the direction of a copy says it.
CUmemorytype side_of_source(cudaMemcpyKind kind);
CUmemorytype side_of_target(cudaMemcpyKind kind);
bool is_direction(cudaMemcpyKind kind);
// An address that the host cannot read: of device memory that is not managed.
bool is_on_device_alone(const void* pointer);

// One range of bytes. Errors: cudaErrorInvalidMemcpyDirection, cudaErrorInvalidValue where a pointer is not
// on the side that the direction names, and those of the driver.
cudaError_t copy_range(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, const When& when);

}  // namespace warplens::runtime
