// Matrices of a warp: CUDA C++ Programming Guide, "Warp Matrix Functions". PTX ISA, "wmma" (sm_70 and later;
// 8-bit integers from sm_72 on, __nv_bfloat16 from sm_80 on). PTX defines which elements of a fragment each
// lane has.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

// M by N by K: A has M rows, B has N columns, and K is what they share.
template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment;

// A lane's part of the matrix, as elements and as the registers of an instruction.
template <class T, int Count, class Register, int Registers>
struct alignas(sizeof(Register)) warplens_lane {
  enum { num_elements = Count, num_storage_elements = Count };
  typedef T element_type;
  typedef T storage_element_type;
  union {
    T x[Count];
    Register r[Registers];
  };
  warplens_lane() = default;
};

template <class Fragment, class T>
WARPLENS_DEVICE void fill_fragment(Fragment& to, const T& value) {
  for (int i = 0; i < Fragment::num_elements; ++i) to.x[i] = value;
}

#if WARPLENS_ARCH >= 700
// The registers of a fragment as operands of an instruction: "=r" writes them, "r" and "f" read them.
#define WARPLENS_LANE_1(KIND, X) KIND((X).r[0])
#define WARPLENS_LANE_2(KIND, X) WARPLENS_LANE_1(KIND, X), KIND((X).r[1])
#define WARPLENS_LANE_4(KIND, X) WARPLENS_LANE_2(KIND, X), KIND((X).r[2]), KIND((X).r[3])
#define WARPLENS_LANE_8(KIND, X) \
  WARPLENS_LANE_4(KIND, X), KIND((X).r[4]), KIND((X).r[5]), KIND((X).r[6]), KIND((X).r[7])

#define WARPLENS_LOAD_1r(TEXT, TO, FROM, PITCH)     \
  asm volatile("wmma.load." TEXT " {%0}, [%1], %2;" \
               : WARPLENS_LANE_1("=r", TO)          \
               : "l"(FROM), "r"(PITCH)              \
               : "memory")
#define WARPLENS_LOAD_2r(TEXT, TO, FROM, PITCH)         \
  asm volatile("wmma.load." TEXT " {%0, %1}, [%2], %3;" \
               : WARPLENS_LANE_2("=r", TO)              \
               : "l"(FROM), "r"(PITCH)                  \
               : "memory")
#define WARPLENS_LOAD_4r(TEXT, TO, FROM, PITCH)                 \
  asm volatile("wmma.load." TEXT " {%0, %1, %2, %3}, [%4], %5;" \
               : WARPLENS_LANE_4("=r", TO)                      \
               : "l"(FROM), "r"(PITCH)                          \
               : "memory")
#define WARPLENS_LOAD_8r(TEXT, TO, FROM, PITCH)                                 \
  asm volatile("wmma.load." TEXT " {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" \
               : WARPLENS_LANE_8("=r", TO)                                      \
               : "l"(FROM), "r"(PITCH)                                          \
               : "memory")
#define WARPLENS_LOAD_8f(TEXT, TO, FROM, PITCH)                                 \
  asm volatile("wmma.load." TEXT " {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;" \
               : WARPLENS_LANE_8("=f", TO)                                      \
               : "l"(FROM), "r"(PITCH)                                          \
               : "memory")
#define WARPLENS_STORE_4r(TEXT, TO, FROM, PITCH)                                \
  asm volatile("wmma.store.d.sync.aligned." TEXT " [%4], {%0, %1, %2, %3}, %5;" \
               :                                                                \
               : WARPLENS_LANE_4("r", FROM), "l"(TO), "r"(PITCH)                \
               : "memory")
#define WARPLENS_STORE_8r(TEXT, TO, FROM, PITCH)                                                \
  asm volatile("wmma.store.d.sync.aligned." TEXT " [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;" \
               :                                                                                \
               : WARPLENS_LANE_8("r", FROM), "l"(TO), "r"(PITCH)                                \
               : "memory")
