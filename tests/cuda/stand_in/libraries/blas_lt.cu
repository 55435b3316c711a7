// nvcc: -lcublasLt -lcublas
// Products by cuBLASLt: types, operations, orders, batches and epilogues, against the definition; codes of
// misuse.
#include <cublasLt.h>
#include <cuda_fp16.h>

#include "expect.h"

using Z = std::complex<double>;
inline Z exact(__half value) { return double(__half2float(value)); }
inline Z exact(float value) { return value; }
inline Z exact(double value) { return value; }
inline Z exact(cuComplex value) { return {value.x, value.y}; }
template <class T>
T number(double value) {
  if constexpr (std::is_same_v<T, cuComplex>) {
    return {float(value), 0};
  } else if constexpr (std::is_same_v<T, __half>) {
    return __float2half(float(value));
  } else {
    return T(value);
  }
}
template <class T>
std::vector<T> some(size_t count, uint32_t seed) {
  if constexpr (std::is_same_v<T, __half>) {
    std::vector<T> made;
    for (const float value : values<float>(count, seed)) made.push_back(__float2half(value));
    return made;
  } else {
    return values<T>(count, seed);
  }
}

template <class T>
struct Of;
template <>
struct Of<__half> {
  using Scale = float;
  static constexpr cudaDataType type = CUDA_R_16F, scale = CUDA_R_32F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  static constexpr double bound = 2e-3;
};
template <>
struct Of<float> {
  using Scale = float;
  static constexpr cudaDataType type = CUDA_R_32F, scale = CUDA_R_32F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  static constexpr double bound = 1e-5;
};
template <>
struct Of<double> {
  using Scale = double;
  static constexpr cudaDataType type = CUDA_R_64F, scale = CUDA_R_64F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_64F;
  static constexpr double bound = 1e-13;
};
template <>
struct Of<cuComplex> {
  using Scale = cuComplex;
  static constexpr cudaDataType type = CUDA_C_32F, scale = CUDA_C_32F;
  static constexpr cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  static constexpr double bound = 1e-5;
};

// A matrix, or a batch of them, with its layout.
template <class T>
struct Matrix {
  int rows, columns, ld, batch;
  bool by_rows;
  std::vector<T> host;
  OnDevice<T> values;
  cublasLtMatrixLayout_t layout = nullptr;
  Matrix(int its_rows, int its_columns, uint32_t seed, bool its_by_rows = false, int its_batch = 1)
      : rows(its_rows),
        columns(its_columns),
        ld((its_by_rows ? columns : rows) + 8),
        batch(its_batch),
        by_rows(its_by_rows),
        host(some<T>(size() * batch, seed)),
        values(host) {
    EXPECT_BLAS_OK(cublasLtMatrixLayoutCreate(&layout, Of<T>::type, rows, columns, ld));
    const cublasLtOrder_t order = CUBLASLT_ORDER_ROW;
    const int64_t stride = int64_t(size());
    if (by_rows)
      EXPECT_BLAS_OK(
          cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order));
    if (batch != 1) {
      EXPECT_BLAS_OK(
          cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
      EXPECT_BLAS_OK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                                      &stride, sizeof stride));
    }
  }
  ~Matrix() { EXPECT_BLAS_OK(cublasLtMatrixLayoutDestroy(layout)); }
  size_t size() const { return size_t(ld) * (by_rows ? rows : columns); }
  size_t place(int b, int i, int j) const {
    return b * size() + (by_rows ? size_t(i) * ld + j : size_t(j) * ld + i);
  }
};

