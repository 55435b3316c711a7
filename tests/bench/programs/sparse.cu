// A sparse matrix times a vector, four times: a thread for each row.
#include "inputs.h"
#include "twin.h"

constexpr int times = 4;

__global__ void multiply(const uint32_t* starts, const uint32_t* columns, const float* values, const float* x,
                         float* y, uint32_t rows) {
  const uint32_t row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (uint32_t entry = starts[row]; entry < starts[row + 1]; ++entry)
    sum += values[entry] * x[columns[entry]];
  y[row] = sum * 0.125f;
}

int main(int argc, char** argv) {
  const uint32_t rows = twin::size_from(argc, argv);
  const twin::Rows matrix = twin::sparse_matrix(rows);
  const std::vector<float> start = twin::floats(rows, 1);
  uint32_t *starts = twin::on_device(matrix.starts), *columns = twin::on_device(matrix.columns);
  float *values = twin::on_device(matrix.values), *x = twin::on_device(start);
  float* y = twin::device_array<float>(rows);
  twin::measure([&] { twin::to_device(x, start); },
                [&] {
                  for (int i = 0; i < times; ++i) {
                    multiply<<<(rows + 255) / 256, 256>>>(starts, columns, values, x, y, rows);
                    std::swap(x, y);
                  }
                  twin::wait();
                });
  twin::print_sums(twin::to_host(x, rows));
}
