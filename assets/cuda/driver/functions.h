// What of CUDA's driver API the driver of WarpLens has, as version 12 declares it, but for pools and virtual
// memory.
#pragma once

CUresult cuArray3DCreate_v2(CUarray* made, const CUDA_ARRAY3D_DESCRIPTOR* descriptor);
CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray handle);
CUresult cuArrayCreate_v2(CUarray* made, const CUDA_ARRAY_DESCRIPTOR* d);
CUresult cuArrayDestroy(CUarray handle);
CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray handle);
CUresult cuCtxAttach(CUcontext* attached, unsigned int flags);
CUresult cuCtxCreate_v2(CUcontext* made, unsigned int flags, CUdevice ordinal);
CUresult cuCtxDestroy_v2(CUcontext handle);
CUresult cuCtxDetach(CUcontext handle);
CUresult cuCtxGetApiVersion(CUcontext handle, unsigned int* version);
CUresult cuCtxGetCacheConfig(CUfunc_cache* config);
CUresult cuCtxGetCurrent(CUcontext* current);
CUresult cuCtxGetDevice(CUdevice* ordinal);
CUresult cuCtxGetFlags(unsigned int* flags);
CUresult cuCtxGetId(CUcontext handle, unsigned long long* id);
CUresult cuCtxGetLimit(size_t* value, CUlimit limit);
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config);
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest);
CUresult cuCtxPopCurrent_v2(CUcontext* popped);
CUresult cuCtxPushCurrent_v2(CUcontext handle);
CUresult cuCtxResetPersistingL2Cache(void);
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
CUresult cuCtxSetCurrent(CUcontext handle);
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);
CUresult cuCtxSynchronize(void);
CUresult cuDeviceCanAccessPeer(int* can, CUdevice one, CUdevice other);
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice ordinal);
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice ordinal);
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int length, CUdevice ordinal);
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice ordinal);
CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice ordinal);
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* width, CUarray_format format, unsigned int channels,
                                            CUdevice ordinal);
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice ordinal);
CUresult cuDeviceGraphMemTrim(CUdevice ordinal);
CUresult cuDevicePrimaryCtxGetState(CUdevice ordinal, unsigned int* flags, int* active);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice ordinal);
CUresult cuDevicePrimaryCtxReset_v2(CUdevice ordinal);
CUresult cuDevicePrimaryCtxRetain(CUcontext* retained, CUdevice ordinal);
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice ordinal, unsigned int flags);
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice ordinal);
CUresult cuDriverGetVersion(int* version);
CUresult cuEventCreate(CUevent* made, unsigned int flags);
CUresult cuEventDestroy_v2(CUevent handle);
CUresult cuEventElapsedTime(float* ms, CUevent begin, CUevent end);
CUresult cuEventQuery(CUevent handle);
CUresult cuEventRecord(CUevent handle, CUstream stream);
CUresult cuEventRecordWithFlags(CUevent handle, CUstream stream_handle, unsigned int flags);
CUresult cuEventSynchronize(CUevent handle);
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction handle);
CUresult cuFuncGetModule(CUmodule* module, CUfunction handle);
CUresult cuFuncSetAttribute(CUfunction handle, CUfunction_attribute which, int value);
CUresult cuFuncSetBlockShape(CUfunction handle, int x, int y, int z);
CUresult cuFuncSetCacheConfig(CUfunction handle, CUfunc_cache config);
CUresult cuFuncSetSharedMemConfig(CUfunction handle, CUsharedconfig config);
CUresult cuFuncSetSharedSize(CUfunction handle, unsigned int bytes);
CUresult cuGetErrorName(CUresult code, const char** name);
CUresult cuGetErrorString(CUresult code, const char** text);
CUresult cuGetExportTable(const void** table, const CUuuid* argument_1);
CUresult cuGetProcAddress_v2(const char* name, void** address, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status);
CUresult cuGraphAddChildGraphNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child);
CUresult cuGraphAddDependencies(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to, size_t count);
CUresult cuGraphAddEmptyNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies, size_t count);
CUresult cuGraphAddEventRecordNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                                   size_t count, CUevent event);
CUresult cuGraphAddEventWaitNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, CUevent event);
CUresult cuGraphAddMemFreeNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies,
                               size_t count, CUdeviceptr address);
CUresult cuGraphAddMemcpyNode(CUgraphNode* made, CUgraph graph, const CUgraphNode* dependencies, size_t count,
                              const CUDA_MEMCPY3D* asked, CUcontext context);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* to);
CUresult cuGraphClone(CUgraph* made, CUgraph handle);
CUresult cuGraphCreate(CUgraph* made, unsigned int flags);
CUresult cuGraphDebugDotPrint(CUgraph handle, const char* path, unsigned int flags);
CUresult cuGraphDestroy(CUgraph handle);
CUresult cuGraphDestroyNode(CUgraphNode handle);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* to);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* to);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child);
CUresult cuGraphExecDestroy(CUgraphExec handle);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
CUresult cuGraphExecGetFlags(CUgraphExec handle, cuuint64_t* flags);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* asked,
                                        CUcontext context);
