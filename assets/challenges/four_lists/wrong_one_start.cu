extern "C" __global__ void follow(const int* next, int* out, int n, int hops) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += 2 * threads) {
    int other = i + threads, a = i, b = i;
    for (int k = 0; k < hops; ++k) {
      a = next[a];
      b = next[b];
    }
    out[i] = a;
    if (other < n) out[other] = b;
  }
}
