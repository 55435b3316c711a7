// Each thread's own default stream: what cudaStreamPerThread names, and in functions whose names end in _ptds
// or _ptsz (nvcc --default-stream per-thread) also 0 and no stream at all (CUDA Runtime API, "Stream
// synchronization behavior").
#pragma once

#include "cuda/stand_in/runtime/api.h"

namespace warplens::runtime {

// Whether this thread is in such a function.
inline thread_local bool zero_is_own_stream = false;

inline cudaStream_t named(cudaStream_t stream) {
  return stream == nullptr && zero_is_own_stream ? cudaStreamPerThread : stream;
}
template <class T>
T named(T other) {
  return other;
}

// The driver's function for a call that waits: by the legacy default stream, or by the thread's own.
template <class F>
F* waiting(F* by_legacy, F* by_own) {
  return zero_is_own_stream ? by_own : by_legacy;
}

// call, as such a function.
template <auto call>
struct WithOwnStream;
template <class R, class... A, R (*call)(A...)>
struct WithOwnStream<call> {
  static R entry(A... a) {
    struct Within {
      Within() { zero_is_own_stream = true; }
      ~Within() { zero_is_own_stream = false; }
    } const within;
    return call(named(a)...);
  }
};

}  // namespace warplens::runtime

// cuda.h names them only where all calls of a file are meant.
extern "C" {
decltype(cuMemcpy) cuMemcpy_ptds;
decltype(cuMemcpyHtoD) cuMemcpyHtoD_v2_ptds;
decltype(cuMemcpyDtoH) cuMemcpyDtoH_v2_ptds;
decltype(cuMemcpyDtoD) cuMemcpyDtoD_v2_ptds;
decltype(cuMemcpyPeer) cuMemcpyPeer_ptds;
decltype(cuMemcpy2DUnaligned) cuMemcpy2DUnaligned_v2_ptds;
decltype(cuMemcpy3D) cuMemcpy3D_v2_ptds;
decltype(cuMemsetD8) cuMemsetD8_v2_ptds;
decltype(cuMemsetD2D8) cuMemsetD2D8_v2_ptds;
}
