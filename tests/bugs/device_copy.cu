// cudaMemcpy on the device returns before it is done, and a non-blocking stream does not wait for it.
// finds missing_wait of [copy] before [add]
// says cudaStreamWaitEvent
#include <cuda_runtime.h>
#include <cstdio>

__global__ void roots(const int* square, int* root, int n) {  // by Newton's method
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  for (int round = 0; round < 100000; ++round) r = 0.5f * (r + square[i] / r);
  root[i] = int(r + 0.5f);
}

__global__ void add(const int* a, int* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}

int main() {
  const int n = 1000;
  static int square[n], sum[n];
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  int *device_square, *root, *device_sum;
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&root, n * sizeof(int));
  cudaMalloc(&device_sum, n * sizeof(int));
  cudaMemcpy(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(device_sum, square, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(root, 0, n * sizeof(int));
  int* copy;
  cudaMalloc(&copy, n * sizeof(int));
  cudaMemset(copy, 0, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);

  cudaDeviceSynchronize();
  roots<<<8, 128>>>(device_square, root, n);
  cudaMemcpy(copy, root, n * sizeof(int), cudaMemcpyDeviceToDevice);  // [copy]
  add<<<8, 128, 0, stream>>>(copy, device_sum, n);                    // [add]
  cudaDeviceSynchronize();
  cudaMemcpy(sum, device_sum, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (sum[i] != square[i] + i + 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
