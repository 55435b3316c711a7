// The vector types, their alignments and make_NAME: CUDA C++ Programming Guide, "Built-in Vector Types".
#pragma once

#ifdef __cplusplus
#define WARPLENS_MAKE(NAME, TYPE)                                                    \
  WARPLENS_BOTH NAME##1 make_##NAME##1(TYPE x) { return {x}; }                       \
  WARPLENS_BOTH NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }            \
  WARPLENS_BOTH NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; } \
  WARPLENS_BOTH NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { return {x, y, z, w}; }
#else
#define WARPLENS_MAKE(NAME, TYPE)
#endif
#define WARPLENS_VECTOR_TYPE(NAME, TYPE, ALIGN2, ALIGN4)    \
  typedef struct NAME##1 {                                  \
    TYPE x;                                                 \
  }                                                         \
  NAME##1;                                                  \
  typedef struct __attribute__((aligned(ALIGN2))) NAME##2 { \
    TYPE x, y;                                              \
  }                                                         \
  NAME##2;                                                  \
  typedef struct NAME##3 {                                  \
    TYPE x, y, z;                                           \
  }                                                         \
  NAME##3;                                                  \
  typedef struct __attribute__((aligned(ALIGN4))) NAME##4 { \
    TYPE x, y, z, w;                                        \
  }                                                         \
  NAME##4;                                                  \
  WARPLENS_MAKE(NAME, TYPE)

WARPLENS_VECTOR_TYPE(char, signed char, 2, 4)
WARPLENS_VECTOR_TYPE(uchar, unsigned char, 2, 4)
WARPLENS_VECTOR_TYPE(short, short, 4, 8)
WARPLENS_VECTOR_TYPE(ushort, unsigned short, 4, 8)
WARPLENS_VECTOR_TYPE(int, int, 8, 16)
WARPLENS_VECTOR_TYPE(uint, unsigned int, 8, 16)
WARPLENS_VECTOR_TYPE(long, long, 16, 16)
WARPLENS_VECTOR_TYPE(ulong, unsigned long, 16, 16)
WARPLENS_VECTOR_TYPE(longlong, long long, 16, 16)
WARPLENS_VECTOR_TYPE(ulonglong, unsigned long long, 16, 16)
WARPLENS_VECTOR_TYPE(float, float, 8, 16)
WARPLENS_VECTOR_TYPE(double, double, 16, 16)
#undef WARPLENS_VECTOR_TYPE
#undef WARPLENS_MAKE

typedef struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
#endif
} dim3;
