// Kernels: their attributes, their occupancy, and handles of them; libraries that are loaded at run time.
#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/state/own_stream.h"
#include "cuda/stand_in/runtime/state/registry.h"

using namespace warplens::runtime;

namespace {

// f(CUfunction) → CUresult, for a host function or a handle.
template <class F>
cudaError_t with_function(const void* function, F f) {
  return call([&]() -> cudaError_t {
    CUfunction made = nullptr;
    if (const cudaError_t error = resolve_function(function, made); error != cudaSuccess) return error;
    return code_of(f(made));
  });
}

// f(CUkernel) → CUresult.
template <class F>
cudaError_t with_kernel(const void* function, F f) {
  return call([&]() -> cudaError_t {
    CUkernel kernel = nullptr;
    if (const cudaError_t error = resolve_kernel(function, kernel); error != cudaSuccess) return error;
    return code_of(f(kernel));
  });
}

CUresult fill(cudaFuncAttributes& to, CUfunction function) {
  to = {};
  CUresult error = CUDA_SUCCESS;
  const auto get = [&](auto& field, CUfunction_attribute which) {
    int value = 0;
    const CUresult got = cuFuncGetAttribute(&value, which, function);
    if (got != CUDA_SUCCESS) error = got;
    field = static_cast<std::remove_reference_t<decltype(field)>>(value);
  };
  get(to.sharedSizeBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  get(to.constSizeBytes, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  get(to.localSizeBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  get(to.maxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  get(to.numRegs, CU_FUNC_ATTRIBUTE_NUM_REGS);
  get(to.ptxVersion, CU_FUNC_ATTRIBUTE_PTX_VERSION);
  get(to.binaryVersion, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
  get(to.cacheModeCA, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
  get(to.maxDynamicSharedSizeBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  get(to.preferredShmemCarveout, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
  return error;
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  return with_function(function, [&](CUfunction made) {
    return attributes == nullptr ? CUDA_ERROR_INVALID_VALUE : fill(*attributes, made);
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute which, int value) {
  return with_kernel(function, [&](CUkernel kernel) {
    return cuKernelSetAttribute(static_cast<CUfunction_attribute>(which), value, kernel, current_device());
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute which, int value,
                                            int device) {
  return call(
      [&] { return cuKernelSetAttribute(static_cast<CUfunction_attribute>(which), value, kernel, device); });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
  return with_function(function, [&](CUfunction made) {
    return cuFuncSetCacheConfig(made, static_cast<CUfunc_cache>(config));
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
  return with_function(function, [&](CUfunction made) {
    return cuFuncSetSharedMemConfig(made, static_cast<CUsharedconfig>(config));
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return with_function(function, [&](CUfunction made) { return cuFuncGetName(name, made); });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* bytes) {
  return with_function(function,
                       [&](CUfunction made) { return cuFuncGetParamInfo(made, index, offset, bytes); });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* made, const void* function) {
  return with_function(function, [&](CUfunction found) {
    if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *made = found;
    return CUDA_SUCCESS;
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* made, const void* function) {
  return with_kernel(function, [&](CUkernel found) {
    if (made == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *made = found;
    return CUDA_SUCCESS;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared_bytes) {
  return with_function(function, [&](CUfunction made) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, made, threads, shared_bytes);
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int threads, size_t shared_bytes,
                                                                   unsigned flags) {
  return with_function(function, [&](CUfunction made) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, made, threads, shared_bytes, flags);
  });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks,
                                                      int threads) {
  return with_function(function, [&](CUfunction made) {
    return cuOccupancyAvailableDynamicSMemPerBlock(bytes, made, blocks, threads);
  });
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t* made, const void* code, cudaJitOption* options, void** values,
                                unsigned count, cudaLibraryOption* library_options, void** library_values,
                                unsigned library_count) {
  return call([&] {
    return cuLibraryLoadData(made, code, reinterpret_cast<CUjit_option*>(options), values, count,
                             reinterpret_cast<CUlibraryOption*>(library_options), library_values,
                             library_count);
  });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* made, const char* path, cudaJitOption* options,
                                    void** values, unsigned count, cudaLibraryOption* library_options,
                                    void** library_values, unsigned library_count) {
  return call([&] {
    return cuLibraryLoadFromFile(made, path, reinterpret_cast<CUjit_option*>(options), values, count,
                                 reinterpret_cast<CUlibraryOption*>(library_options), library_values,
                                 library_count);
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return call([&] { return cuLibraryUnload(library); });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return call([&] { return cuLibraryGetKernel(kernel, library, name); });
}

cudaError_t cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return call([&] { return cuLibraryGetGlobal(address_at(address), bytes, library, name); });
}

cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return call([&] { return cuLibraryGetManaged(address_at(address), bytes, library, name); });
}

cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library, const char* name) {
  return call([&] { return cuLibraryGetUnifiedFunction(function, library, name); });
}

cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return call([&] { return cuLibraryGetKernelCount(count, library); });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned count, cudaLibrary_t library) {
  return call([&] { return cuLibraryEnumerateKernels(kernels, count, library); });
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** address, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return call_without_context([&] {
    const cuuint64_t asked = flags == cudaEnableDefault && zero_is_own_stream
                                 ? cuuint64_t{CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM}
                                 : flags;
    return cuGetProcAddress(name, address, static_cast<int>(version), asked,
                            reinterpret_cast<CUdriverProcAddressQueryResult*>(status));
  });
}

cudaError_t cudaGetDriverEntryPoint(const char* name, void** address, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return cudaGetDriverEntryPointByVersion(name, address, version_of_library, flags, status);
}

}  // extern "C"
