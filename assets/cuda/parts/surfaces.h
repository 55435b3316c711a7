// Surface objects: CUDA C++ Programming Guide, "Surface Functions". x is in bytes. PTX ISA, "suld" and
// "sust".
#pragma once

// By the bytes of an element: the type of its bits, and their move between a register and the surface.
template <size_t bytes>
struct warplens_element;
#define WARPLENS_SURFACE_MODE(MODE, KIND, REGISTER)                                             \
  WARPLENS_DEVICE void read_##MODE(bits* v, cudaSurfaceObject_t surface, int x) {               \
    asm volatile("suld.b.1d." KIND "." #MODE " %0, [%1, {%2}];"                                 \
                 : "=" REGISTER(*v)                                                             \
                 : "l"(surface), "r"(x)                                                         \
                 : "memory");                                                                   \
  }                                                                                             \
  WARPLENS_DEVICE void read_##MODE(bits* v, cudaSurfaceObject_t surface, int x, int y) {        \
    asm volatile("suld.b.2d." KIND "." #MODE " %0, [%1, {%2, %3}];"                             \
                 : "=" REGISTER(*v)                                                             \
                 : "l"(surface), "r"(x), "r"(y)                                                 \
                 : "memory");                                                                   \
  }                                                                                             \
  WARPLENS_DEVICE void read_##MODE(bits* v, cudaSurfaceObject_t surface, int x, int y, int z) { \
    asm volatile("suld.b.3d." KIND "." #MODE " %0, [%1, {%2, %3, %4, %4}];"                     \
                 : "=" REGISTER(*v)                                                             \
                 : "l"(surface), "r"(x), "r"(y), "r"(z)                                         \
                 : "memory");                                                                   \
  }                                                                                             \
  WARPLENS_DEVICE void write_##MODE(bits v, cudaSurfaceObject_t surface, int x) {               \
    asm volatile("sust.b.1d." KIND "." #MODE " [%0, {%1}], %2;"                                 \
                 :                                                                              \
                 : "l"(surface), "r"(x), REGISTER(v)                                            \
                 : "memory");                                                                   \
  }                                                                                             \
  WARPLENS_DEVICE void write_##MODE(bits v, cudaSurfaceObject_t surface, int x, int y) {        \
    asm volatile("sust.b.2d." KIND "." #MODE " [%0, {%1, %2}], %3;"                             \
                 :                                                                              \
                 : "l"(surface), "r"(x), "r"(y), REGISTER(v)                                    \
                 : "memory");                                                                   \
  }                                                                                             \
  WARPLENS_DEVICE void write_##MODE(bits v, cudaSurfaceObject_t surface, int x, int y, int z) { \
    asm volatile("sust.b.3d." KIND "." #MODE " [%0, {%1, %2, %3, %3}], %4;"                     \
                 :                                                                              \
                 : "l"(surface), "r"(x), "r"(y), "r"(z), REGISTER(v)                            \
                 : "memory");                                                                   \
  }
#define WARPLENS_ELEMENT(BYTES, BITS, REGISTER_TYPE, KIND, REGISTER) \
  template <>                                                        \
  struct warplens_element<BYTES> {                                   \
    typedef BITS plain;                                              \
    typedef REGISTER_TYPE bits;                                      \
    WARPLENS_SURFACE_MODE(zero, KIND, REGISTER)                      \
    WARPLENS_SURFACE_MODE(clamp, KIND, REGISTER)                     \
    WARPLENS_SURFACE_MODE(trap, KIND, REGISTER)                      \
  };
WARPLENS_ELEMENT(1, unsigned char, unsigned short, "b8", "h")
WARPLENS_ELEMENT(2, unsigned short, unsigned short, "b16", "h")
WARPLENS_ELEMENT(4, unsigned int, unsigned int, "b32", "r")
WARPLENS_ELEMENT(8, unsigned long long, unsigned long long, "b64", "l")
#undef WARPLENS_ELEMENT
#undef WARPLENS_SURFACE_MODE

// An element of 16 bytes is two of 8, side by side.
template <class T, class... Place>
WARPLENS_DEVICE void warplens_read(T* value, cudaSurfaceBoundaryMode mode, cudaSurfaceObject_t surface, int x,
                                   Place... place) {
  if constexpr (sizeof(T) == 16) {
    ulonglong2 both;
    warplens_read(&both.x, mode, surface, x, place...);
    warplens_read(&both.y, mode, surface, x + 8, place...);
    *value = __builtin_bit_cast(T, both);
  } else {
    typedef warplens_element<sizeof(T)> element;
    typename element::bits v;
    if (mode == cudaBoundaryModeZero)
      element::read_zero(&v, surface, x, place...);
    else if (mode == cudaBoundaryModeClamp)
      element::read_clamp(&v, surface, x, place...);
    else
      element::read_trap(&v, surface, x, place...);
    *value = __builtin_bit_cast(T, typename element::plain(v));
  }
}
template <class T, class... Place>
WARPLENS_DEVICE void warplens_write(T value, cudaSurfaceBoundaryMode mode, cudaSurfaceObject_t surface, int x,
                                    Place... place) {
  if constexpr (sizeof(T) == 16) {
    const ulonglong2 both = __builtin_bit_cast(ulonglong2, value);
    warplens_write(both.x, mode, surface, x, place...);
    warplens_write(both.y, mode, surface, x + 8, place...);
  } else {
    typedef warplens_element<sizeof(T)> element;
    const typename element::bits v = __builtin_bit_cast(typename element::plain, value);
    if (mode == cudaBoundaryModeZero)
      element::write_zero(v, surface, x, place...);
    else if (mode == cudaBoundaryModeClamp)
      element::write_clamp(v, surface, x, place...);
    else
      element::write_trap(v, surface, x, place...);
  }
}
#define WARPLENS_SURFACE(SHAPE, PLACE, ...)                                                      \
  template <class T>                                                                             \
  WARPLENS_DEVICE T surf##SHAPE##read(cudaSurfaceObject_t surface, __VA_ARGS__,                  \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    T value;                                                                                     \
    warplens_read(&value, mode, surface, PLACE);                                                 \
    return value;                                                                                \
  }                                                                                              \
  template <class T>                                                                             \
  WARPLENS_DEVICE void surf##SHAPE##read(T* value, cudaSurfaceObject_t surface, __VA_ARGS__,     \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    warplens_read(value, mode, surface, PLACE);                                                  \
  }                                                                                              \
  template <class T>                                                                             \
  WARPLENS_DEVICE void surf##SHAPE##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,     \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    warplens_write(value, mode, surface, PLACE);                                                 \
  }
#define WARPLENS_COMMA ,
WARPLENS_SURFACE(1D, x, int x)
WARPLENS_SURFACE(2D, x WARPLENS_COMMA y, int x, int y)
WARPLENS_SURFACE(3D, x WARPLENS_COMMA y WARPLENS_COMMA z, int x, int y, int z)
#undef WARPLENS_COMMA
#undef WARPLENS_SURFACE
