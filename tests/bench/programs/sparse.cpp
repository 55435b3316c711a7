#include "inputs.h"
#include "twin.h"

constexpr int times = 4;

namespace {

void multiply(const twin::Rows& matrix, const float* x, float* y, uint32_t rows) {
  const uint32_t *starts = matrix.starts.data(), *columns = matrix.columns.data();
  const float* values = matrix.values.data();
#pragma omp parallel for
  for (uint32_t row = 0; row < rows; ++row) {
    float sum = 0;
    for (uint32_t entry = starts[row]; entry < starts[row + 1]; ++entry)
      sum += values[entry] * x[columns[entry]];
    y[row] = sum * 0.125f;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const uint32_t rows = twin::size_from(argc, argv);
  const twin::Rows matrix = twin::sparse_matrix(rows);
  const std::vector<float> start = twin::floats(rows, 1);
  std::vector<float> x, y(rows);
  twin::measure([&] { x = start; },
                [&] {
                  for (int i = 0; i < times; ++i) {
                    multiply(matrix, x.data(), y.data(), rows);
                    std::swap(x, y);
                  }
                });
  twin::print_sums(x);
}
