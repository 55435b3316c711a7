// What the transcripts of the debugger's tests step through. remake.sh compiles it.
#include <cstdio>

struct Pair {
  int low, high;
};

__device__ int twice(int value) {
  int doubled = value + value;
  return doubled;
}

// The sum of twice the numbers of each block.
extern "C" __global__ void sums(const int* in, int* out, int n) {
  __shared__ int tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Pair pair{i, n - i};
  tile[threadIdx.x] = i < n ? twice(in[i]) : 0;
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    out[blockIdx.x] = tile[0] + pair.low;
    printf("block %d: %d\n", blockIdx.x, tile[0]);
  }
}

// A barrier is missing between the two lines.
extern "C" __global__ void racy(const int* in, int* out, int n) {
  __shared__ int tile[64];
  tile[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = tile[63 - threadIdx.x] + n;
}

// Block 2 reads past the end of the array.
extern "C" __global__ void beyond(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] == n) out[0] = i;
}

// It never ends.
extern "C" __global__ void endless(const int* in, int* out, int n) {
  for (int i = 0; in[0] != n; ++i) out[0] = i;
}
