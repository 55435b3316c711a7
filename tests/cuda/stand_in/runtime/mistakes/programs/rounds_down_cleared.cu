// The result was cleared first, so that zeros come back where no thread wrote. Each step does the same.
#include <vector>

__global__ void step(const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}

int main() {
  const int n = 1000;
  std::vector<double> x(n, 1.0);
  double *d_x, *d_y;
  cudaMalloc(&d_x, n * sizeof(double));
  cudaMalloc(&d_y, n * sizeof(double));
  cudaMemcpy(d_x, x.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemset(d_y, 0, n * sizeof(double));
  for (int i = 0; i < 20; i++) step<<<n / 256, 256>>>(d_x, d_y, n);
  cudaMemcpy(x.data(), d_y, n * sizeof(double), cudaMemcpyDeviceToHost);  // mark: copy
  cudaFree(d_x);
  cudaFree(d_y);
}
