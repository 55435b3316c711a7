// Each pixel becomes a weighted sum of the 5 x 5 pixels around it. All threads need the same weights in the
// same order, which is what constant memory is for: one read serves the whole warp.

__constant__ float weights[5][5];  // set by the host before the launch

extern "C" __global__ void convolution_constant(const unsigned char* in, unsigned char* out, int width,
                                                int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;

  float sum = 0.f;
  for (int dy = 0; dy < 5; ++dy) {
    int row = min(max(y + dy - 2, 0), height - 1);
    for (int dx = 0; dx < 5; ++dx) {
      int column = min(max(x + dx - 2, 0), width - 1);
      sum = fmaf(weights[dy][dx], in[row * width + column], sum);
    }
  }
  out[y * width + x] = min(max(sum, 0.f), 255.f) + .5f;
}
