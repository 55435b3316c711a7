// Texture objects: CUDA C++ Programming Guide, "Texture Functions". PTX ISA, "tex".
#pragma once

#include "../runtime/enumerations.h"
#include "../runtime/error_codes.h"
#include "../runtime/handles.h"

// The four channels of a texel; the requested type takes the first ones. Channels of 8 and 16 bits are
// returned as 32 bits each.
template <class T>
struct warplens_channels;
#define WARPLENS_CHANNELS(TYPE, WIDE, ...)                  \
  template <>                                               \
  struct warplens_channels<TYPE> {                          \
    typedef WIDE wide;                                      \
    WARPLENS_DEVICE TYPE of(WIDE v) { return __VA_ARGS__; } \
  };
#define WARPLENS_CHANNELS_OF(NAME, ONE, WIDE)                \
  WARPLENS_CHANNELS(ONE, WIDE, (ONE)(v.x))                   \
  WARPLENS_CHANNELS(NAME##1, WIDE, {(ONE)(v.x)})             \
  WARPLENS_CHANNELS(NAME##2, WIDE, {(ONE)(v.x), (ONE)(v.y)}) \
  WARPLENS_CHANNELS(NAME##4, WIDE, {(ONE)(v.x), (ONE)(v.y), (ONE)(v.z), (ONE)(v.w)})
WARPLENS_CHANNELS(char, int4, char(v.x))
WARPLENS_CHANNELS_OF(char, signed char, int4)
WARPLENS_CHANNELS_OF(uchar, unsigned char, uint4)
WARPLENS_CHANNELS_OF(short, short, int4)
WARPLENS_CHANNELS_OF(ushort, unsigned short, uint4)
WARPLENS_CHANNELS_OF(int, int, int4)
WARPLENS_CHANNELS_OF(uint, unsigned int, uint4)
WARPLENS_CHANNELS_OF(float, float, float4)
#undef WARPLENS_CHANNELS_OF
#undef WARPLENS_CHANNELS

#define WARPLENS_TEXEL(NAME, WIDE, REGISTER, PARAMETERS, PTX, PLACE, ...)                         \
  WARPLENS_DEVICE void NAME(WIDE* v, cudaTextureObject_t texture WARPLENS_AND PARAMETERS) {       \
    asm volatile(PTX " {%0, %1, %2, %3}, [%4, " PLACE ";"                                         \
                 : "=" REGISTER(v->x), "=" REGISTER(v->y), "=" REGISTER(v->z), "=" REGISTER(v->w) \
                 : "l"(texture), __VA_ARGS__);                                                    \
  }
#define WARPLENS_AND(...) , __VA_ARGS__
#define WARPLENS_TEXELS(NAME, PARAMETERS, SHAPE, COORDINATE, PLACE, ...)                        \
  WARPLENS_TEXEL(NAME, int4, "r", PARAMETERS, SHAPE ".v4.s32." COORDINATE, PLACE, __VA_ARGS__)  \
  WARPLENS_TEXEL(NAME, uint4, "r", PARAMETERS, SHAPE ".v4.u32." COORDINATE, PLACE, __VA_ARGS__) \
  WARPLENS_TEXEL(NAME, float4, "f", PARAMETERS, SHAPE ".v4.f32." COORDINATE, PLACE, __VA_ARGS__)
WARPLENS_TEXELS(warplens_tex1Dfetch, (int x), "tex.1d", "s32", "{%5}]", "r"(x))
WARPLENS_TEXELS(warplens_tex1D, (float x), "tex.1d", "f32", "{%5}]", "f"(x))
WARPLENS_TEXELS(warplens_tex2D, (float x, float y), "tex.2d", "f32", "{%5, %6}]", "f"(x), "f"(y))
WARPLENS_TEXELS(warplens_tex3D, (float x, float y, float z), "tex.3d", "f32", "{%5, %6, %7, %7}]", "f"(x),
                "f"(y), "f"(z))
WARPLENS_TEXELS(warplens_tex1DLayered, (float x, int layer), "tex.a1d", "f32", "{%6, %5}]", "f"(x),
                "r"(layer))
WARPLENS_TEXELS(warplens_tex2DLayered, (float x, float y, int layer), "tex.a2d", "f32", "{%7, %5, %6, %6}]",
                "f"(x), "f"(y), "r"(layer))
WARPLENS_TEXELS(warplens_tex1DLod, (float x, float level), "tex.level.1d", "f32", "{%5}], %6", "f"(x),
                "f"(level))
WARPLENS_TEXELS(warplens_tex2DLod, (float x, float y, float level), "tex.level.2d", "f32", "{%5, %6}], %7",
                "f"(x), "f"(y), "f"(level))
WARPLENS_TEXELS(warplens_tex3DLod, (float x, float y, float z, float level), "tex.level.3d", "f32",
                "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
WARPLENS_TEXELS(warplens_texCubemap, (float x, float y, float z), "tex.cube", "f32", "{%5, %6, %7, %7}]",
                "f"(x), "f"(y), "f"(z))
WARPLENS_TEXELS(warplens_texCubemapLod, (float x, float y, float z, float level), "tex.level.cube", "f32",
                "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
WARPLENS_TEXELS(warplens_gather_r, (float x, float y), "tld4.r.2d", "f32", "{%5, %6}]", "f"(x), "f"(y))
WARPLENS_TEXELS(warplens_gather_g, (float x, float y), "tld4.g.2d", "f32", "{%5, %6}]", "f"(x), "f"(y))
WARPLENS_TEXELS(warplens_gather_b, (float x, float y), "tld4.b.2d", "f32", "{%5, %6}]", "f"(x), "f"(y))
WARPLENS_TEXELS(warplens_gather_a, (float x, float y), "tld4.a.2d", "f32", "{%5, %6}]", "f"(x), "f"(y))
// The channel is a part of the instruction.
template <class Wide>
WARPLENS_DEVICE void warplens_tex2Dgather(Wide* v, cudaTextureObject_t texture, float x, float y,
                                          int channel) {
  if (channel == 0)
    warplens_gather_r(v, texture, x, y);
  else if (channel == 1)
    warplens_gather_g(v, texture, x, y);
  else if (channel == 2)
    warplens_gather_b(v, texture, x, y);
  else
    warplens_gather_a(v, texture, x, y);
}
#undef WARPLENS_TEXELS
#undef WARPLENS_TEXEL
#undef WARPLENS_AND

// Each returns its value, or writes it to where its first argument points.
#define WARPLENS_TEXTURE(NAME, ARGUMENTS, ...)                                    \
  template <class T>                                                              \
  WARPLENS_DEVICE T NAME(cudaTextureObject_t texture, __VA_ARGS__) {              \
    typename warplens_channels<T>::wide v;                                        \
    warplens_##NAME ARGUMENTS;                                                    \
    return warplens_channels<T>::of(v);                                           \
  }                                                                               \
  template <class T>                                                              \
  WARPLENS_DEVICE void NAME(T* value, cudaTextureObject_t texture, __VA_ARGS__) { \
    typename warplens_channels<T>::wide v;                                        \
    warplens_##NAME ARGUMENTS;                                                    \
    *value = warplens_channels<T>::of(v);                                         \
  }
WARPLENS_TEXTURE(tex1Dfetch, (&v, texture, x), int x)
WARPLENS_TEXTURE(tex1D, (&v, texture, x), float x)
WARPLENS_TEXTURE(tex2D, (&v, texture, x, y), float x, float y)
WARPLENS_TEXTURE(tex3D, (&v, texture, x, y, z), float x, float y, float z)
WARPLENS_TEXTURE(tex1DLayered, (&v, texture, x, layer), float x, int layer)
WARPLENS_TEXTURE(tex2DLayered, (&v, texture, x, y, layer), float x, float y, int layer)
WARPLENS_TEXTURE(tex1DLod, (&v, texture, x, level), float x, float level)
WARPLENS_TEXTURE(tex2DLod, (&v, texture, x, y, level), float x, float y, float level)
WARPLENS_TEXTURE(tex3DLod, (&v, texture, x, y, z, level), float x, float y, float z, float level)
WARPLENS_TEXTURE(texCubemap, (&v, texture, x, y, z), float x, float y, float z)
WARPLENS_TEXTURE(texCubemapLod, (&v, texture, x, y, z, level), float x, float y, float z, float level)
WARPLENS_TEXTURE(tex2Dgather, (&v, texture, x, y, channel), float x, float y, int channel = 0)
#undef WARPLENS_TEXTURE
