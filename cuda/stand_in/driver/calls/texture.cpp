// Texture and surface objects, and the references of older programs, which bind a name of the module.
#include <fmt/format.h>

#include <cstring>

#include "cuda/stand_in/driver/calls/arrays.h"
#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/calls/modules.h"

using namespace warplens::driver;
using warplens::TextureAddress;
using warplens::TextureShape;
using warplens::TextureSpec;

namespace {

TextureAddress address_of(CUaddress_mode mode) {
  switch (mode) {
    case CU_TR_ADDRESS_MODE_WRAP:
      return TextureAddress::wrap;
    case CU_TR_ADDRESS_MODE_MIRROR:
      return TextureAddress::mirror;
    case CU_TR_ADDRESS_MODE_BORDER:
      return TextureAddress::border;
    default:
      return TextureAddress::clamp;
  }
}

bool is_channels(unsigned channels) { return channels == 1 || channels == 2 || channels == 4; }

bool is_integer(const TextureSpec& spec) { return !warplens::is_float(spec.type); }

void apply_flags(TextureSpec& spec, unsigned flags) {
  spec.normalized = (flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  // Integers of 8 and 16 bits become floats from 0 to 1, unless the flag says no.
  spec.normalized_read =
      is_integer(spec) && warplens::bytes_of(spec.type) < 4 && (flags & CU_TRSF_READ_AS_INTEGER) == 0;
}

}  // namespace

namespace warplens::driver {

void apply(TextureSpec& spec, const CUDA_TEXTURE_DESC& texture) {
  for (size_t i = 0; i < 3; ++i) spec.address[i] = address_of(texture.addressMode[i]);
  spec.linear = texture.filterMode == CU_TR_FILTER_MODE_LINEAR;
  spec.linear_levels = texture.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
  spec.level_bias = texture.mipmapLevelBias;
  spec.min_level = texture.minMipmapLevelClamp;
  spec.max_level = texture.maxMipmapLevelClamp;
  apply_flags(spec, texture.flags);
}

uint64_t bind_texels(Gpu& device, const TextureSpec& spec, std::byte* texels, uint64_t address,
                     const char* name) {
  return device.memory.add_texture({spec, texels, name, address});
}

uint64_t bind_texture(Gpu& device, const TextureObject& object, CUresult& error) {
  const CUDA_RESOURCE_DESC& resource = object.resource;
  error = CUDA_SUCCESS;
  TextureSpec spec;
  std::byte* texels = nullptr;
  uint64_t address = 0;
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
      const bool levels = resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
      const void* handle =
          levels ? static_cast<const void*>(resource.res.mipmap.hMipmappedArray) : resource.res.array.hArray;
      const Array* array = device.arrays.find(handle);
      if (array == nullptr) {
        error = CUDA_ERROR_INVALID_VALUE;
        return 0;
      }
      spec = array->spec;
      texels = array->begin;
      break;
    }
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = resource.res.linear;
      spec.shape = TextureShape::linear;
      spec.type = dtype_of(linear.format, error);
      spec.channels = linear.numChannels;
      if (error != CUDA_SUCCESS || !is_channels(linear.numChannels) || linear.sizeInBytes == 0) break;
      spec.width = static_cast<uint32_t>(linear.sizeInBytes / spec.texel_bytes());
      texels = range_at(device, linear.devPtr, linear.sizeInBytes, "A texture");
      address = linear.devPtr;
      break;
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& rows = resource.res.pitch2D;
      spec.shape = TextureShape::two;
      spec.type = dtype_of(rows.format, error);
      spec.channels = rows.numChannels;
      spec.width = static_cast<uint32_t>(rows.width);
      spec.height = static_cast<uint32_t>(rows.height);
      spec.pitch = static_cast<uint32_t>(rows.pitchInBytes);
      if (error != CUDA_SUCCESS || !is_channels(rows.numChannels) || rows.width == 0 || rows.height == 0)
        break;
      texels = range_at(device, rows.devPtr, spec.bytes(), "A texture");
      address = rows.devPtr;
      break;
    }
    default:
      error = CUDA_ERROR_INVALID_VALUE;
      return 0;
  }
  if (error == CUDA_SUCCESS && texels == nullptr) error = CUDA_ERROR_INVALID_VALUE;
  if (error != CUDA_SUCCESS) return 0;
  spec.surface = object.surface;
  if (!object.surface) apply(spec, object.texture);
  return bind_texels(device, spec, texels, address, object.surface ? "a surface" : "a texture");
}

}  // namespace warplens::driver

