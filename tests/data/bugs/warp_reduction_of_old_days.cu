// A warp's reduction in shared memory that trusts lanes to run in step.
// run: grid 1 block 32 out
// finds race at [add8] block 0 thread 0 of part+32 against [add16] block 0 thread 8
// finds race at [add4] block 0 thread 0 of part+16 against [add8] block 0 thread 4
extern "C" __global__ void bug(int* out) {
  __shared__ int part[32];
  int t = threadIdx.x;
  part[t] = t;
  __syncwarp();
  if (t < 16) {
    part[t] += part[t + 16];            // [add16]
    if (t < 8) part[t] += part[t + 8];  // [add8]
    if (t < 4) part[t] += part[t + 4];  // [add4]
  }
  __syncwarp();
  if (t == 0) out[0] = part[0];
}
// says __syncwarp()
// says_not atomic
