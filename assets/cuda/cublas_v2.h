// cuBLAS's API with the functions' short names.
#pragma once
// Programs ask by this name whether the header is there, as helper_cuda.h of NVIDIA's samples does.
#define CUBLAS_V2_H_
#include "blas/names.h"
#include "cublas_api.h"
