// Handles, their settings, and copies (cuBLAS documentation, 2.4).
#pragma once

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* sms);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasLoggerConfigure(int is_on, int to_stdout, int to_stderr, const char* file);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int sms);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes);

#define WARPLENS_BLAS_COPIES(Int, width)                                                                   \
  cublasStatus_t cublasSetVector##width(Int n, Int bytes, const void* x, Int step_x, void* y, Int step_y); \
  cublasStatus_t cublasGetVector##width(Int n, Int bytes, const void* x, Int step_x, void* y, Int step_y); \
  cublasStatus_t cublasSetVectorAsync##width(Int n, Int bytes, const void* x, Int step_x, void* y,         \
                                             Int step_y, cudaStream_t stream);                             \
  cublasStatus_t cublasGetVectorAsync##width(Int n, Int bytes, const void* x, Int step_x, void* y,         \
                                             Int step_y, cudaStream_t stream);                             \
  cublasStatus_t cublasSetMatrix##width(Int rows, Int columns, Int bytes, const void* a, Int lda, void* b, \
                                        Int ldb);                                                          \
  cublasStatus_t cublasGetMatrix##width(Int rows, Int columns, Int bytes, const void* a, Int lda, void* b, \
                                        Int ldb);                                                          \
  cublasStatus_t cublasSetMatrixAsync##width(Int rows, Int columns, Int bytes, const void* a, Int lda,     \
                                             void* b, Int ldb, cudaStream_t stream);                       \
  cublasStatus_t cublasGetMatrixAsync##width(Int rows, Int columns, Int bytes, const void* a, Int lda,     \
                                             void* b, Int ldb, cudaStream_t stream);
WARPLENS_BLAS_COPIES(int, )
WARPLENS_BLAS_COPIES(int64_t, _64)
#undef WARPLENS_BLAS_COPIES
