#include "inputs.h"
#include "twin.h"

namespace {

void by_rows(const float* a, const float* x, float* product, int n) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row) {
    const float* line = a + size_t(row) * n;
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int column = 0; column < n; ++column) sum += line[column] * x[column];
    product[row] = sum;
  }
}

void by_columns(const float* a, const float* product, float* y, int n) {
  constexpr int strip = 1024;  // columns whose sums stay in the cache
#pragma omp parallel for
  for (int begin = 0; begin < n; begin += strip) {
    const int end = std::min(begin + strip, n);
    std::fill(y + begin, y + end, 0.0f);
    for (int row = 0; row < n; ++row) {
      const float* line = a + size_t(row) * n;
      const float factor = product[row];
      for (int column = begin; column < end; ++column) y[column] += line[column] * factor;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv);
  const std::vector<float> a = twin::floats(size_t(n) * n, 1), x = twin::floats(n, 2);
  std::vector<float> product(n), y(n);
  twin::measure([] {},
                [&] {
                  by_rows(a.data(), x.data(), product.data(), n);
                  by_columns(a.data(), product.data(), y.data(), n);
                });
  twin::print_sums(y);
}
