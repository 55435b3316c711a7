template <class T>
__device__ T largest(const T* values, int count) {
  T best = values[0];
  for (int j = 1; j < count; ++j) {
    T now = values[j];
    best = now > best ? now : best;
  }
  return best;
}
template <int N>
__device__ int power(int base) {
  int result = 1;
#pragma unroll
  for (int j = 0; j < N; ++j) {
    result *= base;
  }
  return result;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double halves[3];
  for (int j = 0; j < 3; ++j) {
    halves[j] = in[(i + j) % n] * 0.5;
  }
  int whole = largest(in, i % 4 + 1);
  double half = largest(halves, 3);
  int cube = power<3>(i);
  int square = power<2>(whole);
  out[i] = whole + static_cast<int>(half) + cube + square;
}
