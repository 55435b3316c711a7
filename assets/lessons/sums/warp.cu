// warplens: x=int32[32] formula(i), sum=int32[1] zero, block=32, grid=1
extern "C" __global__ void of_warp(const int* x, int* sum) {
  int lane = threadIdx.x;
  int value = x[lane];
  for (int distance = 16; distance > 0; distance /= 2) {
    int other = __shfl_down_sync(0xffffffff, value, distance);
    value += other;
  }
  if (lane == 0) sum[0] = value;
}
