// CUDA's runtime API as a program in C++ has it, and in a .cu file what kernels use.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define __CUDA_RUNTIME_H__
#if defined(__CUDA__)
#include "warplens_cuda.h"
#endif
#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "runtime/kernel_templates.h"
#include "runtime/launch.h"
#include "runtime/templates.h"
#endif
