// Two streams fill the left and the right columns of a picture. One of them copies both, without a wait.
// finds missing_wait of [right] before [copy]
// says cudaStreamWaitEvent
#include <cuda_runtime.h>
#include <cstdio>

__global__ void fill(int* picture, int width, int first_column, int columns, int rounds) {
  int column = first_column + threadIdx.x, row = blockIdx.x;
  if (threadIdx.x >= columns) return;
  float square = (column + 1) * (column + 1), r = square;
  for (int round = 0; round < rounds; ++round) r = 0.5f * (r + square / r);
  picture[row * width + column] = int(r + 0.5f) + row;
}

int main() {
  const int width = 64, rows = 16, half = width / 2;
  int *host, *image;
  cudaMallocHost(&host, width * rows * sizeof(int));
  cudaMalloc(&image, width * rows * sizeof(int));
  cudaMemset(image, 0, width * rows * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);

  const size_t pitch = width * sizeof(int), size = half * sizeof(int);
  fill<<<rows, 32, 0, first>>>(image, width, 0, half, 100);
  fill<<<rows, 32, 0, second>>>(image, width, half, half, 100000);  // [right]
  cudaMemcpy2DAsync(host, pitch, image, pitch, size, rows, cudaMemcpyDefault, first);
  cudaMemcpy2DAsync(host + half, pitch, image + half, pitch, size, rows, cudaMemcpyDefault, first);  // [copy]
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < width; ++column)
      if (host[row * width + column] != column + 1 + row) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  cudaDeviceSynchronize();
  return 0;
}
