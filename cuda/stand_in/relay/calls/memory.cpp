// What the program allocates and frees.
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/relay/next.h"
#include "cuda/stand_in/relay/state/program.h"

using namespace warplens::relay;

namespace {

using Kind = Block::Kind;
using warplens::driver::HostCall;

CUresult made(CUresult code, const CUdeviceptr* address, uint64_t bytes, Kind kind = Kind::device) {
  const HostCall here;
  return after(code, [&](Program& notes) { notes.allocated(*address, bytes, kind); });
}

// Pages of the host, at the address by which kernels know them.
CUresult pinned(CUresult code, const void* host, uint64_t bytes) {
  const HostCall here;
  CUdeviceptr address = 0;
  if (code == CUDA_SUCCESS &&
      NEXT(cuMemHostGetDevicePointer_v2)(&address, const_cast<void*>(host), 0) != CUDA_SUCCESS)
    address = reinterpret_cast<uintptr_t>(host);
  return after(code, [&](Program& notes) { notes.allocated(address, bytes, Kind::pinned, host); });
}

CUresult given_back(CUresult code, uint64_t address) {
  return after(code, [&](Program& notes) { notes.freed(address); });
}

CUresult pinned_given_back(CUresult code, const void* host) {
  return after(code, [&](Program& notes) {
    for (const auto& [address, block] : notes.blocks) {
      if (block.host != host) continue;
      notes.freed(address);
      return;
    }
  });
}

}  // namespace

extern "C" {

CUresult cuMemAlloc_v2(CUdeviceptr* address, size_t bytes) {
  return made(NEXT(cuMemAlloc_v2)(address, bytes), address, bytes);
}
CUresult cuMemAllocPitch_v2(CUdeviceptr* address, size_t* pitch, size_t width, size_t height,
                            unsigned element) {
  const CUresult code = NEXT(cuMemAllocPitch_v2)(address, pitch, width, height, element);
  return made(code, address, code == CUDA_SUCCESS ? *pitch * height : 0);
}
CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned flags) {
  return made(NEXT(cuMemAllocManaged)(address, bytes, flags), address, bytes, Kind::managed);
}
CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  return made(NEXT(cuMemAllocAsync)(address, bytes, stream), address, bytes);
}
CUresult cuMemAllocAsync_ptsz(CUdeviceptr* address, size_t bytes, CUstream stream) {
  return made(NEXT_LIKE(cuMemAllocAsync_ptsz, cuMemAllocAsync)(address, bytes, stream), address, bytes);
}
CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return made(NEXT(cuMemAllocFromPoolAsync)(address, bytes, pool, stream), address, bytes);
}
CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr* address, size_t bytes, CUmemoryPool pool,
                                      CUstream stream) {
  return made(NEXT_LIKE(cuMemAllocFromPoolAsync_ptsz, cuMemAllocFromPoolAsync)(address, bytes, pool, stream),
              address, bytes);
}
CUresult cuMemAllocHost_v2(void** host, size_t bytes) {
  const CUresult code = NEXT(cuMemAllocHost_v2)(host, bytes);
  return pinned(code, code == CUDA_SUCCESS ? *host : nullptr, bytes);
}
CUresult cuMemHostAlloc(void** host, size_t bytes, unsigned flags) {
  const CUresult code = NEXT(cuMemHostAlloc)(host, bytes, flags);
  return pinned(code, code == CUDA_SUCCESS ? *host : nullptr, bytes);
}
CUresult cuMemHostRegister_v2(void* host, size_t bytes, unsigned flags) {
  return pinned(NEXT(cuMemHostRegister_v2)(host, bytes, flags), host, bytes);
}

CUresult cuMemFree_v2(CUdeviceptr address) { return given_back(NEXT(cuMemFree_v2)(address), address); }
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  return given_back(NEXT(cuMemFreeAsync)(address, stream), address);
}
CUresult cuMemFreeAsync_ptsz(CUdeviceptr address, CUstream stream) {
  return given_back(NEXT_LIKE(cuMemFreeAsync_ptsz, cuMemFreeAsync)(address, stream), address);
}
CUresult cuMemFreeHost(void* host) { return pinned_given_back(NEXT(cuMemFreeHost)(host), host); }
CUresult cuMemHostUnregister(void* host) { return pinned_given_back(NEXT(cuMemHostUnregister)(host), host); }

CUresult cuTexObjectCreate(CUtexObject* made, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  return after(NEXT(cuTexObjectCreate)(made, resource, texture, view),
               [&](Program& notes) { notes.textures.insert(*made); });
}
CUresult cuTexObjectDestroy(CUtexObject object) {
  return after(NEXT(cuTexObjectDestroy)(object), [&](Program& notes) { notes.textures.erase(object); });
}
CUresult cuSurfObjectCreate(CUsurfObject* made, const CUDA_RESOURCE_DESC* resource) {
  return after(NEXT(cuSurfObjectCreate)(made, resource),
               [&](Program& notes) { notes.textures.insert(*made); });
}
CUresult cuSurfObjectDestroy(CUsurfObject object) {
  return after(NEXT(cuSurfObjectDestroy)(object), [&](Program& notes) { notes.textures.erase(object); });
}

}  // extern "C"
