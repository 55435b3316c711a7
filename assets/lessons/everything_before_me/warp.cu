// warplens: x=int32[32] formula(i + 1), out=int32[32] zero, block=32, grid=1
extern "C" __global__ void of_warp(const int* x, int* out) {
  int lane = threadIdx.x;
  int value = x[lane];
  for (int distance = 1; distance < 32; distance *= 2) {
    int other = __shfl_up_sync(0xffffffff, value, distance);
    if (lane >= distance) value += other;
  }
  out[lane] = value;
}
