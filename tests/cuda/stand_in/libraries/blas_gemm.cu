// nvcc: -lcublas
// Products of matrices: every type, batches by strides and by pointers, graphs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "expect.h"

cublasHandle_t handle = nullptr;
constexpr cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T};
constexpr int m = 48, n = 40, k = 56, ld = 64;

template <class T>
std::vector<double> product(const std::vector<T>& a, const std::vector<T>& b, const std::vector<double>& c,
                            cublasOperation_t op_a, cublasOperation_t op_b, double alpha, double beta) {
  std::vector<double> made(c);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int p = 0; p < k; ++p)
        sum += double(a[op_a == CUBLAS_OP_N ? p * ld + i : i * ld + p]) *
               double(b[op_b == CUBLAS_OP_N ? j * ld + p : p * ld + j]);
      made[j * ld + i] = alpha * sum + beta * c[j * ld + i];
    }
  return made;
}
template <class T>
std::vector<double> wide(const std::vector<T>& from) {
  return {from.begin(), from.end()};
}

template <class T, class F>
void plain(F call) {
  const T alpha = T(1.5), beta = T(-2);
  const auto a = values<T>(ld * ld, 41), b = values<T>(ld * ld, 42), c = values<T>(ld * ld, 43);
  OnDevice<T> on_a(a), on_b(b), on_c(c);
  for (const auto op_a : ops)
    for (const auto op_b : ops) {
      on_c.set(c);
      EXPECT_BLAS_OK(call(handle, op_a, op_b, m, n, k, &alpha, on_a.at, ld, on_b.at, ld, &beta, on_c.at, ld));
      EXPECT(difference(on_c.get(), product(a, b, wide(c), op_a, op_b, alpha, beta)) < tolerance<T>);
    }
  // With k = 0 only beta counts; with m = 0 there is no work.
  on_c.set(c);
  EXPECT_BLAS_OK(
      call(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, 0, &alpha, on_a.at, ld, on_b.at, ld, &beta, on_c.at, ld));
  EXPECT(on_c.get()[5] == beta * c[5] && on_c.get()[m] == c[m]);
  on_c.set(c);
  EXPECT_BLAS_OK(
      call(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, n, k, &alpha, on_a.at, ld, on_b.at, ld, &beta, on_c.at, ld));
  EXPECT(on_c.get() == c);
}

void complex_numbers() {
  const auto a = values<cuDoubleComplex>(ld * ld, 44), b = values<cuDoubleComplex>(ld * ld, 45);
  OnDevice<cuDoubleComplex> on_a(a), on_b(b), on_c(size_t(ld) * ld);
  const cuDoubleComplex alpha{1, -1}, beta{0, 0};
  EXPECT_BLAS_OK(cublasZgemm(handle, CUBLAS_OP_C, CUBLAS_OP_N, m, n, k, &alpha, on_a.at, ld, on_b.at, ld,
                             &beta, on_c.at, ld));
  const auto x = as_complex<double>(a), y = as_complex<double>(b), is = as_complex<double>(on_c.get());
  double most = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      std::complex<double> sum = 0;
      for (int p = 0; p < k; ++p) sum += std::conj(x[i * ld + p]) * y[j * ld + p];
      most = std::max(most, std::abs(is[j * ld + i] - std::complex<double>(1, -1) * sum));
    }
  EXPECT(most < 1e-12);
  const cuComplex one{1, 0}, none{0, 0};
  OnDevice<cuComplex> s(std::vector<cuComplex>{{1, 2}, {3, 4}}), t(std::vector<cuComplex>{{5, 6}, {7, 8}}),
      u(std::vector<cuComplex>(1));
  EXPECT_BLAS_OK(
      cublasCgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 2, &one, s.at, 2, t.at, 2, &none, u.at, 1));
  EXPECT(u.get()[0].x == -18 && u.get()[0].y == 68);  // (1+2i)(5+6i) + (3+4i)(7+8i)
}

// Whole numbers, so that every order of the sums gives the same.
template <class S>
std::vector<S> whole(size_t count, int seed, int most) {
  std::vector<S> made;
  for (size_t i = 0; i < count; ++i)
    made.push_back(S(float(int((i * 37 + seed * 11) % (2 * most + 1)) - most)));
  return made;
}
template <class S>
std::vector<double> read(const std::vector<S>& from) {
  std::vector<double> made;
  for (const S& value : from) made.push_back(double(float(value)));
  return made;
}

template <class S, class C, class A>
void by_type(cudaDataType type, cudaDataType type_c, cublasComputeType_t compute, const char* what) {
  const auto a = whole<S>(ld * ld, 1, 4), b = whole<S>(ld * ld, 2, 3);
  const auto c = whole<C>(ld * ld, 3, 2);
  OnDevice<S> on_a(a), on_b(b);
  OnDevice<C> on_c(c);
  const A alpha = A(1.0f), beta = A(2.0f);
  EXPECT_BLAS_OK(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &alpha, on_a.at, type, ld, on_b.at,
                              type, ld, &beta, on_c.at, type_c, ld, compute, CUBLAS_GEMM_DEFAULT));
  const auto wanted = product(read(a), read(b), read(c), CUBLAS_OP_T, CUBLAS_OP_N, 1, 2);
  const double apart = difference(read(on_c.get()), wanted);
  if (apart > 0) std::printf("%s: %g\n", what, apart);
  // 16-bit results are rounded once at the end: bfloat16 has 8 bits.
  EXPECT(apart <= (type_c == CUDA_R_16BF ? 1.0 / 256 : type_c == CUDA_R_16F ? 1.0 / 2048 : 0));
}

