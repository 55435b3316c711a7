// A named barrier takes in one half of the block, the other reads.
// run: grid 1 block 64 out
// finds race at [read] block 0 thread 0 of part+128 against [write] block 0 thread 32
extern "C" __global__ void bug(int* out) {
  __shared__ int part[64];
  int t = threadIdx.x;
  part[t] = 0;
  __syncthreads();
  part[t] = t;  // [write]
  if (t < 32) {
    asm volatile("bar.sync 1, 32;" ::: "memory");
  }
  out[t] = part[t ^ 32];  // [read]
}
// says does not hold back all of them
