// CUDA's runtime API, of version 12, for C and C++: what the runtime library of WarpLens has
// (cuda/stand_in/runtime/api.def). A call that it refuses is not declared.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define __CUDA_RUNTIME_API_H__
#include "driver_types.h"

#define CUDART_VERSION 12090
#ifdef __cplusplus
#define WARPLENS_DEFAULT(value) = value
extern "C" {
#else
#define WARPLENS_DEFAULT(value)
#endif
// With a default stream for each thread (nvcc --default-stream per-thread) the same functions have other
// symbols.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define WARPLENS_PTDS(name) __asm__(#name "_ptds")
#define WARPLENS_PTSZ(name) __asm__(#name "_ptsz")
#else
#define WARPLENS_PTDS(name) __asm__(#name)
#define WARPLENS_PTSZ(name) __asm__(#name)
#endif
#define CUDART_CB
#include "runtime/functions.h"
#include "runtime/graph_functions.h"
#include "runtime/memory_functions.h"
#undef WARPLENS_PTDS
#undef WARPLENS_PTSZ
#undef WARPLENS_DEFAULT
#ifdef __cplusplus
}
#endif
