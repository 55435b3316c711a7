// clang compiles kernel<<<grid, block, bytes, stream>>>(…) to calls of these: they hold the configuration
// while the arguments are evaluated (LLVM, CGCUDANV.cpp).
#pragma once

#if defined(__CUDA__) && defined(__clang__)
extern "C" {
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
// The code that clang makes knows one name for the launch: the thread's own stream is named here.
unsigned int warplens_push(dim3 grid, dim3 block, size_t shared_bytes,
                           struct CUstream_st* stream) __asm__("__cudaPushCallConfiguration");
static inline unsigned int __cudaPushCallConfiguration(
    dim3 grid, dim3 block, size_t shared_bytes = 0,
    struct CUstream_st* stream = 0) __asm__("warplens_push_own");
static inline unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                                       struct CUstream_st* stream) {
  return warplens_push(grid, block, shared_bytes, stream == 0 ? cudaStreamPerThread : stream);
}
#else
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                         struct CUstream_st* stream = 0);
#endif
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream);
}
#endif
