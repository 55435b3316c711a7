// Texture and surface objects over buffers on a device.
#pragma once

#include "core/base/texture.h"
#include "cuda/driver/context.h"

namespace warplens::cuda {

// An object, and the array behind it that holds a copy of the buffer.
struct Texture {
  Owned<CUtexObject> texture;
  Owned<CUsurfObject> surface;
  Owned<CUarray> array;            // null: it reads the buffer itself, or a mipmap
  Owned<CUmipmappedArray> mipmap;  // of more levels than one
  TextureSpec spec;
  CUdeviceptr buffer = 0;

  CUtexObject handle() const { return spec.surface ? surface.get() : texture.get(); }
};

// Arrays are laid out as the hardware likes, so the buffer is copied into one on the stream. `what` begins
// messages.
Result<Texture> make_texture(const Context& context, const TextureSpec& spec, CUdeviceptr buffer,
                             CUstream stream, const std::string& what);
// After the launch: what it stored to a surface, back into the buffer.
Result<void> copy_back(const Context& context, const Texture& texture, CUstream stream);

}  // namespace warplens::cuda
