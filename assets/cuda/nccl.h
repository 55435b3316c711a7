// NCCL's API, of version 2.28, for C and C++: what works in the library of WarpLens
// (cuda/stand_in/libraries/nccl). A call that it refuses is not declared.
#pragma once
// Programs ask by this name whether the header is there.
#define NCCL_H_
#include <limits.h>
#include <stddef.h>

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#define NCCL_MAJOR 2
#define NCCL_MINOR 28
#define NCCL_PATCH 9
#define NCCL_SUFFIX ""
#define NCCL_VERSION_CODE 22809
#define NCCL_VERSION(major, minor, patch)                              \
  ((major) <= 2 && (minor) <= 8 ? (major)*1000 + (minor)*100 + (patch) \
                                : (major)*10000 + (minor)*100 + (patch))

// Each header needs those above it.
// clang-format off
#include "nccl/types.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "nccl/functions.h"
#ifdef __cplusplus
}
#endif
