// Memory, copies, arrays, textures: what of CUDA's runtime API the runtime library of WarpLens has, as
// version 12 declares it.
#pragma once

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array);
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* made, const cudaResourceDesc* resource);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* made, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config);
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaFree(void* address);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeAsync(void* address, cudaStream_t stream) WARPLENS_PTSZ(cudaFreeAsync);
cudaError_t cudaFreeHost(void* address);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array);
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* made, const void* function);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* made, cudaMipmappedArray_const_t array,
                                       unsigned int level);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* to, cudaSurfaceObject_t object);
cudaError_t cudaGetSymbolAddress(void** address, const void* symbol);
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* to, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* to, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* to, cudaTextureObject_t object);
cudaError_t cudaHostAlloc(void** made, size_t bytes, unsigned int flags);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaHostRegister(void* host, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void* host);
cudaError_t cudaMalloc(void** made, size_t bytes);
cudaError_t cudaMalloc3D(cudaPitchedPtr* made, cudaExtent extent);
cudaError_t cudaMalloc3DArray(cudaArray_t* made, const cudaChannelFormatDesc* channels, cudaExtent extent,
                              unsigned int flags WARPLENS_DEFAULT(0));
cudaError_t cudaMallocArray(cudaArray_t* made, const cudaChannelFormatDesc* channels, size_t width,
                            size_t height WARPLENS_DEFAULT(0), unsigned int flags WARPLENS_DEFAULT(0));
cudaError_t cudaMallocAsync(void** made, size_t bytes, cudaStream_t stream) WARPLENS_PTSZ(cudaMallocAsync);
cudaError_t cudaMallocFromPoolAsync(void** made, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
    WARPLENS_PTSZ(cudaMallocFromPoolAsync);
cudaError_t cudaMallocHost(void** made, size_t bytes);
cudaError_t cudaMallocManaged(void** made, size_t bytes,
                              unsigned int flags WARPLENS_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* made, const cudaChannelFormatDesc* channels,
                                     cudaExtent extent, unsigned int levels,
                                     unsigned int flags WARPLENS_DEFAULT(0));
cudaError_t cudaMallocPitch(void** made, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMemAdvise(const void* address, size_t bytes, cudaMemoryAdvise advice, int device);
cudaError_t cudaMemAdvise_v2(const void* address, size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation place);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total);
cudaError_t cudaMemPoolCreate(cudaMemPool_t* made, const cudaMemPoolProps* properties);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* place);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* rows, size_t count);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemPrefetchAsync(const void* address, size_t bytes, int device,
                                 cudaStream_t stream WARPLENS_DEFAULT(0));
cudaError_t cudaMemPrefetchAsync_v2(const void* address, size_t bytes, cudaMemLocation place,
                                    unsigned int flags, cudaStream_t stream);
cudaError_t cudaMemRangeGetAttribute(void* to, size_t bytes, cudaMemRangeAttribute attribute,
                                     const void* address, size_t range_bytes);
cudaError_t cudaMemRangeGetAttributes(void** to, size_t* bytes, cudaMemRangeAttribute* attributes,
                                      size_t count, const void* address, size_t range_bytes);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind)
    WARPLENS_PTDS(cudaMemcpy);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) WARPLENS_PTDS(cudaMemcpy2D);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind WARPLENS_DEFAULT(cudaMemcpyDeviceToDevice))
    WARPLENS_PTDS(cudaMemcpy2DArrayToArray);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemcpy2DAsync);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind)
    WARPLENS_PTDS(cudaMemcpy2DFromArray);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemcpy2DFromArrayAsync);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind)
    WARPLENS_PTDS(cudaMemcpy2DToArray);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemcpy2DToArrayAsync);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) WARPLENS_PTDS(cudaMemcpy3D);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemcpy3DAsync);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) WARPLENS_PTDS(cudaMemcpy3DPeer);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemcpy3DPeerAsync);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes,
                                   cudaMemcpyKind kind WARPLENS_DEFAULT(cudaMemcpyDeviceToDevice))
    WARPLENS_PTDS(cudaMemcpyArrayToArray);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream WARPLENS_DEFAULT(0)) WARPLENS_PTSZ(cudaMemcpyAsync);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) WARPLENS_PTDS(cudaMemcpyFromArray);
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemcpyFromArrayAsync);
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes,
                                 size_t offset WARPLENS_DEFAULT(0),
                                 cudaMemcpyKind kind WARPLENS_DEFAULT(cudaMemcpyDeviceToHost))
    WARPLENS_PTDS(cudaMemcpyFromSymbol);
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemcpyFromSymbolAsync);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream WARPLENS_DEFAULT(0));
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind) WARPLENS_PTDS(cudaMemcpyToArray);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemcpyToArrayAsync);
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes,
                               size_t offset WARPLENS_DEFAULT(0),
                               cudaMemcpyKind kind WARPLENS_DEFAULT(cudaMemcpyHostToDevice))
    WARPLENS_PTDS(cudaMemcpyToSymbol);
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemcpyToSymbolAsync);
cudaError_t cudaMemset(void* to, int value, size_t bytes) WARPLENS_PTDS(cudaMemset);
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height)
    WARPLENS_PTDS(cudaMemset2D);
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream WARPLENS_DEFAULT(0)) WARPLENS_PTSZ(cudaMemset2DAsync);
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) WARPLENS_PTDS(cudaMemset3D);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent,
                              cudaStream_t stream WARPLENS_DEFAULT(0)) WARPLENS_PTSZ(cudaMemset3DAsync);
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream WARPLENS_DEFAULT(0))
    WARPLENS_PTSZ(cudaMemsetAsync);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks,
                                                      int threads);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* address, size_t bytes WARPLENS_DEFAULT(0),
                                     unsigned int flags WARPLENS_DEFAULT(cudaMemAttachSingle))
    WARPLENS_PTSZ(cudaStreamAttachMemAsync);
