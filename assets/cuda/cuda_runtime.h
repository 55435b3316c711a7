// CUDA's runtime API as a program in C++ has it, and in a .cu file what kernels use.
#pragma once
#if defined(__CUDA__)
#include "warplens_cuda.h"
#endif
#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "runtime/kernel_templates.h"
#include "runtime/launch.h"
#include "runtime/templates.h"
#endif
