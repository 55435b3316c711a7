// warplens: in=float32[width, height] formula(i - 100 * floor(i / 100)), out=float32[width, height] zero, width=512, height=512
// warplens: block=32x8, threads=(width, height)
extern "C" __global__ void first(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  int i = x * height + y;
  float value = in[i];
  value = 2.f * value + 1.f;
  out[i] = value;
}
