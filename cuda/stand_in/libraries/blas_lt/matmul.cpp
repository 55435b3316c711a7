// Products with epilogues, and transformed copies (cuBLAS documentation, "cublasLtMatmul" and
// "cublasLtMatrixTransform").
#include <cmath>

#include "cuda/stand_in/libraries/blas/element.h"
#include "cuda/stand_in/libraries/blas_lt/descriptors.h"

using namespace warplens::blas_lt;
using warplens::blas::Dense;
using warplens::blas::is_operation;
using warplens::blas::MatrixAt;
using warplens::libraries::bytes_of;
using warplens::libraries::Call;
using warplens::libraries::Half;
using warplens::libraries::is_complex;
using warplens::libraries::Memory;
using warplens::libraries::operations_of;
using warplens::libraries::with_element;

namespace {

constexpr auto success = CUBLAS_STATUS_SUCCESS;
constexpr auto invalid = CUBLAS_STATUS_INVALID_VALUE;
constexpr auto not_supported = CUBLAS_STATUS_NOT_SUPPORTED;

struct Operand {
  const void* address = nullptr;
  Layout layout;
};

cublasOperation_t operation(int32_t op) { return static_cast<cublasOperation_t>(op); }
bool by_rows(const Layout& layout) { return layout.order == CUBLASLT_ORDER_ROW; }

// Rows after rows are the columns of the transposed matrix.
MatrixAt place(const Operand& operand, int64_t in_batch) {
  const Layout& layout = operand.layout;
  const auto rows = static_cast<int64_t>(layout.rows), columns = static_cast<int64_t>(layout.columns);
  const auto* at =
      static_cast<const std::byte*>(operand.address) + in_batch * layout.stride * bytes_of(layout.type);
  return by_rows(layout) ? MatrixAt{at, columns, rows, layout.ld} : MatrixAt{at, rows, columns, layout.ld};
}

template <class T>
bool load(const Memory& memory, const Operand& operand, int64_t in_batch, int32_t op, Dense<T>& to) {
  const bool turned = (op != CUBLAS_OP_N) != by_rows(operand.layout);
  if (!warplens::blas::load_as(memory, place(operand, in_batch), operand.layout.type,
                               turned ? CUBLAS_OP_T : CUBLAS_OP_N, to))
    return false;
  if (op == CUBLAS_OP_C)
    for (T& value : to.values) value = warplens::libraries::conjugate(value);
  return true;
}
template <class T>
bool store(const Memory& memory, const Operand& operand, int64_t in_batch, const Dense<T>& from) {
  return warplens::blas::store_as(memory, place(operand, in_batch), operand.layout.type, T(1),
                                  by_rows(operand.layout) ? warplens::blas::transposed(from) : from, T(0));
}

// alpha and beta, of the type that scales: that which is computed with, or of 16 bits.
template <class T>
class Factor {
 public:
  Factor(int32_t mode, int32_t type, const void* pointer) : m_is_half(type == CUDA_R_16F) {
    const bool on_device = mode == CUBLASLT_POINTER_MODE_DEVICE;
    if (m_is_half) {
      m_half = {on_device, pointer};
    } else {
      m_value = {on_device, pointer};
    }
  }
  bool read(const Memory& memory, T& to) const {
    if (!m_is_half) return m_value.read(memory, to);
    Half half{};
    if (!m_half.read(memory, half)) return false;
    if constexpr (std::is_same_v<T, float>) to = half;
    return true;
  }

