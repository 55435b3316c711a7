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
  int n = atoi(words[1]), chunks = (n + size - 1) / size;
  unsigned *x, *y;
  cudaMallocHost(&x, n * sizeof(unsigned));
  cudaMallocHost(&y, n * sizeof(unsigned));
  for (int i = 0; i < n; ++i) x[i] = i;
  unsigned *buffer_x, *buffer_y;
  cudaMalloc(&buffer_x, size * sizeof(unsigned));
  cudaMalloc(&buffer_y, size * sizeof(unsigned));
  cudaStream_t streams[2];
  for (cudaStream_t& s : streams) cudaStreamCreate(&s);
  for (int chunk = 0; chunk < chunks; ++chunk) {
    int at = chunk * size, count = n - at < size ? n - at : size, bytes = count * sizeof(unsigned);
    cudaStream_t s = streams[chunk % 2];
    cudaMemcpyAsync(buffer_x, x + at, bytes, cudaMemcpyHostToDevice, s);
    steps<<<(count + 127) / 128, 128, 0, s>>>(buffer_x, buffer_y, count);
    cudaMemcpyAsync(y + at, buffer_y, bytes, cudaMemcpyDeviceToHost, s);
  }
  cudaDeviceSynchronize();
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum = sum * 31 + y[i];
  printf("%u\n", sum);
  return 0;
}
