// Arrays of texels, and how one is represented in exec::Memory.
#pragma once

#include "cuda/stand_in/driver/state/gpu.h"

namespace warplens::driver {

// The shape of an array for the virtual GPU; `error` if it supports none.
TextureSpec spec_of(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, uint32_t levels, CUresult& error);
DType dtype_of(CUarray_format format, CUresult& error);
// Makes a texture over existing memory. 0 if that is not possible; `error` says why.
uint64_t bind_texture(Gpu& device, const TextureObject& object, CUresult& error);
uint64_t bind_texels(Gpu& device, const TextureSpec& spec, std::byte* texels, uint64_t address,
                     const char* name);
void apply(TextureSpec& spec, const CUDA_TEXTURE_DESC& texture);

}  // namespace warplens::driver
