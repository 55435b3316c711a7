// A sum for each block, and one block too few.
#include <vector>

__global__ void sum(const float* x, float* sums, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

int main() {
  const int n = 1000;
  std::vector<float> x(n, 1.0f), sums((n + 255) / 256);
  float *d_x, *d_sums;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_sums, sums.size() * sizeof(float));
  cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<n / 256, 256>>>(d_x, d_sums, n);
  cudaMemcpy(sums.data(), d_sums, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);  // mark: copy
  cudaFree(d_x);
  cudaFree(d_sums);
}
