// The event was never recorded, so waiting for it orders nothing.
// finds missing_wait of [roots] before [add]
// says cudaEventRecord
// finds missing_wait of [wait] before [add]
// says cudaEventRecord
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
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t done;
  cudaEventCreate(&done);

  roots<<<8, 128, 0, first>>>(device_square, root, n);  // [roots]
  cudaStreamWaitEvent(second, done, 0);                 // [wait]
  add<<<8, 128, 0, second>>>(root, device_sum, n);      // [add]
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
