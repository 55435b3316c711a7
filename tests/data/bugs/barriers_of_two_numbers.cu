// One warp waits at barrier 1, the other at barrier 2.
// run: grid 1 block 64 out
// faults deadlock at [first] block 0 thread 0
extern "C" __global__ void bug(int* out) {
  if (threadIdx.x < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");  // [first]
  else
    asm volatile("bar.sync 2, 64;" ::: "memory");
  out[threadIdx.x] = 1;
}