namespace {

CUresult make_object(unsigned long long* made, TextureObject object) {
  if (made == nullptr) return invalid_value();
  return with_context(Waits::no, [&](Gpu& device, Context&) {
    CUresult error = CUDA_SUCCESS;
    const uint64_t handle = bind_texture(device, object, error);
    if (error != CUDA_SUCCESS) return error;
    device.textures.emplace(handle, object);
    *made = handle;
    return CUDA_SUCCESS;
  });
}

CUresult destroy_object(unsigned long long handle) {
  perform_all_deferred();
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    if (handle == 0) return CUDA_SUCCESS;
    if (device.textures.erase(handle) == 0) return CUDA_ERROR_INVALID_VALUE;
    device.memory.remove_texture(handle);
    return CUDA_SUCCESS;
  });
}

template <class T>
CUresult tell_object(T* to, unsigned long long handle, T TextureObject::*member) {
  if (to == nullptr) return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    const auto at = device.textures.find(handle);
    if (at == device.textures.end()) return CUDA_ERROR_INVALID_VALUE;
    *to = at->second.*member;
    return CUDA_SUCCESS;
  });
}

TextureReference* find_reference(Gpu& device, const void* handle) {
  if (const auto at = device.own_references.find(handle); at != device.own_references.end())
    return at->second.get();
  TextureReference* found = nullptr;
  device.modules.for_each([&](const Module& module) {
    for (const auto& reference : module.references) {
      if (reference.get() == handle) found = reference.get();
    }
  });
  return found;
}

template <class F>
CUresult with_reference(const void* handle, F f) {
  return with_context_of(Waits::no, newest_context, [&](Gpu& device, Context&) -> CUresult {
    TextureReference* reference = find_reference(device, handle);
    return reference == nullptr ? CUDA_ERROR_INVALID_HANDLE : f(device, *reference);
  });
}

// Writes the texture's handle into the module's variable, which is what a kernel reads.
CUresult rebind(Gpu& device, TextureReference& reference) {
  if (reference.handle != 0) device.memory.remove_texture(reference.handle);
  reference.handle = 0;
  TextureSpec spec = reference.spec;
  std::byte* texels = nullptr;
  if (reference.array != nullptr) {
    const Array* array = device.arrays.find(reference.array);
    if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    spec = array->spec;
    texels = array->begin;
  } else if (reference.address != 0) {
    if (spec.shape == TextureShape::linear)
      spec.width = static_cast<uint32_t>(reference.bytes / spec.texel_bytes());
    texels = range_at(device, reference.address, reference.bytes, "A texture");
  }
  if (texels == nullptr) return reference.address != 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  spec.address = reference.spec.address;
  spec.linear = reference.spec.linear;
  spec.surface = reference.spec.surface;
  if (!spec.surface) apply_flags(spec, reference.flags);
  reference.handle = bind_texels(device, spec, texels, reference.address, "a texture");
  warplens::exec::Allocation* variable = device.memory.find(reference.variable);
  if (variable != nullptr) std::memcpy(variable->at(reference.variable), &reference.handle, 8);
  return CUDA_SUCCESS;
}

