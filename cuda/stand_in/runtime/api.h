// NVIDIA's headers (only their declarations are used), and what differs between the two major versions of the
// library that is built. cuda_runtime_api.h renames some functions; here each has the name of its symbol.
#pragma once

#include <cudaTypedefs.h>  // and cuda.h
#include <cuda_runtime_api.h>
#undef cudaGetDeviceProperties
#undef cudaSignalExternalSemaphoresAsync
#undef cudaWaitExternalSemaphoresAsync
#undef cudaStreamGetCaptureInfo

// cudaProfiler.h declares them; not every package of headers has it.
extern "C" CUresult cuProfilerStart();
extern "C" CUresult cuProfilerStop();

// The columns of cuda/stand_in/runtime/api.def and cuda/stand_in/runtime/properties.def: MAJOR_both(text),
// MAJOR_only_12(text), MAJOR_only_13(text) are the text or nothing.
#define MAJOR_both(...) __VA_ARGS__
#if WARPLENS_CUDART_MAJOR == 12
#define MAJOR_only_12(...) __VA_ARGS__
#define MAJOR_only_13(...)
#elif WARPLENS_CUDART_MAJOR == 13
#define MAJOR_only_12(...)
#define MAJOR_only_13(...) __VA_ARGS__
#else
#error "WARPLENS_CUDART_MAJOR is 12 or 13 (cmake/runtime.cmake)."
#endif

// In CUDA 12 and 13 these are different functions, and the header that is seen here has neither, or that of
// CUDA 12.
extern "C" {
#if WARPLENS_CUDART_MAJOR == 12
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long*);
#else
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long*,
                                     cudaGraph_t*, const cudaGraphNode_t**, const cudaGraphEdgeData**,
                                     size_t*);
cudaError_t warplens_update_capture(cudaStream_t, cudaGraphNode_t*, const cudaGraphEdgeData*, size_t,
                                    unsigned) __asm__("cudaStreamUpdateCaptureDependencies");
#define cudaStreamUpdateCaptureDependencies warplens_update_capture
#endif
}

namespace warplens::runtime {

constexpr int version_of_library = WARPLENS_CUDART_MAJOR == 12 ? 12090 : 13000;

}  // namespace warplens::runtime
