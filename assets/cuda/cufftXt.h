// The part of cuFFT's extended API that works: plans whose types are data types.
#pragma once
#define _CUFFTXT_H_
#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                                long long istride, long long idist, cudaDataType from, long long* onembed,
                                long long ostride, long long odist, cudaDataType to, long long batch,
                                size_t* bytes, cudaDataType computed);
cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long* n, long long* inembed,
                               long long istride, long long idist, cudaDataType from, long long* onembed,
                               long long ostride, long long odist, cudaDataType to, long long batch,
                               size_t* bytes, cudaDataType computed);
cufftResult cufftXtExec(cufftHandle plan, void* from, void* to, int direction);
#ifdef __cplusplus
}
#endif
