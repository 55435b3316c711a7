// A shared sum that nobody has set to zero.
// run: grid 1 block 32 out
// finds uninitialized at [add] block 0 thread 0 of sum+0
extern "C" __global__ void bug(int* out) {
  __shared__ int sum;
  atomicAdd(&sum, 1);  // [add]
  __syncthreads();
  out[threadIdx.x] = sum;
}
// says Let one thread set it to zero
