// Atomic functions: CUDA C++ Programming Guide, "Atomic Functions". All are relaxed. NAME_block and
// NAME_system are atomic for the block or for the whole system. PTX ISA, "atom".
#pragma once

#define WARPLENS_ATOM(NAME, TYPE, OP, REGISTER, SCOPE, SUFFIX) \
  WARPLENS_DEVICE TYPE NAME##SUFFIX(TYPE* at, TYPE value) {    \
    TYPE before;                                               \
    asm volatile("atom" SCOPE "." OP " %0, [%1], %2;"          \
                 : "=" REGISTER(before)                        \
                 : "l"(at), REGISTER(value)                    \
                 : "memory");                                  \
    return before;                                             \
  }
// Atomic for the whole device, with a builtin, so that clang knows which memory a pointer points to.
#define WARPLENS_ATOMIC(NAME, TYPE, BUILTIN, AS, OP, REGISTER)                        \
  WARPLENS_DEVICE TYPE NAME(TYPE* at, TYPE value) {                                   \
    return (TYPE)(BUILTIN(reinterpret_cast<AS*>(at), __builtin_bit_cast(AS, value))); \
  }                                                                                   \
  WARPLENS_SCOPED(NAME, TYPE, OP, REGISTER)
// Scopes need sm_60.
#if WARPLENS_ARCH >= 600
#define WARPLENS_SCOPED(NAME, TYPE, OP, REGISTER)         \
  WARPLENS_ATOM(NAME, TYPE, OP, REGISTER, ".cta", _block) \
  WARPLENS_ATOM(NAME, TYPE, OP, REGISTER, ".sys", _system)
#else
#define WARPLENS_SCOPED(NAME, TYPE, OP, REGISTER)
#endif

WARPLENS_ATOMIC(atomicAdd, int, __nvvm_atom_add_gen_i, int, "add.s32", "r")
WARPLENS_ATOMIC(atomicAdd, unsigned int, __nvvm_atom_add_gen_i, int, "add.u32", "r")
WARPLENS_ATOMIC(atomicAdd, unsigned long long, __nvvm_atom_add_gen_ll, long long, "add.u64", "l")
WARPLENS_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f, float, "add.f32", "f")
#if WARPLENS_ARCH >= 600
WARPLENS_ATOMIC(atomicAdd, double, __nvvm_atom_add_gen_d, double, "add.f64", "d")
#endif
WARPLENS_ATOMIC(atomicSub, int, __nvvm_atom_sub_gen_i, int, "add.s32", "r")
WARPLENS_ATOMIC(atomicSub, unsigned int, __nvvm_atom_sub_gen_i, int, "add.u32", "r")
WARPLENS_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i, int, "min.s32", "r")
WARPLENS_ATOMIC(atomicMin, unsigned int, __nvvm_atom_min_gen_ui, unsigned int, "min.u32", "r")
WARPLENS_ATOMIC(atomicMin, long long, __nvvm_atom_min_gen_ll, long long, "min.s64", "l")
WARPLENS_ATOMIC(atomicMin, unsigned long long, __nvvm_atom_min_gen_ull, unsigned long long, "min.u64", "l")
WARPLENS_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i, int, "max.s32", "r")
WARPLENS_ATOMIC(atomicMax, unsigned int, __nvvm_atom_max_gen_ui, unsigned int, "max.u32", "r")
WARPLENS_ATOMIC(atomicMax, long long, __nvvm_atom_max_gen_ll, long long, "max.s64", "l")
WARPLENS_ATOMIC(atomicMax, unsigned long long, __nvvm_atom_max_gen_ull, unsigned long long, "max.u64", "l")
WARPLENS_ATOMIC(atomicAnd, int, __nvvm_atom_and_gen_i, int, "and.b32", "r")
WARPLENS_ATOMIC(atomicAnd, unsigned int, __nvvm_atom_and_gen_i, int, "and.b32", "r")
WARPLENS_ATOMIC(atomicAnd, unsigned long long, __nvvm_atom_and_gen_ll, long long, "and.b64", "l")
WARPLENS_ATOMIC(atomicOr, int, __nvvm_atom_or_gen_i, int, "or.b32", "r")
WARPLENS_ATOMIC(atomicOr, unsigned int, __nvvm_atom_or_gen_i, int, "or.b32", "r")
WARPLENS_ATOMIC(atomicOr, unsigned long long, __nvvm_atom_or_gen_ll, long long, "or.b64", "l")
WARPLENS_ATOMIC(atomicXor, int, __nvvm_atom_xor_gen_i, int, "xor.b32", "r")
WARPLENS_ATOMIC(atomicXor, unsigned int, __nvvm_atom_xor_gen_i, int, "xor.b32", "r")
WARPLENS_ATOMIC(atomicXor, unsigned long long, __nvvm_atom_xor_gen_ll, long long, "xor.b64", "l")
WARPLENS_ATOMIC(atomicExch, int, __nvvm_atom_xchg_gen_i, int, "exch.b32", "r")
WARPLENS_ATOMIC(atomicExch, unsigned int, __nvvm_atom_xchg_gen_i, int, "exch.b32", "r")
WARPLENS_ATOMIC(atomicExch, unsigned long long, __nvvm_atom_xchg_gen_ll, long long, "exch.b64", "l")
WARPLENS_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui, unsigned int, "inc.u32", "r")
WARPLENS_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui, unsigned int, "dec.u32", "r")
WARPLENS_DEVICE float atomicExch(float* at, float value) {
  return __int_as_float(__nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(at), __float_as_int(value)));
}
#undef WARPLENS_ATOMIC
#undef WARPLENS_SCOPED
#undef WARPLENS_ATOM

#define WARPLENS_CAS(TYPE, BUILTIN, AS, OP, REGISTER)                              \
  WARPLENS_DEVICE TYPE atomicCAS(TYPE* at, TYPE compare, TYPE value) {             \
    return (TYPE)(BUILTIN(reinterpret_cast<AS*>(at), (AS)(compare), (AS)(value))); \
  }
WARPLENS_CAS(int, __nvvm_atom_cas_gen_i, int, "b32", "r")
WARPLENS_CAS(unsigned int, __nvvm_atom_cas_gen_i, int, "b32", "r")
WARPLENS_CAS(unsigned long long, __nvvm_atom_cas_gen_ll, long long, "b64", "l")
#undef WARPLENS_CAS
#if WARPLENS_ARCH >= 700
WARPLENS_DEVICE unsigned short atomicCAS(unsigned short* at, unsigned short compare, unsigned short value) {
  unsigned short before;
  asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
               : "=h"(before)
               : "l"(at), "h"(compare), "h"(value)
               : "memory");
  return before;
}
#endif
