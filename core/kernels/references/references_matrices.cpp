// References of kernels on matrices.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/kernels/references/reference_list.h"

namespace warplens {

namespace {

// The last tile of a row is padded with zeros to `tile` elements; each of them adds fmaf(0, 0, sum).
bool matmul(HostArguments arguments, size_t tile) {
  if (arguments.size() != 6) return false;
  const auto a = elements<float>(arguments[0]), b = elements<float>(arguments[1]),
             c = elements<float>(arguments[2]);
  const int m = integer(arguments[3]), n = integer(arguments[4]), k = integer(arguments[5]);
  if (a.size() < area(m, k) || b.size() < area(k, n) || c.size() < area(m, n)) return false;
  const auto rows = static_cast<size_t>(std::max(m, 0)), columns = static_cast<size_t>(std::max(n, 0)),
             depth = static_cast<size_t>(std::max(k, 0));
  const bool padded = depth % tile != 0;
  WorkDone work(operations_before_a_frame);
  for (size_t row = 0; row < rows; ++row) {
    // Row by row of b, so that memory is read in order; each element still sums over i from 0 upward.
    const auto out = c.subspan(row * columns, columns);
    std::ranges::fill(out, 0.f);
    for (size_t i = 0; i < depth; ++i) {
      const float left = a[row * depth + i];
      const float* right = b.data() + i * columns;
      for (size_t column = 0; column < columns; ++column)
        out[column] = std::fmaf(left, right[column], out[column]);
    }
    if (padded)
      for (float& sum : out) sum += 0.f;  // -0 becomes 0
    work.add(static_cast<int64_t>(depth * columns));
  }
  return true;
}

bool matmul_tiled(const HostLaunch& launch) { return matmul(launch.arguments, 16); }
bool matmul_naive(const HostLaunch& launch) { return matmul(launch.arguments, 1); }

bool transpose(const HostLaunch& launch) {
  const HostArguments a = launch.arguments;
  if (a.size() != 4) return false;
  const auto in = elements<float>(a[0]), out = elements<float>(a[1]);
  const size_t width = count(a[2]), height = count(a[3]);
  if (in.size() < width * height || out.size() < width * height) return false;
  for (size_t y = 0; y < height; ++y)
    for (size_t x = 0; x < width; ++x) out[x * height + y] = in[y * width + x];
  return true;
}

constexpr ReferenceRow matrix_rows[] = {
    {"matmul_naive", matmul_naive}, {"matmul_tiled", matmul_tiled}, {"transpose", transpose}};

}  // namespace

std::span<const ReferenceRow> matrix_references() { return matrix_rows; }

}  // namespace warplens
