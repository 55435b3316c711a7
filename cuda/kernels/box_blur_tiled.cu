// box_blur with a tile: the block fetches its 16 x 16 pixels and a border as wide as the radius once, and
// then every thread adds up its square from shared memory.

extern "C" __global__ void box_blur_tiled(const unsigned char* in, unsigned char* out, int width, int height,
                                          int radius) {
  constexpr int block = 16;  // the block must be 16 x 16
  constexpr int most = 8;    // largest radius
  __shared__ unsigned char tile[block + 2 * most][3 * (block + 2 * most)];
  int left = blockIdx.x * block - radius;  // the picture's pixel at tile[0][0]
  int top = blockIdx.y * block - radius;
  int side = block + 2 * radius;

  // More pixels than threads: each thread fetches every 256th.
  for (int i = threadIdx.y * block + threadIdx.x; i < side * side; i += block * block) {
    int row = min(max(top + i / side, 0), height - 1);
    int column = min(max(left + i % side, 0), width - 1);
    for (int channel = 0; channel < 3; ++channel)
      tile[i / side][3 * (i % side) + channel] = in[3 * (row * width + column) + channel];
  }
  __syncthreads();

  int x = blockIdx.x * block + threadIdx.x;
  int y = blockIdx.y * block + threadIdx.y;
  if (x >= width || y >= height) return;

  int count = (2 * radius + 1) * (2 * radius + 1);
  for (int channel = 0; channel < 3; ++channel) {
    int sum = 0;
    for (int dy = 0; dy <= 2 * radius; ++dy)
      for (int dx = 0; dx <= 2 * radius; ++dx)
        sum += tile[threadIdx.y + dy][3 * (threadIdx.x + dx) + channel];
    out[3 * (y * width + x) + channel] = (sum + count / 2) / count;  // rounded
  }
}
