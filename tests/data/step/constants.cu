__constant__ float weights[4] = {0.5f, 1, 2, 4};
__device__ int counter = 3;
extern "C" __global__ void k(int* out, const int* in, int n) {
  const int fixed = 12;
  constexpr float scale = 2.5f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int zero = 0;
  int copy = zero;
  float w = weights[i % 4];
  float scaled = w * scale;
  int now = counter;
  copy = fixed;
  zero = copy + now;
  out[i] = static_cast<int>(scaled) + zero;
}