template <class T>
void product(const char* what, cublasLtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
             cublasLtEpilogue_t epilogue, bool by_rows = false, int batch = 1, bool in_place = false) {
  constexpr int m = 24, n = 16, k = 40;
  const bool turned_a = op_a != CUBLAS_OP_N, turned_b = op_b != CUBLAS_OP_N;
  const Matrix<T> a(turned_a ? k : m, turned_a ? m : k, 1, by_rows, batch),
      b(turned_b ? n : k, turned_b ? k : n, 2, by_rows, batch), c(m, n, 3, by_rows, batch),
      other(m, n, 4, by_rows, batch);
  const Matrix<T>& d = in_place ? c : other;
  const auto bias = some<T>(m, 5);
  const OnDevice<T> of_bias(bias);
  cublasLtMatmulDesc_t how = nullptr;
  cublasLtMatmulPreference_t preference = nullptr;
  EXPECT_BLAS_OK(cublasLtMatmulDescCreate(&how, Of<T>::compute, Of<T>::scale));
  EXPECT_BLAS_OK(cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_TRANSA, &op_a, sizeof op_a));
  EXPECT_BLAS_OK(cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_TRANSB, &op_b, sizeof op_b));
  EXPECT_BLAS_OK(
      cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  const bool with_bias = (epilogue & CUBLASLT_EPILOGUE_BIAS) != 0;
  if (with_bias)
    EXPECT_BLAS_OK(cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &of_bias.at,
                                                  sizeof of_bias.at));
  EXPECT_BLAS_OK(cublasLtMatmulPreferenceCreate(&preference));
  const size_t room = 1 << 22;
  const OnDevice<char> work(room);
  EXPECT_BLAS_OK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                      &room, sizeof room));
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  EXPECT_BLAS_OK(cublasLtMatmulAlgoGetHeuristic(handle, how, a.layout, b.layout, c.layout, d.layout,
                                                preference, 1, &found, &count));
  EXPECT(count == 1 && found.state == CUBLAS_STATUS_SUCCESS && found.workspaceSize <= room);
  const auto alpha = number<typename Of<T>::Scale>(0.75), beta = number<typename Of<T>::Scale>(-1.25);
  EXPECT_BLAS_OK(cublasLtMatmul(handle, how, &alpha, a.values.at, a.layout, b.values.at, b.layout, &beta,
                                c.values.at, c.layout, d.values.at, d.layout, &found.algo, work.at, room,
                                nullptr));
  double most = 0, scale = 0;
  const auto is = d.values.get();
  for (int one = 0; one < batch; ++one)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        Z sum = 0;
        for (int p = 0; p < k; ++p) {
          Z left = exact(a.host[turned_a ? a.place(one, p, i) : a.place(one, i, p)]);
          Z right = exact(b.host[turned_b ? b.place(one, j, p) : b.place(one, p, j)]);
          if (op_a == CUBLAS_OP_C) left = std::conj(left);
          if (op_b == CUBLAS_OP_C) right = std::conj(right);
          sum += left * right;
        }
        sum = 0.75 * sum - 1.25 * exact(c.host[c.place(one, i, j)]);
        if (with_bias) sum += exact(bias[i]);
        const double x = sum.real();
        if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) sum = std::max(x, 0.0);
        if ((epilogue & CUBLASLT_EPILOGUE_GELU) != 0)
          sum = 0.5 * x * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
        most = std::max(most, std::abs(exact(is[d.place(one, i, j)]) - sum));
        scale = std::max(scale, std::abs(sum));
      }
  // NVIDIA's GELU takes the GPU's approximation of tanh.
  const bool gelu = (epilogue & CUBLASLT_EPILOGUE_GELU) != 0;
  expect_below(what, most / scale, gelu ? std::max(Of<T>::bound, 1e-3) : Of<T>::bound);
  EXPECT_BLAS_OK(cublasLtMatmulPreferenceDestroy(preference));
  EXPECT_BLAS_OK(cublasLtMatmulDescDestroy(how));
}

// From columns to rows, and the sum with a transposed matrix.
void transform(cublasLtHandle_t handle) {
  const Matrix<float> a(12, 20, 1), b(20, 12, 2), c(12, 20, 3, true);
  cublasLtMatrixTransformDesc_t how = nullptr;
  EXPECT_BLAS_OK(cublasLtMatrixTransformDescCreate(&how, CUDA_R_32F));
  const cublasOperation_t turned = CUBLAS_OP_T;
  EXPECT_BLAS_OK(cublasLtMatrixTransformDescSetAttribute(how, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, &turned,
                                                         sizeof turned));
  const float alpha = 2, beta = -3;
  EXPECT_BLAS_OK(cublasLtMatrixTransform(handle, how, &alpha, a.values.at, a.layout, &beta, b.values.at,
                                         b.layout, c.values.at, c.layout, nullptr));
  const auto is = c.values.get();
  double most = 0;
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 20; ++j)
      most = std::max(most, std::abs(double(is[c.place(0, i, j)]) -
                                     (2.0 * a.host[a.place(0, i, j)] - 3.0 * b.host[b.place(0, j, i)])));
  expect_below("transform", most, 1e-6);
  EXPECT_BLAS_OK(cublasLtMatrixTransformDescDestroy(how));
}

