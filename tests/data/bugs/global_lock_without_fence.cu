// A lock protects a sum, but nothing publishes it when the lock is given back.
// run: grid 4 block 1 out
// finds race at [add] block 1 thread 0 of out+0 against [add] block 0 thread 0
__device__ int lock;
extern "C" __global__ void bug(int* out) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  out[0] += blockIdx.x;  // [add]
  atomicExch(&lock, 0);
}
// says use atomicAdd()
// says If a lock guards it: __threadfence()
// says_not __sync
