// Neither sum has a value, and each thread takes one of them.
// run: grid 1 block 64 out n 7
// finds uninitialized at [read] block 0 thread 0 of sums+4
extern "C" __global__ void bug(int* out, int n) {
  __shared__ int sums[2];
  if (threadIdx.x == 0) sums[n & 2 ? 0 : 1] = n;
  __syncthreads();
  int one = sums[1] + n;  // [read]
  int other = one * 3;
  out[threadIdx.x] = threadIdx.x > n ? one : other;
}
