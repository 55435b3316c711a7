// The copy is done before the next part of the file is read.
#include <cuda_runtime.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// So that the copy does not begin at once.
__global__ void work(int rounds, float* result) {
  float sum = 0;
  for (int i = 0; i < rounds; ++i) sum = 0.5f * (sum + i);
  *result = sum;
}

int main() {
  int n = 1 << 20;
  int* buffer;
  cudaMallocHost(&buffer, n * sizeof(int));
  int *first, *second;
  cudaMalloc(&first, n * sizeof(int));
  cudaMalloc(&second, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* result;
  cudaMalloc(&result, sizeof(float));

  FILE* file = tmpfile();
  int* numbers = (int*)malloc(n * sizeof(int));
  for (int part = 1; part <= 2; ++part) {
    for (int i = 0; i < n; ++i) numbers[i] = part;
    fwrite(numbers, sizeof(int), n, file);
  }
  fflush(file);
  lseek(fileno(file), 0, SEEK_SET);

  int bytes = n * sizeof(int);
  bool whole = read(fileno(file), buffer, bytes) == bytes;
  work<<<1, 1, 0, stream>>>(1000000, result);
  cudaMemcpyAsync(first, buffer, bytes, cudaMemcpyHostToDevice, stream);  // [copy]
  cudaStreamSynchronize(stream);
  whole = whole && read(fileno(file), buffer, bytes) == bytes;
  cudaMemcpyAsync(second, buffer, bytes, cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);

  cudaMemcpy(numbers, first, bytes, cudaMemcpyDeviceToHost);
  int wrong = whole ? 0 : n;
  for (int i = 0; i < n; ++i)
    if (numbers[i] != 1) ++wrong;
  if (wrong == 0)
    printf("right\n");
  else
    printf("%d wrong\n", wrong);
  return 0;
}
