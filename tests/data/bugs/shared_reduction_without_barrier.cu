// The barrier between two halving steps of a reduction is missing.
// run: grid 1 block 64 out
// finds race at [add] block 0 thread 0 of part+4 against [add] block 0 thread 1
extern "C" __global__ void bug(int* out) {
  __shared__ int part[64];
  int t = threadIdx.x;
  part[t] = t;
  __syncthreads();
#pragma unroll 1
  for (int half = 32; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];  // [add]
  }
  __syncthreads();
  if (t == 0) out[0] = part[0];
}
// says at the end of each iteration of the loop
// says_not atomic
