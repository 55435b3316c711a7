// Enumerations of the runtime API: CUDA Runtime API, "Data types used by CUDA Runtime", of version 12.
#pragma once

// clang-format off
typedef enum cudaMemcpyKind {
  cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
} cudaMemcpyKind;
typedef enum cudaMemoryType {
  cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged
} cudaMemoryType;
typedef enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone
} cudaChannelFormatKind;
typedef enum cudaResourceType {
  cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D
} cudaResourceType;
typedef enum cudaResourceViewFormat {
  cudaResViewFormatNone,
  cudaResViewFormatUnsignedChar1, cudaResViewFormatUnsignedChar2, cudaResViewFormatUnsignedChar4,
  cudaResViewFormatSignedChar1, cudaResViewFormatSignedChar2, cudaResViewFormatSignedChar4,
  cudaResViewFormatUnsignedShort1, cudaResViewFormatUnsignedShort2, cudaResViewFormatUnsignedShort4,
  cudaResViewFormatSignedShort1, cudaResViewFormatSignedShort2, cudaResViewFormatSignedShort4,
  cudaResViewFormatUnsignedInt1, cudaResViewFormatUnsignedInt2, cudaResViewFormatUnsignedInt4,
  cudaResViewFormatSignedInt1, cudaResViewFormatSignedInt2, cudaResViewFormatSignedInt4,
  cudaResViewFormatHalf1, cudaResViewFormatHalf2, cudaResViewFormatHalf4,
  cudaResViewFormatFloat1, cudaResViewFormatFloat2, cudaResViewFormatFloat4,
  cudaResViewFormatUnsignedBlockCompressed1, cudaResViewFormatUnsignedBlockCompressed2,
  cudaResViewFormatUnsignedBlockCompressed3, cudaResViewFormatUnsignedBlockCompressed4,
  cudaResViewFormatSignedBlockCompressed4, cudaResViewFormatUnsignedBlockCompressed5,
  cudaResViewFormatSignedBlockCompressed5, cudaResViewFormatUnsignedBlockCompressed6H,
  cudaResViewFormatSignedBlockCompressed6H, cudaResViewFormatUnsignedBlockCompressed7
} cudaResourceViewFormat;
typedef enum cudaTextureAddressMode {
  cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder
} cudaTextureAddressMode;
typedef enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear } cudaTextureFilterMode;
typedef enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat } cudaTextureReadMode;
typedef enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap
} cudaSurfaceBoundaryMode;
typedef enum cudaSurfaceFormatMode { cudaFormatModeForced, cudaFormatModeAuto } cudaSurfaceFormatMode;
typedef enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10, cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12, cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14, cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
  cudaFuncAttributeMax = 16
} cudaFuncAttribute;
typedef enum cudaFuncCache {
  cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual
} cudaFuncCache;
typedef enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte
} cudaSharedMemConfig;
typedef enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxL1 = 0, cudaSharedmemCarveoutMaxShared = 100
} cudaSharedCarveout;
typedef enum cudaComputeMode {
  cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited, cudaComputeModeExclusiveProcess
} cudaComputeMode;
typedef enum cudaLimit {
  cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount, cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize
} cudaLimit;
typedef enum cudaDeviceP2PAttr {
  cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported, cudaDevP2PAttrNativeAtomicSupported,
  cudaDevP2PAttrCudaArrayAccessSupported
} cudaDeviceP2PAttr;
typedef enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
} cudaMemoryAdvise;
typedef enum cudaMemRangeAttribute {
  cudaMemRangeAttributeReadMostly = 1, cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeAccessedBy,
  cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributePreferredLocationType,
  cudaMemRangeAttributePreferredLocationId, cudaMemRangeAttributeLastPrefetchLocationType,
  cudaMemRangeAttributeLastPrefetchLocationId
} cudaMemRangeAttribute;
typedef enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0, cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2,
  cudaMemLocationTypeHostNuma = 3, cudaMemLocationTypeHostNumaCurrent = 4
} cudaMemLocationType;
typedef enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone = 0, cudaMemAccessFlagsProtRead = 1, cudaMemAccessFlagsProtReadWrite = 3
} cudaMemAccessFlags;
typedef enum cudaMemAllocationType {
  cudaMemAllocationTypeInvalid = 0, cudaMemAllocationTypePinned = 1, cudaMemAllocationTypeMax = 0x7fffffff
} cudaMemAllocationType;
typedef enum cudaMemAllocationHandleType {
  cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1, cudaMemHandleTypeWin32 = 2,
  cudaMemHandleTypeWin32Kmt = 4, cudaMemHandleTypeFabric = 8
} cudaMemAllocationHandleType;
typedef enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1, cudaMemPoolReuseAllowOpportunistic,
  cudaMemPoolReuseAllowInternalDependencies, cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent,
  cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh
} cudaMemPoolAttr;
typedef enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound, cudaDriverEntryPointVersionNotSufficent
} cudaDriverEntryPointQueryResult;
#define cudaEnableDefault 0
#define cudaEnableLegacyStream 1
#define cudaEnablePerThreadDefaultStream 2
typedef enum cudaJitOption {
  cudaJitMaxRegisters = 0, cudaJitThreadsPerBlock = 1, cudaJitWallTime = 2, cudaJitInfoLogBuffer = 3,
  cudaJitInfoLogBufferSizeBytes = 4, cudaJitErrorLogBuffer = 5, cudaJitErrorLogBufferSizeBytes = 6,
  cudaJitOptimizationLevel = 7, cudaJitFallbackStrategy = 10, cudaJitGenerateDebugInfo = 11, cudaJitLogVerbose = 12,
  cudaJitGenerateLineInfo = 13, cudaJitCacheMode = 14, cudaJitPositionIndependentCode = 30, cudaJitMinCtaPerSm = 31,
  cudaJitMaxThreadsPerBlock = 32, cudaJitOverrideDirectiveValues = 33
} cudaJitOption;
typedef enum cudaLibraryOption {
  cudaLibraryHostUniversalFunctionAndDataTable = 0, cudaLibraryBinaryIsPreserved = 1
} cudaLibraryOption;
typedef enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive, cudaStreamCaptureStatusInvalidated
} cudaStreamCaptureStatus;
typedef enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed
} cudaStreamCaptureMode;
typedef enum cudaStreamUpdateCaptureDependenciesFlags {
  cudaStreamAddCaptureDependencies, cudaStreamSetCaptureDependencies
} cudaStreamUpdateCaptureDependenciesFlags;
typedef enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1, cudaSyncPolicySpin, cudaSyncPolicyYield, cudaSyncPolicyBlockingSync
} cudaSynchronizationPolicy;
typedef enum cudaClusterSchedulingPolicy {
  cudaClusterSchedulingPolicyDefault, cudaClusterSchedulingPolicySpread, cudaClusterSchedulingPolicyLoadBalancing
} cudaClusterSchedulingPolicy;
typedef enum cudaAccessProperty {
  cudaAccessPropertyNormal, cudaAccessPropertyStreaming, cudaAccessPropertyPersisting
} cudaAccessProperty;
typedef enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 } cudaUserObjectFlags;
typedef enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 } cudaUserObjectRetainFlags;
typedef enum cudaLaunchMemSyncDomain {
  cudaLaunchMemSyncDomainDefault, cudaLaunchMemSyncDomainRemote
} cudaLaunchMemSyncDomain;
typedef enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore, cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeClusterSchedulingPolicyPreference, cudaLaunchAttributeProgrammaticStreamSerialization,
  cudaLaunchAttributeProgrammaticEvent, cudaLaunchAttributePriority, cudaLaunchAttributeMemSyncDomainMap,
  cudaLaunchAttributeMemSyncDomain, cudaLaunchAttributePreferredClusterDimension,
  cudaLaunchAttributeLaunchCompletionEvent, cudaLaunchAttributeDeviceUpdatableKernelNode,
  cudaLaunchAttributePreferredSharedMemoryCarveout
} cudaLaunchAttributeID;
typedef enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost,
  cudaGraphNodeTypeGraph, cudaGraphNodeTypeEmpty, cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeEventRecord,
  cudaGraphNodeTypeExtSemaphoreSignal, cudaGraphNodeTypeExtSemaphoreWait, cudaGraphNodeTypeMemAlloc,
  cudaGraphNodeTypeMemFree, cudaGraphNodeTypeConditional = 13, cudaGraphNodeTypeCount
} cudaGraphNodeType;
typedef enum cudaGraphDependencyType {
  cudaGraphDependencyTypeDefault, cudaGraphDependencyTypeProgrammatic
} cudaGraphDependencyType;
typedef enum cudaGraphConditionalNodeType {
  cudaGraphCondTypeIf, cudaGraphCondTypeWhile, cudaGraphCondTypeSwitch
} cudaGraphConditionalNodeType;
typedef enum cudaGraphChildGraphNodeOwnership {
  cudaGraphChildGraphOwnershipClone = 0, cudaGraphChildGraphOwnershipMove = 1
} cudaGraphChildGraphNodeOwnership;
typedef enum cudaGraphMemAttributeType {
  cudaGraphMemAttrUsedMemCurrent, cudaGraphMemAttrUsedMemHigh, cudaGraphMemAttrReservedMemCurrent,
  cudaGraphMemAttrReservedMemHigh
} cudaGraphMemAttributeType;
typedef enum cudaGraphInstantiateResult {
  cudaGraphInstantiateSuccess, cudaGraphInstantiateError, cudaGraphInstantiateInvalidStructure,
  cudaGraphInstantiateNodeOperationNotSupported, cudaGraphInstantiateMultipleDevicesNotSupported,
  cudaGraphInstantiateConditionalHandleUnused
} cudaGraphInstantiateResult;
typedef enum cudaGraphInstantiateFlags {
  cudaGraphInstantiateFlagAutoFreeOnLaunch = 1, cudaGraphInstantiateFlagUpload = 2,
  cudaGraphInstantiateFlagDeviceLaunch = 4, cudaGraphInstantiateFlagUseNodePriority = 8
} cudaGraphInstantiateFlags;
typedef enum cudaGraphExecUpdateResult {
  cudaGraphExecUpdateSuccess, cudaGraphExecUpdateError, cudaGraphExecUpdateErrorTopologyChanged,
  cudaGraphExecUpdateErrorNodeTypeChanged, cudaGraphExecUpdateErrorFunctionChanged,
  cudaGraphExecUpdateErrorParametersChanged, cudaGraphExecUpdateErrorNotSupported,
  cudaGraphExecUpdateErrorUnsupportedFunctionChange, cudaGraphExecUpdateErrorAttributesChanged
} cudaGraphExecUpdateResult;
typedef enum cudaGraphDebugDotFlags {
  cudaGraphDebugDotFlagsVerbose = 1, cudaGraphDebugDotFlagsKernelNodeParams = 4,
  cudaGraphDebugDotFlagsMemcpyNodeParams = 8, cudaGraphDebugDotFlagsMemsetNodeParams = 16,
  cudaGraphDebugDotFlagsHostNodeParams = 32, cudaGraphDebugDotFlagsEventNodeParams = 64,
  cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 128, cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 256,
  cudaGraphDebugDotFlagsKernelNodeAttributes = 512, cudaGraphDebugDotFlagsHandles = 1024,
  cudaGraphDebugDotFlagsConditionalNodeParams = 32768
} cudaGraphDebugDotFlags;
