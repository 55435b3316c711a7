// warplens: in=float32[width, height] index, out=float32[width, height] zero, width=64, height=64, block=32x8
// warplens: grid=(ceil(64/32), ceil(64/8))
extern "C" __global__ void column(const float* in, float* out, int width, int height) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height) out[row * width + column] = 2 * in[row * width + column];
}
