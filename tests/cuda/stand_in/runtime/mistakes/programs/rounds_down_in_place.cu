// The array is its own result: what no thread reaches keeps its old values.
#include <vector>

__global__ void twice(unsigned char* v, long n) {
  long i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}

int main() {
  const long n = 600;
  std::vector<unsigned char> v(n, 3);
  unsigned char* d;
  cudaMalloc(&d, n);
  cudaMemcpy(d, v.data(), n, cudaMemcpyHostToDevice);
  twice<<<n / 256, 256>>>(d, n);
  cudaMemcpy(v.data(), d, n, cudaMemcpyDeviceToHost);  // mark: copy
  cudaFree(d);
}
