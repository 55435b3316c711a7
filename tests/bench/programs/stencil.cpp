#include "inputs.h"
#include "twin.h"

constexpr int steps = 10;

namespace {

void step(const float* from, const float* power, float* to, int n) {
#pragma omp parallel for
  for (int y = 0; y < n; ++y) {
    const float* row = from + size_t(y) * n;
    const float* above = y > 0 ? row - n : row;
    const float* below = y < n - 1 ? row + n : row;
    const float* heat = power + size_t(y) * n;
    float* result = to + size_t(y) * n;
    const auto cell = [&](int x, int left, int right) {
      const float here = row[x];
      result[x] = here + 0.1f * (row[left] + row[right] + above[x] + below[x] - 4 * here) + 0.05f * heat[x];
    };
    cell(0, 0, n > 1 ? 1 : 0);
#pragma omp simd
    for (int x = 1; x < n - 1; ++x) cell(x, x - 1, x + 1);
    if (n > 1) cell(n - 1, n - 2, n - 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv);
  const size_t cells = size_t(n) * n;
  const std::vector<float> start = twin::floats(cells, 1, 20, 90), power = twin::floats(cells, 2);
  std::vector<float> from(cells), to(cells);
  twin::measure([&] { from = start; },
                [&] {
                  for (int i = 0; i < steps; ++i) {
                    step(from.data(), power.data(), to.data(), n);
                    std::swap(from, to);
                  }
                });
  twin::print_sums(from);
}
