// A recursion that never stops.
// run: grid 1 block 1 out
// faults stack_overflow at [call] block 0 thread 0
__device__ __noinline__ int down(int n, volatile int* out) {
  if (n == -1) return 0;
  out[0] = n;
  return down(n + 1, out) + out[0];  // [call]
}
extern "C" __global__ void bug(int* out) { out[1] = down(0, out); }
