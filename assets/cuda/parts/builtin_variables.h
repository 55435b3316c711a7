// threadIdx, blockIdx, blockDim, gridDim and warpSize: CUDA C++ Programming Guide, "Built-in Variables". A
// read of a member is a read of the special register (PTX ISA, "Special Registers"), and belongs to the line
// of the code that reads it.
#pragma once

#define WARPLENS_MEMBER(NAME, REGISTER)                     \
  __declspec(property(get = get_##NAME)) unsigned int NAME; \
  WARPLENS_DEVICE unsigned int get_##NAME() { return __nvvm_read_ptx_sreg_##REGISTER##_##NAME(); }
#define WARPLENS_VARIABLE(NAME, REGISTER)                                                        \
  struct warplens_##NAME {                                                                       \
    WARPLENS_MEMBER(x, REGISTER)                                                                 \
    WARPLENS_MEMBER(y, REGISTER)                                                                 \
    WARPLENS_MEMBER(z, REGISTER)                                                                 \
    __device__ WARPLENS_UNSEEN operator uint3() const { return {get_x(), get_y(), get_z()}; }    \
    __device__ WARPLENS_UNSEEN operator dim3() const { return dim3(get_x(), get_y(), get_z()); } \
    warplens_##NAME() = delete;                                                                  \
    warplens_##NAME(const warplens_##NAME&) = delete;                                            \
    void operator=(const warplens_##NAME&) const = delete;                                       \
  };                                                                                             \
  extern const __device__ __attribute__((weak)) warplens_##NAME NAME;
WARPLENS_VARIABLE(threadIdx, tid)
WARPLENS_VARIABLE(blockIdx, ctaid)
WARPLENS_VARIABLE(blockDim, ntid)
WARPLENS_VARIABLE(gridDim, nctaid)
#undef WARPLENS_VARIABLE
#undef WARPLENS_MEMBER
static __device__ const int warpSize = 32;
