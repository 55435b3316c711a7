// Products of two sparse matrices (cuSPARSE documentation, "cusparseSpGEMM"): the number of entries is known
// after cusparseSpGEMM_compute, and cusparseSpGEMM_copy writes them.
#include <algorithm>
#include <any>
#include <memory>

#include "cuda/stand_in/libraries/sparse/entries.h"

namespace {

// The product in CSR, from cusparseSpGEMM_compute to cusparseSpGEMM_copy.
struct Product {
  std::vector<int64_t> begin, columns;
  std::any values;  // a vector
};

}  // namespace

struct cusparseSpGEMMDescr {
  std::shared_ptr<Product> product = std::make_shared<Product>();
};

using namespace warplens::sparse;

namespace {

cusparseStatus_t check(const cusparseContext* handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                       const void* alpha, const void* beta, const cusparseSpMatDescr* a,
                       const cusparseSpMatDescr* b, const cusparseSpMatDescr* c, cudaDataType type,
                       const cusparseSpGEMMDescr* kept) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || beta == nullptr || a == nullptr || b == nullptr || c == nullptr ||
      kept == nullptr || a->rows != c->rows || a->columns != b->rows || b->columns != c->columns)
    return CUSPARSE_STATUS_INVALID_VALUE;
  // As in NVIDIA's: matrices as they are, in CSR, of one type.
  for (const auto* one : {a, b, c})
    if (one->format != CUSPARSE_FORMAT_CSR || one->type != type || one->batch != 1)
      return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (op_a != CUSPARSE_OPERATION_NON_TRANSPOSE || op_b != CUSPARSE_OPERATION_NON_TRANSPOSE)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return with_type(type, [](auto) { return CUSPARSE_STATUS_SUCCESS; });
}

template <class T>
void multiply(const Entries<T>& a, const Entries<T>& b, int64_t rows, int64_t inner, int64_t columns,
              Product& to) {
  const auto begin_a = beginnings(a.rows, rows), begin_b = beginnings(b.rows, inner);
  std::vector<T> sums(static_cast<size_t>(columns)), values;
  std::vector<int64_t> last_row(static_cast<size_t>(columns), -1), here;
  to.begin = {0};
  to.columns.clear();
  for (int64_t row = 0; row < rows; ++row) {
    here.clear();
    for (auto i = static_cast<size_t>(begin_a[static_cast<size_t>(row)]);
         i < static_cast<size_t>(begin_a[static_cast<size_t>(row) + 1]); ++i) {
      const auto middle = static_cast<size_t>(a.columns[i]);
      for (auto k = static_cast<size_t>(begin_b[middle]); k < static_cast<size_t>(begin_b[middle + 1]); ++k) {
        const auto column = static_cast<size_t>(b.columns[k]);
        if (last_row[column] != row) {
          last_row[column] = row;
          sums[column] = T(0);
          here.push_back(b.columns[k]);
        }
        sums[column] += a.values[i] * b.values[k];
      }
    }
    std::sort(here.begin(), here.end());
    for (const int64_t column : here) values.push_back(sums[static_cast<size_t>(column)]);
    to.columns.insert(to.columns.end(), here.begin(), here.end());
    to.begin.push_back(static_cast<int64_t>(to.columns.size()));
  }
  to.values = std::move(values);
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* made) {
  if (made == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *made = new (std::nothrow) cusparseSpGEMMDescr;
  return *made == nullptr ? CUSPARSE_STATUS_ALLOC_FAILED : CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t made) {
  delete made;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t kept, size_t* bytes,
                                               void*) {
  const cusparseStatus_t wrong = check(handle, op_a, op_b, alpha, beta, a, b, c, type, kept);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = work_bytes;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, cudaDataType type,
                                        cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t kept, size_t* bytes,
                                        void* buffer) {
  const cusparseStatus_t wrong = cusparseSpGEMM_workEstimation(handle, op_a, op_b, alpha, a, b, beta, c, type,
                                                               alg, kept, bytes, nullptr);
  if (wrong != CUSPARSE_STATUS_SUCCESS || buffer == nullptr)
    return wrong;  // without one it asks for the size
  return with_type(type, [&]<class T>(T) {
    const Call call{"cusparseSpGEMM_compute", shape_of(*a), double(a->count + b->count) * operations_of<T>,
                    unit_of<T>, true};
    return run(*handle, call, [a = *a, b = *b, c, product = kept->product](const Memory& memory) {
      Entries<T> one, other;
      if (!load(memory, a, 0, CUSPARSE_OPERATION_NON_TRANSPOSE, one) ||
          !load(memory, b, 0, CUSPARSE_OPERATION_NON_TRANSPOSE, other))
        return false;
      multiply(one, other, a.rows, a.columns, b.columns, *product);
      c->count = static_cast<int64_t>(product->columns.size());
      return true;
    });
  });
}

cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c,
                                     cudaDataType type, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t kept) {
  const cusparseStatus_t wrong = check(handle, op_a, op_b, alpha, beta, a, b, c, type, kept);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  return with_type(type, [&]<class T>(T) {
    // Nothing was computed.
    if (std::any_cast<std::vector<T>>(&kept->product->values) == nullptr)
      return CUSPARSE_STATUS_INVALID_VALUE;
    return run(*handle, {"cusparseSpGEMM_copy", shape_of(*c), 0, unit_of<T>, false},
               [c = *c, product = kept->product, factor = Scalar<T>(*handle, alpha),
                rest = Scalar<T>(*handle, beta)](const Memory& memory) {
                 T by, of_old;
                 return factor.read(memory, by) && rest.read(memory, of_old) &&
                        store_indices(memory, c.first, c.first_type, c.base, product->begin) &&
                        store_indices(memory, c.second, c.second_type, c.base, product->columns) &&
                        store_values(memory, c.values, c.type, by,
                                     *std::any_cast<std::vector<T>>(&product->values), of_old);
               });
  });
}

}  // extern "C"