CUresult cuGraphGetEdges(CUgraph handle, CUgraphNode* from, CUgraphNode* to, size_t* count);
CUresult cuGraphGetNodes(CUgraph handle, CUgraphNode* nodes, size_t* count);
CUresult cuGraphGetRootNodes(CUgraph handle, CUgraphNode* nodes, size_t* count);
CUresult cuGraphInstantiateWithFlags(CUgraphExec* made, CUgraph graph, unsigned long long flags);
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from);
CUresult cuGraphLaunch(CUgraphExec handle, CUstream stream_handle);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* to);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* to);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* asked);
CUresult cuGraphNodeFindInClone(CUgraphNode* found, CUgraphNode original, CUgraph clone);
CUresult cuGraphNodeGetDependencies(CUgraphNode handle, CUgraphNode* nodes, size_t* count);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode handle, CUgraphNode* nodes, size_t* count);
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode handle, unsigned int* enabled);
CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType* type);
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode handle, unsigned int enabled);
CUresult cuGraphRemoveDependencies(CUgraph handle, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count);
CUresult cuGraphUpload(CUgraphExec handle, CUstream stream);
CUresult cuInit(unsigned int flags);
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute which, CUkernel handle, CUdevice ordinal);
CUresult cuKernelGetFunction(CUfunction* made, CUkernel handle);
CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel handle, CUdevice ordinal);
CUresult cuKernelSetCacheConfig(CUkernel handle, CUfunc_cache config, CUdevice ordinal);
CUresult cuLaunch(CUfunction handle);
CUresult cuLaunchCooperativeKernel(CUfunction handle, unsigned int gx, unsigned int gy, unsigned int gz,
                                   unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
                                   CUstream stream, void** each);
CUresult cuLaunchGrid(CUfunction handle, int width, int height);
CUresult cuLaunchGridAsync(CUfunction handle, int width, int height, CUstream stream);
CUresult cuLaunchHostFunc(CUstream handle, CUhostFn call, void* data);
CUresult cuLaunchKernel(CUfunction handle, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                        unsigned int by, unsigned int bz, unsigned int shared, CUstream stream, void** each,
                        void** extra);
CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary handle, const char* name);
CUresult cuLibraryGetKernel(CUkernel* made, CUlibrary handle, const char* name);
CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary handle, const char* name);
CUresult cuLibraryGetModule(CUmodule* made, CUlibrary handle);
CUresult cuLibraryGetUnifiedFunction(void** function, CUlibrary handle, const char* name);
CUresult cuLibraryLoadData(CUlibrary* made, const void* code, CUjit_option* options, void** values,
                           unsigned int count, CUlibraryOption* argument_5, void** argument_6,
                           unsigned int argument_7);
CUresult cuLibraryLoadFromFile(CUlibrary* made, const char* path, CUjit_option* options, void** values,
                               unsigned int count, CUlibraryOption* argument_5, void** argument_6,
                               unsigned int argument_7);
CUresult cuLibraryUnload(CUlibrary handle);
CUresult cuLinkAddData_v2(CUlinkState handle, CUjitInputType argument_1, void* data, size_t bytes,
                          const char* name, unsigned int argument_5, CUjit_option* argument_6,
                          void** argument_7);
CUresult cuLinkAddFile_v2(CUlinkState handle, CUjitInputType argument_1, const char* path,
                          unsigned int argument_3, CUjit_option* argument_4, void** argument_5);
CUresult cuLinkComplete(CUlinkState handle, void** cubin, size_t* bytes);
CUresult cuLinkCreate_v2(unsigned int count, CUjit_option* options, void** values, CUlinkState* made);
CUresult cuLinkDestroy(CUlinkState handle);
CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes);
CUresult cuMemAddressReserve(CUdeviceptr* made, size_t bytes, size_t alignment, CUdeviceptr hint,
                             unsigned long long flags);
CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUdevice place);
CUresult cuMemAllocAsync(CUdeviceptr* made, size_t bytes, CUstream stream);
CUresult cuMemAllocHost_v2(void** made, size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr* made, size_t bytes, unsigned int flags);
CUresult cuMemAllocPitch_v2(CUdeviceptr* made, size_t* pitch, size_t width, size_t height,
                            unsigned int element);
CUresult cuMemAlloc_v2(CUdeviceptr* made, size_t bytes);
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream_handle);
CUresult cuMemFreeHost(void* host);
CUresult cuMemFree_v2(CUdeviceptr address);
CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr address);
CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total);
CUresult cuMemHostAlloc(void** made, size_t bytes, unsigned int flags);
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* host, unsigned int flags);
CUresult cuMemHostGetFlags(unsigned int* flags, void* host);
CUresult cuMemHostRegister_v2(void* host, size_t bytes, unsigned int flags);
CUresult cuMemHostUnregister(void* host);
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice to, CUstream handle);
CUresult cuMemUnmap(CUdeviceptr address, size_t bytes);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream);
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy);
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy);
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream);
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes);
CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes);
CUresult cuMemcpyAtoHAsync_v2(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream);
CUresult cuMemcpyAtoH_v2(void* to, CUarray from, size_t offset, size_t bytes);
CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void* from, size_t bytes, CUstream stream);
CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void* from, size_t bytes);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes);
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext argument_1, CUdeviceptr from, CUcontext argument_3,
                      size_t bytes);
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext argument_1, CUdeviceptr from, CUcontext argument_3,
                           size_t bytes, CUstream stream);
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream);
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count);
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream);
CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height);
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height,
                            CUstream stream);
CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height);
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream);
CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream);
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned int value, size_t count);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream);
CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count);
CUresult cuMipmappedArrayCreate(CUmipmappedArray* made, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                unsigned int levels);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray handle);
CUresult cuMipmappedArrayGetLevel(CUarray* made, CUmipmappedArray handle, unsigned int level);
CUresult cuModuleGetFunction(CUfunction* made, CUmodule handle, const char* name);
CUresult cuModuleGetGlobal_v2(CUdeviceptr* address, size_t* bytes, CUmodule handle, const char* name);
CUresult cuModuleLoad(CUmodule* made, const char* path);
CUresult cuModuleLoadData(CUmodule* made, const void* image);
CUresult cuModuleLoadDataEx(CUmodule* made, const void* image, unsigned int count, CUjit_option* options,
                            void** values);
CUresult cuModuleLoadFatBinary(CUmodule* made, const void* image);
CUresult cuModuleUnload(CUmodule handle);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction handle, int blocks, int threads);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction handle, int threads,
                                                     size_t dynamic_bytes);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction handle, int threads,
                                                              size_t dynamic_bytes, unsigned int flags);
CUresult cuOccupancyMaxPotentialBlockSize(int* least_grid, int* block, CUfunction handle,
                                          CUoccupancyB2DSize shared_for, size_t dynamic_bytes, int limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* least_grid, int* block, CUfunction handle,
                                                   CUoccupancyB2DSize shared_for, size_t dynamic_bytes,
                                                   int limit, unsigned int flags);
CUresult cuParamSetSize(CUfunction handle, unsigned int bytes);
CUresult cuParamSetf(CUfunction handle, int offset, float value);
CUresult cuParamSeti(CUfunction handle, int offset, unsigned int value);
CUresult cuParamSetv(CUfunction handle, int offset, void* value, unsigned int bytes);
CUresult cuPointerGetAttribute(void* data, CUpointer_attribute which, CUdeviceptr address);
CUresult cuPointerGetAttributes(unsigned int count, CUpointer_attribute* which, void** data,
                                CUdeviceptr address);
CUresult cuPointerSetAttribute(const void* argument_0, CUpointer_attribute which, CUdeviceptr address);
CUresult cuStreamAddCallback(CUstream handle, CUstreamCallback call, void* data, unsigned int flags);
CUresult cuStreamAttachMemAsync(CUstream handle, CUdeviceptr address, size_t argument_2, unsigned int flags);
CUresult cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode mode);
CUresult cuStreamCopyAttributes(CUstream to, CUstream from);
CUresult cuStreamCreate(CUstream* made, unsigned int flags);
CUresult cuStreamCreateWithPriority(CUstream* made, unsigned int flags, int priority);
CUresult cuStreamDestroy_v2(CUstream handle);
CUresult cuStreamEndCapture(CUstream handle, CUgraph* made);
CUresult cuStreamGetCaptureInfo_v2(CUstream handle, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** nodes, size_t* count);
CUresult cuStreamGetCtx(CUstream handle, CUcontext* of);
CUresult cuStreamGetFlags(CUstream handle, unsigned int* flags);
CUresult cuStreamGetId(CUstream handle, unsigned long long* id);
CUresult cuStreamGetPriority(CUstream handle, int* priority);
CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus* status);
CUresult cuStreamQuery(CUstream handle);
CUresult cuStreamSynchronize(CUstream handle);
CUresult cuStreamUpdateCaptureDependencies(CUstream handle, CUgraphNode* nodes, size_t count,
                                           unsigned int flags);
CUresult cuStreamWaitEvent(CUstream handle, CUevent event_handle, unsigned int flags);
CUresult cuStreamWaitValue32_v2(CUstream handle, CUdeviceptr address, cuuint32_t value, unsigned int flags);
CUresult cuStreamWaitValue64_v2(CUstream handle, CUdeviceptr address, cuuint64_t value, unsigned int flags);
CUresult cuStreamWriteValue32_v2(CUstream handle, CUdeviceptr address, cuuint32_t value,
                                 unsigned int argument_3);
CUresult cuStreamWriteValue64_v2(CUstream handle, CUdeviceptr address, cuuint64_t value,
                                 unsigned int argument_3);
CUresult cuSurfObjectCreate(CUsurfObject* made, const CUDA_RESOURCE_DESC* resource);
CUresult cuSurfObjectDestroy(CUsurfObject handle);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* to, CUsurfObject handle);
CUresult cuTexObjectCreate(CUtexObject* made, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view);
CUresult cuTexObjectDestroy(CUtexObject handle);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* to, CUtexObject handle);
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* to, CUtexObject handle);
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* to, CUtexObject handle);
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode);
