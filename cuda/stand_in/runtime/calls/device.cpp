// The devices: which there are, what it can do, its limits, its reset.
#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/state/registry.h"

using namespace warplens::runtime;

namespace {

template <class F>
cudaError_t call_for(int device, F f) {
  return call_without_context([&]() -> cudaError_t {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    return code_of(f());
  });
}

// f(the primary context of the other device) → CUresult.
template <class F>
cudaError_t call_with_peer(int peer, F f) {
  return call([&]() -> cudaError_t {
    if (!is_device(peer)) return cudaErrorInvalidDevice;
    CUcontext context = nullptr;
    const CUresult error = cuDevicePrimaryCtxRetain(&context, peer);
    return code_of(error != CUDA_SUCCESS ? error : f(context));
  });
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return call_without_context([&] { return cuDeviceGetCount(count); });
}

cudaError_t cudaGetDevice(int* device) {
  return call_without_context([&]() -> cudaError_t {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = current_device();
    return cudaSuccess;
  });
}

// Since CUDA 12 this makes the context, too.
cudaError_t cudaSetDevice(int device) {
  return call_without_context([&] { return choose_device(device); });
}

// It stays as it is which device is current.
cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call_for(device, [&]() -> cudaError_t {
    if (device == current_device()) return ensure_context();
    CUcontext context = nullptr;
    return code_of(cuDevicePrimaryCtxRetain(&context, device));
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call_without_context([&]() -> cudaError_t {
    if (devices == nullptr && count != 0) return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i)
      if (!is_device(devices[i])) return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wished) {
  return call_without_context([&]() -> cudaError_t {
    if (device == nullptr || wished == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  constexpr unsigned known = cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax;
  return call_without_context([&] {
    return (flags & ~known) != 0
               ? CUDA_ERROR_INVALID_VALUE
               : cuDevicePrimaryCtxSetFlags(current_device(), flags & ~unsigned{cudaDeviceMapHost});
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call_without_context([&]() -> cudaError_t {
    if (flags == nullptr) return cudaErrorInvalidValue;
    int active = 0;
    return code_of(cuDevicePrimaryCtxGetState(current_device(), flags, &active));
  });
}

// The numbers of cudaDeviceAttr are those of CUdevice_attribute (driver_types.h).
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  return call_for(
      device, [&] { return cuDeviceGetAttribute(value, static_cast<CUdevice_attribute>(which), device); });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return call_for(device, [&] { return cuDeviceGetPCIBusId(text, length, device); });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call_without_context([&] { return cuDeviceGetByPCIBusId(device, text); });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call_without_context([&]() -> cudaError_t {
    if (can == nullptr) return cudaErrorInvalidValue;
    *can = 0;
    return code_of(cuDeviceCanAccessPeer(can, device, peer));
  });
}

// The numbers of cudaDeviceP2PAttr are those of CUdevice_P2PAttribute.
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr which, int device, int peer) {
  return call_without_context([&] {
    return cuDeviceGetP2PAttribute(value, static_cast<CUdevice_P2PAttribute>(which), device, peer);
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call_with_peer(peer, [&](CUcontext context) {
    return peer == current_device() ? CUDA_ERROR_PEER_ACCESS_UNSUPPORTED
                                    : cuCtxEnablePeerAccess(context, flags);
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call_with_peer(peer, [](CUcontext context) { return cuCtxDisablePeerAccess(context); });
}

cudaError_t cudaDeviceSynchronize() {
  return call([] { return cuCtxSynchronize(); });
}

cudaError_t cudaDeviceReset() {
  return guarded([] { return reset_with_variables(); });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return call([&] { return cuCtxGetLimit(value, static_cast<CUlimit>(limit)); });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return call([&] { return cuCtxSetLimit(static_cast<CUlimit>(limit), value); });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call([&] { return cuCtxGetCacheConfig(reinterpret_cast<CUfunc_cache*>(config)); });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call([&] { return cuCtxSetCacheConfig(static_cast<CUfunc_cache>(config)); });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call([&] { return cuCtxGetSharedMemConfig(reinterpret_cast<CUsharedconfig*>(config)); });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return call([&] { return cuCtxSetSharedMemConfig(static_cast<CUsharedconfig>(config)); });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&] { return cuCtxGetStreamPriorityRange(least, greatest); });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return call([] { return cuCtxResetPersistingL2Cache(); });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return guarded([&] { return cuDriverGetVersion(version); });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return guarded([&]() -> cudaError_t {
    if (version == nullptr) return cudaErrorInvalidValue;
    *version = version_of_library;
    return cudaSuccess;
  });
}

cudaError_t cudaProfilerStart() {
  return call([] { return cuProfilerStart(); });
}
cudaError_t cudaProfilerStop() {
  return call([] { return cuProfilerStop(); });
}

}  // extern "C"
