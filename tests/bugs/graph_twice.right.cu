// One graph in two streams without an event: a launch of a graph is ordered after the launches of it before.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void add_root(const int* square, int* sum, int n) {  // the root by Newton's method
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = square[i];
  int before = sum[i];
  for (int round = 0; round < 100000; ++round) r = 0.5f * (r + square[i] / r);
  sum[i] = before + int(r + 0.5f);
}

int main() {
  const int n = 1000;
  static int square[n], sum[n];
  for (int i = 0; i < n; ++i) square[i] = (i + 1) * (i + 1);
  int *device_square, *device_sum;
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&device_sum, n * sizeof(int));
  cudaMemcpy(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(device_sum, 0, n * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  add_root<<<8, 128, 0, first>>>(device_square, device_sum, n);
  cudaStreamEndCapture(first, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, first);
  cudaGraphLaunch(executable, second);
  cudaMemcpy(sum, device_sum, n * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    if (sum[i] != 2 * (i + 1)) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
