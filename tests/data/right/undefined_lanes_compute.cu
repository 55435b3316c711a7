// Threads outside of the problem compute with variables that only the others give a value.
// run: grid 1 block 64 in out n 5
extern "C" __global__ void bug(const int* in, int* out, int n) {
  const int t = threadIdx.x;
  const bool inside = t < 50;
  int value, behind;
  if (inside) {
    value = in[t];
    behind = in[t + 1];
  }
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    value = value * 3 + behind;
    behind ^= value;
    __syncthreads();
  }
  if (inside) out[t] = value;
}
