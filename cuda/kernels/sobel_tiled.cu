// sobel with a tile: the block fetches 18 x 18 pixels once, its own 16 x 16 and one more on each side.

extern "C" __global__ void sobel_tiled(const unsigned char* in, unsigned char* out, int width, int height) {
  constexpr int block = 16;  // the block must be 16 x 16
  constexpr int side = block + 2;
  __shared__ unsigned char tile[side][side];
  for (int i = threadIdx.y * block + threadIdx.x; i < side * side; i += block * block) {
    int row = min(max((int)blockIdx.y * block - 1 + i / side, 0), height - 1);
    int column = min(max((int)blockIdx.x * block - 1 + i % side, 0), width - 1);
    tile[i / side][i % side] = in[row * width + column];
  }
  __syncthreads();

  int x = blockIdx.x * block + threadIdx.x;
  int y = blockIdx.y * block + threadIdx.y;
  if (x >= width || y >= height) return;

  const unsigned char* above =
      &tile[threadIdx.y][threadIdx.x];  // the tile begins one pixel to the left and above
  const unsigned char* here = above + side;
  const unsigned char* below = here + side;
  int across = above[2] + 2 * here[2] + below[2] - above[0] - 2 * here[0] - below[0];
  int down = below[0] + 2 * below[1] + below[2] - above[0] - 2 * above[1] - above[2];
  out[y * width + x] = min(sqrtf(across * across + down * down), 255.f);
}