void types() {
  by_type<__half, __half, __half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, "half");
  by_type<__half, __half, float>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, "half, sums of 32 bits");
  by_type<__half, float, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "half to float");
  by_type<__nv_bfloat16, __nv_bfloat16, float>(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, "bfloat16");
  by_type<__nv_bfloat16, float, float>(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, "bfloat16 to float");
  by_type<float, float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, "float");
  by_type<double, double, double>(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, "double");
  by_type<int8_t, int32_t, int32_t>(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, "int8");
  const auto a = whole<__half>(ld * ld, 5, 3), b = whole<__half>(ld * ld, 6, 3);
  OnDevice<__half> on_a(a), on_b(b), on_c(whole<__half>(ld * ld, 7, 3));
  const __half one = __float2half(1), none = __float2half(0);
  EXPECT_BLAS_OK(cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, on_a.at, ld, on_b.at, ld, &none,
                             on_c.at, ld));
  auto wanted = product(read(a), read(b), read(on_c.get()), CUBLAS_OP_N, CUBLAS_OP_N, 1, 0);
  for (int j = 0; j < n; ++j) EXPECT(float(on_c.get()[j * ld + 7]) == wanted[j * ld + 7]);
  // Types that do not go together.
  const float f = 1;
  EXPECT_BLAS(
      cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &f, on_a.at, CUDA_R_16F, ld, on_b.at,
                   CUDA_R_64F, ld, &f, on_c.at, CUDA_R_16F, ld, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
      CUBLAS_STATUS_NOT_SUPPORTED);
}

void batches() {
  constexpr int count = 5, each = ld * ld;
  const auto a = values<float>(each * count, 51), b = values<float>(each * count, 52);
  const auto c = values<float>(each * count, 53);
  OnDevice<float> on_a(a), on_b(b), on_c(c);
  const float alpha = 1, beta = 0.5f;
  const auto check = [&] {
    const auto is = on_c.get();
    for (int i = 0; i < count; ++i) {
      const auto part = [&](const std::vector<float>& from) {
        return std::vector<float>(from.begin() + i * each, from.begin() + (i + 1) * each);
      };
      const auto wanted = product(part(a), part(b), wide(part(c)), CUBLAS_OP_N, CUBLAS_OP_T, alpha, beta);
      EXPECT(difference(part(is), wanted) < float_tolerance);
    }
  };
  EXPECT_BLAS_OK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, on_a.at, ld,
                                           each, on_b.at, ld, each, &beta, on_c.at, ld, each, count));
  check();
  on_c.set(c);
  std::vector<const float*> as, bs;
  std::vector<float*> cs;
  for (int i = 0; i < count; ++i) {
    as.push_back(on_a.at + i * each);
    bs.push_back(on_b.at + i * each);
    cs.push_back(on_c.at + i * each);
  }
  OnDevice<const float*> on_as(as), on_bs(bs);
  OnDevice<float*> on_cs(cs);
  EXPECT_BLAS_OK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, on_as.at, ld, on_bs.at,
                                    ld, &beta, on_cs.at, ld, count));
  check();
  on_c.set(c);
  EXPECT_BLAS_OK(cublasGemmStridedBatchedEx(
      handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, on_a.at, CUDA_R_32F, ld, each, on_b.at, CUDA_R_32F,
      ld, each, &beta, on_c.at, CUDA_R_32F, ld, each, count, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  check();
}

// Captured in a stream, and launched twice.
void graphs() {
  const auto a = values<float>(ld * ld, 61), b = values<float>(ld * ld, 62);
  OnDevice<float> on_a(a), on_b(b), on_c(std::vector<float>(ld * ld, 0));
  cudaStream_t stream = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_BLAS_OK(cublasSetStream(handle, stream));
  OnDevice<char> workspace(size_t{8} << 20);
  EXPECT_BLAS_OK(cublasSetWorkspace(handle, workspace.at, workspace.count));
  const float one = 1;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  EXPECT_BLAS_OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, on_a.at, ld, on_b.at, ld, &one,
                             on_c.at, ld));
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT(on_c.get()[0] == 0);  // nothing has run yet
  EXPECT_OK(cudaGraphInstantiate(&ready, graph, 0));
  EXPECT_OK(cudaGraphLaunch(ready, stream));
  EXPECT_OK(cudaGraphLaunch(ready, stream));
  EXPECT_OK(cudaStreamSynchronize(stream));
  const auto wanted = product(a, b, std::vector<double>(ld * ld, 0), CUBLAS_OP_N, CUBLAS_OP_N, 2, 0);
  EXPECT(difference(on_c.get(), wanted) < float_tolerance);
  EXPECT_OK(cudaGraphExecDestroy(ready));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_BLAS_OK(cublasSetStream(handle, nullptr));
  EXPECT_OK(cudaStreamDestroy(stream));
}

int main() {
  EXPECT_BLAS_OK(cublasCreate(&handle));
  plain<float>(cublasSgemm);
  plain<double>(cublasDgemm);
  complex_numbers();
  types();
  batches();
  graphs();
  EXPECT_BLAS_OK(cublasDestroy(handle));
  return result();
}