#define WARPLENS_STORE_8f(TEXT, TO, FROM, PITCH)                                                \
  asm volatile("wmma.store.d.sync.aligned." TEXT " [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;" \
               :                                                                                \
               : WARPLENS_LANE_8("f", FROM), "l"(TO), "r"(PITCH)                                \
               : "memory")
#define WARPLENS_MMA_8_8_8f(TEXT, D, A, B, C)                                                                \
  asm volatile("wmma.mma.sync.aligned." TEXT                                                                 \
               " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, " \
               "%19, %20, %21, %22, %23}, {%24, %25, %26, %27, %28, %29, %30, %31};"                         \
               : WARPLENS_LANE_8("=f", D)                                                                    \
               : WARPLENS_LANE_8("r", A), WARPLENS_LANE_8("r", B), WARPLENS_LANE_8("f", C))
#define WARPLENS_MMA_8_8_4r(TEXT, D, A, B, C)                                                                \
  asm volatile("wmma.mma.sync.aligned." TEXT                                                                 \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15, %16, %17, %18, " \
               "%19}, {%20, %21, %22, %23};"                                                                 \
               : WARPLENS_LANE_4("=r", D)                                                                    \
               : WARPLENS_LANE_8("r", A), WARPLENS_LANE_8("r", B), WARPLENS_LANE_4("r", C))
#define WARPLENS_MMA_2_2_8r(TEXT, D, A, B, C)                                                              \
  asm volatile(                                                                                            \
      "wmma.mma.sync.aligned." TEXT                                                                        \
      " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, {%12, %13, %14, %15, %16, %17, %18, %19};" \
      : WARPLENS_LANE_8("=r", D)                                                                           \
      : WARPLENS_LANE_2("r", A), WARPLENS_LANE_2("r", B), WARPLENS_LANE_8("r", C))
#define WARPLENS_MMA_4_1_8r(TEXT, D, A, B, C)                                                             \
  asm volatile("wmma.mma.sync.aligned." TEXT                                                              \
               " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12}, {%13, %14, %15, %16, %17, " \
               "%18, %19, %20};"                                                                          \
               : WARPLENS_LANE_8("=r", D)                                                                 \
               : WARPLENS_LANE_4("r", A), WARPLENS_LANE_1("r", B), WARPLENS_LANE_8("r", C))
#define WARPLENS_MMA_1_4_8r(TEXT, D, A, B, C)                                                             \
  asm volatile("wmma.mma.sync.aligned." TEXT                                                              \
               " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8}, {%9, %10, %11, %12}, {%13, %14, %15, %16, %17, " \
               "%18, %19, %20};"                                                                          \
               : WARPLENS_LANE_8("=r", D)                                                                 \
               : WARPLENS_LANE_1("r", A), WARPLENS_LANE_4("r", B), WARPLENS_LANE_8("r", C))
#define WARPLENS_MMA_4_4_8f(TEXT, D, A, B, C)                                                             \
  asm volatile("wmma.mma.sync.aligned." TEXT                                                              \
               " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, {%16, %17, " \
               "%18, %19, %20, %21, %22, %23};"                                                           \
               : WARPLENS_LANE_8("=f", D)                                                                 \
               : WARPLENS_LANE_4("r", A), WARPLENS_LANE_4("r", B), WARPLENS_LANE_8("f", C))
#define WARPLENS_MMA_8_2_8f(TEXT, D, A, B, C)                                                            \
  asm volatile("wmma.mma.sync.aligned." TEXT                                                             \
               " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17}, " \
               "{%18, %19, %20, %21, %22, %23, %24, %25};"                                               \
               : WARPLENS_LANE_8("=f", D)                                                                \
               : WARPLENS_LANE_8("r", A), WARPLENS_LANE_2("r", B), WARPLENS_LANE_8("f", C))
