// warplens: in=float32[width, height] formula(i - 100 * floor(i / 100)), out=float32[width, height] zero, width=448, height=448
// warplens: block=7x7, threads=(width, height)
extern "C" __global__ void second(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  float value = in[y * width + x];
  for (int k = 0; k < 20; ++k) value = .5f * value + 1.f;
  out[y * width + x] = value;
}
