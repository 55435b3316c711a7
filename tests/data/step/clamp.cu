extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool ok = i < n;
  if (ok) {
    int lo = -3, hi = 20;
    int a = in[i];
    int r = a < lo ? lo : a;
    int s = r > hi ? hi : r;
    int back = s;
    out[i] = back + r;
  }
}
