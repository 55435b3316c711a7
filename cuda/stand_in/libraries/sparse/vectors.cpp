// Sparse vectors (cuSPARSE documentation, "cusparseAxpby", "cusparseGather", "cusparseScatter", "cusparseRot"
// and "cusparseSpVV").
#include <cstring>

#include "cuda/stand_in/libraries/sparse/entries.h"

using namespace warplens::sparse;

namespace {

cusparseStatus_t check(const cusparseContext* handle, const cusparseSpVecDescr* x,
                       const cusparseDnVecDescr* y) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (x == nullptr || y == nullptr || x->size != y->size) return CUSPARSE_STATUS_INVALID_VALUE;
  return x->type == y->type ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
}

Call call_of(const char* name, const cusparseSpVecDescr& x, double operations, warplens_unit unit) {
  return {name, std::to_string(x.count) + " of " + std::to_string(x.size), operations, unit, false};
}

bool load_places(const Memory& memory, const cusparseSpVecDescr& x, std::vector<int64_t>& to) {
  return load_indices(memory, x.indices, x.count, x.index, x.base, to) &&
         all_below(memory, to, x.size, "index");
}

// Elements of any type move as bytes.
cusparseStatus_t move(const char* name, const cusparseContext* handle, const cusparseSpVecDescr* sparse,
                      const cusparseDnVecDescr* dense, bool gather) {
  const cusparseStatus_t wrong = check(handle, sparse, dense);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  return run(*handle, call_of(name, *sparse, 0, warplens_fp32),
             [gather, x = *sparse, y = *dense](const Memory& memory) {
               const int64_t bytes = bytes_of(x.type);
               std::vector<int64_t> places;
               if (!load_places(memory, x, places)) return false;
               auto* few = memory.array<std::byte>(x.values, x.count * bytes,
                                                   gather ? warplens_writes : warplens_reads);
               if (few == nullptr) return false;
               for (const int64_t place : places) {
                 auto* one = memory.array<std::byte>(moved(y.values, place * bytes), bytes,
                                                     gather ? warplens_reads : warplens_writes);
                 if (one == nullptr) return false;
                 gather ? std::memcpy(few, one, static_cast<size_t>(bytes))
                        : std::memcpy(one, few, static_cast<size_t>(bytes));
                 few += bytes;
               }
               return true;
             });
}

cusparseStatus_t check_dot(const cusparseContext* handle, cusparseOperation_t op, const cusparseSpVecDescr* x,
                           const cusparseDnVecDescr* y, const void* to, cudaDataType type) {
  const cusparseStatus_t wrong = check(handle, x, y);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  if (to == nullptr || !is_operation(op)) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(type, [&]<class T>(T) {
    return holds<T>(x->type) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_SUPPORTED;
  });
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x) {
  return move("cusparseGather", handle, x, y, true);
}
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y) {
  return move("cusparseScatter", handle, x, y, false);
}

cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t x,
                               const void* beta, cusparseDnVecDescr_t y) {
  const cusparseStatus_t wrong = check(handle, x, y);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  if (alpha == nullptr || beta == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(x->type, [&]<class T>(T) {
    return run(
        *handle, call_of("cusparseAxpby", *x, double(x->count) * operations_of<T>, unit_of<T>),
        [x = *x, y = *y, a = Scalar<T>(*handle, alpha), b = Scalar<T>(*handle, beta)](const Memory& memory) {
          T by, rest;
          std::vector<int64_t> places;
          std::vector<T> few;
          if (!a.read(memory, by) || !b.read(memory, rest) || !load_places(memory, x, places) ||
              !load_values(memory, x.values, x.count, x.type, few))
            return false;
          T* to = memory.array<T>(y.values, y.size, warplens_updates);
          if (to == nullptr) return false;
          if (rest != T(1))
            for (int64_t i = 0; i < y.size; ++i) to[i] = rest == T(0) ? T(0) : rest * to[i];
          for (size_t i = 0; i < few.size(); ++i) to[places[i]] += by * few[i];
          return true;
        });
  });
}

cusparseStatus_t cusparseRot(cusparseHandle_t handle, const void* cosine, const void* sine,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y) {
  const cusparseStatus_t wrong = check(handle, x, y);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  if (cosine == nullptr || sine == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  return with_type(x->type, [&]<class T>(T) {
    return run(
        *handle, call_of("cusparseRot", *x, double(x->count) * 2 * operations_of<T>, unit_of<T>),
        [x = *x, y = *y, c = Scalar<T>(*handle, cosine), s = Scalar<T>(*handle, sine)](const Memory& memory) {
          T by_c, by_s;
          std::vector<int64_t> places;
          if (!c.read(memory, by_c) || !s.read(memory, by_s) || !load_places(memory, x, places)) return false;
          T* few = memory.array<T>(x.values, x.count, warplens_updates);
          T* all = memory.array<T>(y.values, y.size, warplens_updates);
          if (few == nullptr || all == nullptr) return false;
          for (size_t i = 0; i < places.size(); ++i) {
            T& other = all[places[i]];
            const T one = few[i];
            few[i] = by_c * one + by_s * other;
            other = by_c * other - by_s * one;
          }
          return true;
        });
  });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op,
                                         cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y,
                                         const void* to, cudaDataType type, size_t* bytes) {
  const cusparseStatus_t wrong = check_dot(handle, op, x, y, to, type);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *bytes = work_bytes;
  return CUSPARSE_STATUS_SUCCESS;
}
// Of the operations only the conjugation counts.
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void* to, cudaDataType type, void*) {
  const cusparseStatus_t wrong = check_dot(handle, op, x, y, to, type);
  if (wrong != CUSPARSE_STATUS_SUCCESS) return wrong;
  return with_type(type, [&]<class T>(T) {
    const warplens::libraries::Result<T> result(handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE,
                                                static_cast<T*>(to));
    Call call = call_of("cusparseSpVV", *x, double(x->count) * operations_of<T>, unit_of<T>);
    call.waits = result.waits();
    return run(*handle, call, [op, x = *x, y = *y, result](const Memory& memory) {
      std::vector<int64_t> places;
      std::vector<T> few, all;
      if (!load_places(memory, x, places) || !load_values(memory, x.values, x.count, x.type, few) ||
          !load_values(memory, y.values, y.size, y.type, all))
        return false;
      T sum{};
      for (size_t i = 0; i < few.size(); ++i)
        sum += (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(few[i]) : few[i]) *
               all[static_cast<size_t>(places[i])];
      return result.write(memory, sum);
    });
  });
}

}  // extern "C"
