// cuBLAS, cuSOLVER and cuRAND, loaded at run time if they are installed. Each is a table of functions, which
// tests fill with functions of their own. They work in the current CUDA context, the same one as the
// kernels.
//
// The functions are declared here, because the headers come in packages of hundreds of megabytes that the
// build does not need otherwise: cublas_api.h, cusolverDn.h and curand.h of CUDA 12 and 13. A status is an
// int, 0 for success; a cudaStream_t is the driver's CUstream; a pointer to device memory is its address.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warplens::cuda {

struct Cublas {
  struct Handle;
  int (*create)(Handle** handle) = nullptr;
  int (*destroy)(Handle* handle) = nullptr;
  int (*version)(Handle* handle, int* version) = nullptr;
  int (*set_stream)(Handle* handle, CUstream stream) = nullptr;
  int (*sgemm)(Handle* handle, int transpose_a, int transpose_b, int m, int n, int k, const float* alpha,
               CUdeviceptr a, int lda, CUdeviceptr b, int ldb, const float* beta, CUdeviceptr c,
               int ldc) = nullptr;

  static constexpr const char* title = "cuBLAS";
  // Calls visit(symbol, member) for each function.
  template <class Visit>
  void each(Visit visit) {
    visit("cublasCreate_v2", create);
    visit("cublasDestroy_v2", destroy);
    visit("cublasGetVersion_v2", version);
    visit("cublasSetStream_v2", set_stream);
    visit("cublasSgemm_v2", sgemm);
  }
};

struct Cusolver {
  struct Handle;
  struct Jacobi;  // parameters of the Jacobi method
  int (*version)(int* version) = nullptr;
  int (*create)(Handle** handle) = nullptr;
  int (*destroy)(Handle* handle) = nullptr;
  int (*set_stream)(Handle* handle, CUstream stream) = nullptr;
  int (*sgesvd_size)(Handle* handle, int m, int n, int* work) = nullptr;
  int (*sgesvd)(Handle* handle, signed char job_u, signed char job_vt, int m, int n, CUdeviceptr a, int lda,
                CUdeviceptr s, CUdeviceptr u, int ldu, CUdeviceptr vt, int ldvt, CUdeviceptr work,
                int work_elements, CUdeviceptr real_work, CUdeviceptr info) = nullptr;
  int (*create_jacobi)(Jacobi** parameters) = nullptr;
  int (*destroy_jacobi)(Jacobi* parameters) = nullptr;
  int (*sgesvdj_size)(Handle* handle, int job, int economy, int m, int n, CUdeviceptr a, int lda,
                      CUdeviceptr s, CUdeviceptr u, int ldu, CUdeviceptr v, int ldv, int* work,
                      Jacobi* parameters) = nullptr;
  int (*sgesvdj)(Handle* handle, int job, int economy, int m, int n, CUdeviceptr a, int lda, CUdeviceptr s,
                 CUdeviceptr u, int ldu, CUdeviceptr v, int ldv, CUdeviceptr work, int work_elements,
                 CUdeviceptr info, Jacobi* parameters) = nullptr;

  static constexpr const char* title = "cuSOLVER";
  template <class Visit>
  void each(Visit visit) {
    visit("cusolverGetVersion", version);
    visit("cusolverDnCreate", create);
    visit("cusolverDnDestroy", destroy);
    visit("cusolverDnSetStream", set_stream);
    visit("cusolverDnSgesvd_bufferSize", sgesvd_size);
    visit("cusolverDnSgesvd", sgesvd);
    visit("cusolverDnCreateGesvdjInfo", create_jacobi);
    visit("cusolverDnDestroyGesvdjInfo", destroy_jacobi);
    visit("cusolverDnSgesvdj_bufferSize", sgesvdj_size);
    visit("cusolverDnSgesvdj", sgesvdj);
  }
};

struct Curand {
  struct Generator;
  int (*version)(int* version) = nullptr;
  int (*create)(Generator** generator, int type) = nullptr;
  int (*destroy)(Generator* generator) = nullptr;
  int (*set_stream)(Generator* generator, CUstream stream) = nullptr;
  int (*set_seed)(Generator* generator, unsigned long long seed) = nullptr;
  int (*set_offset)(Generator* generator, unsigned long long offset) = nullptr;
  int (*uniform)(Generator* generator, CUdeviceptr to, size_t numbers) = nullptr;  // in (0, 1]

  static constexpr const char* title = "cuRAND";
  template <class Visit>
  void each(Visit visit) {
    visit("curandGetVersion", version);
    visit("curandCreateGenerator", create);
    visit("curandDestroyGenerator", destroy);
    visit("curandSetStream", set_stream);
    visit("curandSetPseudoRandomGeneratorSeed", set_seed);
    visit("curandSetGeneratorOffset", set_offset);
    visit("curandGenerateUniform", uniform);
  }
};

// Each library is loaded on its own: one may be there without the others.
struct Libraries {
  Result<Cublas> cublas = missing("cuBLAS was not looked for.");
  Result<Cusolver> cusolver = missing("cuSOLVER was not looked for.");
  Result<Curand> curand = missing("cuRAND was not looked for.");
};

// Loads the newest libraries that a driver of this CUDA version supports (13000 is 13.0). They are looked
// for by name, then in the folders of WARPLENS_CUDA_LIBRARIES (joined by ':'), CUDA_HOME, CUDA_PATH and
// /usr/local/cuda. Errors are of kind missing and say what to do.
Libraries load_libraries(int driver_version);

// "12.9.1" for the numbers that the libraries give: 120901 (cuBLAS), 11705 (cuSOLVER), 10319 (cuRAND).
std::string library_version(int number);

}  // namespace warplens::cuda
