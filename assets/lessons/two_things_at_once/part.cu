#include <cstdio>

__global__ void grow(const int* x, int* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  for (int round = 0; round < 200; ++round) v = v * v + round;
  y[i] = v;
}

int main() {
  const int n = 1 << 17, parts = 1;
  const int bytes = n * sizeof(int);
  int *x, *y, *device_x, *device_y;
  cudaMallocHost(&x, parts * bytes);
  cudaMallocHost(&y, parts * bytes);
  cudaMalloc(&device_x, parts * bytes);
  cudaMalloc(&device_y, parts * bytes);
  for (int i = 0; i < parts * n; ++i) x[i] = i;
  cudaStream_t s;
  cudaStreamCreate(&s);

  for (int part = 0; part < parts; ++part) {
    int at = part * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, s);
    grow<<<n / 256, 256, 0, s>>>(device_x + at, device_y + at, n);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, s);
  }
  cudaStreamSynchronize(s);
  printf("%d\n", y[0]);
  return 0;
}
