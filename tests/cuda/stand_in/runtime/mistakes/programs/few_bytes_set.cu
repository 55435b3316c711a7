// Counters of which a quarter is cleared, and doubles copied as if they were floats.
#include <vector>

__global__ void count(const unsigned char* x, int* counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[x[i] % 64], 1);
}

__global__ void add(const double* x, double* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}

int main() {
  const int n = 100;
  std::vector<unsigned char> x(n);
  for (int i = 0; i < n; i++) x[i] = i;
  std::vector<double> z(n);
  unsigned char* d_x;
  int* counts;
  double *d_z, *sum;
  cudaMalloc(&d_x, n);
  cudaMemcpy(d_x, x.data(), n, cudaMemcpyHostToDevice);
  cudaMalloc(&counts, 64 * sizeof(int));
  cudaMemset(counts, 0, 64);  // mark: set
  count<<<1, 128>>>(d_x, counts, n);
  cudaMemcpy(x.data(), counts, n, cudaMemcpyDeviceToHost);
  cudaMalloc(&d_z, n * sizeof(double));
  cudaMalloc(&sum, n * sizeof(double));
  cudaMemcpy(d_z, z.data(), n * sizeof(float), cudaMemcpyHostToDevice);  // mark: half
  add<<<1, 128>>>(d_z, sum, n);
  cudaMemcpy(z.data(), sum, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(counts);
  cudaFree(d_z);
  cudaFree(sum);
}
