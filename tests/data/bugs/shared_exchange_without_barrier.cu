// Neighbours are sorted by exchange, with no barrier between two rounds: no update of one word, so no atomic.
// run: grid 1 block 32 out
// finds race at [compare] block 0 thread 0 of keys+8 against [exchange] block 0 thread 1
// finds race at [compare] block 0 thread 1 of keys+8 against [store] block 0 thread 0
// finds race at [store] block 0 thread 0 of keys+8 against [exchange] block 0 thread 1
extern "C" __global__ void bug(int* out) {
  __shared__ int keys[66];
  int t = threadIdx.x;
  keys[2 * t] = 100 - 2 * t;
  keys[2 * t + 1] = 99 - 2 * t;
  keys[64 + t % 2] = 0;
  __syncthreads();
#pragma unroll 1
  for (int round = 0; round < 4; ++round) {
    int i = 2 * t + round % 2;
    int a = keys[i], b = keys[i + 1];  // [compare]
    if (a > b) {
      keys[i] = b;      // [exchange]
      keys[i + 1] = a;  // [store]
    }
  }
  __syncthreads();
  out[t] = keys[t];
}
// says __sync
// says_not atomic
