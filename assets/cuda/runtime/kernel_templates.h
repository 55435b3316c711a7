// The C++ part of the runtime API: kernels by their names. CUDA Runtime API, "C++ API Routines".
#pragma once

// ---- a kernel, or its address
#define WARPLENS_KERNEL(NAME, PARAMETERS, ...)         \
  template <class T>                                   \
  static WARPLENS_UNSEEN cudaError_t NAME PARAMETERS { \
    return NAME(__VA_ARGS__);                          \
  }
WARPLENS_KERNEL(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, T* kernel), attributes,
                (const void*)(kernel))
WARPLENS_KERNEL(cudaFuncSetAttribute, (T * kernel, cudaFuncAttribute which, int value), (const void*)(kernel),
                which, value)
WARPLENS_KERNEL(cudaFuncSetCacheConfig, (T * kernel, cudaFuncCache config), (const void*)(kernel), config)
WARPLENS_KERNEL(cudaFuncSetSharedMemConfig, (T * kernel, cudaSharedMemConfig config), (const void*)(kernel),
                config)
WARPLENS_KERNEL(cudaFuncGetName, (const char** name, T* kernel), name, (const void*)(kernel))
WARPLENS_KERNEL(cudaGetFuncBySymbol, (cudaFunction_t * made, T* kernel), made, (const void*)(kernel))
WARPLENS_KERNEL(cudaGetKernel, (cudaKernel_t * made, T* kernel), made, (const void*)(kernel))
WARPLENS_KERNEL(cudaLaunchKernel,
                (T * kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0,
                 cudaStream_t stream = 0),
                (const void*)(kernel), grid, block, arguments, shared_bytes, stream)
WARPLENS_KERNEL(cudaLaunchCooperativeKernel,
                (T * kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0,
                 cudaStream_t stream = 0),
                (const void*)(kernel), grid, block, arguments, shared_bytes, stream)
WARPLENS_KERNEL(cudaOccupancyAvailableDynamicSMemPerBlock,
                (size_t * bytes, T* kernel, int blocks, int threads), bytes, (const void*)(kernel), blocks,
                threads)
WARPLENS_KERNEL(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
                (int* blocks, T kernel, int threads, size_t shared_bytes), blocks, (const void*)(kernel),
                threads, shared_bytes)
WARPLENS_KERNEL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
                (int* blocks, T kernel, int threads, size_t shared_bytes, unsigned int flags), blocks,
                (const void*)(kernel), threads, shared_bytes, flags)
#undef WARPLENS_KERNEL

template <class... Wanted, class... Given>
static WARPLENS_UNSEEN cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                                      void (*kernel)(Wanted...), Given&&... given) {
  return [&](Wanted... values) {
    void* arguments[sizeof...(values) + 1] = {(void*)(&values)...};
    return cudaLaunchKernelExC(config, (const void*)(kernel), arguments);
  }(static_cast<Given&&>(given)...);
}

// ---- the block that fills a multiprocessor: whole warps, the most resident threads, the largest block of
// those
template <class Bytes, class T>
static WARPLENS_UNSEEN cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* least_grid, int* best_block, T kernel, Bytes bytes_of_block, int limit = 0, unsigned int flags = 0) {
  int device = 0, threads_of_multiprocessor = 0, multiprocessors = 0, largest = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error =
        cudaDeviceGetAttribute(&threads_of_multiprocessor, cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&largest, cudaDevAttrMaxThreadsPerBlock, device);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, (const void*)(kernel));
  if (error != cudaSuccess) return error;
  if (attributes.maxThreadsPerBlock < largest) largest = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < largest) largest = limit;
  int most = 0;
  *least_grid = *best_block = 0;
  for (int block = (largest + 31) / 32 * 32; block > 0; block -= 32) {
    const int threads = block < largest ? block : largest;
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void*)(kernel), threads,
                                                                   bytes_of_block(threads), flags);
    if (error != cudaSuccess) return error;
    if (blocks * threads > most) {
      most = blocks * threads;
      *least_grid = blocks * multiprocessors;
      *best_block = threads;
    }
    if (most == threads_of_multiprocessor) break;
  }
  return cudaSuccess;
}
template <class Bytes, class T>
static WARPLENS_UNSEEN cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* least_grid,
                                                                                  int* best_block, T kernel,
                                                                                  Bytes bytes_of_block,
                                                                                  int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(least_grid, best_block, kernel,
                                                                 bytes_of_block, limit);
}
template <class T>
static WARPLENS_UNSEEN cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* least_grid,
                                                                               int* best_block, T kernel,
                                                                               size_t shared_bytes = 0,
                                                                               int limit = 0,
                                                                               unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      least_grid, best_block, kernel, [=](int) { return shared_bytes; }, limit, flags);
}
template <class T>
static WARPLENS_UNSEEN cudaError_t cudaOccupancyMaxPotentialBlockSize(int* least_grid, int* best_block,
                                                                      T kernel, size_t shared_bytes = 0,
                                                                      int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(least_grid, best_block, kernel, shared_bytes, limit);
}

// ---- older forms
static WARPLENS_UNSEEN cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}
static WARPLENS_UNSEEN cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph,
                                                        cudaGraphNode_t* node, char* log, size_t bytes) {
  if (node != 0) *node = 0;
  if (log != 0 && bytes > 0) *log = 0;
  return cudaGraphInstantiate(made, graph, 0);
}
static WARPLENS_UNSEEN cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                                       cudaGraphNode_t* node,
                                                       cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
  if (node != 0) *node = info.errorNode;
  if (result != 0) *result = info.result;
  return error;
}
