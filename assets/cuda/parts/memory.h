// Fences, loads and stores with a cache policy, and address spaces: CUDA C++ Programming Guide, "Memory Fence
// Functions", "Load Functions Using Cache Hints", "Address Space Predicate (Conversion) Functions".
#pragma once

// As asm, for the reason in block.h.
WARPLENS_DEVICE void __threadfence_block() { asm volatile("membar.cta;" : : : "memory"); }
WARPLENS_DEVICE void __threadfence() { asm volatile("membar.gl;" : : : "memory"); }
WARPLENS_DEVICE void __threadfence_system() { asm volatile("membar.sys;" : : : "memory"); }

#define WARPLENS_LOAD(NAME, PTX, TYPE, KIND, REGISTER)                                    \
  WARPLENS_DEVICE TYPE NAME(const TYPE* at) {                                             \
    TYPE value;                                                                           \
    asm volatile("ld.global." PTX "." KIND " %0, [%1];" : "=" REGISTER(value) : "l"(at)); \
    return value;                                                                         \
  }
#define WARPLENS_LOAD_BYTE(NAME, PTX, TYPE, KIND)                                 \
  WARPLENS_DEVICE TYPE NAME(const TYPE* at) {                                     \
    unsigned int value;                                                           \
    asm volatile("ld.global." PTX "." KIND " %0, [%1];" : "=r"(value) : "l"(at)); \
    return (TYPE)(value);                                                         \
  }
#define WARPLENS_LOAD_PAIR(NAME, PTX, TYPE, KIND, REGISTER)      \
  WARPLENS_DEVICE TYPE NAME(const TYPE* at) {                    \
    TYPE value;                                                  \
    asm volatile("ld.global." PTX ".v2." KIND " {%0, %1}, [%2];" \
                 : "=" REGISTER(value.x), "=" REGISTER(value.y)  \
                 : "l"(at));                                     \
    return value;                                                \
  }
#define WARPLENS_LOAD_FOUR(NAME, PTX, TYPE, KIND, REGISTER)                             \
  WARPLENS_DEVICE TYPE NAME(const TYPE* at) {                                           \
    TYPE value;                                                                         \
    asm volatile("ld.global." PTX ".v4." KIND " {%0, %1, %2, %3}, [%4];"                \
                 : "=" REGISTER(value.x), "=" REGISTER(value.y), "=" REGISTER(value.z), \
                   "=" REGISTER(value.w)                                                \
                 : "l"(at));                                                            \
    return value;                                                                       \
  }
#define WARPLENS_LOADS(NAME, PTX)                          \
  WARPLENS_LOAD_BYTE(NAME, PTX, char, "s8")                \
  WARPLENS_LOAD_BYTE(NAME, PTX, signed char, "s8")         \
  WARPLENS_LOAD_BYTE(NAME, PTX, unsigned char, "u8")       \
  WARPLENS_LOAD(NAME, PTX, short, "s16", "h")              \
  WARPLENS_LOAD(NAME, PTX, unsigned short, "u16", "h")     \
  WARPLENS_LOAD(NAME, PTX, int, "s32", "r")                \
  WARPLENS_LOAD(NAME, PTX, unsigned int, "u32", "r")       \
  WARPLENS_LOAD(NAME, PTX, long, "s64", "l")               \
  WARPLENS_LOAD(NAME, PTX, unsigned long, "u64", "l")      \
  WARPLENS_LOAD(NAME, PTX, long long, "s64", "l")          \
  WARPLENS_LOAD(NAME, PTX, unsigned long long, "u64", "l") \
  WARPLENS_LOAD(NAME, PTX, float, "f32", "f")              \
  WARPLENS_LOAD(NAME, PTX, double, "f64", "d")             \
  WARPLENS_LOAD_PAIR(NAME, PTX, int2, "s32", "r")          \
  WARPLENS_LOAD_PAIR(NAME, PTX, uint2, "u32", "r")         \
  WARPLENS_LOAD_PAIR(NAME, PTX, float2, "f32", "f")        \
  WARPLENS_LOAD_PAIR(NAME, PTX, double2, "f64", "d")       \
  WARPLENS_LOAD_FOUR(NAME, PTX, int4, "s32", "r")          \
  WARPLENS_LOAD_FOUR(NAME, PTX, uint4, "u32", "r")         \
  WARPLENS_LOAD_FOUR(NAME, PTX, float4, "f32", "f")
WARPLENS_LOADS(__ldg, "nc")
WARPLENS_LOADS(__ldca, "ca")
WARPLENS_LOADS(__ldcg, "cg")
WARPLENS_LOADS(__ldcs, "cs")
WARPLENS_LOADS(__ldlu, "lu")
WARPLENS_LOADS(__ldcv, "cv")
#undef WARPLENS_LOADS
#undef WARPLENS_LOAD_FOUR
#undef WARPLENS_LOAD_PAIR
#undef WARPLENS_LOAD_BYTE
#undef WARPLENS_LOAD

#define WARPLENS_STORE(NAME, PTX, TYPE, KIND, REGISTER)                                           \
  WARPLENS_DEVICE void NAME(TYPE* at, TYPE value) {                                               \
    asm volatile("st.global." PTX "." KIND " [%0], %1;" : : "l"(at), REGISTER(value) : "memory"); \
  }
#define WARPLENS_STORES(NAME, PTX)                          \
  WARPLENS_STORE(NAME, PTX, short, "s16", "h")              \
  WARPLENS_STORE(NAME, PTX, unsigned short, "u16", "h")     \
  WARPLENS_STORE(NAME, PTX, int, "s32", "r")                \
  WARPLENS_STORE(NAME, PTX, unsigned int, "u32", "r")       \
  WARPLENS_STORE(NAME, PTX, long long, "s64", "l")          \
  WARPLENS_STORE(NAME, PTX, unsigned long long, "u64", "l") \
  WARPLENS_STORE(NAME, PTX, float, "f32", "f")              \
  WARPLENS_STORE(NAME, PTX, double, "f64", "d")
WARPLENS_STORES(__stwb, "wb")
WARPLENS_STORES(__stcg, "cg")
WARPLENS_STORES(__stcs, "cs")
WARPLENS_STORES(__stwt, "wt")
#undef WARPLENS_STORES
#undef WARPLENS_STORE

#define WARPLENS_SPACE(NAME, SPACE, PTX)                                                         \
  WARPLENS_DEVICE unsigned int __is##NAME(const void* at) {                                      \
    unsigned int is;                                                                             \
    asm("{ .reg .pred p; isspacep." PTX " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(at)); \
    return is;                                                                                   \
  }                                                                                              \
  WARPLENS_DEVICE size_t __cvta_generic_to_##SPACE(const void* at) {                             \
    size_t there;                                                                                \
    asm("cvta.to." PTX ".u64 %0, %1;" : "=l"(there) : "l"(at));                                  \
    return there;                                                                                \
  }                                                                                              \
  WARPLENS_DEVICE void* __cvta_##SPACE##_to_generic(size_t at) {                                 \
    void* there;                                                                                 \
    asm("cvta." PTX ".u64 %0, %1;" : "=l"(there) : "l"(at));                                     \
    return there;                                                                                \
  }
WARPLENS_SPACE(Global, global, "global")
WARPLENS_SPACE(Shared, shared, "shared")
WARPLENS_SPACE(Local, local, "local")
WARPLENS_SPACE(Constant, constant, "const")
#undef WARPLENS_SPACE
