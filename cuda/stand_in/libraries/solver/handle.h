// The state that a cusolverDnHandle_t names, and how each function of cuSOLVER begins.
#pragma once

#include <string>
#include <utility>

#include "cuda/stand_in/libraries/solver/lapack.h"
#include "cuda/stand_in/libraries/solver/types.h"

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};

namespace warplens::solver {

using blas::fits;
using blas::is_complex;
using blas::is_operation;
using blas::is_side;
using blas::is_triangle;
using blas::MatrixAt;
using blas::operations_of;
using blas::Real;
using blas::unit_of;
using blas::Value;
using libraries::Call;
using libraries::Memory;

// What elements of type S are computed as.
template <class S>
struct WideOf {
  using type = double;
};
template <class R>
struct WideOf<std::complex<R>> {
  using type = std::complex<double>;
};
template <class S>
using Wide = typename WideOf<S>::type;

cusolverStatus_t status_of(CUresult code);

// body(const Memory&) → bool, on the handle's stream.
template <class Body>
cusolverStatus_t run(const cusolverDnContext& handle, const Call& call, Body body) {
  return status_of(libraries::run_on(handle.stream, call, std::move(body)));
}

// A batch has the shape "4 × 4, 100 times".
template <class S>
Call call_of(const char* name, std::initializer_list<int64_t> shape, double multiply_adds,
             int64_t count = 1) {
  std::string text = libraries::shape_of(shape);
  if (count != 1) text += ", " + std::to_string(count) + " times";
  return {name, text, multiply_adds * double(count) * operations_of<S>, unit_of<S>, false};
}
inline double cube(int64_t n) { return double(n) * double(n) * double(n); }

// Whether they were there, as for all that follow.
template <class S>
bool load(const Memory& memory, const MatrixAt& at, Dense<Wide<S>>& to) {
  const auto from = memory.matrix<const S>(at.address, at.rows, at.columns, at.ld, warplens_reads);
  if (!from) return false;
  to = Dense<Wide<S>>(at.rows, at.columns);
  for (int64_t j = 0; j < at.columns; ++j)
    for (int64_t i = 0; i < at.rows; ++i) to(i, j) = Wide<S>(from(i, j));
  return true;
}
// `part`: which half is written, or all.
template <class S>
bool store(const Memory& memory, const MatrixAt& at, const Dense<Wide<S>>& from,
           cublasFillMode_t part = blas::whole) {
  const auto to = memory.matrix<S>(at.address, at.rows, at.columns, at.ld, warplens_writes);
  if (!to) return false;
  for (int64_t j = 0; j < at.columns; ++j)
    for (int64_t i = 0; i < at.rows; ++i)
      if (blas::is_in(part, i, j)) to(i, j) = S(from(i, j));
  return true;
}
template <class S, class T>
bool store_array(const Memory& memory, const void* address, const std::vector<T>& from) {
  S* to = memory.array<S>(address, static_cast<int64_t>(from.size()), warplens_writes);
  if (to == nullptr) return false;
  for (size_t i = 0; i < from.size(); ++i) to[i] = S(from[i]);
  return true;
}
template <class S, class T>
bool load_array(const Memory& memory, const void* address, int64_t count, std::vector<T>& to) {
  const S* from = memory.array<const S>(address, count, warplens_reads);
  if (from == nullptr) return false;
  to.assign(from, from + count);
  return true;
}
// devInfo: one number on the device.
inline bool tell(const Memory& memory, const int* address, int64_t value) {
  int* to = memory.array<int>(address, 1, warplens_writes);
  if (to != nullptr) *to = static_cast<int>(value);
  return to != nullptr;
}

// No memory of the device is needed to compute here. Not 0, since a program that allocates nothing has a null
// pointer.
constexpr int work_elements = 16;

}  // namespace warplens::solver
