// warplens: x=int32[64] formula(1), out=int32[64] zero, block=64, grid=1
extern "C" __global__ void early(const int* x, int* out) {
  __shared__ int values[64];
  int i = threadIdx.x;
  values[i] = x[i];
  __syncthreads();
  for (int distance = 1; distance < 64; distance *= 2) {
    int other = i >= distance ? values[i - distance] : 0;
    // place 1
    values[i] += other;
    // place 2
  }
  out[i] = values[i];
}
