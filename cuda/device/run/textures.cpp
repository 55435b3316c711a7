#include "cuda/device/run/textures.h"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/device/driver/error.h"

namespace warplens::cuda {

namespace {

CUarray_format format_of(DType type) {
  switch (type) {
    case DType::u8:
      return CU_AD_FORMAT_UNSIGNED_INT8;
    case DType::i8:
      return CU_AD_FORMAT_SIGNED_INT8;
    case DType::u16:
      return CU_AD_FORMAT_UNSIGNED_INT16;
    case DType::i16:
      return CU_AD_FORMAT_SIGNED_INT16;
    case DType::u32:
      return CU_AD_FORMAT_UNSIGNED_INT32;
    case DType::i32:
      return CU_AD_FORMAT_SIGNED_INT32;
    case DType::f16:
      return CU_AD_FORMAT_HALF;
    default:
      return CU_AD_FORMAT_FLOAT;
  }
}

CUaddress_mode mode_of(TextureAddress address) {
  switch (address) {
    case TextureAddress::wrap:
      return CU_TR_ADDRESS_MODE_WRAP;
    case TextureAddress::mirror:
      return CU_TR_ADDRESS_MODE_MIRROR;
    case TextureAddress::border:
      return CU_TR_ADDRESS_MODE_BORDER;
    case TextureAddress::clamp:
      break;
  }
  return CU_TR_ADDRESS_MODE_CLAMP;
}

bool is_integer(DType type) { return type != DType::f16 && type != DType::f32; }

CUDA_TEXTURE_DESC description_of(const TextureSpec& spec) {
  CUDA_TEXTURE_DESC description{};
  for (size_t axis = 0; axis < spec.address.size(); ++axis)
    description.addressMode[axis] = mode_of(spec.address[axis]);
  description.filterMode = spec.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  if (spec.normalized) description.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (is_integer(spec.type) && !spec.normalized_read) description.flags |= CU_TRSF_READ_AS_INTEGER;
  if (spec.levels > 1) {
    description.mipmapFilterMode = spec.linear_levels ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    description.mipmapLevelBias = spec.level_bias;
    description.minMipmapLevelClamp = spec.min_level;
    description.maxMipmapLevelClamp = spec.max_level;
  }
  return description;
}

CUDA_ARRAY3D_DESCRIPTOR array_of(const TextureSpec& spec) {
  CUDA_ARRAY3D_DESCRIPTOR array{};
  array.Width = spec.width;
  const bool layered = is_layered(spec.shape), cube = is_cube(spec.shape);
  const bool flat = spec.shape == TextureShape::one || spec.shape == TextureShape::layers_of_one ||
                    spec.shape == TextureShape::linear;
  array.Height = flat ? 0 : spec.height;
  array.Depth = layered || cube || spec.shape == TextureShape::three ? spec.depth : 0;
  array.Format = format_of(spec.type);
  array.NumChannels = spec.channels;
  if (layered) array.Flags |= CUDA_ARRAY3D_LAYERED;
  if (cube) array.Flags |= CUDA_ARRAY3D_CUBEMAP;
  if (spec.surface) array.Flags |= CUDA_ARRAY3D_SURFACE_LDST;
  return array;
}

// A copy between a level of the texture in the buffer and its array.
CUDA_MEMCPY3D copy_of(const TextureSpec& spec, uint32_t level, CUdeviceptr buffer, CUarray array,
                      bool to_array) {
  CUDA_MEMCPY3D copy{};
  for (uint32_t before = 0; before < level; ++before) buffer += spec.level_bytes(before);
  const auto row = static_cast<size_t>(spec.row_bytes(level));  // in the buffer, gaps included
  copy.srcMemoryType = to_array ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_ARRAY;
  copy.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE;
  if (to_array) {
    copy.srcDevice = buffer;
    copy.srcPitch = row;
    copy.srcHeight = spec.height_of(level);
    copy.dstArray = array;
  } else {
    copy.srcArray = array;
    copy.dstDevice = buffer;
    copy.dstPitch = row;
    copy.dstHeight = spec.height_of(level);
  }
  copy.WidthInBytes = static_cast<size_t>(spec.width_of(level) * spec.texel_bytes());
  copy.Height = spec.height_of(level);
  copy.Depth = std::max(1u, spec.depth_of(level));
  return copy;
}

Result<Owned<CUarray>> make_array(const Context& context, const TextureSpec& spec, const std::string& what) {
  const Driver& driver = context.driver();
  const CUDA_ARRAY3D_DESCRIPTOR description = array_of(spec);
  CUarray array = nullptr;
  if (const CUresult r = driver.cuArray3DCreate(&array, &description); r != CUDA_SUCCESS)
    return error_of(driver, r, what + ": making its array");
  const auto destroy = driver.cuArrayDestroy;
  return Owned<CUarray>(array, [destroy](CUarray a) { destroy(a); });
}

// Makes all levels. Each is copied from the part of the buffer after the previous level.
Result<Owned<CUmipmappedArray>> make_mipmap(const Context& context, const TextureSpec& spec,
                                            CUdeviceptr buffer, CUstream stream, const std::string& what) {
  const Driver& driver = context.driver();
  const CUDA_ARRAY3D_DESCRIPTOR description = array_of(spec);
  CUmipmappedArray made = nullptr;
  if (const CUresult r = driver.cuMipmappedArrayCreate(&made, &description, spec.levels); r != CUDA_SUCCESS)
    return error_of(driver, r, what + ": making its mipmap");
  const auto destroy = driver.cuMipmappedArrayDestroy;
  Owned<CUmipmappedArray> mipmap(made, [destroy](CUmipmappedArray m) { destroy(m); });
  for (uint32_t level = 0; level < spec.levels; ++level) {
    CUarray array = nullptr;  // the mipmap's own
    CUresult r = driver.cuMipmappedArrayGetLevel(&array, made, level);
    if (r == CUDA_SUCCESS) {
      const CUDA_MEMCPY3D copy = copy_of(spec, level, buffer, array, true);
      r = driver.cuMemcpy3DAsync(&copy, stream);
    }
    if (r != CUDA_SUCCESS) return error_of(driver, r, fmt::format("{}: copying level {}", what, level));
  }
  return mipmap;
}

Result<void> make_object(const Context& context, const CUDA_RESOURCE_DESC& resource, Texture& texture,
                         const std::string& what) {
  const Driver& driver = context.driver();
  if (texture.spec.surface) {
    CUsurfObject object = 0;
    if (const CUresult r = driver.cuSurfObjectCreate(&object, &resource); r != CUDA_SUCCESS)
      return error_of(driver, r, what + ": making the surface object");
    const auto destroy = driver.cuSurfObjectDestroy;
    texture.surface = Owned<CUsurfObject>(object, [destroy](CUsurfObject o) { destroy(o); });
    return {};
  }
  const CUDA_TEXTURE_DESC description = description_of(texture.spec);
  CUtexObject object = 0;
  if (const CUresult r = driver.cuTexObjectCreate(&object, &resource, &description, nullptr);
      r != CUDA_SUCCESS)
    return error_of(driver, r, what + ": making the texture object");
  const auto destroy = driver.cuTexObjectDestroy;
  texture.texture = Owned<CUtexObject>(object, [destroy](CUtexObject o) { destroy(o); });
  return {};
}

}  // namespace

Result<Texture> make_texture(const Context& context, const TextureSpec& spec, CUdeviceptr buffer,
                             CUstream stream, const std::string& what) {
  if (spec.levels > 1 && spec.surface)
    return missing(what + ": surfaces of mipmaps are not bound on a real GPU; choose a virtual one.");
  Texture texture;
  texture.spec = spec;
  texture.buffer = buffer;
  CUDA_RESOURCE_DESC resource{};
  if (spec.shape == TextureShape::linear && !spec.surface) {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = buffer;
    resource.res.linear.format = format_of(spec.type);
    resource.res.linear.numChannels = spec.channels;
    resource.res.linear.sizeInBytes = spec.bytes();
  } else if (spec.levels > 1) {
    Result<Owned<CUmipmappedArray>> mipmap = make_mipmap(context, spec, buffer, stream, what);
    if (!mipmap) return mipmap.error();
    texture.mipmap = std::move(*mipmap);
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = texture.mipmap.get();
  } else {
    Result<Owned<CUarray>> array = make_array(context, spec, what);
    if (!array) return array.error();
    texture.array = std::move(*array);
    const CUDA_MEMCPY3D copy = copy_of(spec, 0, buffer, texture.array.get(), true);
    if (const CUresult r = context.driver().cuMemcpy3DAsync(&copy, stream); r != CUDA_SUCCESS)
      return error_of(context.driver(), r, what + ": copying into its array");
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = texture.array.get();
  }
  if (const Result<void> made = make_object(context, resource, texture, what); !made) return made.error();
  return texture;
}

Result<void> copy_back(const Context& context, const Texture& texture, CUstream stream) {
  if (!texture.spec.surface || !texture.array) return {};
  const CUDA_MEMCPY3D copy = copy_of(texture.spec, 0, texture.buffer, texture.array.get(), false);
  const CUresult r = context.driver().cuMemcpy3DAsync(&copy, stream);
  if (r != CUDA_SUCCESS) return error_of(context.driver(), r, "Copying a surface back");
  return {};
}

}  // namespace warplens::cuda
