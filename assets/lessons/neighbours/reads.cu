// Each thread takes the mean of the pixels around its own that exist, and notes which pixels it has read.
// warplens: in=float32[width, height] formula(7 * i), mean=float32[width, height] zero, reads=int32[width, height] zero
// warplens: width=12, height=8, radius=1 in 1..3, block=4x4, threads=(width, height)
extern "C" __global__ void reads(const float* in, float* mean, int* reads, int width, int height, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  float sum = 0.f;
  int count = 0;
  for (int row = max(y - radius, 0); row <= min(y + radius, height - 1); ++row)
    for (int column = max(x - radius, 0); column <= min(x + radius, width - 1); ++column) {
      sum += in[row * width + column];
      atomicAdd(&reads[row * width + column], 1);
      ++count;
    }
  mean[y * width + x] = sum / count;
}