CUresult make_reference(TextureReference*& made, CUmodule handle, const char* name, bool surface) {
  return with_context(Waits::no, [&](Gpu& device, Context&) -> CUresult {
    Module* module = device.modules.find(handle);
    if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (name == nullptr || *name == 0) return CUDA_ERROR_INVALID_VALUE;
    const Module::Variable* variable = variable_of(*module, name);
    if (variable == nullptr || variable->bytes != 8) return CUDA_ERROR_NOT_FOUND;
    for (const auto& reference : module->references) {
      if (reference->variable == variable->address) {
        made = reference.get();
        return CUDA_SUCCESS;
      }
    }
    auto reference = std::make_unique<TextureReference>();
    reference->module = module;
    reference->variable = variable->address;
    reference->spec.surface = surface;
    made = reference.get();
    module->references.push_back(std::move(reference));
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult cuTexObjectCreate(CUtexObject* made, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  if (resource == nullptr || texture == nullptr || resource->flags != 0) return invalid_argument();
  TextureObject object;
  object.resource = *resource;
  object.texture = *texture;
  if (view != nullptr) object.view = *view;
  return make_object(made, object);
}
CUresult cuTexObjectDestroy(CUtexObject handle) { return destroy_object(handle); }
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* to, CUtexObject handle) {
  return tell_object(to, handle, &TextureObject::resource);
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* to, CUtexObject handle) {
  return tell_object(to, handle, &TextureObject::texture);
}
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* to, CUtexObject handle) {
  return tell_object(to, handle, &TextureObject::view);
}

CUresult cuSurfObjectCreate(CUsurfObject* made, const CUDA_RESOURCE_DESC* resource) {
  if (resource == nullptr || resource->resType != CU_RESOURCE_TYPE_ARRAY) return invalid_argument();
  TextureObject object;
  object.surface = true;
  object.resource = *resource;
  return make_object(made, object);
}
CUresult cuSurfObjectDestroy(CUsurfObject handle) { return destroy_object(handle); }
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* to, CUsurfObject handle) {
  return tell_object(to, handle, &TextureObject::resource);
}

