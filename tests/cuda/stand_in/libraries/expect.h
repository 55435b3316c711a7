// Shared by the programs with cuBLAS: assertions.
#pragma once

#include <cublas_v2.h>

#include "arrays.h"

#define EXPECT_BLAS(call, code)                                                                 \
  do {                                                                                          \
    ++expected;                                                                                 \
    const cublasStatus_t is_ = (call);                                                          \
    if (is_ != (code)) {                                                                        \
      ++failed;                                                                                 \
      std::printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, cublasGetStatusName(is_)); \
    }                                                                                           \
  } while (false)
#define EXPECT_BLAS_OK(call) EXPECT_BLAS(call, CUBLAS_STATUS_SUCCESS)
