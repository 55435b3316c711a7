template <class F>
__device__ int apply(F f, int count) {
  int all = 0;
  for (int j = 0; j < count; ++j) {
    int one = f(j);
    all += one;
  }
  return all;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int factor = in[i];
  int calls = 0;
  auto scaled = [&](int v) {
    int product = v * factor;
    ++calls;
    return product + calls;
  };
  auto fixed = [factor](int v) {
    int moved = v + factor;
    return moved;
  };
  int a = apply(scaled, i % 4);
  int b = apply(fixed, 3);
  factor += 1;
  int c = scaled(b);
  out[i] = a + b + c + calls;
}
