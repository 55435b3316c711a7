#pragma once
// With nvcc these are functions of the host's library that are constexpr.
namespace std {
template <class T>
__device__ constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T>
__device__ constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <class T>
__device__ constexpr const T& clamp(const T& value, const T& low, const T& high) {
  return value < low ? low : high < value ? high : value;
}
template <class T>
__device__ void swap(T& a, T& b) {
  T first = a;
  a = b;
  b = first;
}
}  // namespace std
