// As host_function.cu, but the other stream waits for the function.
#include <cuda_runtime.h>
#include <cstdio>

struct Sums {
  int n, *root, *sum;
};

__global__ void roots(const int* square, int* root, int n) {  // by Newton's method
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  for (int round = 0; round < 100000; ++round) r = 0.5f * (r + square[i] / r);
  root[i] = int(r + 0.5f);
}

__global__ void divide(const int* root, const int* sum, float* part, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) part[i] = float(root[i]) / *sum;
}

void add_up(void* data) {
  Sums* sums = (Sums*)data;
  int sum = 0;
  for (int i = 0; i < sums->n; ++i) sum += sums->root[i];
  *sums->sum = sum;
}

int main() {
  const int n = 1000;
  static int square[n];
  static float part[n];
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  int *root, *sum, *device_square, *device_root;
  float* device_part;
  cudaMallocHost(&root, n * sizeof(int));
  cudaMallocHost(&sum, sizeof(int));
  *sum = 1;
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&device_root, n * sizeof(int));
  cudaMalloc(&device_part, n * sizeof(float));
  cudaMemcpy(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t computed, added;
  cudaEventCreate(&computed);
  cudaEventCreate(&added);

  roots<<<8, 128, 0, first>>>(device_square, device_root, n);
  cudaEventRecord(computed, first);
  cudaMemcpyAsync(root, device_root, n * sizeof(int), cudaMemcpyDeviceToHost, first);
  Sums sums = {n, root, sum};
  cudaLaunchHostFunc(first, add_up, &sums);
  cudaEventRecord(added, first);
  cudaStreamWaitEvent(second, computed, 0);
  cudaStreamWaitEvent(second, added, 0);
  divide<<<8, 128, 0, second>>>(device_root, sum, device_part, n);
  cudaDeviceSynchronize();
  cudaMemcpy(part, device_part, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (part[i] != float(i + 1) / (n * (n + 1) / 2)) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
