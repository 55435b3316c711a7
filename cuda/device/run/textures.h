// Texture and surface objects over buffers on a device.
#pragma once

#include "core/base/texture.h"
#include "cuda/device/driver/context.h"

namespace warplens::cuda {

// An object, and the array with a copy of the buffer from which it reads.
struct Texture {
  Owned<CUtexObject> texture;
  Owned<CUsurfObject> surface;
  Owned<CUarray> array;            // null if it reads the buffer itself, or a mipmap
  Owned<CUmipmappedArray> mipmap;  // if there are several levels
  TextureSpec spec;
  CUdeviceptr buffer = 0;

  CUtexObject handle() const { return spec.surface ? surface.get() : texture.get(); }
};

// Arrays have a layout of the hardware's own, so the buffer is copied into one on the stream. Messages begin
// with `what`.
Result<Texture> make_texture(const Context& context, const TextureSpec& spec, CUdeviceptr buffer,
                             CUstream stream, const std::string& what);
// Call it after the launch: it copies what the launch stored to a surface back into the buffer.
Result<void> copy_back(const Context& context, const Texture& texture, CUstream stream);

}  // namespace warplens::cuda
