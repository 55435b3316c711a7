extern "C" __global__ void follow(const int* next, int* out, int n, int hops) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += 4 * threads) {
    int at[4];
    for (int j = 0; j < 4; ++j) at[j] = min(i + j * threads, n - 1);
    for (int k = 0; k < hops; ++k)
      for (int j = 0; j < 4; ++j) at[j] = next[at[j]];
    for (int j = 0; j < 4; ++j) out[i + j * threads] = at[j];
  }
}
