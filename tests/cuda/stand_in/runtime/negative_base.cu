// The unrolled loop has a negative base in shared memory, to which positive offsets are added: sums of
// addresses have 32 bits.
#include <cuda_runtime.h>

#include "expect.h"

__global__ void diagonals(int* out) {
  __shared__ int table[17][17];
  const int x = threadIdx.x;
  for (int i = 0; i < 17; i++) table[i][x + 1] = i, table[i][0] = i;
  __syncthreads();
  for (int m = 0; m < 16; m++) {
    if (x <= m) {
      const int y = m - x + 1;
      table[y][x + 1] = table[y - 1][x] + 1;
    }
    __syncthreads();
  }
  out[x] = table[1][x + 1];
}

int main() {
  int *device = nullptr, host[16] = {};
  EXPECT_OK(cudaMalloc(&device, sizeof host));
  diagonals<<<1, 16>>>(device);
  EXPECT_OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  for (const int value : host) EXPECT(value == 1);
  return result();
}
