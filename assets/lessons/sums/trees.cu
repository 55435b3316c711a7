// warplens: x=int32[64] formula(1), sum=int32[1] zero, tree=2 in 0..2, block=64, grid=1
extern "C" __global__ void trees(const int* x, int* sum, int tree) {
  __shared__ int value[64];
  int i = threadIdx.x;
  value[i] = x[i];
  __syncthreads();

  if (tree == 0) {  // side by side: 0 adds 1, 2 adds 3, 4 adds 5, …
    for (int step = 1; step < 64; step *= 2) {
      if (i % (2 * step) == 0) value[i] += value[i + step];
      __syncthreads();
    }
  } else if (tree == 1) {  // packed: the same pairs, but the first threads do the work
    for (int step = 1; step < 64; step *= 2) {
      int left = 2 * step * i;
      if (left + step < 64) value[left] += value[left + step];
      __syncthreads();
    }
  } else {  // half away: the partner is half of the array away
    for (int half = 32; half > 0; half /= 2) {
      if (i < half) value[i] += value[i + half];
      __syncthreads();
    }
  }
  if (i == 0) sum[0] = value[0];
}
