extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  int value = in[i];
  if (value < 0) {
    int negative = -value;
    out[i] = negative;
    return;
  }
  int twice = 2 * value;
  if (twice > 40) {
    int rest = twice - 40;
    out[i] = rest;
    return;
  }
  out[i] = twice;
}
