// Texture and surface objects.
#include <map>
#include <mutex>

#include "cuda/stand_in/runtime/calls/entry.h"
#include "cuda/stand_in/runtime/calls/formats.h"

using namespace warplens::runtime;

namespace {

// What an object was made of, for the calls that ask.
struct Made {
  cudaResourceDesc resource{};
  cudaTextureDesc texture{};
  cudaResourceViewDesc view{};
  bool has_view = false;
};
struct Objects {
  std::mutex mutex;
  std::map<cudaTextureObject_t, Made> made;
};
Objects& objects() {
  static auto* all = new Objects;
  return *all;
}

cudaError_t resource_of(const cudaResourceDesc& from, CUDA_RESOURCE_DESC& to) {
  to = {};
  to.resType = static_cast<CUresourcetype>(from.resType);
  switch (from.resType) {
    case cudaResourceTypeArray:
      to.res.array.hArray = reinterpret_cast<CUarray>(from.res.array.array);
      return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
      to.res.mipmap.hMipmappedArray = reinterpret_cast<CUmipmappedArray>(from.res.mipmap.mipmap);
      return cudaSuccess;
    case cudaResourceTypeLinear: {
      const DriverFormat format = format_of(from.res.linear.desc);
      if (format.channels == 0) return cudaErrorInvalidChannelDescriptor;
      to.res.linear.devPtr = address_of(from.res.linear.devPtr);
      to.res.linear.format = format.format;
      to.res.linear.numChannels = format.channels;
      to.res.linear.sizeInBytes = from.res.linear.sizeInBytes;
      return cudaSuccess;
    }
    case cudaResourceTypePitch2D: {
      const DriverFormat format = format_of(from.res.pitch2D.desc);
      if (format.channels == 0) return cudaErrorInvalidChannelDescriptor;
      to.res.pitch2D.devPtr = address_of(from.res.pitch2D.devPtr);
      to.res.pitch2D.format = format.format;
      to.res.pitch2D.numChannels = format.channels;
      to.res.pitch2D.width = from.res.pitch2D.width;
      to.res.pitch2D.height = from.res.pitch2D.height;
      to.res.pitch2D.pitchInBytes = from.res.pitch2D.pitchInBytes;
      return cudaSuccess;
    }
    default:
      return cudaErrorInvalidValue;
  }
}

CUDA_TEXTURE_DESC texture_of(const cudaTextureDesc& from) {
  CUDA_TEXTURE_DESC to{};
  for (int i = 0; i < 3; ++i) to.addressMode[i] = static_cast<CUaddress_mode>(from.addressMode[i]);
  to.filterMode = static_cast<CUfilter_mode>(from.filterMode);
  to.flags = (from.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0) |
             (from.normalizedCoords != 0 ? CU_TRSF_NORMALIZED_COORDINATES : 0) |
             (from.sRGB != 0 ? CU_TRSF_SRGB : 0) |
             (from.disableTrilinearOptimization != 0 ? CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0) |
             (from.seamlessCubemap != 0 ? CU_TRSF_SEAMLESS_CUBEMAP : 0);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<CUfilter_mode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  for (int i = 0; i < 4; ++i) to.borderColor[i] = from.borderColor[i];
  return to;
}

CUDA_RESOURCE_VIEW_DESC view_of(const cudaResourceViewDesc& from) {
  CUDA_RESOURCE_VIEW_DESC to{};
  to.format = static_cast<CUresourceViewFormat>(from.format);
  to.width = from.width;
  to.height = from.height;
  to.depth = from.depth;
  to.firstMipmapLevel = from.firstMipmapLevel;
  to.lastMipmapLevel = from.lastMipmapLevel;
  to.firstLayer = from.firstLayer;
  to.lastLayer = from.lastLayer;
  return to;
}

// f(const Made&) → cudaError_t, for an object that was made and not destroyed.
template <class F>
cudaError_t with_object(cudaTextureObject_t object, F f) {
  return call([&]() -> cudaError_t {
    const std::scoped_lock lock(objects().mutex);
    const auto at = objects().made.find(object);
    return at == objects().made.end() ? cudaErrorInvalidValue : f(at->second);
  });
}

void forget(cudaTextureObject_t object) {
  const std::scoped_lock lock(objects().mutex);
  objects().made.erase(object);
}

template <class T>
cudaError_t answer(T* to, const T& value) {
  if (to == nullptr) return cudaErrorInvalidValue;
  *to = value;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* made, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  return call([&]() -> cudaError_t {
    if (made == nullptr || resource == nullptr || texture == nullptr) return cudaErrorInvalidValue;
    CUDA_RESOURCE_DESC driver_resource;
    if (const cudaError_t error = resource_of(*resource, driver_resource); error != cudaSuccess) return error;
    const CUDA_TEXTURE_DESC driver_texture = texture_of(*texture);
    CUDA_RESOURCE_VIEW_DESC driver_view{};
    if (view != nullptr) driver_view = view_of(*view);
    CUtexObject object = 0;
    const CUresult error = cuTexObjectCreate(&object, &driver_resource, &driver_texture,
                                             view != nullptr ? &driver_view : nullptr);
    if (error != CUDA_SUCCESS) return code_of(error);
    *made = object;
    const std::scoped_lock lock(objects().mutex);
    Made& kept = objects().made[object];
    kept = {*resource, *texture, {}, view != nullptr};
    if (view != nullptr) kept.view = *view;
    return cudaSuccess;
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  forget(object);
  return call([&] { return object == 0 ? CUDA_SUCCESS : cuTexObjectDestroy(object); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* to, cudaTextureObject_t object) {
  return with_object(object, [&](const Made& made) { return answer(to, made.resource); });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* to, cudaTextureObject_t object) {
  return with_object(object, [&](const Made& made) { return answer(to, made.texture); });
}
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* to, cudaTextureObject_t object) {
  return with_object(object, [&](const Made& made) {
    return made.has_view ? answer(to, made.view) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* made, const cudaResourceDesc* resource) {
  return call([&]() -> cudaError_t {
    if (made == nullptr || resource == nullptr) return cudaErrorInvalidValue;
    CUDA_RESOURCE_DESC driver_resource;
    if (const cudaError_t error = resource_of(*resource, driver_resource); error != cudaSuccess) return error;
    CUsurfObject object = 0;
    const CUresult error = cuSurfObjectCreate(&object, &driver_resource);
    if (error != CUDA_SUCCESS) return code_of(error);
    *made = object;
    const std::scoped_lock lock(objects().mutex);
    objects().made[object] = {*resource, {}, {}, false};
    return cudaSuccess;
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  forget(object);
  return call([&] { return object == 0 ? CUDA_SUCCESS : cuSurfObjectDestroy(object); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* to, cudaSurfaceObject_t object) {
  return with_object(object, [&](const Made& made) { return answer(to, made.resource); });
}

}  // extern "C"
