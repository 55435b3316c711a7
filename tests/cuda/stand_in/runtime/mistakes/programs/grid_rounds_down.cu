// Squares 1,000 numbers with blocks of 256.
#include <cstdio>
#include <vector>

__global__ void square(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}

int main() {
  const int n = 1000, block = 256;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; i++) x[i] = i;
  float *d_x, *d_y;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  square<<<n / block, block>>>(d_x, d_y, n);
  cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);  // mark: copy
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += y[i] != x[i] * x[i];
  printf("%d of %d are wrong\n", wrong, n);
  cudaFree(d_x);
  cudaFree(d_y);
}
