extern "C" __global__ void follow(const int* next, int* out, int n, int hops) {
  int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += 4 * threads) {
    int b = i + threads, c = b + threads, d = c + threads;
    int at = i, at_b = min(b, n - 1), at_c = min(c, n - 1), at_d = min(d, n - 1);
    for (int k = 0; k < hops; ++k) {
      at = next[at];
      at_b = next[at_b];
      at_c = next[at_c];
      at_d = next[at_d];
    }
    out[i] = at;
    if (b < n) out[b] = at_b;
    if (c < n) out[c] = at_c;
    if (d < n) out[d] = at_d;
  }
}
