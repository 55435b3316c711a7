#include "inputs.h"
#include "twin.h"

constexpr int tile = 16;

namespace {

void diagonal_tile(float* a, int n, int at) {
  for (int k = at; k < at + tile; ++k)
    for (int y = k + 1; y < at + tile; ++y) {
      float* row = a + size_t(y) * n;
      row[k] /= a[size_t(k) * n + k];
      for (int x = k + 1; x < at + tile; ++x) row[x] -= row[k] * a[size_t(k) * n + x];
    }
}

void row_tile(float* a, int n, int at, int other) {
  for (int y = at + 1; y < at + tile; ++y)
    for (int k = at; k < y; ++k) {
      const float factor = a[size_t(y) * n + k];
      float* to = a + size_t(y) * n + other;
      const float* from = a + size_t(k) * n + other;
#pragma omp simd
      for (int x = 0; x < tile; ++x) to[x] -= factor * from[x];
    }
}

void column_tile(float* a, int n, int at, int other) {
  for (int y = other; y < other + tile; ++y) {
    float* row = a + size_t(y) * n;
    for (int k = at; k < at + tile; ++k) {
      row[k] /= a[size_t(k) * n + k];
      for (int x = k + 1; x < at + tile; ++x) row[x] -= row[k] * a[size_t(k) * n + x];
    }
  }
}

void inner_tile(float* a, int n, int at, int y0, int x0) {
  for (int y = y0; y < y0 + tile; ++y) {
    float sum[tile] = {};
    for (int k = 0; k < tile; ++k) {
      const float factor = a[size_t(y) * n + at + k];
      const float* row = a + size_t(at + k) * n + x0;
#pragma omp simd
      for (int x = 0; x < tile; ++x) sum[x] += factor * row[x];
    }
    float* to = a + size_t(y) * n + x0;
#pragma omp simd
    for (int x = 0; x < tile; ++x) to[x] -= sum[x];
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv, tile);
  std::vector<float> start = twin::floats(size_t(n) * n, 1), held;
  for (int i = 0; i < n; ++i) start[size_t(i) * n + i] += static_cast<float>(n);
  twin::measure([&] { held = start; },
                [&] {
                  float* a = held.data();
                  for (int at = 0; at < n; at += tile) {
                    diagonal_tile(a, n, at);
#pragma omp parallel
                    {
#pragma omp for
                      for (int other = at + tile; other < n; other += tile) {
                        row_tile(a, n, at, other);
                        column_tile(a, n, at, other);
                      }
#pragma omp for
                      for (int y = at + tile; y < n; y += tile)
                        for (int x = at + tile; x < n; x += tile) inner_tile(a, n, at, y, x);
                    }
                  }
                });
  twin::print_sums(held);
}