#define WARPLENS_MMA_2_8_8f(TEXT, D, A, B, C)                                                            \
  asm volatile("wmma.mma.sync.aligned." TEXT                                                             \
               " {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13, %14, %15, %16, %17}, " \
               "{%18, %19, %20, %21, %22, %23, %24, %25};"                                               \
               : WARPLENS_LANE_8("=f", D)                                                                \
               : WARPLENS_LANE_2("r", A), WARPLENS_LANE_8("r", B), WARPLENS_LANE_8("f", C))

#define WARPLENS_FRAGMENT(USE, M, N, K, T, LAYOUT, COUNT, REGISTER, REGISTERS) \
  template <>                                                                  \
  class fragment<USE, M, N, K, T, LAYOUT> : public warplens_lane<T, COUNT, REGISTER, REGISTERS> {};
#define WARPLENS_FACTOR_IN(USE, LETTER, M, N, K, SHAPE, T, PTX, LAYOUT, WORD, COUNT, REGISTERS)    \
  WARPLENS_FRAGMENT(USE, M, N, K, T, LAYOUT, COUNT, unsigned int, REGISTERS)                       \
  WARPLENS_DEVICE void load_matrix_sync(fragment<USE, M, N, K, T, LAYOUT>& to, const T* from,      \
                                        unsigned int pitch) {                                      \
    WARPLENS_LOAD_##REGISTERS##r(LETTER ".sync.aligned." WORD "." SHAPE "." PTX, to, from, pitch); \
  }
#define WARPLENS_FACTOR(USE, LETTER, M, N, K, SHAPE, T, PTX, COUNT, REGISTERS)                \
  WARPLENS_FACTOR_IN(USE, LETTER, M, N, K, SHAPE, T, PTX, row_major, "row", COUNT, REGISTERS) \
  WARPLENS_FACTOR_IN(USE, LETTER, M, N, K, SHAPE, T, PTX, col_major, "col", COUNT, REGISTERS)
#define WARPLENS_SUM(M, N, K, SHAPE, T, PTX, REGISTER, KIND)                                   \
  WARPLENS_FRAGMENT(accumulator, M, N, K, T, void, 8, REGISTER, (int(8 * sizeof(T) / 4)))      \
  WARPLENS_DEVICE void load_matrix_sync(fragment<accumulator, M, N, K, T>& to, const T* from,  \
                                        unsigned int pitch, layout_t layout) {                 \
    if (layout == mem_row_major)                                                               \
      WARPLENS_LOAD_##KIND("c.sync.aligned.row." SHAPE "." PTX, to, from, pitch);              \
    else                                                                                       \
      WARPLENS_LOAD_##KIND("c.sync.aligned.col." SHAPE "." PTX, to, from, pitch);              \
  }                                                                                            \
  WARPLENS_DEVICE void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& from, \
                                         unsigned int pitch, layout_t layout) {                \
    if (layout == mem_row_major)                                                               \
      WARPLENS_STORE_##KIND("row." SHAPE "." PTX, to, from, pitch);                            \
    else                                                                                       \
      WARPLENS_STORE_##KIND("col." SHAPE "." PTX, to, from, pitch);                            \
  }
#define WARPLENS_MULTIPLY_IN(M, N, K, SHAPE, T, SUM, TYPES, KIND, LA, LB, WA, WB)                  \
  WARPLENS_DEVICE void mma_sync(                                                                   \
      fragment<accumulator, M, N, K, SUM>& d, const fragment<matrix_a, M, N, K, T, LA>& a,         \
      const fragment<matrix_b, M, N, K, T, LB>& b, const fragment<accumulator, M, N, K, SUM>& c) { \
    WARPLENS_MMA_##KIND(WA "." WB "." SHAPE "." TYPES, d, a, b, c);                                \
  }
