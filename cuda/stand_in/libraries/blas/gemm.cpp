#include "cuda/stand_in/libraries/blas/gemm.h"

#include "cuda/stand_in/libraries/blas/element.h"

namespace warplens::blas {

namespace {

using libraries::bytes_of;

// Factors are of the type that is computed with; with 16-bit sums, of 16 bits.
template <class T>
class Factor {
 public:
  Factor(const cublasContext& handle, const Gemm& asked, const void* pointer) {
    is_half = asked.compute == CUBLAS_COMPUTE_16F || asked.compute == CUBLAS_COMPUTE_16F_PEDANTIC;
    if (is_half) {
      m_half = Scalar<Half>(handle, pointer);
    } else {
      m_value = Scalar<T>(handle, pointer);
    }
  }
  bool read(const Memory& memory, T& to) const {
    if (!is_half) return m_value.read(memory, to);
    Half half{};
    if (!m_half.read(memory, half)) return false;
    if constexpr (std::is_same_v<T, float>) to = half;
    return true;
  }

 private:
  bool is_half = false;
  Scalar<T> m_value;
  Scalar<Half> m_half;
};

MatrixAt matrix_at(const Memory& memory, const Gemm& asked, const GemmOperand& operand, int64_t rows,
                   int64_t columns, int64_t index, bool& there) {
  const auto* address = static_cast<const std::byte*>(operand.address);
  if (asked.by_pointers) {
    const auto* pointers = memory.array<const std::byte* const>(operand.address, asked.count, warplens_reads);
    if (pointers == nullptr) {
      there = false;
      return {};
    }
    address = pointers[index];
  } else {
    address += index * operand.stride * bytes_of(operand.type);
  }
  return {address, rows, columns, operand.ld};
}

template <class T>
bool compute(const Memory& memory, const Gemm& asked, const Factor<T>& alpha, const Factor<T>& beta) {
  T factor{}, rest{};
  if (!alpha.read(memory, factor) || !beta.read(memory, rest)) return false;
  const bool turned_a = asked.op_a != CUBLAS_OP_N, turned_b = asked.op_b != CUBLAS_OP_N;
  for (int64_t i = 0; i < asked.count; ++i) {
    bool there = true;
    const MatrixAt a = matrix_at(memory, asked, asked.a, turned_a ? asked.k : asked.m,
                                 turned_a ? asked.m : asked.k, i, there);
    const MatrixAt b = matrix_at(memory, asked, asked.b, turned_b ? asked.n : asked.k,
                                 turned_b ? asked.k : asked.n, i, there);
    const MatrixAt c = matrix_at(memory, asked, asked.c, asked.m, asked.n, i, there);
    Dense<T> one(asked.m, asked.k), other(asked.k, asked.n);
    const bool reads = there && asked.k != 0 && factor != T(0);  // else a and b need not be there
    if (!there || (reads && (!load_as(memory, a, asked.a.type, asked.op_a, one) ||
                             !load_as(memory, b, asked.b.type, asked.op_b, other))))
      return false;
    const Dense<T> made = reads ? product(one, other) : Dense<T>(asked.m, asked.n);
    if (!store_as(memory, c, asked.c.type, factor, made, rest)) return false;
  }
  return true;
}

template <class T>
cublasStatus_t run_gemm(const cublasContext& handle, const Gemm& asked) {
  std::string shape = libraries::shape_of({asked.m, asked.n, asked.k});
  if (asked.is_batch) shape += ", " + std::to_string(asked.count) + " times";
  const bool is_short = bytes_of(asked.a.type) == 2;
  const Call call{
      asked.name, shape,
      double(asked.m) * double(asked.n) * double(asked.k) * double(asked.count) * operations_of<T>,
      is_short                     ? warplens_fp16
      : std::is_same_v<T, int32_t> ? warplens_integer
                                   : unit_of<T>,
      false};
  return run(
      handle, call,
      [asked, alpha = Factor<T>(handle, asked, asked.alpha), beta = Factor<T>(handle, asked, asked.beta)](
          const Memory& memory) { return compute<T>(memory, asked, alpha, beta); });
}

// Types that go together (cuBLAS documentation, cublasGemmEx): those of a and b are equal.
struct TypeRow {
  cublasComputeType_t compute;
  cudaDataType ab, c;
};
constexpr TypeRow type_rows[] = {
    {CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F},   {CUBLAS_COMPUTE_32I, CUDA_R_8I, CUDA_R_32I},
    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_16BF}, {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16F},
    {CUBLAS_COMPUTE_32F, CUDA_R_8I, CUDA_R_32F},    {CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_32F},   {CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F},
    {CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F},   {CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F},
    {CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F},
};

// The pedantic kinds, and those that may round their inputs, sum as the plain one does.
cublasComputeType_t plain(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUBLAS_COMPUTE_16F;
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return CUBLAS_COMPUTE_64F;
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return CUBLAS_COMPUTE_32I;
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      return CUBLAS_COMPUTE_32F;
    default:
      return compute;
  }
}

bool is_known(const Gemm& asked) {
  for (const TypeRow& row : type_rows)
    if (row.compute == plain(asked.compute) && row.ab == asked.a.type && row.ab == asked.b.type &&
        row.c == asked.c.type)
      return true;
  return false;
}

}  // namespace

cublasStatus_t gemm(cublasHandle_t handle, const Gemm& asked) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_operation(asked.op_a) || !is_operation(asked.op_b) || asked.m < 0 || asked.n < 0 || asked.k < 0 ||
      asked.count < 0 || asked.alpha == nullptr || asked.beta == nullptr ||
      !fits(asked.a.ld, asked.op_a == CUBLAS_OP_N ? asked.m : asked.k) ||
      !fits(asked.b.ld, asked.op_b == CUBLAS_OP_N ? asked.k : asked.n) || !fits(asked.c.ld, asked.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!is_known(asked)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (asked.m == 0 || asked.n == 0 || asked.count == 0) return CUBLAS_STATUS_SUCCESS;
  if (asked.c.type == CUDA_C_32F) return run_gemm<std::complex<float>>(*handle, asked);
  if (asked.c.type == CUDA_C_64F) return run_gemm<std::complex<double>>(*handle, asked);
  if (asked.c.type == CUDA_R_64F) return run_gemm<double>(*handle, asked);
  if (asked.c.type == CUDA_R_32I) return run_gemm<int32_t>(*handle, asked);
  return run_gemm<float>(*handle, asked);
}

}  // namespace warplens::blas