 private:
  bool m_is_half;
  warplens::libraries::Scalar<T> m_value;
  warplens::libraries::Scalar<Half> m_half;
};

struct Product {
  Matmul how;
  Operand a, b, c, d;
  const void *alpha = nullptr, *beta = nullptr;
};

bool is_layout(const Layout& layout) {
  const uint64_t least = by_rows(layout) ? layout.columns : layout.rows;
  return layout.ld >= static_cast<int64_t>(least) && layout.batch >= 1;
}
bool is_order(const Layout& layout) { return layout.order == CUBLASLT_ORDER_COL || by_rows(layout); }

// What is computed with, by the types of the operands.
template <class F>
cublasStatus_t with_type(const Matmul& how, const Layout& c, F f) {
  const auto scale = static_cast<cudaDataType>(how.scale);
  switch (how.compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return scale == CUDA_R_16F ? f(float{}) : not_supported;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return scale == CUDA_R_32I && c.type == CUDA_R_32I ? f(int32_t{}) : not_supported;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return scale == CUDA_R_64F   ? f(double{})
             : scale == CUDA_C_64F ? f(std::complex<double>{})
                                   : not_supported;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return scale == CUDA_R_32F   ? f(float{})
             : scale == CUDA_C_32F ? f(std::complex<float>{})
                                   : not_supported;
    default:
      return not_supported;
  }
}

bool is_epilogue(uint32_t epilogue) {
  switch (epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_BIAS:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
      return true;
    default:
      return false;
  }
}

cudaDataType bias_type(const Product& product) {
  return product.how.bias_type < 0 ? product.d.layout.type : static_cast<cudaDataType>(product.how.bias_type);
}

// Whether the product can be computed; its pointers are checked when it is.
cublasStatus_t check(const Product& given) {
  const auto& [how, a, b, c, d, alpha, beta] = given;
  if (!is_operation(operation(how.op_a)) || !is_operation(operation(how.op_b))) return invalid;
  for (const Operand* one : {&a, &b, &c, &d}) {
    if (!is_order(one->layout)) return not_supported;
    if (!is_layout(one->layout) || one->layout.batch != d.layout.batch) return invalid;
  }
  const auto rows = [](const Operand& one, int32_t op) {
    return op == CUBLAS_OP_N ? one.layout.rows : one.layout.columns;
  };
  const auto columns = [](const Operand& one, int32_t op) {
    return op == CUBLAS_OP_N ? one.layout.columns : one.layout.rows;
  };
  if (rows(a, how.op_a) != d.layout.rows || columns(b, how.op_b) != d.layout.columns ||
      columns(a, how.op_a) != rows(b, how.op_b) || c.layout.rows != d.layout.rows ||
      c.layout.columns != d.layout.columns)
    return invalid;
  if (!is_epilogue(how.epilogue) || how.op_c != CUBLAS_OP_N || how.fill != CUBLAS_FILL_MODE_FULL ||
      (how.pointer_mode != CUBLASLT_POINTER_MODE_HOST && how.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE) ||
      a.layout.type != b.layout.type || c.layout.type != d.layout.type)
    return not_supported;
  const cudaDataType types[] = {a.layout.type, c.layout.type, bias_type(given)};
  const bool plain = how.epilogue == CUBLASLT_EPILOGUE_DEFAULT;
  return with_type(how, c.layout, [&types, plain]<class T>(T) {
    if ((is_complex<T> || std::is_same_v<T, int32_t>)&&!plain) return not_supported;
    for (const cudaDataType type : types)
      if (!with_element<T>(type, [](auto) { return true; })) return not_supported;
    return success;
  });
}

// GELU by tanh (Hendrycks and Gimpel 2016), which cuBLASLt has.
template <class T>
T activated(T value, uint32_t epilogue) {
  if constexpr (std::is_floating_point_v<T>) {
    if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) return value > 0 || std::isnan(value) ? value : T(0);
    constexpr double factor = 0.7978845608028654;  // the root of 2/π
    if ((epilogue & CUBLASLT_EPILOGUE_GELU) != 0) {
      const double x = value;
      return static_cast<T>(0.5 * x * (1 + std::tanh(factor * (x + 0.044715 * x * x * x))));
    }
  }
  return value;
}

