#include <cstdio>

__global__ void grow(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  for (int round = 0; round < 200; ++round) v = v * v + round;
  y[i] = v;
}

int main() {
  const int n = 1 << 17, bytes = n * sizeof(int);
  int* x = new int[n];
  int *device_x, *device_y;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  for (int i = 0; i < n; ++i) x[i] = i;

  cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  grow<<<n / 256, 256>>>(device_x, device_y, n);
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];  // the host adds up x
  cudaMemcpy(x, device_y, bytes, cudaMemcpyDeviceToHost);
  printf("%lld %d\n", sum, x[0]);
  return 0;
}
