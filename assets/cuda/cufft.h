// cuFFT's API, of CUDA 12.9, for C and C++: what works in the library of WarpLens
// (cuda/stand_in/libraries/fft). A call that it refuses is not declared.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define _CUFFT_H_
#include <stddef.h>

#include "cuComplex.h"
#include "driver_types.h"
#include "library_types.h"
// It needs those above it.
#include "fft/enumerations.h"

#define CUFFT_VER_MAJOR 11
#define CUFFT_VER_MINOR 4
#define CUFFT_VER_PATCH 1
#define CUFFT_VER_BUILD 4
#define CUFFT_VERSION 11401
#define CUFFTAPI

#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* bytes);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* bytes);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* bytes);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                              int* onembed, int ostride, int odist, cufftType type, int batch, size_t* bytes);
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, long long* onembed, long long ostride,
                                long long odist, cufftType type, long long batch, size_t* bytes);
cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* bytes);
cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* bytes);
cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* bytes);
cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch, size_t* bytes);
cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* bytes);
cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* bytes);
cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* bytes);
cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist,
                             int* onembed, int ostride, int odist, cufftType type, int batch, size_t* bytes);
cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, long long* onembed, long long ostride,
                               long long odist, cufftType type, long long batch, size_t* bytes);
cufftResult cufftGetSize(cufftHandle plan, size_t* bytes);
cufftResult cufftSetWorkArea(cufftHandle plan, void* area);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* from, cufftComplex* to, int direction);
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* from, cufftComplex* to);
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* from, cufftReal* to);
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleComplex* to, int direction);
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* from, cufftDoubleComplex* to);
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* from, cufftDoubleReal* to);
cufftResult cufftGetVersion(int* version);
cufftResult cufftGetProperty(libraryPropertyType type, int* value);
#ifdef __cplusplus
}
#endif
