// warplens: x=int32[64] formula(1), sum=int32[1] zero, block=64, grid=1
// The partners stand side by side: 0 and 1, 2 and 3, …
extern "C" __global__ void side_by_side(const int* x, int* sum) {
  __shared__ int value[64];
  int i = threadIdx.x;
  value[i] = x[i];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    if (i % (2 * step) == 0) value[i] += value[i + step];
    __syncthreads();
  }
  if (i == 0) sum[0] = value[0];
}
// warplens: x=int32[64] formula(1), sum=int32[1] zero, block=64, grid=1
// The same pairs, but the first threads do the work, without gaps.
extern "C" __global__ void packed(const int* x, int* sum) {
  __shared__ int value[64];
  int i = threadIdx.x;
  value[i] = x[i];
  __syncthreads();
  for (int step = 1; step < 64; step *= 2) {
    int left = 2 * step * i;
    if (left + step < 64) value[left] += value[left + step];
    __syncthreads();
  }
  if (i == 0) sum[0] = value[0];
}
// warplens: x=int32[64] formula(1), sum=int32[1] zero, block=64, grid=1
// The partner stands half of the array away.
extern "C" __global__ void half_away(const int* x, int* sum) {
  __shared__ int value[64];
  int i = threadIdx.x;
  value[i] = x[i];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (i < half) value[i] += value[i + half];
    __syncthreads();
  }
  if (i == 0) sum[0] = value[0];
}