#define WARPLENS_MULTIPLY(M, N, K, SHAPE, T, SUM, TYPES, KIND)                                  \
  WARPLENS_MULTIPLY_IN(M, N, K, SHAPE, T, SUM, TYPES, KIND, row_major, row_major, "row", "row") \
  WARPLENS_MULTIPLY_IN(M, N, K, SHAPE, T, SUM, TYPES, KIND, row_major, col_major, "row", "col") \
  WARPLENS_MULTIPLY_IN(M, N, K, SHAPE, T, SUM, TYPES, KIND, col_major, row_major, "col", "row") \
  WARPLENS_MULTIPLY_IN(M, N, K, SHAPE, T, SUM, TYPES, KIND, col_major, col_major, "col", "col")

// A and B of half: 16 elements a lane, some of them in two lanes.
#define WARPLENS_OF_HALVES(M, N, K, SHAPE)                             \
  WARPLENS_FACTOR(matrix_a, "a", M, N, K, SHAPE, __half, "f16", 16, 8) \
  WARPLENS_FACTOR(matrix_b, "b", M, N, K, SHAPE, __half, "f16", 16, 8) \
  WARPLENS_SUM(M, N, K, SHAPE, float, "f32", float, 8f)                \
  WARPLENS_SUM(M, N, K, SHAPE, __half, "f16", unsigned int, 4r)        \
  WARPLENS_MULTIPLY(M, N, K, SHAPE, __half, float, "f32.f32", 8_8_8f)  \
  WARPLENS_MULTIPLY(M, N, K, SHAPE, __half, __half, "f16.f16", 8_8_4r)
WARPLENS_OF_HALVES(16, 16, 16, "m16n16k16")
WARPLENS_OF_HALVES(32, 8, 16, "m32n8k16")
WARPLENS_OF_HALVES(8, 32, 16, "m8n32k16")
#endif

#if WARPLENS_ARCH >= 720
#define WARPLENS_OF_BYTES(M, N, K, SHAPE, T, PTX, A, B)            \
  WARPLENS_FACTOR(matrix_a, "a", M, N, K, SHAPE, T, PTX, A * 4, A) \
  WARPLENS_FACTOR(matrix_b, "b", M, N, K, SHAPE, T, PTX, B * 4, B) \
  WARPLENS_MULTIPLY(M, N, K, SHAPE, T, int, "s32." PTX "." PTX ".s32", A##_##B##_8r)
#define WARPLENS_OF_BOTH_BYTES(M, N, K, SHAPE, A, B)         \
  WARPLENS_SUM(M, N, K, SHAPE, int, "s32", unsigned int, 8r) \
  WARPLENS_OF_BYTES(M, N, K, SHAPE, signed char, "s8", A, B) \
  WARPLENS_OF_BYTES(M, N, K, SHAPE, unsigned char, "u8", A, B)
WARPLENS_OF_BOTH_BYTES(16, 16, 16, "m16n16k16", 2, 2)
WARPLENS_OF_BOTH_BYTES(32, 8, 16, "m32n8k16", 4, 1)
WARPLENS_OF_BOTH_BYTES(8, 32, 16, "m8n32k16", 1, 4)
#endif

#if WARPLENS_ARCH >= 800
#define WARPLENS_OF_BFLOATS(M, N, K, SHAPE, A, B)                                 \
  WARPLENS_FACTOR(matrix_a, "a", M, N, K, SHAPE, __nv_bfloat16, "bf16", A * 2, A) \
  WARPLENS_FACTOR(matrix_b, "b", M, N, K, SHAPE, __nv_bfloat16, "bf16", B * 2, B) \
  WARPLENS_MULTIPLY(M, N, K, SHAPE, __nv_bfloat16, float, "f32.bf16.bf16.f32", A##_##B##_8f)
WARPLENS_OF_BFLOATS(16, 16, 16, "m16n16k16", 4, 4)
WARPLENS_OF_BFLOATS(32, 8, 16, "m32n8k16", 8, 2)
WARPLENS_OF_BFLOATS(8, 32, 16, "m8n32k16", 2, 8)
#endif

}  // namespace wmma
}  // namespace nvcuda
