// A matrix as an array of pointers to rows, each allocated on the device.
#include <cstdio>

__global__ void set(float** m, int rows, int columns) {
  int r = threadIdx.y, c = threadIdx.x;
  if (r < rows && c < columns) m[r][c] = r * 10 + c;
}

int main() {
  const int rows = 4, columns = 8;
  float** m;
  cudaMalloc(&m, rows * sizeof(float*));
  for (int r = 0; r < rows; r++) cudaMalloc(&m[r], columns * sizeof(float));  // mark: row
  set<<<1, dim3(columns, rows)>>>(m, rows, columns);
  cudaDeviceSynchronize();
  printf("done\n");
  return 0;
}