template <class T>
bool compute(const Memory& memory, const Product& given, const Factor<T>& alpha, const Factor<T>& beta) {
  T by{}, rest{};
  if (!alpha.read(memory, by) || !beta.read(memory, rest)) return false;
  const Matmul& how = given.how;
  const bool with_bias = (how.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0;
  const auto m = static_cast<int64_t>(given.d.layout.rows), n = static_cast<int64_t>(given.d.layout.columns);
  for (int64_t i = 0; i < given.d.layout.batch; ++i) {
    Dense<T> one, other, made(m, n), before, bias;
    if (by != T(0)) {
      if (!load(memory, given.a, i, how.op_a, one) || !load(memory, given.b, i, how.op_b, other))
        return false;
      made = warplens::blas::product(one, other);
    }
    if (rest != T(0) && !load(memory, given.c, i, CUBLAS_OP_N, before)) return false;
    if (with_bias) {
      const auto* at =
          static_cast<const std::byte*>(how.bias) + i * how.bias_stride * bytes_of(bias_type(given));
      if (!warplens::blas::load_as(memory, {at, m, 1, m}, bias_type(given), CUBLAS_OP_N, bias)) return false;
    }
    for (int64_t j = 0; j < n; ++j)
      for (int64_t k = 0; k < m; ++k) {
        T value = by * made(k, j);
        if (rest != T(0)) value += rest * before(k, j);
        if (with_bias) value += bias(k, 0);
        made(k, j) = activated(value, how.epilogue);
      }
    if (!store(memory, given.d, i, made)) return false;
  }
  return true;
}

cublasStatus_t multiply(const Product& given, cudaStream_t stream) {
  const Layout& to = given.d.layout;
  const uint64_t inner = given.how.op_a == CUBLAS_OP_N ? given.a.layout.columns : given.a.layout.rows;
  std::string shape = warplens::libraries::shape_of(
      {static_cast<int64_t>(to.rows), static_cast<int64_t>(to.columns), static_cast<int64_t>(inner)});
  if (to.batch != 1) shape += ", " + std::to_string(to.batch) + " times";
  return with_type(given.how, given.c.layout, [&]<class T>(T) {
    warplens_unit unit = warplens_integer;
    if constexpr (!std::is_same_v<T, int32_t>) unit = warplens::libraries::unit_of<T>;
    if (bytes_of(given.a.layout.type) == 2) unit = warplens_fp16;
    const Call call{"cublasLtMatmul", shape,
                    double(to.rows) * double(to.columns) * double(inner) * to.batch * operations_of<T>, unit,
                    false};
    return warplens::blas::status_of(warplens::libraries::run_on(
        stream, call,
        [given, alpha = Factor<T>(given.how.pointer_mode, given.how.scale, given.alpha),
         beta = Factor<T>(given.how.pointer_mode, given.how.scale, given.beta)](const Memory& memory) {
          return compute<T>(memory, given, alpha, beta);
        }));
  });
}

Product product_of(const cublasLtMatmulDescOpaque_t* how, const cublasLtMatrixLayoutOpaque_t* a,
                   const cublasLtMatrixLayoutOpaque_t* b, const cublasLtMatrixLayoutOpaque_t* c,
                   const cublasLtMatrixLayoutOpaque_t* d) {
  Product made;
  made.how = in<Matmul>(how);
  made.a.layout = in<Layout>(a);
  made.b.layout = in<Layout>(b);
  made.c.layout = in<Layout>(c);
  made.d.layout = in<Layout>(d);
  return made;
}

// The only algorithm: number 0, without settings.
cublasStatus_t describe(const Product& given, cublasLtMatmulHeuristicResult_t& to) {
  to = {};
  to.state = check(given);
  return to.state;
}

cublasStatus_t transform(const Transform& how, Operand a, Operand b, Operand c, const void* alpha,
                         const void* beta, cudaStream_t stream) {
  // An operand that is not there counts as 0.
  for (const Operand* one : {&a, &b, &c}) {
    if (one->address == nullptr) continue;
    if (!is_order(one->layout) || one->layout.type != c.layout.type) return not_supported;
    if (!is_layout(one->layout) || one->layout.batch != c.layout.batch) return invalid;
  }
  const auto fits = [&](const Operand& one, int32_t op) {
    if (one.address == nullptr) return true;
    const Layout& from = one.layout;
    return is_operation(operation(op)) && (op == CUBLAS_OP_N ? from.rows : from.columns) == c.layout.rows &&
           (op == CUBLAS_OP_N ? from.columns : from.rows) == c.layout.columns;
  };
  if (!fits(a, how.op_a) || !fits(b, how.op_b)) return invalid;
  if (how.pointer_mode != CUBLASLT_POINTER_MODE_HOST && how.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE)
    return not_supported;
  Matmul typed;
  typed.scale = how.scale;
  typed.compute =
      how.scale == CUDA_R_64F || how.scale == CUDA_C_64F ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
  return with_type(typed, c.layout, [&]<class T>(T) {
    if (!with_element<T>(c.layout.type, [](auto) { return true; })) return not_supported;
    const std::string shape = warplens::libraries::shape_of(
        {static_cast<int64_t>(c.layout.rows), static_cast<int64_t>(c.layout.columns)});
    return warplens::blas::status_of(warplens::libraries::run_on(
        stream, Call{"cublasLtMatrixTransform", shape, 0, warplens_fp32, false},
        [how, a, b, c, one = Factor<T>(how.pointer_mode, how.scale, alpha),
         two = Factor<T>(how.pointer_mode, how.scale, beta)](const Memory& memory) {
          T by{}, rest{};
          if ((a.address != nullptr && !one.read(memory, by)) ||
              (b.address != nullptr && !two.read(memory, rest)))
            return false;
          for (int64_t i = 0; i < c.layout.batch; ++i) {
            Dense<T> made(static_cast<int64_t>(c.layout.rows), static_cast<int64_t>(c.layout.columns)), from;
            if (by != T(0)) {
              if (!load(memory, a, i, how.op_a, from)) return false;
              for (size_t k = 0; k < made.values.size(); ++k) made.values[k] = by * from.values[k];
            }
            if (rest != T(0)) {
              if (!load(memory, b, i, how.op_b, from)) return false;
              for (size_t k = 0; k < made.values.size(); ++k) made.values[k] += rest * from.values[k];
            }
            if (!store(memory, c, i, made)) return false;
          }
          return true;
        }));
  });
}

}  // namespace

