// Half of a warp waits at __syncthreads().
// run: grid 1 block 32 out
// faults barrier_divergence at [barrier] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  if (threadIdx.x < 16) {
    __syncthreads();  // [barrier]
    out[threadIdx.x] = 1;
  } else {
    __syncwarp(0xffff0000);
    asm volatile("bar.sync 0;" ::: "memory");
    out[threadIdx.x] = 2;
  }
}
