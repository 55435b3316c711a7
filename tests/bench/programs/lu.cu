// LU factors of a matrix in place, without pivots, by tiles of 16 × 16: for each step its diagonal tile, then
// the tiles of its row and column, then the rest.
#include "inputs.h"
#include "twin.h"

constexpr int tile = 16;

__global__ void diagonal_tile(float* a, int n, int at) {
  __shared__ float s[tile][tile];
  const int t = threadIdx.x;
  for (int y = 0; y < tile; ++y) s[y][t] = a[(at + y) * n + at + t];
  __syncthreads();
  for (int k = 0; k < tile - 1; ++k) {
    if (t > k) {
      s[t][k] /= s[k][k];
      for (int x = k + 1; x < tile; ++x) s[t][x] -= s[t][k] * s[k][x];
    }
    __syncthreads();
  }
  for (int y = 0; y < tile; ++y) a[(at + y) * n + at + t] = s[y][t];
}

// The first half of the block has a tile of the row, the second half one of the column.
__global__ void row_and_column(float* a, int n, int at) {
  __shared__ float diagonal[tile][tile], row[tile][tile], column[tile][tile];
  const int t = threadIdx.x % tile, other = at + (blockIdx.x + 1) * tile;
  const bool has_row = threadIdx.x < tile;
  for (int y = 0; y < tile; ++y) {
    if (has_row) {
      diagonal[y][t] = a[(at + y) * n + at + t];
      row[y][t] = a[(at + y) * n + other + t];
    } else {
      column[y][t] = a[(other + y) * n + at + t];
    }
  }
  __syncthreads();
  if (has_row) {
    for (int y = 1; y < tile; ++y)
      for (int k = 0; k < y; ++k) row[y][t] -= diagonal[y][k] * row[k][t];
  } else {
    for (int x = 0; x < tile; ++x) {
      for (int k = 0; k < x; ++k) column[t][x] -= column[t][k] * diagonal[k][x];
      column[t][x] /= diagonal[x][x];
    }
  }
  __syncthreads();
  for (int y = 0; y < tile; ++y) {
    if (has_row) {
      a[(at + y) * n + other + t] = row[y][t];
    } else {
      a[(other + y) * n + at + t] = column[y][t];
    }
  }
}

__global__ void rest(float* a, int n, int at) {
  __shared__ float row[tile][tile], column[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = at + (blockIdx.x + 1) * tile + tx, y = at + (blockIdx.y + 1) * tile + ty;
  row[ty][tx] = a[(at + ty) * n + x];
  column[ty][tx] = a[y * n + at + tx];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < tile; ++k) sum += column[ty][k] * row[k][tx];
  a[y * n + x] -= sum;
}

int main(int argc, char** argv) {
  const int n = twin::size_from(argc, argv, tile);
  std::vector<float> start = twin::floats(size_t(n) * n, 1);
  for (int i = 0; i < n; ++i) start[size_t(i) * n + i] += n;
  float* a = twin::on_device(start);
  twin::measure([&] { twin::to_device(a, start); },
                [&] {
                  for (int at = 0; at < n; at += tile) {
                    const unsigned left = (n - at) / tile - 1;
                    diagonal_tile<<<1, tile>>>(a, n, at);
                    if (left == 0) continue;
                    row_and_column<<<left, 2 * tile>>>(a, n, at);
                    rest<<<dim3(left, left), dim3(tile, tile)>>>(a, n, at);
                  }
                  twin::wait();
                });
  twin::print_sums(twin::to_host(a, start.size()));
}
