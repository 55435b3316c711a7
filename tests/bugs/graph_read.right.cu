// As graph_read.cu, but the program waits for the stream. Two branches write halves of one array.
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
  const int n = 1000, half = n / 2;
  int *square, *root, *device_square, *device_root;
  cudaMallocHost(&square, n * sizeof(int));
  cudaMallocHost(&root, n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    square[i] = (i + 1) * (i + 1);
    root[i] = 0;
  }
  cudaMalloc(&device_square, n * sizeof(int));
  cudaMalloc(&device_root, n * sizeof(int));
  cudaStream_t stream, branch;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&branch);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(device_square, square, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(branch, fork, 0);
  roots<<<4, 128, 0, stream>>>(device_square, device_root, half);
  roots<<<4, 128, 0, branch>>>(device_square + half, device_root + half, n - half);
  cudaEventRecord(join, branch);
  cudaStreamWaitEvent(stream, join, 0);
  cudaMemcpyAsync(root, device_root, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
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
