#include "cuda/textures.h"

#include <fmt/format.h>

#include <algorithm>

#include "cuda/error.h"

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

CUDA_MEMCPY3D copy_of(const Texture& texture, bool to_array) {
  CUDA_MEMCPY3D copy{};
  const auto row = static_cast<size_t>(texture.spec.row_bytes(0));  // in the buffer, gaps included
  copy.srcMemoryType = to_array ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_ARRAY;
  copy.dstMemoryType = to_array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE;
  if (to_array) {
    copy.srcDevice = texture.buffer;
    copy.srcPitch = row;
    copy.srcHeight = std::max(1u, texture.spec.height);
    copy.dstArray = texture.array.get();
  } else {
    copy.srcArray = texture.array.get();
    copy.dstDevice = texture.buffer;
    copy.dstPitch = row;
    copy.dstHeight = std::max(1u, texture.spec.height);
  }
  copy.WidthInBytes = static_cast<size_t>(texture.spec.width * texture.spec.texel_bytes());
  copy.Height = std::max(1u, texture.spec.height);
  copy.Depth = std::max(1u, texture.spec.depth);
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
  if (spec.levels > 1)
    return missing(what + ": mipmaps are not bound on a real GPU yet; choose a virtual one.");
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
  } else {
    Result<Owned<CUarray>> array = make_array(context, spec, what);
    if (!array) return array.error();
    texture.array = std::move(*array);
    const CUDA_MEMCPY3D copy = copy_of(texture, true);
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
  const CUDA_MEMCPY3D copy = copy_of(texture, false);
  const CUresult r = context.driver().cuMemcpy3DAsync(&copy, stream);
  if (r != CUDA_SUCCESS) return error_of(context.driver(), r, "Copying a surface back");
  return {};
}

}  // namespace warplens::cuda
