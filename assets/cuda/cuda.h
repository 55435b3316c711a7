// CUDA's driver API, of version 12, for C and C++: what the driver of WarpLens has
// (cuda/stand_in/driver/api.def), but for pools and virtual memory. A call that it refuses is not declared.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define __cuda_cuda_h__
// NVIDIA's header includes these, and programs rely on it.
#include <stdint.h>
#include <stdlib.h>

#define CUDA_VERSION 12090
#define CUDAAPI
// Each header needs those above it.
// clang-format off
#include "parts/qualifiers.h"
#include "runtime/uuid.h"
#include "driver/error_codes.h"
#include "driver/types.h"
#include "driver/device_attributes.h"
#include "driver/names.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "driver/functions.h"
#ifdef __cplusplus
}
#endif
