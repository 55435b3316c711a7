// The parts that copies of all shapes share.
#pragma once

#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/state/own_stream.h"

namespace warplens::runtime {

// The stream of an asynchronous call; the other calls wait.
struct When {
  bool waits = true;
  CUstream stream = nullptr;
};

// The side of a pointer, by the direction of a copy.
CUmemorytype side_of_source(cudaMemcpyKind kind);
CUmemorytype side_of_target(cudaMemcpyKind kind);
bool is_direction(cudaMemcpyKind kind);
// A pointer that is named as one of the host, and points to device memory that is not managed: the host would
// read or write there itself, and end with a segmentation fault.
bool is_on_wrong_side(CUmemorytype side, const void* pointer);

// The ends of a copy in memory. Copy is CUDA_MEMCPY2D or CUDA_MEMCPY3D. Errors: cudaErrorInvalidValue for a
// pointer on the wrong side.
template <class Copy>
cudaError_t set_source(Copy& copy, cudaMemcpyKind kind, const void* from, size_t pitch) {
  copy.srcMemoryType = side_of_source(kind);
  copy.srcHost = from;
  copy.srcDevice = address_of(from);
  copy.srcPitch = pitch;
  return is_on_wrong_side(copy.srcMemoryType, from) ? cudaErrorInvalidValue : cudaSuccess;
}
template <class Copy>
cudaError_t set_target(Copy& copy, cudaMemcpyKind kind, void* to, size_t pitch) {
  copy.dstMemoryType = side_of_target(kind);
  copy.dstHost = to;
  copy.dstDevice = address_of(to);
  copy.dstPitch = pitch;
  return is_on_wrong_side(copy.dstMemoryType, to) ? cudaErrorInvalidValue : cudaSuccess;
}
CUresult carry_out(const CUDA_MEMCPY2D& copy, const When& when);

// Copies of boxes as the driver knows them. Errors: those of set_source, cudaErrorInvalidResourceHandle for
// an invalid array.
cudaError_t to_driver(const cudaMemcpy3DParms& p, CUDA_MEMCPY3D& copy);
cudaMemcpy3DParms to_runtime(const CUDA_MEMCPY3D& copy);

// One range of bytes. Errors: cudaErrorInvalidMemcpyDirection, cudaErrorInvalidValue where a pointer is not
// on the side that the direction names, and those of the driver.
cudaError_t copy_range(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, const When& when);

}  // namespace warplens::runtime
