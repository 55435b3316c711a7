// Doubles 1,000 numbers.
#include <cstdio>
#include <cstdlib>

__global__ void twice(int* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}

int main() {
  const int n = 1000;
  int* v = (int*)malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) v[i] = i;
  int *d_v, *d_w, *back = v;
  cudaMalloc(&d_v, n * sizeof(int));
  cudaMemcpy(d_v, v, sizeof(v), cudaMemcpyHostToDevice);  // mark: copy
  twice<<<4, 256>>>(d_v, n);
  cudaMemcpy(v, d_v, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMalloc(&d_w, n * sizeof(int));
  cudaMemset(d_w, 0, n * sizeof(int));
  twice<<<4, 256>>>(d_w, n);
  cudaMemcpy(back, d_w,  // mark: back
             sizeof back, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d\n", v[0], v[1], v[2], v[999]);
  cudaFree(d_v);
  cudaFree(d_w);
  free(v);
  return 0;
}