extern "C" {

// The handle may be one of cuBLAS's.
cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t how, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t*, void*, size_t, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (how == nullptr || a_layout == nullptr || b_layout == nullptr || c_layout == nullptr ||
      d_layout == nullptr || alpha == nullptr || beta == nullptr)
    return invalid;
  Product given = product_of(how, a_layout, b_layout, c_layout, d_layout);
  const cublasStatus_t wrong = check(given);
  if (wrong != success) return wrong;
  if (a == nullptr || b == nullptr || d == nullptr ||
      ((given.how.epilogue & CUBLASLT_EPILOGUE_BIAS) != 0 && given.how.bias == nullptr))
    return invalid;
  given.a.address = a;
  given.b.address = b;
  given.c.address = c == nullptr ? d : c;
  given.d.address = d;
  given.alpha = alpha;
  given.beta = beta;
  if (given.d.layout.rows == 0 || given.d.layout.columns == 0) return success;
  return multiply(given, stream);
}

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t how,
                                       const void* alpha, const void* a, cublasLtMatrixLayout_t a_layout,
                                       const void* beta, const void* b, cublasLtMatrixLayout_t b_layout,
                                       void* c, cublasLtMatrixLayout_t c_layout, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (how == nullptr || c == nullptr || c_layout == nullptr ||
      (a != nullptr && (a_layout == nullptr || alpha == nullptr)) ||
      (b != nullptr && (b_layout == nullptr || beta == nullptr)))
    return invalid;
  return transform(in<Transform>(how), {a, a == nullptr ? Layout{} : in<Layout>(a_layout)},
                   {b, b == nullptr ? Layout{} : in<Layout>(b_layout)}, {c, in<Layout>(c_layout)}, alpha,
                   beta, stream);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t how,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int most,
                                              cublasLtMatmulHeuristicResult_t results[], int* count) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (how == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr ||
      preference == nullptr || most < 1 || results == nullptr || count == nullptr)
    return invalid;
  const cublasStatus_t end = describe(product_of(how, a, b, c, d), results[0]);
  *count = end == success ? 1 : 0;
  return end;
}
cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                                        cudaDataType_t c, cudaDataType_t d, int most, int ids[], int* count) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (most < 1 || ids == nullptr) return invalid;
  Product given;
  given.how.compute = compute;
  given.how.scale = scale;
  given.a.layout.type = a;
  given.b.layout.type = b;
  given.c.layout.type = c;
  given.d.layout.type = d;
  const cublasStatus_t end = check(given);
  if (count != nullptr) *count = end == success ? 1 : 0;
  if (end == success) ids[0] = 0;
  return end;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                                      cudaDataType_t c, cudaDataType_t d, int id,
                                      cublasLtMatmulAlgo_t* algorithm) {
  int only = 0;
  if (algorithm == nullptr || id != 0) return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : invalid;
  *algorithm = {};
  return cublasLtMatmulAlgoGetIds(handle, compute, scale, a, b, c, d, 1, &only, nullptr);
}
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t how,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algorithm,
                                       cublasLtMatmulHeuristicResult_t* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (how == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr ||
      algorithm == nullptr || result == nullptr)
    return invalid;
  return describe(product_of(how, a, b, c, d), *result);
}

}  // extern "C"
