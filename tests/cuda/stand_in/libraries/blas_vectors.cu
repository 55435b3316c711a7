// nvcc: -lcublas
// Level 1 of cuBLAS: steps, both pointer modes, streams, results of no work.
#include "expect.h"

cublasHandle_t handle = nullptr;

template <class T>
struct Names;
#define NAMES(T, S, s)                             \
  template <>                                      \
  struct Names<T> {                                \
    static constexpr auto axpy = cublas##S##axpy;  \
    static constexpr auto scal = cublas##S##scal;  \
    static constexpr auto copy = cublas##S##copy;  \
    static constexpr auto swap = cublas##S##swap;  \
    static constexpr auto dot = cublas##S##dot;    \
    static constexpr auto nrm2 = cublas##S##nrm2;  \
    static constexpr auto asum = cublas##S##asum;  \
    static constexpr auto rot = cublas##S##rot;    \
    static constexpr auto amax = cublasI##s##amax; \
    static constexpr auto amin = cublasI##s##amin; \
  };
NAMES(float, S, s)
NAMES(double, D, d)

template <class T>
void updates() {
  constexpr int n = 1000;
  const auto x = values<T>(2 * n, 1), y = values<T>(3 * n, 2);
  OnDevice<T> on_x(x), on_y(y);
  const T alpha = T(2.5);
  EXPECT_BLAS_OK(Names<T>::axpy(handle, n, &alpha, on_x.at, 2, on_y.at, 3));
  auto wanted = y;
  for (int i = 0; i < n; ++i) wanted[3 * i] = std::fma(alpha, x[2 * i], y[3 * i]);
  EXPECT(difference(on_y.get(), wanted) < tolerance<T>);

  // A negative step begins at the end.
  on_y.set(y);
  EXPECT_BLAS_OK(Names<T>::axpy(handle, n, &alpha, on_x.at, -1, on_y.at, 1));
  wanted = y;
  for (int i = 0; i < n; ++i) wanted[i] = std::fma(alpha, x[n - 1 - i], y[i]);
  EXPECT(difference(on_y.get(), wanted) < tolerance<T>);

  EXPECT_BLAS_OK(Names<T>::scal(handle, n, &alpha, on_x.at, 2));
  wanted = x;
  for (int i = 0; i < n; ++i) wanted[2 * i] *= alpha;
  EXPECT(on_x.get() == wanted);

  on_x.set(x);
  on_y.set(y);
  EXPECT_BLAS_OK(Names<T>::copy(handle, n, on_x.at, 1, on_y.at, 2));
  wanted = y;
  for (int i = 0; i < n; ++i) wanted[2 * i] = x[i];
  EXPECT(on_y.get() == wanted);

  on_y.set(y);
  EXPECT_BLAS_OK(Names<T>::swap(handle, n, on_x.at, 1, on_y.at, 1));
  auto first = on_x.get(), second = on_y.get();
  EXPECT(first[0] == y[0] && first[n - 1] == y[n - 1] && first[n] == x[n]);
  EXPECT(second[0] == x[0] && second[n - 1] == x[n - 1] && second[n] == y[n]);

  on_x.set(x);
  on_y.set(y);
  const T c = T(0.6), s = T(0.8);
  EXPECT_BLAS_OK(Names<T>::rot(handle, n, on_x.at, 1, on_y.at, 1, &c, &s));
  auto turned = x;
  wanted = y;
  for (int i = 0; i < n; ++i) {
    turned[i] = c * x[i] + s * y[i];
    wanted[i] = c * y[i] - s * x[i];
  }
  EXPECT(difference(on_x.get(), turned) < tolerance<T>);
  EXPECT(difference(on_y.get(), wanted) < tolerance<T>);
}

