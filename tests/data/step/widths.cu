#include <cuda_fp16.h>
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  char c = static_cast<char>(in[i]);
  signed char sc = static_cast<signed char>(c - 1);
  unsigned char uc = static_cast<unsigned char>(c);
  short s = static_cast<short>(in[i] * 300);
  unsigned short us = static_cast<unsigned short>(s);
  unsigned u = static_cast<unsigned>(in[i]);
  long long ll = static_cast<long long>(in[i]) * 5000000000ll;
  unsigned long long ull = static_cast<unsigned long long>(ll);
  size_t size = i;
  double d = in[i] / 3.0;
  float f = in[i] / 3.0f;
  bool b = (in[i] & 1) != 0;
  __half h = __float2half(f);
  c += 3;
  s -= 7;
  b = !b;
  d *= f;
  long long all = c + sc + uc + s + us + u + ll + ull + size + static_cast<long long>(d) + b;
  out[i] = static_cast<int>(all) + static_cast<int>(__half2float(h));
}
