extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i];
  bool b = x > 3;
  out[i] = x;
  x = i * 3;
  b = !b;
  int y = out[i] + 1;
  float f = y * 0.5f;
  out[i] += y;
  f = f + 2;
  char c = static_cast<char>(y);
  if (b) {
    out[i] += 1;
    b = y > 10;
  }
  for (int j = 0; j < 2; ++j) {
    int last = y + j;
    out[i] += last;
    last = 5;
    x = last + j;
  }
  n = c + y;
  out[i] -= 1;
  c = 7;
  n = 3;
  out[i] += 2;
}
