#include <cstdio>
#include <cstdlib>

__global__ void steps(const unsigned* x, unsigned* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  for (int round = 0; round < 400; ++round) v = v * v + round;
  y[i] = v;
}

int main(int, char** words) {
  const int parts = 4;
  int n = atoi(words[1]), all = parts * n, bytes = n * sizeof(unsigned);
  unsigned *x, *y, *device_x, *device_y;
  cudaMallocHost(&x, parts * bytes);
  cudaMallocHost(&y, parts * bytes);
  cudaMalloc(&device_x, parts * bytes);
  cudaMalloc(&device_y, parts * bytes);
  for (int i = 0; i < all; ++i) x[i] = i;

  cudaStream_t streams[1];
  for (cudaStream_t& s : streams) cudaStreamCreate(&s);
  for (int part = 0; part < parts; ++part) {
    cudaStream_t s = streams[part % 1];
    int at = part * n;
    cudaMemcpyAsync(device_x + at, x + at, bytes, cudaMemcpyHostToDevice, s);
    steps<<<(n + 255) / 256, 256, 0, s>>>(device_x + at, device_y + at, n);
    cudaMemcpyAsync(y + at, device_y + at, bytes, cudaMemcpyDeviceToHost, s);
  }
  cudaDeviceSynchronize();

  unsigned sum = 0;
  for (int i = 0; i < all; ++i) sum += y[i];
  printf("%u\n", sum);
  return 0;
}