CUresult cuModuleGetTexRef(CUtexref* made, CUmodule handle, const char* name) {
  if (handle == nullptr) return invalid_handle();
  if (made == nullptr) return invalid_value();
  TextureReference* reference = nullptr;
  const CUresult error = make_reference(reference, handle, name, false);
  *made = reinterpret_cast<CUtexref>(reference);
  return error;
}
CUresult cuModuleGetSurfRef(CUsurfref* made, CUmodule handle, const char* name) {
  if (handle == nullptr) return invalid_handle();
  if (made == nullptr) return invalid_value();
  TextureReference* reference = nullptr;
  const CUresult error = make_reference(reference, handle, name, true);
  *made = reinterpret_cast<CUsurfref>(reference);
  return error;
}
CUresult cuTexRefCreate(CUtexref* made) {
  if (made == nullptr) return invalid_argument();
  return with_context(Waits::no, [&](Gpu& device, Context&) {
    auto reference = std::make_unique<TextureReference>();
    *made = reinterpret_cast<CUtexref>(reference.get());
    device.own_references.emplace(reference.get(), std::move(reference));
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefDestroy(CUtexref handle) {
  if (handle == nullptr) return invalid_handle();
  return with_context_of(Waits::no, newest_context, [&](Gpu& device, Context&) {
    return device.own_references.erase(handle) == 0 ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  });
}
CUresult cuTexRefSetArray(CUtexref handle, CUarray array, unsigned) {
  if (handle == nullptr) return invalid_handle();
  return with_reference(handle, [&](Gpu& device, TextureReference& reference) {
    reference.array = array;
    reference.address = 0;
    return rebind(device, reference);
  });
}
CUresult cuSurfRefSetArray(CUsurfref handle, CUarray array, unsigned) {
  if (handle == nullptr) return invalid_handle();
  return cuTexRefSetArray(reinterpret_cast<CUtexref>(handle), array, 0);
}
CUresult cuTexRefSetAddress_v2(size_t* offset, CUtexref handle, CUdeviceptr address, size_t bytes) {
  if (handle == nullptr) return invalid_handle();
  return with_reference(handle, [&](Gpu& device, TextureReference& reference) {
    if (offset != nullptr) *offset = 0;
    reference.array = nullptr;
    reference.address = address;
    reference.bytes = bytes;
    reference.spec.shape = TextureShape::linear;
    return rebind(device, reference);
  });
}
CUresult cuTexRefSetAddress2D_v3(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR* d, CUdeviceptr address,
                                 size_t pitch) {
  if (handle == nullptr) return invalid_handle();
  if (d == nullptr) return invalid_value();
  return with_reference(handle, [&](Gpu& device, TextureReference& reference) {
    CUresult error = CUDA_SUCCESS;
    reference.array = nullptr;
    reference.address = address;
    reference.spec.shape = TextureShape::two;
    reference.spec.type = dtype_of(d->Format, error);
    reference.spec.channels = d->NumChannels;
    reference.spec.width = static_cast<uint32_t>(d->Width);
    reference.spec.height = static_cast<uint32_t>(d->Height);
    reference.spec.pitch = static_cast<uint32_t>(pitch);
    reference.bytes = reference.spec.bytes();
    return error != CUDA_SUCCESS ? error : rebind(device, reference);
  });
}
CUresult cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels) {
  if (handle == nullptr) return invalid_handle();
  return with_reference(handle, [&](Gpu& device, TextureReference& reference) -> CUresult {
    CUresult error = CUDA_SUCCESS;
    if (channels != 1 && channels != 2 && channels != 4) return CUDA_ERROR_INVALID_VALUE;
    reference.spec.type = dtype_of(format, error);
    reference.spec.channels = static_cast<uint32_t>(channels);
    return error != CUDA_SUCCESS ? error : rebind(device, reference);
  });
}
CUresult cuTexRefSetAddressMode(CUtexref handle, int dimension, CUaddress_mode mode) {
  if (handle == nullptr) return invalid_handle();
  if (dimension < 0 || dimension > 2) return invalid_value();
  return with_reference(handle, [&](Gpu& device, TextureReference& reference) {
    reference.spec.address[static_cast<size_t>(dimension)] = address_of(mode);
    return rebind(device, reference);
  });
}
CUresult cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode) {
  if (handle == nullptr) return invalid_handle();
  return with_reference(handle, [&](Gpu& device, TextureReference& reference) {
    reference.spec.linear = mode == CU_TR_FILTER_MODE_LINEAR;
    return rebind(device, reference);
  });
}
CUresult cuTexRefSetFlags(CUtexref handle, unsigned flags) {
  if (handle == nullptr) return invalid_handle();
  return with_reference(handle, [&](Gpu& device, TextureReference& reference) {
    reference.flags = flags;
    return rebind(device, reference);
  });
}
CUresult cuTexRefGetFlags(unsigned* flags, CUtexref handle) {
  if (handle == nullptr) return invalid_handle();
  if (flags == nullptr) return invalid_value();
  return with_reference(handle, [&](Gpu&, TextureReference& reference) {
    *flags = reference.flags;
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetArray(CUarray* array, CUtexref handle) {
  if (handle == nullptr) return invalid_handle();
  if (array == nullptr) return invalid_value();
  return with_reference(handle, [&](Gpu&, TextureReference& reference) -> CUresult {
    if (reference.array == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *array = reference.array;
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetAddress_v2(CUdeviceptr* address, CUtexref handle) {
  if (handle == nullptr) return invalid_handle();
  if (address == nullptr) return invalid_value();
  return with_reference(handle, [&](Gpu&, TextureReference& reference) -> CUresult {
    if (reference.address == 0) return CUDA_ERROR_INVALID_VALUE;
    *address = reference.address;
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetFilterMode(CUfilter_mode* mode, CUtexref handle) {
  if (handle == nullptr) return invalid_handle();
  if (mode == nullptr) return invalid_value();
  return with_reference(handle, [&](Gpu&, TextureReference& reference) {
    *mode = reference.spec.linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
    return CUDA_SUCCESS;
  });
}
CUresult cuTexRefGetAddressMode(CUaddress_mode* mode, CUtexref handle, int dimension) {
  if (handle == nullptr) return invalid_handle();
  if (mode == nullptr || dimension < 0 || dimension > 2) return invalid_value();
  return with_reference(handle, [&](Gpu&, TextureReference& reference) {
    const TextureAddress address = reference.spec.address[static_cast<size_t>(dimension)];
    *mode = address == TextureAddress::wrap     ? CU_TR_ADDRESS_MODE_WRAP
            : address == TextureAddress::mirror ? CU_TR_ADDRESS_MODE_MIRROR
            : address == TextureAddress::border ? CU_TR_ADDRESS_MODE_BORDER
                                                : CU_TR_ADDRESS_MODE_CLAMP;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
