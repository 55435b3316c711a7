// A counter is raised by atomics and read without one.
// run: grid 2 block 32 out
// finds race at [read] block 0 thread 0 of out+0 against [count] block 0 thread 31
extern "C" __global__ void bug(int* out) {
  atomicAdd(out, 1);                                   // [count]
  if (threadIdx.x == 0) out[1 + blockIdx.x] = out[0];  // [read]
}
// says waits for one block only
// says_not Put
