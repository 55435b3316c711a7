// Right programs that write a part of an array, or copy a part: nothing is said of any.
#include <cstdio>
#include <vector>

__global__ void keep_even(const int* x, int* kept, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 2 == 0) kept[atomicAdd(count, 1)] = x[i];
}
__global__ void add_one(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}
__global__ void add_in_steps(const int* x, int* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i] + 2;
}
__global__ void smooth(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) y[i] = (x[i - 1] + x[i + 1]) / 2;
}
__global__ void difference(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) y[i] = x[i + 1] - x[i];
}
__global__ void fold(int* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) x[i] += x[i + n / 2];
}
// A tile is loaded whole; what is past the end of the data is not used.
__global__ void reverse_tiles(const int* x, int* y, int used) {
  __shared__ int tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  if (i < used) y[i] = tile[threadIdx.x ^ 1];
}

int* array(int n) {
  int* made;
  cudaMalloc(&made, n * sizeof(int));
  return made;
}

int main() {
  const int n = 1000;
  std::vector<int> x(n);
  for (int i = 0; i < n; i++) x[i] = i;
  int *d_x = array(n), *kept = array(n), *count = array(1), *chunks = array(n), *steps = array(n),
      *inner = array(n), *differences = array(n), *folded = array(n), *padded = array(1024),
      *tiles = array(n), *large = array(1024);
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  keep_even<<<4, 256>>>(d_x, kept, count, n);
  cudaMemcpy(x.data(), kept, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i += 256) add_one<<<1, 256>>>(d_x + i, chunks + i, n - i);
  cudaMemcpy(x.data(), chunks, n * sizeof(int), cudaMemcpyDeviceToHost);
  add_in_steps<<<2, 256>>>(d_x, steps, n);
  cudaMemcpy(x.data(), steps, n * sizeof(int), cudaMemcpyDeviceToHost);
  smooth<<<4, 256>>>(d_x, inner, n);
  cudaMemcpy(x.data(), inner, n * sizeof(int), cudaMemcpyDeviceToHost);
  difference<<<4, 256>>>(d_x, differences, n);
  cudaMemcpy(x.data(), differences, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(folded, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  fold<<<2, 250>>>(folded, n);
  cudaMemcpy(x.data(), folded, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(padded, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  reverse_tiles<<<4, 256>>>(padded, tiles, n);
  cudaMemcpy(large, x.data(), 100 * sizeof(int), cudaMemcpyHostToDevice);
  reverse_tiles<<<1, 256>>>(large, tiles, 100);
  double first;
  int two[2], *some = two;
  cudaMemcpy(&first, tiles, sizeof(first), cudaMemcpyDeviceToHost);
  cudaMemcpy(two, chunks, sizeof(two), cudaMemcpyDeviceToHost);
  cudaMemcpy(some, steps, 2 * sizeof(*some), cudaMemcpyDeviceToHost);
  for (int* one : {d_x, kept, count, chunks, steps, inner, differences, folded, padded, tiles, large})
    cudaFree(one);
}
