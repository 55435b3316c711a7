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
  const int size = 4096;  // of a chunk, and of each buffer on the device
  int n = atoi(words[1]), chunks = n / size;
  unsigned *x, *y;
  cudaMallocHost(&x, n * sizeof(unsigned));
  cudaMallocHost(&y, n * sizeof(unsigned));
  for (int i = 0; i < n; ++i) x[i] = i;
  unsigned *buffer_x[3], *buffer_y[3];
  cudaStream_t streams[3];
  for (int b = 0; b < 3; ++b) {
    cudaMalloc(&buffer_x[b], size * sizeof(unsigned));
    cudaMalloc(&buffer_y[b], size * sizeof(unsigned));
    cudaStreamCreate(&streams[b]);
  }
  for (int chunk = 0; chunk < chunks; ++chunk) {
    int at = chunk * size, count = n - at < size ? n - at : size, bytes = count * sizeof(unsigned);
    int b = chunk % 3;
    cudaMemcpyAsync(buffer_x[b], x + at, bytes, cudaMemcpyHostToDevice, streams[b]);
    steps<<<(count + 127) / 128, 128, 0, streams[b]>>>(buffer_x[b], buffer_y[b], count);
    cudaMemcpyAsync(y + at, buffer_y[b], bytes, cudaMemcpyDeviceToHost, streams[b]);
  }
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + y[i];
  printf("%u\n", sum);
  return 0;
}