template <class T>
void sums() {
  constexpr int n = 3000;
  const auto x = values<T>(n, 3), y = values<T>(n, 4);
  OnDevice<T> on_x(x), on_y(y);
  double dot = 0, squares = 0, sizes = 0;
  int largest = 0, smallest = 0;
  for (int i = 0; i < n; ++i) {
    dot += double(x[i]) * double(y[i]);
    squares += double(x[i]) * double(x[i]);
    sizes += std::abs(double(x[i]));
    if (std::abs(x[i]) > std::abs(x[largest])) largest = i;
    if (std::abs(x[i]) < std::abs(x[smallest])) smallest = i;
  }
  T is = 0;
  EXPECT_BLAS_OK(Names<T>::dot(handle, n, on_x.at, 1, on_y.at, 1, &is));
  EXPECT(std::abs(is - dot) < 100 * tolerance<T>);
  EXPECT_BLAS_OK(Names<T>::nrm2(handle, n, on_x.at, 1, &is));
  EXPECT(std::abs(is - std::sqrt(squares)) < tolerance<T> * std::sqrt(squares));
  EXPECT_BLAS_OK(Names<T>::asum(handle, n, on_x.at, 1, &is));
  EXPECT(std::abs(is - sizes) < tolerance<T> * sizes);
  int index = 0;
  EXPECT_BLAS_OK(Names<T>::amax(handle, n, on_x.at, 1, &index));
  EXPECT(index == largest + 1);
  EXPECT_BLAS_OK(Names<T>::amin(handle, n, on_x.at, 1, &index));
  EXPECT(index == smallest + 1);

  // Without elements: 0, and no index.
  is = 7;
  EXPECT_BLAS_OK(Names<T>::dot(handle, 0, on_x.at, 1, on_y.at, 1, &is));
  EXPECT(is == 0);
  EXPECT_BLAS_OK(Names<T>::amax(handle, 0, on_x.at, 1, &index));
  EXPECT(index == 0);
  is = 7;
  EXPECT_BLAS_OK(Names<T>::nrm2(handle, -1, on_x.at, 1, &is));
  EXPECT(is == 0);

  // Results and factors on the device.
  EXPECT_BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  EXPECT_BLAS_OK(cublasGetPointerMode(handle, &mode));
  EXPECT(mode == CUBLAS_POINTER_MODE_DEVICE);
  OnDevice<T> result(1), factor(std::vector<T>{T(-2)});
  EXPECT_BLAS_OK(Names<T>::dot(handle, n, on_x.at, 1, on_y.at, 1, result.at));
  EXPECT(std::abs(result.get()[0] - dot) < 100 * tolerance<T>);
  EXPECT_BLAS_OK(Names<T>::scal(handle, n, factor.at, on_x.at, 1));
  EXPECT(on_x.get()[5] == -2 * x[5]);
  EXPECT_BLAS_OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
}

void large_and_small() {  // squares would overflow, or vanish
  OnDevice<float> x(std::vector<float>{3e25f, 4e25f}), y(std::vector<float>{3e-30f, 4e-30f});
  float norm = 0;
  EXPECT_BLAS_OK(cublasSnrm2(handle, 2, x.at, 1, &norm));
  EXPECT(std::abs(norm / 5e25f - 1) < 1e-6);
  EXPECT_BLAS_OK(cublasSnrm2(handle, 2, y.at, 1, &norm));
  EXPECT(std::abs(norm / 5e-30f - 1) < 1e-6);
}

// From 2^24 on a float that is counted up by 1 stays.
void long_sums() {
  constexpr int n = 3 << 23;
  const OnDevice<float> ones(std::vector<float>(n, 1.0f));
  float sum = 0, product = 0, length = 0;
  EXPECT_BLAS_OK(cublasSasum(handle, n, ones.at, 1, &sum));
  EXPECT_BLAS_OK(cublasSdot(handle, n, ones.at, 1, ones.at, 1, &product));
  EXPECT_BLAS_OK(cublasSnrm2(handle, n, ones.at, 1, &length));
  EXPECT(sum == float(n) && product == float(n));
  EXPECT(std::abs(length / std::sqrt(float(n)) - 1) < 1e-6f);
}

