// cudaMemcpy does not wait for the kernel: its stream is a non-blocking one.
// finds missing_wait of [kernel] before [copy]
// says cudaStreamSynchronize
#include <cuda_runtime.h>
#include <cstdio>

__global__ void roots(const int* square, int* root, int n) {  // by Newton's method
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  for (int round = 0; round < 100000; ++round) r = 0.5f * (r + square[i] / r);
  root[i] = int(r + 0.5f);
}

int main() {
  const int n = 1000;
  static int square[n], root[n];
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  int *device_square, *device_root;
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&device_root, n * sizeof(int));
  cudaMemcpy(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(device_root, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

  roots<<<8, 128, 0, stream>>>(device_square, device_root, n);             // [kernel]
  cudaMemcpy(root, device_root, n * sizeof(int), cudaMemcpyDeviceToHost);  // [copy]
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (root[i] != i + 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
