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

  cudaStream_t streams[4];
  for (cudaStream_t& s : streams) cudaStreamCreate(&s);
  for (int part = 0; part < parts; ++part)
    cudaMemcpyAsync(device_x + part * n, x + part * n, bytes, cudaMemcpyHostToDevice, streams[part]);
  for (int part = 0; part < parts; ++part)
    steps<<<(n + 255) / 256, 256, 0, streams[part]>>>(device_x + part * n, device_y + part * n, n);
  for (int part = 0; part < parts; ++part)
    cudaMemcpyAsync(y + part * n, device_y + part * n, bytes, cudaMemcpyDeviceToHost, streams[part]);
  for (cudaStream_t& s : streams) cudaStreamSynchronize(s);

  unsigned sum = 0;
  for (int i = 0; i < all; ++i) sum += y[i];
  printf("%u\n", sum);
  return 0;
}
