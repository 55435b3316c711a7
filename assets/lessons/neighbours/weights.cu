__constant__ float of_constant[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};

// way 0: the weights are in global memory; 1: in constant memory; 2: in the instructions themselves.
// warplens: in=float32[width, height] index, weights=float32[9] formula(i == 4 ? 4 : i - 2 * floor(i / 2) == 1 ? 2 : 1)
// warplens: out=float32[width, height] zero, width=256, height=64, way=0 in 0..2, block=32x8, threads=(width, height)
extern "C" __global__ void weighted(const float* in, const float* weights, float* out, int width, int height, int way) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;

  const float of_code[9] = {1, 2, 1, 2, 4, 2, 1, 2, 1};
  float sum = 0.f;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    // __ldg reads global memory and nothing else, so no compiler makes one load of the first two.
    float weight = way == 0 ? __ldg(weights + k) : way == 1 ? of_constant[k] : of_code[k];
    sum += weight * in[(y + k / 3 - 1) * width + x + k % 3 - 1];
  }
  out[y * width + x] = sum / 16.f;
}
