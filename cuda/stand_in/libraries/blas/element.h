// Matrices whose elements are of another type than the one that is computed with.
#pragma once

#include "cuda/stand_in/libraries/blas/dense.h"
#include "cuda/stand_in/libraries/shared/element.h"

namespace warplens::blas {

using libraries::Half;
using libraries::rounded;
using libraries::with_element;

template <class T>
bool load_as(const Memory& memory, const MatrixAt& at, cudaDataType type, cublasOperation_t op,
             Dense<T>& to) {
  return with_element<T>(type, [&]<class S>(S) {
    if constexpr (std::is_same_v<S, T>) return load(memory, at, op, to);
    const auto from = memory.matrix<const S>(at.address, at.rows, at.columns, at.ld, warplens_reads);
    if (!from) return false;
    const bool turned = op != CUBLAS_OP_N;
    to = turned ? Dense<T>(at.columns, at.rows) : Dense<T>(at.rows, at.columns);
    for (int64_t j = 0; j < at.columns; ++j)
      for (int64_t i = 0; i < at.rows; ++i) (turned ? to(j, i) : to(i, j)) = static_cast<T>(from(i, j));
    return true;
  });
}

template <class T>
bool store_as(const Memory& memory, const MatrixAt& at, cudaDataType type, T alpha, const Dense<T>& made,
              T beta) {
  return with_element<T>(type, [&]<class S>(S) {
    const auto to = memory.matrix<S>(at.address, at.rows, at.columns, at.ld,
                                     beta == T(0) ? warplens_writes : warplens_updates);
    if (!to) return false;
    for (int64_t j = 0; j < at.columns; ++j)
      for (int64_t i = 0; i < at.rows; ++i) {
        const T value = alpha * made(i, j);
        to(i, j) = rounded<S>(beta == T(0) ? value : value + beta * static_cast<T>(to(i, j)));
      }
    return true;
  });
}

}  // namespace warplens::blas