void complex_numbers() {
  constexpr int n = 200;
  const auto x = values<cuComplex>(n, 5), y = values<cuComplex>(n, 6);
  OnDevice<cuComplex> on_x(x), on_y(y);
  const auto a = as_complex<float>(x), b = as_complex<float>(y);
  std::complex<double> plain = 0, conjugated = 0;
  double sizes = 0;
  for (int i = 0; i < n; ++i) {
    plain += a[i] * b[i];
    conjugated += std::conj(a[i]) * b[i];
    sizes += std::abs(a[i].real()) + std::abs(a[i].imag());
  }
  cuComplex is{};
  EXPECT_BLAS_OK(cublasCdotu(handle, n, on_x.at, 1, on_y.at, 1, &is));
  EXPECT(std::abs(std::complex<double>(is.x, is.y) - plain) < 1e-4);
  EXPECT_BLAS_OK(cublasCdotc(handle, n, on_x.at, 1, on_y.at, 1, &is));
  EXPECT(std::abs(std::complex<double>(is.x, is.y) - conjugated) < 1e-4);
  float sum = 0;
  EXPECT_BLAS_OK(cublasScasum(handle, n, on_x.at, 1, &sum));
  EXPECT(std::abs(sum - sizes) < 1e-5 * sizes);
  const cuComplex turn{0, 1};
  EXPECT_BLAS_OK(cublasCscal(handle, n, &turn, on_x.at, 1));
  EXPECT(on_x.get()[3].x == -x[3].y && on_x.get()[3].y == x[3].x);
  const float half = 0.5f;
  EXPECT_BLAS_OK(cublasCsscal(handle, n, &half, on_y.at, 1));
  EXPECT(on_y.get()[3].x == y[3].x / 2);
  const auto wide = values<cuDoubleComplex>(n, 7);
  OnDevice<cuDoubleComplex> on_wide(wide);
  double norm = 0, squares = 0;
  for (const auto& v : wide) squares += v.x * v.x + v.y * v.y;
  EXPECT_BLAS_OK(cublasDznrm2(handle, n, on_wide.at, 1, &norm));
  EXPECT(std::abs(norm - std::sqrt(squares)) < 1e-12 * norm);
}

__global__ void fill(float* to, int n, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value;
}

// In the order of a stream, and seen by events.
void streams() {
  cudaStream_t stream = nullptr;
  cudaEvent_t done = nullptr;
  EXPECT_OK(cudaStreamCreate(&stream));
  EXPECT_OK(cudaEventCreate(&done));
  EXPECT_BLAS_OK(cublasSetStream(handle, stream));
  cudaStream_t is = nullptr;
  EXPECT_BLAS_OK(cublasGetStream(handle, &is));
  EXPECT(is == stream);
  constexpr int n = 512;
  OnDevice<float> x(n), y(n);
  fill<<<2, 256, 0, stream>>>(x.at, n, 3);
  fill<<<2, 256, 0, stream>>>(y.at, n, 1);
  const float alpha = 2;
  EXPECT_BLAS_OK(cublasSaxpy(handle, n, &alpha, x.at, 1, y.at, 1));
  EXPECT_OK(cudaEventRecord(done, stream));
  EXPECT_OK(cudaEventSynchronize(done));
  EXPECT(y.get()[0] == 7 && y.get()[n - 1] == 7);
  EXPECT_BLAS_OK(cublasSetStream(handle, nullptr));
  EXPECT_OK(cudaEventDestroy(done));
  EXPECT_OK(cudaStreamDestroy(stream));
}

void wide_counts() {  // the names with _64
  OnDevice<float> x(std::vector<float>{1, -5, 2});
  int64_t index = 0;
  EXPECT_BLAS_OK(cublasIsamax_64(handle, int64_t{3}, x.at, int64_t{1}, &index));
  EXPECT(index == 2);
}

int main() {
  EXPECT_BLAS_OK(cublasCreate(&handle));
  updates<float>();
  updates<double>();
  sums<float>();
  sums<double>();
  large_and_small();
  long_sums();
  complex_numbers();
  streams();
  wide_counts();
  EXPECT_BLAS_OK(cublasDestroy(handle));
  return result();
}