void codes(cublasLtHandle_t handle) {
  cublasLtMatmulDesc_t how = nullptr;
  EXPECT_BLAS_OK(cublasLtMatmulDescCreate(&how, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  size_t written = 0;
  cublasOperation_t op = CUBLAS_OP_C;
  EXPECT_BLAS_OK(cublasLtMatmulDescGetAttribute(how, CUBLASLT_MATMUL_DESC_TRANSA, &op, sizeof op, &written));
  EXPECT(op == CUBLAS_OP_N && written == sizeof op);
  EXPECT_BLAS_OK(
      cublasLtMatmulDescGetAttribute(how, CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr, 0, &written));
  EXPECT(written == sizeof(void*));
  EXPECT_BLAS(cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_TRANSA, &op, 1),
              CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_BLAS(cublasLtMatmulDescSetAttribute(how, CUBLASLT_MATMUL_DESC_TRANSA, nullptr, sizeof op),
              CUBLAS_STATUS_INVALID_VALUE);
  const Matrix<float> a(8, 8, 1), b(8, 8, 2), c(8, 8, 3), wrong(4, 8, 4);
  const float one = 1;
  EXPECT_BLAS(cublasLtMatmul(nullptr, how, &one, a.values.at, a.layout, b.values.at, b.layout, &one,
                             c.values.at, c.layout, c.values.at, c.layout, nullptr, nullptr, 0, nullptr),
              CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_BLAS(cublasLtMatmul(handle, how, &one, a.values.at, a.layout, wrong.values.at, wrong.layout, &one,
                             c.values.at, c.layout, c.values.at, c.layout, nullptr, nullptr, 0, nullptr),
              CUBLAS_STATUS_INVALID_VALUE);
  // Without an algorithm the library chooses.
  EXPECT_BLAS_OK(cublasLtMatmul(handle, how, &one, a.values.at, a.layout, b.values.at, b.layout, &one,
                                c.values.at, c.layout, c.values.at, c.layout, nullptr, nullptr, 0, nullptr));
  EXPECT_BLAS_OK(cublasLtMatmulDescDestroy(how));
  EXPECT(cublasLtGetVersion() >= 120000);
}

int main() {
  cublasLtHandle_t handle = nullptr;
  EXPECT_BLAS_OK(cublasLtCreate(&handle));
  const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T, C = CUBLAS_OP_C;
  const auto plain = CUBLASLT_EPILOGUE_DEFAULT;
  product<float>("floats", handle, N, N, plain);
  product<float>("floats, a turned", handle, T, N, plain);
  product<float>("floats, b turned", handle, N, T, plain);
  product<float>("floats, in place", handle, N, N, plain, false, 1, true);
  product<float>("floats by rows", handle, N, N, plain, true);
  product<float>("floats by rows, turned", handle, T, T, plain, true);
  product<float>("floats, a batch", handle, N, N, plain, false, 3);
  product<float>("ReLU", handle, T, N, CUBLASLT_EPILOGUE_RELU);
  product<float>("bias", handle, T, N, CUBLASLT_EPILOGUE_BIAS);
  product<float>("bias, ReLU", handle, T, N, CUBLASLT_EPILOGUE_RELU_BIAS);
  product<float>("GELU", handle, T, N, CUBLASLT_EPILOGUE_GELU);
  product<float>("bias, GELU", handle, T, N, CUBLASLT_EPILOGUE_GELU_BIAS);
  product<double>("doubles", handle, N, T, plain);
  product<__half>("halves", handle, T, N, plain);
  product<__half>("halves, bias, ReLU", handle, T, N, CUBLASLT_EPILOGUE_RELU_BIAS);
  product<__half>("halves, bias, GELU", handle, T, N, CUBLASLT_EPILOGUE_GELU_BIAS);
  product<cuComplex>("complex", handle, C, N, plain);
  product<cuComplex>("complex, turned", handle, T, C, plain);
  transform(handle);
  codes(handle);
  EXPECT_BLAS_OK(cublasLtDestroy(handle));
  return result();
}
