// References of kernels that compute each element on its own.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/kernels/references/reference_list.h"

namespace warplens {

namespace {

bool add(std::span<const float> x, std::span<const float> y, std::span<float> out, size_t n) {
  if (x.size() < n || y.size() < n || out.size() < n) return false;
  for (size_t i = 0; i < n; ++i) out[i] = x[i] + y[i];
  return true;
}

bool vector_add(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 4) return false;
  return add(elements<float>(a[0]), elements<float>(a[1]), elements<float>(a[2]),
             static_cast<size_t>(std::max(integer(a[3]), 0)));
}

bool vector_add_unchecked(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 3) return false;
  return add(elements<float>(a[0]), elements<float>(a[1]), elements<float>(a[2]),
             elements<float>(a[2]).size());
}

bool ufunc_add(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 4) return false;
  const auto x = elements<uint64_t>(a[0]), y = elements<uint64_t>(a[1]), out = elements<uint64_t>(a[2]);
  const auto n = static_cast<size_t>(std::max(std::bit_cast<int64_t>(a[3].scalar.bits), int64_t{0}));
  if (x.size() < n || y.size() < n || out.size() < n) return false;
  for (size_t i = 0; i < n; ++i) out[i] = x[i] + y[i];  // wraps, as the GPU's does
  return true;
}

// The index of each element along each axis.
bool index_map(HostArguments a, size_t axes) {
  if (a.size() != 2 * axes) return false;
  size_t extent[3] = {1, 1, 1};
  for (size_t axis = 0; axis < axes; ++axis) extent[axis] = count(a[axes + axis]);
  const size_t all = extent[0] * extent[1] * extent[2];
  for (size_t axis = 0; axis < axes; ++axis)
    if (elements<int32_t>(a[axis]).size() < all) return false;
  for (size_t i = 0; i < all; ++i) {
    const size_t index[3] = {i % extent[0], i / extent[0] % extent[1], i / extent[0] / extent[1]};
    for (size_t axis = 0; axis < axes; ++axis)
      elements<int32_t>(a[axis])[i] = static_cast<int32_t>(index[axis]);
  }
  return true;
}
bool index_map_1d(const HostLaunch& launch) { return index_map(launch.arguments, 1); }
bool index_map_2d(const HostLaunch& launch) { return index_map(launch.arguments, 2); }
bool index_map_3d(const HostLaunch& launch) { return index_map(launch.arguments, 3); }

bool loop_test(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 3) return false;
  const auto out = elements<double>(a[0]);
  const int n = integer(a[1]), loops = integer(a[2]);
  if (out.size() < count(a[1])) return false;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < loops; ++j) sum += static_cast<double>(i) * j * 0.1;
    out[static_cast<size_t>(i)] = sum;
  }
  return true;
}

bool lucas(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 2) return false;
  const auto out = elements<uint64_t>(a[0]);
  if (integer(a[1]) < 0) return true;
  if (out.size() < count(a[1]) + 1) return false;
  uint64_t current = 2, next = 1;
  for (size_t i = 0; i <= count(a[1]); ++i) {
    out[i] = current;
    const uint64_t sum = current + next;
    current = next;
    next = sum;
  }
  return true;
}

bool local_array(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 4) return false;
  const auto x = elements<int32_t>(a[0]), most = elements<int32_t>(a[1]);
  const size_t n = count(a[2]), each = count(a[3]);
  if (x.size() < n * each || most.size() < n) return false;
  for (size_t thread = 0; thread < n; ++thread) {
    int counts[16] = {};
    for (size_t k = 0; k < each; ++k) ++counts[x[k * n + thread] & 15];
    most[thread] = static_cast<int32_t>(std::max_element(counts, counts + 16) - counts);
  }
  return true;
}

bool hadamard(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 3) return false;
  const auto x = elements<float>(a[0]), out = elements<float>(a[1]);
  const size_t n = count(a[2]);
  if (x.size() < 64 * n || out.size() < 64 * n) return false;
  for (size_t thread = 0; thread < n; ++thread) {
    float v[64];
    for (size_t k = 0; k < 64; ++k) v[k] = x[k * n + thread];
    for (size_t distance = 1; distance < 64; distance *= 2)
      for (size_t k = 0; k < 64; ++k) {
        if ((k & distance) != 0) continue;
        const float sum = v[k] + v[k + distance], difference = v[k] - v[k + distance];
        v[k] = sum;
        v[k + distance] = difference;
      }
    for (size_t k = 0; k < 64; ++k) out[k * n + thread] = v[k];
  }
  return true;
}

// x, y, sum, n, then scaled and out.
bool chain(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 6) return false;
  const auto x = elements<float>(a[0]), y = elements<float>(a[1]), sum = elements<float>(a[2]),
             scaled = elements<float>(a[4]), out = elements<float>(a[5]);
  const size_t n = count(a[3]);
  if (scaled.size() < n || out.size() < n || !add(x, y, sum, n)) return false;
  for (size_t i = 0; i < n; ++i) scaled[i] = 2.f * sum[i];
  for (size_t i = 0; i < n; ++i) out[i] = std::sqrt(scaled[i]);
  return true;
}

constexpr ReferenceRow element_rows[] = {{"chain", chain},
                                         {"hadamard", hadamard},
                                         {"index_map_1d", index_map_1d},
                                         {"index_map_2d", index_map_2d},
                                         {"index_map_3d", index_map_3d},
                                         {"local_array", local_array},
                                         {"loop_test", loop_test},
                                         {"lucas", lucas},
                                         {"ufunc_add", ufunc_add},
                                         {"vector_add", vector_add},
                                         {"vector_add_unchecked", vector_add_unchecked}};

}  // namespace

std::span<const ReferenceRow> element_references() { return element_rows; }

}  // namespace warplens
