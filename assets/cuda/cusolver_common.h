// What the parts of cuSOLVER share: its version and its codes.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define CUSOLVER_COMMON_H_
#include "library_types.h"
#include "solver/enumerations.h"

#define CUSOLVER_VER_MAJOR 11
#define CUSOLVER_VER_MINOR 7
#define CUSOLVER_VER_PATCH 5
#define CUSOLVER_VER_BUILD 82
#define CUSOLVER_VERSION (CUSOLVER_VER_MAJOR * 1000 + CUSOLVER_VER_MINOR * 100 + CUSOLVER_VER_PATCH)
#define CUSOLVERAPI

#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverGetVersion(int* version);
cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int* value);
#ifdef __cplusplus
}
#endif
