// A warp adds up what 20 of its lanes have: the sum of a lane beyond them is never looked at.
// run: grid 1 block 32 in out
extern "C" __global__ void bug(const int* in, int* out) {
  const int lane = threadIdx.x;
  int sum;
  if (lane < 20) sum = in[lane];
#pragma unroll 1
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_down_sync(0xffffffff, sum, offset);
    if (lane + offset < 20) sum += other;
  }
  if (lane == 0) out[0] = sum;
}
