// As atomics.cu, but the reader waits for both that count. Atomic additions of two streams need no order.
#include <cuda_runtime.h>
#include <cstdio>

// How many roots are between two numbers.
__global__ void count(const int* square, int n, int from, int to, int rounds, int* inside) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  for (int round = 0; round < rounds; ++round) r = 0.5f * (r + square[i] / r);
  int root = int(r + 0.5f);
  if (root >= from && root < to) atomicAdd(inside, 1);
}

__global__ void share(const int* inside, float* part, int n) { *part = float(*inside) / n; }

int main() {
  const int n = 1000, half = n / 2;
  static int square[n];
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  int *device_square, *inside;
  float *device_part, part;
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&inside, sizeof(int));
  cudaMalloc(&device_part, sizeof(float));
  cudaMemcpy(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(inside, 0, sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t counted;
  cudaEventCreate(&counted);

  count<<<4, 128, 0, first>>>(device_square, half, 1, 401, 100000, inside);
  cudaEventRecord(counted, first);
  count<<<4, 128, 0, second>>>(device_square + half, n - half, 601, 1001, 100, inside);
  cudaStreamWaitEvent(second, counted, 0);
  share<<<1, 1, 0, second>>>(inside, device_part, n);
  cudaMemcpy(&part, device_part, sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = part != 0.8f;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
