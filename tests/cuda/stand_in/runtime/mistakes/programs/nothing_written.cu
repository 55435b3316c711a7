// One output that its kernel never reaches, and one that no kernel gets.
#include <vector>

__global__ void negate(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) y[i] = -x[i];
}

int main() {
  const int n = 1000;
  std::vector<int> x(n, 1);
  int *d_x, *d_y, *d_z;
  cudaMalloc(&d_x, n * sizeof(int));
  cudaMalloc(&d_y, n * sizeof(int));
  cudaMalloc(&d_z, n * sizeof(int));
  cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  negate<<<1, 1000>>>(d_x, d_y, n);
  cudaMemcpy(x.data(), d_y, n * sizeof(int), cudaMemcpyDeviceToHost);  // mark: wrong
  cudaMemcpy(x.data(), d_z, n * sizeof(int), cudaMemcpyDeviceToHost);  // mark: forgotten
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_z);
}
