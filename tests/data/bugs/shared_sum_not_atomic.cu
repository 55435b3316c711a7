// Threads add to one counter without an atomic.
// run: grid 1 block 64 out
// finds race at [add] block 0 thread 0 of sum+0 against [add] block 0 thread 1
extern "C" __global__ void bug(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  sum += threadIdx.x;  // [add]
  __syncthreads();
  out[threadIdx.x] = sum;
}
// says use atomicAdd()
// says_not __sync
