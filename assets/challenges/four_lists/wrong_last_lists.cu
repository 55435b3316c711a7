extern "C" __global__ void follow(const int* next, int* out, int n, int hops) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (int i = first; i + 3 * threads < n; i += 4 * threads) {
    int a = i, b = i + threads, c = i + 2 * threads, d = i + 3 * threads;
    for (int k = 0; k < hops; ++k) {
      a = next[a];
      b = next[b];
      c = next[c];
      d = next[d];
    }
    out[i] = a;
    out[i + threads] = b;
    out[i + 2 * threads] = c;
    out[i + 3 * threads] = d;
  }
}
