// Devices, streams, events, kernels, libraries, errors: what of CUDA's runtime API the runtime library of
// WarpLens has, as version 12 declares it.
#pragma once

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wished);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceDisablePeerAccess(int device);
cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned int flags);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr which, int device, int peer);
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaEventCreate(cudaEvent_t* made);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* made, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventElapsedTime_v2(float* ms, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaEventRecord);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream WARPLENS_DEFAULT(0),
                                     unsigned int flags WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaEventRecordWithFlags);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t cudaFuncGetName(const char** name, const void* function);
cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* bytes);
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute which, int value);
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties,
                                    int device) __asm__("cudaGetDeviceProperties_v2");
cudaError_t cudaGetDriverEntryPoint(const char* name, void** address, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaGetDriverEntryPoint);
cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** address, unsigned int version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaGetDriverEntryPointByVersion);
const char* cudaGetErrorName(cudaError_t code);
const char* cudaGetErrorString(cudaError_t code);
cudaError_t cudaGetKernel(cudaKernel_t* made, const void* function);
cudaError_t cudaGetLastError(void);
cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute which, int value,
                                            int device);
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream)
    WARPLENS_PTSZ(cudaLaunchCooperativeKernel);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data)
    WARPLENS_PTSZ(cudaLaunchHostFunc);
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream) WARPLENS_PTSZ(cudaLaunchKernel);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments)
    WARPLENS_PTSZ(cudaLaunchKernelExC);
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int count, cudaLibrary_t library);
cudaError_t cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library);
cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryLoadData(cudaLibrary_t* made, const void* code, cudaJitOption* options, void** values,
                                unsigned int count, cudaLibraryOption* library_options, void** library_values,
                                unsigned int library_count);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* made, const char* path, cudaJitOption* options,
                                    void** values, unsigned int count, cudaLibraryOption* library_options,
                                    void** library_values, unsigned int library_count);
cudaError_t cudaLibraryUnload(cudaLibrary_t library);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int threads, size_t shared_bytes,
                                                                   unsigned int flags);
cudaError_t cudaPeekAtLastError(void);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaSetDoubleForDevice(double* value);
cudaError_t cudaSetDoubleForHost(double* value);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned int flags) WARPLENS_PTSZ(cudaStreamAddCallback);
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
    WARPLENS_PTSZ(cudaStreamCopyAttributes);
cudaError_t cudaStreamCreate(cudaStream_t* made);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* made, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* made, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID which,
                                   cudaLaunchAttributeValue* value) WARPLENS_PTSZ(cudaStreamGetAttribute);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) WARPLENS_PTSZ(cudaStreamGetDevice);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) WARPLENS_PTSZ(cudaStreamGetFlags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) WARPLENS_PTSZ(cudaStreamGetId);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) WARPLENS_PTSZ(cudaStreamGetPriority);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status)
    WARPLENS_PTSZ(cudaStreamIsCapturing);
cudaError_t cudaStreamQuery(cudaStream_t stream) WARPLENS_PTSZ(cudaStreamQuery);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID which,
                                   const cudaLaunchAttributeValue* value)
    WARPLENS_PTSZ(cudaStreamSetAttribute);
cudaError_t cudaStreamSynchronize(cudaStream_t stream) WARPLENS_PTSZ(cudaStreamSynchronize);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags WARPLENS_DEFAULT(0)) WARPLENS_PTSZ(cudaStreamWaitEvent);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config);
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit);
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config);
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaThreadSynchronize(void);
