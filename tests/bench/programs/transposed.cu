// y = Aᵀ(Ax): a thread for each row, then one for each column.
#include "inputs.h"
#include "twin.h"

__global__ void by_rows(const float* a, const float* x, float* product, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0;
  for (int column = 0; column < n; ++column) sum += a[size_t(row) * n + column] * x[column];
  product[row] = sum;
}

__global__ void by_columns(const float* a, const float* product, float* y, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n) return;
  float sum = 0;
  for (int row = 0; row < n; ++row) sum += a[size_t(row) * n + column] * product[row];
  y[column] = sum;
}

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv);
  float *a = twin::on_device(twin::floats(size_t(n) * n, 1)), *x = twin::on_device(twin::floats(n, 2));
  float *product = twin::device_array<float>(n), *y = twin::device_array<float>(n);
  const unsigned blocks = (n + 255) / 256;
  twin::measure([] {},
                [&] {
                  by_rows<<<blocks, 256>>>(a, x, product, n);
                  by_columns<<<blocks, 256>>>(a, product, y, n);
                  twin::wait();
                });
  twin::print_sums(twin::to_host(y, n));
}
