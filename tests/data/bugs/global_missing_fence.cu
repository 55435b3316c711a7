// The last block sums the parts, but nobody published them with __threadfence().
// run: grid 4 block 32 out
// finds race at [sum] block 3 thread 0 of out+12 against [part] block 2 thread 0
__device__ unsigned done;
extern "C" __global__ void bug(int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    out[1 + blockIdx.x] = blockIdx.x;  // [part]
    last = atomicAdd(&done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
#pragma unroll 1
    for (int b = 0; b < 4; ++b) sum += out[1 + b];  // [sum]
    out[0] = sum;
  }
}
// says __threadfence() and an atomic flag
// says_not Put __sync
