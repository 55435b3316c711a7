// cuBLAS's API with the functions' short names.
#pragma once
#include "blas/names.h"
#include "cublas_api.h"
